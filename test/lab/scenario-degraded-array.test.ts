import { testScenario } from './scenarios.ts';

testScenario('degraded-array');
