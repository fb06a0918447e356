import { testScenarios } from './scenarios.ts';

testScenarios(['gp2-burst', 'instance-cap', 'modify-while-running']);
