import { testScenarios } from './scenarios.ts';

testScenarios(['raid-comparison', 'degraded-array']);
