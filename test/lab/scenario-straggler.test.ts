import { testScenario } from './scenarios.ts';

testScenario('straggler');
