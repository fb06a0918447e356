/** What is advised against what throttled a volume, through the command line. */

import { day, describeInstances, load } from '../fixtures/aws-cli.ts';
import { evidenceIn } from '../fixtures/findings.ts';
import { auditOf, calm, calmQueue, full, minutes, only, vol } from './one-volume.ts';

/** What is lowered beside what is raised rests on one day. */
const fewerMiBps = {
  ...{ code: 'provisional', days: 1, hasMonthEnd: false },
  ...{ from: '2026-11-18T00:00:00Z', to: '2026-11-19T00:00:00Z' },
};

describe('recommendation for a throttled volume, by replay', () => {
  const throttled = async (volume: Record<string, unknown>, queue: number, instanceType = 'm5.12xlarge') => {
    const iops = Number(volume['Iops'] ?? 3_000);
    const rates = minutes(100, 110, iops * 60);
    const result = await auditOf(
      volume,
      load(vol, day(calm, rates), { VolumeQueueLength: day(calmQueue, minutes(100, 110, queue)) }),
      describeInstances({ InstanceType: instanceType }),
    );
    const found = result.findings.find(({ kind }) => kind.startsWith('throttled-volume'));
    if (found === undefined) throw new Error('nothing is throttled');
    return found;
  };

  test.each([
    {
      // 8 in flight that take 1 ms when nothing throttles them want 3,000 to 8,000 IOPS: sized for twice 3,000 that were
      // served, of 16 KiB 94 MiB/s
      name: 'gp3 of 100 GiB: 3,000 x 0.005 = 15',
      volume: {},
      queue: 8,
      to: { volumeType: 'gp3', sizeGiB: 100, iops: 6_000, throughputMiBps: 125 },
      risks: [],
      usd: 15,
    },
    {
      name: 'gp2 of 1,000 GiB: 100.00 to 80 + 15 = 95',
      volume: { VolumeType: 'gp2', Size: 1_000, Throughput: undefined },
      queue: 8,
      // 94 MiB/s and a quarter are less than the 125 that are free
      to: { volumeType: 'gp3', sizeGiB: 1_000, iops: 6_000, throughputMiBps: 125 },
      // Not 250.
      risks: [fewerMiBps],
      usd: -5,
    },
    {
      name: 'io1 of 60 GiB: 7.50 + 195 to 4.80 + 15 = 19.80',
      volume: { VolumeType: 'io1', Size: 60, Throughput: undefined },
      queue: 8,
      to: { volumeType: 'gp3', sizeGiB: 60, iops: 6_000, throughputMiBps: 125 },
      risks: [{ code: 'less-consistent', from: 99.9, to: 99 }, fewerMiBps],
      usd: -182.7,
    },
    {
      name: 'gp3 of 6 GiB grows to 12 GiB: 6,000 / 500; 6 x 0.08 + 15 = 15.48',
      volume: { Size: 6 },
      queue: 8,
      to: { volumeType: 'gp3', sizeGiB: 12, iops: 6_000, throughputMiBps: 125 },
      risks: [{ code: 'never-shrinks', from: 6, to: 12 }],
      usd: 15.48,
    },
  ])('$name', async ({ volume, queue, to, risks, usd }) => {
    const found = await throttled(volume, queue);
    const [first] = found.recommendations;
    expect(first).toMatchObject({
      ...{ action: 'modify', change: { to }, monthlyUsdDelta: usd },
      effect: { method: 'unknown', throttledMinutesBefore: 10, throttledMinutesAfter: null },
      ...{ sizedBy: 'twice-served', sizedFor: { iops: 6_000, throughputMiBps: 93.75 } },
      risks: [{ code: 'demand-unknown' }, ...risks],
    });
    // Up to 8,000: too far from what was served for anybody to size for it.
    expect(found.demand).toMatchObject({ known: false, likely: null, atMost: null });
    expect(found.evidence).toMatchObject({
      demandIopsAtMost: null,
      demandAssumptions: expect.arrayContaining([{ code: 'at-most-unknown' }]),
    });
  });

  test('on an instance that does as much as the volume no faster volume is recommended', async () => {
    // 6,000 of its own 6,000 IOPS, which are all that m4.xlarge does; 12 in flight want up to 12,000
    const found = await throttled({ Iops: 6_000 }, 12, 'm4.xlarge');
    expect(found.recommendations).toHaveLength(1);
    expect(found.recommendations[0]).toMatchObject({
      ...{ action: 'investigate', purpose: 'instance-first', change: null, steps: [] },
      effect: { throttledMinutesBefore: 10, throttledMinutesAfter: null },
      risks: [
        {
          ...{ code: 'limited-by-instance', instanceId: 'i-0123456789abcdef0', instanceType: 'm4.xlarge' },
          ...{ iops: 6_000, throughputMiBps: expect.closeTo(89.4, 0) },
        },
      ],
    });
    const { notRecommended: tried = [] } = evidenceIn(found);
    expect(tried).toContainEqual(
      expect.objectContaining({ layout: expect.objectContaining({ volumeType: 'gp3' }) }),
    );
    for (const one of tried) expect(one).toMatchObject({ throttledMinutesNow: 10 });
  });

  test('where only AWS’s check tells, a quarter more is a step to try, with its price, and nothing is promised', async () => {
    const checks = { VolumeIOPSExceededCheck: day(0, minutes(100, 110, 1)) };
    const result = await auditOf({}, load(vol, day(calm, minutes(100, 110, 2_900 * 60)), checks));
    // 750 x 0.005
    expect(only(result).recommendations[0]).toMatchObject({
      ...{ purpose: 'raise-in-steps', sizedBy: 'limit-headroom', headroomPercent: 25 },
      change: { to: { volumeType: 'gp3', iops: 3_750, throughputMiBps: 125 } },
      monthlyUsdDelta: 3.75,
      steps: [],
      effect: { throttledMinutesBefore: 10, throttledMinutesAfter: null },
    });
  });

  test('in a Region without prices the way is the same, and the price is not known', async () => {
    const inIreland = { AvailabilityZone: 'eu-west-1a' };
    const found = await throttled(inIreland, 8);
    expect(found.recommendations[0]).toMatchObject({
      change: { to: { volumeType: 'gp3', iops: 6_000, throughputMiBps: 125 } },
      monthlyUsdDelta: null,
      priceUnknownReason: { code: 'no-ebs-prices', region: 'eu-west-1' },
      effect: { throttledMinutesAfter: null },
    });
  });

  test('a gp2 that lacked credits and hit its burst limit too is sized for both at once, for twice what was served', async () => {
    const gp2 = { VolumeType: 'gp2', Size: 100, Iops: 300, Throughput: undefined };
    const ops = day(600, { ...minutes(100, 110, full), ...minutes(200, 210, 18_000) });
    const queue = { ...minutes(100, 110, 8), ...minutes(200, 210, 2) };
    const result = await auditOf(
      gp2,
      load(vol, ops, {
        BurstBalance: day(60, minutes(200, 210, 0)),
        VolumeQueueLength: day(0.01, queue), // 1 ms each
      }),
    );
    // 8 in flight at 1 ms want 8,000 IOPS at most, of 3,000 that were served
    for (const [kind, sizedBy] of [
      ['credits-exhausted', 'twice-served-or-burst'],
      ['throttled-volume-iops', 'twice-served'],
    ]) {
      expect(result.findings.find((one) => one.kind === kind)?.recommendations[0]).toMatchObject({
        ...{ change: { to: { volumeType: 'gp3', iops: 6_000, throughputMiBps: 125 } }, sizedBy },
        effect: { throttledMinutesBefore: 20, throttledMinutesAfter: null },
      });
    }
  });
});
