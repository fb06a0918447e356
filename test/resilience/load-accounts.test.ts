/**
 * The same 20,000 volumes in 100 accounts of an organization, two Regions each, through the deployed audit: who is read, what
 * it takes of calls, memory, payloads and events. LOAD_ACCOUNTS=10 is a part of them.
 */
import { z } from 'zod';
import { type LoadedDeployment, loadedDeployment } from './load/deployment.ts';
import { largeFleet, partOf, truthOf } from './load/fleet.ts';
import { equals, limited, rowsOf } from './load/rows.ts';
import { printOutcomes, unexpected } from './outcome-table.ts';

const accountCount = Number(process.env['LOAD_ACCOUNTS'] ?? 100);
const days = 2;
const spread = {
  accounts: Array.from({ length: accountCount }, (_, i) => String(200_000_000_000 + i)),
  regions: ['us-east-1', 'eu-central-1'],
  ofHundred: accountCount,
};
const fleet = largeFleet();
const truth = truthOf(partOf(fleet, accountCount));

let deployment: LoadedDeployment;
beforeAll(async () => {
  deployment = await loadedDeployment(fleet, days, null, spread);
}, 600_000);
afterAll(() => deployment?.remove());

const countsSchema = z.record(
  z.string(),
  z.object({
    regions: z.record(
      z.string(),
      z.object({
        calls: z.record(z.string(), z.number()),
        datapoints: z.number(),
      }),
    ),
  }),
);

/** What CloudWatch counted of all accounts: GetMetricData calls, and points. */
async function countedOfAll(): Promise<{ calls: number; points: number }> {
  const url = `${deployment.services.urls.cloudWatch}/_stripewise/counts/accounts`;
  const counts = countsSchema.parse(await deployment.send('GET', url));
  const targets = Object.values(counts).flatMap(({ regions }) => Object.values(regions));
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    calls: sum(targets.map(({ calls }) => calls['GetMetricData'] ?? 0)),
    points: sum(targets.map(({ datapoints }) => datapoints)),
  };
}

test('a fleet of 100 accounts is read in whole, within the limits', async () => {
  const run = await deployment.run();
  const { accountCoverage = [], coverage, volumes } = run.result ?? {};
  const name = `${accountCount} accounts`;
  const counted = await countedOfAll();
  const { made, least, points } = run.calls;
  const outcomes = [
    ...rowsOf(name, run),
    equals(name, 'accounts', accountCount, accountCoverage.length),
    equals(
      name,
      'not read in whole',
      [],
      accountCoverage.filter(({ state }) => state !== 'read'),
    ),
    equals(name, 'not read', [], coverage?.incomplete.slice(0, 3)),
    equals(name, 'volumes told of', truth.volumes, volumes?.length),
    equals(name, 'of them unknown', truth.unknown, coverage?.unknown.length),
    equals(name, 'GetMetricData calls, as CloudWatch counts them', counted.calls, made),
    equals(name, 'data points, as CloudWatch counts them', counted.points, points),
    // 1.02 times the least.
    limited(name, `GetMetricData, the least is ${least}`, least * 1.02, counted.calls, 'calls'),
  ];
  const children = `${run.histories.eventsOfChildren} events in all children`;
  printOutcomes(`Load of accounts: ${truth.volumes} volumes, ${children}`, ['run', 'what'], outcomes);
  expect(unexpected(outcomes)).toEqual([]);
}, 2_700_000);
