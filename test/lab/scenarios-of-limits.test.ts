import { scenarios } from '../../local/lab/scenarios/index.ts';
import { testScenarios } from './scenarios.ts';

const names = [
  'linear-against-stripe',
  'straggler',
  'five-members',
  'gp2-burst',
  'instance-cap',
  'modify-while-running',
];
testScenarios(names);

test('every scenario is tried in one of the two files', () => {
  expect(scenarios.map(({ name }) => name).toSorted()).toEqual(
    [...names, 'raid-comparison', 'degraded-array'].toSorted(),
  );
});
