import { testScenario } from './scenarios.ts';

testScenario('five-members');
