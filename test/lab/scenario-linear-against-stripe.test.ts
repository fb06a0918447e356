import { testScenario } from './scenarios.ts';

testScenario('linear-against-stripe');
