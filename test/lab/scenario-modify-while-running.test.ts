import { testScenario } from './scenarios.ts';

testScenario('modify-while-running');
