import { testScenario } from './scenarios.ts';

testScenario('raid-comparison');
