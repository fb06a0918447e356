import { testScenarios } from './scenarios.ts';

testScenarios(['linear-against-stripe', 'straggler', 'five-members']);
