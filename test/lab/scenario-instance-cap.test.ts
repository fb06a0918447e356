import { testScenario } from './scenarios.ts';

testScenario('instance-cap');
