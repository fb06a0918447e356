/** From what monitoring saw to the records, and to what is reported now. */
import type { FindingRecord } from '../../../core/lifecycle/finding-record.ts';
import type { MonitoringObservation } from '../../../core/monitoring/say.ts';
import type { Severity } from '../../../core/schemas/finding-kinds.ts';
import { storeObservations, withAccountNames } from '../../../lambdas/watch-volumes/store-observations.ts';
import { aFinding, asRemembered, someRules } from '../../fixtures/findings.ts';

const start = 1_795_132_800;

const seen = (
  findingId: string,
  severity: Severity | null,
  atEpochSeconds = start,
): MonitoringObservation => ({
  ...{ findingId, kind: 'credits-exhausted', source: 'monitoring', by: 'monitoring', atEpochSeconds },
  finding:
    severity === null ? null : asRemembered(aFinding({ id: findingId, kind: 'credits-exhausted', severity })),
});

let there: Map<string, FindingRecord>;
beforeEach(() => {
  there = new Map();
});
const see = (...observations: MonitoringObservation[]): Promise<string[]> =>
  storeObservations(
    observations,
    {
      read: async (ids) =>
        new Map(ids.flatMap((id) => (there.has(id) ? [[id, there.get(id) as FindingRecord]] : []))),
      write: async (record) => there.set(record.findingId, record) !== undefined,
    },
    someRules,
    Math.max(start, ...observations.map(({ atEpochSeconds }) => atEpochSeconds)),
  );

test('what is urgent enough is to be reported now; what is not is remembered', async () => {
  expect(await see(seen('a', 'critical'), seen('b', 'info'))).toEqual(['a']);
  expect([...there.keys()]).toEqual(['a', 'b']);
});

test('what people know, and goes on, is not reported again', async () => {
  await see(seen('a', 'warning'));
  const record = there.get('a') as FindingRecord;
  there.set('a', { ...record, notified: { level: 'warning', epochSeconds: start } });
  expect(await see(seen('a', 'warning', start + 300))).toEqual([]);
});

test('what is gone and never was makes no record', async () => {
  expect(await see(seen('a', null))).toEqual([]);
  expect(there.size).toBe(0);
});

test('the history says when it was written down, besides when it was seen', async () => {
  await see(seen('a', 'critical'), seen('b', 'critical', start + 300));
  expect(there.get('a')?.history).toMatchObject([{ epochSeconds: start, writtenEpochSeconds: start + 300 }]);
});

test('of nothing seen nothing is read', async () => {
  expect(await see()).toEqual([]);
});

test('of several accounts a finding says what its account is called, and in which units it is', () => {
  const { account } = aFinding({}).resource;
  const units = [
    { id: 'r-ab12', name: 'Root' },
    { id: 'ou-ab12-11111111', name: 'Shops' },
  ];
  const listed = { account: `${account}`, name: 'shop', units, refused: null };
  const [named, ended] = withAccountNames(
    [seen('a', 'critical'), seen('b', null)],
    new Map([[listed.account, listed]]),
  );
  expect(named?.finding?.resource).toMatchObject({
    ...{ account, accountName: 'shop', accountUnits: ['r-ab12', 'ou-ab12-11111111'] },
  });
  expect(ended?.finding).toBeNull();
  // Of one account, and where nobody told, nothing is added.
  for (const accounts of [null, new Map()])
    expect(withAccountNames([seen('a', 'critical')], accounts)).toEqual([seen('a', 'critical')]);
});
