/** What a run adds to the inventory and the findings of its day. */
import { tablesOfRun } from '../../../core/archive/tables.ts';
import { aFinding, aResult } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const endEpochSeconds = Date.parse('2026-11-23T06:00:00Z') / 1_000;
const fleet = { volumes: [aVolume()], instances: [] };
const result = aResult([aFinding()]);
const namesOf = (results: Parameters<typeof tablesOfRun>[0]['results'], discoveredAfterSeconds = 180) =>
  tablesOfRun({
    ...{ fleet, results, endEpochSeconds },
    discoveredSeconds: endEpochSeconds + discoveredAfterSeconds,
  }).map(([name, cells]) => `${name}: ${cells[0]?.data.length}`);

test('both, where each batch has a result', () => {
  expect(namesOf([result, result])).toEqual(['inventory: 1', 'findings: 2']);
});

test('where a batch has none the findings are not known: those that are there stay', () => {
  expect(namesOf([result, null])).toEqual(['inventory: 1']);
  expect(namesOf([null])).toEqual(['inventory: 1']);
});

test('a run of another time says nothing of that day; how long a run takes does not matter', () => {
  expect(namesOf([result], 3_600)).toHaveLength(2);
  expect(namesOf([result], 3_601)).toEqual([]);
});
