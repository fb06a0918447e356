/**
 * 20,000 volumes through the deployed audit in two passes: what its functions take of memory, and Step Functions of payloads and
 * events. It reads /proc, so it runs on Linux. The window is two days, or LOAD_DAYS=14: then it takes several times as long, for
 * CloudWatch's points. A batch has as many points either way, with two days more volumes.
 */
import { z } from 'zod';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { FindingKind } from '../../core/schemas/finding.ts';
import { localRegion } from '../../local/services.ts';
import { type LoadedDeployment, loadedDeployment, type MeasuredRun } from './load/deployment.ts';
import { fleetSize, largeFleet, truthOf } from './load/fleet.ts';
import { equals, limited, rowsOf } from './load/rows.ts';
import { type Outcome, printOutcomes, unexpected } from './outcome-table.ts';

const days = Number(process.env['LOAD_DAYS'] ?? 2);
/** Half, as an audit takes by default. With all of it the other suites have too little of two cores: LOAD_QUOTA_PERCENT=100. */
const quotaPercent = Number(process.env['LOAD_QUOTA_PERCENT'] ?? 50);
const fleet = largeFleet();
const truth = truthOf(fleet);
const heads = ['run', 'what'];
const conditions = `${fleetSize} volumes on ${truth.instances} instances, ${truth.inTrouble} in trouble, ${days} days in two passes, ${quotaPercent} % of the quota of points`;

let deployment: LoadedDeployment;
beforeAll(async () => {
  deployment = await loadedDeployment(fleet, days, quotaPercent);
}, 300_000);
afterAll(() => deployment?.remove());

/** What is the audit's of all that CloudWatch answers in a second; without monitoring all of its share. */
const pointsASecond = 3_960 * quotaPercent;

const countsSchema = z.object({
  regions: z.record(
    z.string(),
    z.object({
      throttled: z.number(),
      mostDatapoints: z.object({ in1Second: z.number(), in10Seconds: z.number() }),
    }),
  ),
});

/**
 * What CloudWatch says that it answered. On a busy machine it answers in one second what came in two: ten seconds are what
 * can be measured here, and one second only against what AWS answers. test/lambdas/evaluate-batch/within-quota.test.ts has
 * each second, by a clock of its own.
 */
async function quotaRows(run: string): Promise<Outcome[]> {
  const counts = await deployment.send('GET', `${deployment.services.urls.cloudWatch}/_stripewise/counts`);
  const region = countsSchema.parse(counts).regions[localRegion];
  const { in1Second, in10Seconds } = region?.mostDatapoints ?? { in1Second: 0, in10Seconds: 0 };
  return [
    limited(run, 'points in the busiest ten seconds, each', pointsASecond, in10Seconds / 10, 'a second'),
    limited(run, 'points in the busiest second', 2 * pointsASecond, in1Second, 'a second'),
  ];
}

function resultOf({ result, status }: MeasuredRun): AuditResult {
  if (result === null) throw new Error(`the run gave no result: ${status}`);
  return result;
}

/** What each planted trouble is reported as; of one that its instance makes, the evaluation on the volume. */
const notifiedAs: Record<string, readonly (FindingKind | 'throttled-by-instance')[]> = {
  'throttled-iops': ['throttled-volume-iops'],
  'throttled-throughput': ['throttled-volume-throughput'],
  'micro-bursts': ['micro-burst'],
  'credits-exhausted': ['credits-exhausted'],
  stalls: ['stalled'],
  idle: ['idle'],
  unattached: ['unattached'],
  'throttled-by-instance': ['throttled-by-instance'],
};
/** What costs less is no trouble. */
const isTrouble = (kind: FindingKind): boolean => kind !== 'cheaper-type' && kind !== 'over-provisioned';

/** "kind volume" of each trouble. */
function plantedTroubles(): Set<string> {
  const notified = [...truth.idsByTrouble].flatMap(([trouble, ids]) =>
    (notifiedAs[trouble] ?? []).flatMap((kind) => ids.map((id) => `${kind} ${id}`)),
  );
  return new Set(notified);
}

function foundTroubles({ findings, volumes }: AuditResult): Set<string> {
  const onVolumes = findings.filter(({ kind, resource }) => isTrouble(kind) && resource.type === 'volume');
  const held = volumes.filter(({ status }) => status === 'throttled-by-instance');
  return new Set([
    ...onVolumes.map(({ kind, resource: { id } }) => `${kind} ${id}`),
    ...held.map(({ volumeId }) => `throttled-by-instance ${volumeId}`),
  ]);
}

/** What was planted is found, and nothing else is said of any volume. */
function truthRows(run: string, result: AuditResult): Outcome[] {
  const [planted, found] = [plantedTroubles(), foundTroubles(result)];
  const right = [...found].filter((one) => planted.has(one)).length;
  return [
    equals(run, 'troubles found of those planted', planted.size, right),
    equals(run, 'troubles found in vain', 0, found.size - right),
    equals(run, 'volumes told of', fleetSize, result.volumes.length),
    equals(run, 'of them unknown', truth.unknown, result.coverage.unknown.length),
  ];
}

test('a fleet of 20,000 volumes is evaluated within the limits', async () => {
  const run = await deployment.run();
  const name = 'usual';
  const outcomes = [...rowsOf(name, run), ...truthRows(name, resultOf(run)), ...(await quotaRows(name))];
  printOutcomes(`Load: ${conditions}`, heads, outcomes);
  expect(unexpected(outcomes)).toEqual([]);
}, 2_700_000);

test('and so is one of which CloudWatch lets nothing be read', async () => {
  const faults = `${deployment.services.urls.cloudWatch}/_stripewise/faults`;
  await deployment.send('POST', faults, {
    ...{ operation: 'GetMetricData', times: -1 },
    ...{ error: 'AccessDenied', status: 403 },
  });
  const run = await deployment.run();
  await deployment.send('DELETE', faults);
  const name = 'no metrics';
  const { coverage } = resultOf(run);
  const readable = fleet.flatMap(({ instanceType, volumes }) =>
    instanceType === null ? [] : volumes,
  ).length;
  const outcomes = [...rowsOf(name, run), equals(name, 'volumes unknown', readable, coverage.unknown.length)];
  printOutcomes(`Load, nothing readable: ${conditions}`, heads, outcomes);
  expect(unexpected(outcomes)).toEqual([]);
}, 600_000);

test('and a run of which no Region can be read says so within the limits', async () => {
  const { ec2, pricing } = deployment.services.urls;
  const faults = [ec2, pricing].map((url) => `${url}/_stripewise/faults`);
  for (const operation of ['DescribeVolumes', 'DescribeInstanceTypes']) {
    await deployment.send('POST', `${ec2}/_stripewise/faults`, {
      ...{ operation, times: -1 },
      ...{ code: 'UnauthorizedOperation', status: 403 },
    });
  }
  // As long as EC2's own, which carry an encoded message.
  const message = `not authorized to perform pricing:GetProducts. ${'Encoded authorization failure '.repeat(30)}`;
  await deployment.send('POST', `${pricing}/_stripewise/faults`, {
    ...{ error: 'AccessDeniedException', message, times: -1 },
  });
  // More than AWS has; the names are of no matter to a service that refuses them all.
  const regions = Array.from({ length: 40 }, (_, i) => `eu-west-${i + 1}`);
  const run = await deployment.run({ regions });
  for (const url of faults) await deployment.send('DELETE', url);
  const name = '40 Regions refused';
  const { coverage } = resultOf(run);
  const outcomes = [
    ...rowsOf(name, run),
    equals(
      name,
      'Regions said to be missing',
      40,
      coverage.incomplete.filter(({ code }) => code === 'region-not-read').length,
    ),
  ];
  printOutcomes('Load, no Region readable', heads, outcomes);
  expect(unexpected(outcomes)).toEqual([]);
}, 600_000);
