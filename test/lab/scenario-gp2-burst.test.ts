import { testScenario } from './scenarios.ts';

testScenario('gp2-burst');
