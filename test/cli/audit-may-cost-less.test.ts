/** A Region without prices hides no savings: volumes that may cost less are counted, without a sum of money. */
import { mergeResults } from '../../core/audit/batches.ts';
import { notificationOf, runOfNotification } from '../../core/lifecycle/notification.ts';
import { totalsLines } from '../../report/wording/audit-totals.ts';
import { runNote } from '../../report/wording/message.ts';
import { day, load } from '../fixtures/aws-cli.ts';
import { auditOf, calm, minutes, vol } from './one-volume.ts';

const busy = minutes(600, 660, 480_000); // 8,000 IOPS for an hour
const wide = { Size: 100, Iops: 16_000, Throughput: 250 };
const fitting = { Size: 100, Iops: 10_000, Throughput: 157 };
const auditIn = (region: string, volume: object, metrics = load(vol, day(calm, busy))) =>
  auditOf({ ...volume, AvailabilityZone: `${region}a` }, metrics);

test('gp3 with more than its load needs is counted where its price is not known, and has no finding', async () => {
  const { findings, volumes, summary } = await auditIn('eu-west-2', wide);
  expect(findings).toEqual([]);
  expect(volumes).toMatchObject([{ mayCostLess: true, monthlyUsd: null }]);
  expect(summary).toMatchObject({
    possibleSavingsMonthlyUsd: 0,
    mayCostLess: [{ region: 'eu-west-2', volumes: 1 }],
  });
});

test('gp2 of 1,000 GiB in calm: gp3 costs less by the order of prices of us-east-1', async () => {
  const gp2 = { VolumeType: 'gp2', Size: 1_000, Iops: undefined, Throughput: undefined };
  const { summary } = await auditIn('eu-west-2', gp2, load(vol, day(calm)));
  // 1,000 x 0.10 = 100 against 1,000 x 0.08 = 80
  expect(summary.mayCostLess).toEqual([{ region: 'eu-west-2', volumes: 1 }]);
});

test.each<[string, string, object]>([
  ['is sized for its load: only a stripe would cost less', 'eu-west-2', fitting],
  ['has a price: there is a finding', 'us-east-1', wide],
])('a volume that %s is not counted', async (_, region, volume) => {
  const { volumes, summary } = await auditIn(region, volume);
  expect(volumes[0]).not.toHaveProperty('mayCostLess');
  expect(summary).not.toHaveProperty('mayCostLess');
});

describe('the sum over Regions', () => {
  const merged = async () => {
    const [west, north] = [await auditIn('eu-west-2', wide), await auditIn('eu-north-1', wide)];
    const facts = { runId: 'run-1', window: west.window, notices: [], incomplete: [], apiCalls: 0 };
    // Of eu-west-2 the same volume came in two batches.
    return mergeResults([west, north, west], facts);
  };

  test('counts a volume once', async () => {
    expect((await merged()).summary.mayCostLess).toEqual([
      { region: 'eu-north-1', volumes: 1 },
      { region: 'eu-west-2', volumes: 1 },
    ]);
  });

  test('stands in the totals and in messages', async () => {
    const result = await merged();
    const text =
      '2 volumes may cost less in eu-north-1, eu-west-2: their prices are not known. Refresh them: stripewise catalog refresh --region REGION.';
    expect(totalsLines(result).find(({ label }) => label === 'Savings')?.text).toContain(text);
    const run = runOfNotification(result, 's3://bucket/runs/run-1/summary.json');
    const head = { id: 'message-1', nowEpochSeconds: 1_795_132_800, run, reportUrl: null };
    expect(runNote(notificationOf(head, []))).toContain(text);
  });
});
