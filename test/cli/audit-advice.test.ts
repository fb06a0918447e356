/** What is advised against what held a volume back, through the command line. */
import { day, describeInstances, load } from '../fixtures/aws-cli.ts';
import { auditOf, calm, calmQueue, full, minutes, only, vol } from './one-volume.ts';

describe('advice for a throttled volume, by replay', () => {
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
      // 8 in flight that take 1 ms when nothing holds them back: 8,000 IOPS, and of 16 KiB 125 MiB/s; a trifle more in the
      // minute in which they came
      name: 'gp3 of 100 GiB: 5,001 x 0.005 + 1 x 0.04 = 25.045',
      volume: {},
      queue: 8,
      says: 'Change it in place to gp3 with 8,001 IOPS and 126 MiB/s: by replay of the load 0 min held back instead of 10 min',
      usd: 25.04,
    },
    {
      name: 'gp2 of 1,000 GiB: 100.00 to 80 + 25.005 + (157 - 125) x 0.04 = 106.285',
      volume: { VolumeType: 'gp2', Size: 1_000, Throughput: undefined },
      queue: 8,
      says: 'gp3 with 8,001 IOPS and 157 MiB/s', // 125 MiB/s and a quarter, of the 250 that it has
      usd: 6.28,
    },
    {
      name: 'io1 of 60 GiB: 7.50 + 195 to 4.80 + 25.005 + (157 - 125) x 0.04 = 31.085',
      volume: { VolumeType: 'io1', Size: 60, Throughput: undefined },
      queue: 8,
      says: 'gp3 keeps its performance 99 % of the time, io1 99.9 %; they are as durable.',
      usd: -171.41,
    },
    {
      name: 'gp3 of 6 GiB grows to 17 GiB: 8,001 / 500; 11 x 0.08 + 5,001 x 0.005 + 1 x 0.04 = 25.925',
      volume: { Size: 6 },
      queue: 8,
      says: 'gp3 of 17 GiB with 8,001 IOPS and 126 MiB/s',
      usd: 25.92,
    },
  ])('$name', async ({ volume, queue, says, usd }) => {
    const [first] = (await throttled(volume, queue)).advice;
    expect(first).toMatchObject({
      action: expect.stringContaining(says),
      monthlyUsdDelta: usd,
      throttledMinutesBefore: 10,
      throttledMinutesAfter: 0,
    });
  });

  test('on an instance that does as much as the volume no faster volume is advised', async () => {
    // 6,000 of its own 6,000 IOPS, which are all that m4.xlarge does; 12 in flight want up to 12,000
    const found = await throttled({ Iops: 6_000 }, 12, 'm4.xlarge');
    expect(found.advice).toHaveLength(1);
    expect(found.advice[0]?.action).toMatch(
      /^Its instance is the limit, no faster volume helps: on i-0123456789abcdef0 \(m4\.xlarge, at most 6,000 IOPS, 89 MiB\/s\)/,
    );
    expect(found.advice[0]).toMatchObject({
      throttledMinutesBefore: 10,
      throttledMinutesAfter: null,
      how: [],
    });
    const tried = found.evidence['notAdvised'];
    expect(tried).toContainEqual(expect.stringMatching(/^gp3 with .* held back by replay/));
    for (const text of [tried].flat()) expect(text).toMatch(/, 10 min today$/);
  });

  test('where only AWS’s check tells, a quarter more is advised and nothing is promised', async () => {
    const checks = { VolumeIOPSExceededCheck: day(0, minutes(100, 110, 1)) };
    const result = await auditOf({}, load(vol, day(calm, minutes(100, 110, 2_900 * 60)), checks));
    // 750 x 0.005
    expect(only(result).advice[0]).toMatchObject({
      action: expect.stringContaining('gp3 with 3,750 IOPS and 125 MiB/s: 25 % more than the limit'),
      monthlyUsdDelta: 3.75,
      throttledMinutesBefore: 10,
      throttledMinutesAfter: null,
    });
  });

  test('in a Region without prices the way is the same, and the price is not known', async () => {
    const inIreland = { AvailabilityZone: 'eu-west-1a' };
    const found = await throttled(inIreland, 8);
    expect(found.advice[0]).toMatchObject({ monthlyUsdDelta: null, throttledMinutesAfter: 0 });
    expect(found.advice[0]?.action).toContain('What it costs is not known: EBS prices of eu-west-1');
  });

  test('a gp2 that lacked credits and hit its burst limit too is sized for both at once', async () => {
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
    // 8 in flight at 1 ms want 8,000 IOPS at most, and 0.1 more in the minute in which they came
    for (const kind of ['credits-exhausted', 'throttled-volume-iops']) {
      expect(result.findings.find((one) => one.kind === kind)?.advice[0]).toMatchObject({
        action: expect.stringContaining('gp3 with 8,001 IOPS and 128 MiB/s'),
        throttledMinutesBefore: 20,
        throttledMinutesAfter: 0,
      });
    }
  });
});
