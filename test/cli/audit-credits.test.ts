/** Volumes with burst credits, through the command line: when they are gone, and what that costs. */

import { day, load, minutesPerDay } from '../fixtures/aws-cli.ts';
import { commandsOf, evidenceIn } from '../fixtures/findings.ts';
import { auditOf, full, kindsOf, minutes, only, vol } from './one-volume.ts';

describe('credits', () => {
  const gp2 = { VolumeType: 'gp2', Size: 100, Iops: 300, Throughput: undefined };

  test('a balance of 0 at the baseline of 300 IOPS is credits-exhausted, with gp3 as the way out and its price', async () => {
    const result = await auditOf(
      gp2,
      load(vol, day(600, minutes(200, 220, 18_000)), { BurstBalance: day(100, minutes(200, 220, 0)) }),
    );
    expect(result.volumes[0]?.topShareOfLimit).toBe(1); // 300 of the 300 in force, not of 3,000
    const finding = only(result);
    expect(finding).toMatchObject({
      kind: 'credits-exhausted',
      severity: 'critical', // 20 minutes, 15 are critical
      evidence: {
        throttledMinutesPeak24h: 20,
        lowestBalancePercent: 0,
        balanceBasis: 'metric',
      },
      // What holds it is its baseline, and not the 3,000 of its burst.
      limit: { what: 'baseline', value: 300, unit: 'IOPS', scope: 'volume' },
      confidence: 'high',
    });
    // gp3 100 GiB 3,000 IOPS 125 MiB/s = 8; gp2 100 GiB = 10
    expect(finding.recommendations[0]).toMatchObject({
      monthlyUsdDelta: -2,
      effect: { throttledMinutesBefore: 20, throttledMinutesAfter: null },
    });
    expect(commandsOf(finding.recommendations[0])).toContain(
      `aws ec2 modify-volume --region us-east-1 --volume-id ${vol} --volume-type gp3 --size 100 --iops 3000 --throughput 125`,
    );
  });

  test('an empty bucket that nobody draws on is silent', async () => {
    // 100 IOPS on a baseline of 300: refilling
    const result = await auditOf(gp2, load(vol, day(6_000), { BurstBalance: day(0.5) }));
    expect(kindsOf(result)).toEqual([]);
    expect(result.volumes[0]?.topShareOfLimit).toBeCloseTo(1 / 3, 10);
  });

  test('credits-will-exhaust: 40 % at 1,200 IOPS are gone in 2,400 s', async () => {
    const rate = minutes(minutesPerDay - 60, minutesPerDay, 72_000); // 1,200 IOPS
    const balance = day(40);
    const finding = only(await auditOf(gp2, load(vol, day(600, rate), { BurstBalance: balance })));
    expect(finding).toMatchObject({ kind: 'credits-will-exhaust', severity: 'warning' });
    expect(evidenceIn(finding).secondsToEmpty).toBeCloseTo(2_400, 0); // 0.4 x 5.4 M / (1,200 - 300)
  });

  test('within half an hour it is critical; beyond two hours it is not reported', async () => {
    const rate = minutes(minutesPerDay - 60, minutesPerDay, 72_000);
    // 20 %: 1.08 M / 900 = 1,200 s; 100 %: 5.4 M / 500 = 10,800 s at 800 IOPS
    expect(kindsOf(await auditOf(gp2, load(vol, day(600, rate), { BurstBalance: day(20) })))).toEqual([
      'credits-will-exhaust critical',
    ]);
    const slower = minutes(minutesPerDay - 60, minutesPerDay, 48_000);
    expect(kindsOf(await auditOf(gp2, load(vol, day(600, slower), { BurstBalance: day(100) })))).toEqual([]);
  });

  test('without any BurstBalance the bucket is replayed from full, and the finding says so', async () => {
    // 3,000 IOPS empty it in 5.4 M / (3,000 - 300) = 2,000 s; then its 300 are left
    const rates = { ...minutes(100, 134, full), ...minutes(134, 150, 18_000) };
    const result = await auditOf(gp2, load(vol, day(600, rates)));
    expect(result.volumes[0]).toMatchObject({ balanceModelled: true, lowestBalancePercent: 0 });
    const exhausted = result.findings.find(({ kind }) => kind === 'credits-exhausted');
    expect(exhausted).toMatchObject({
      confidence: 'low',
      evidence: { balanceBasis: 'simulated' },
    });
    expect(exhausted?.firstSeen).toBe('2026-11-18T02:14:00Z'); // minute 134 of the day
  });

  test('st1 on its empty bucket is held to 40 MiB/s a TiB', async () => {
    const st1 = { VolumeType: 'st1', Size: 1_024, Iops: undefined, Throughput: undefined };
    const ops = day(0, minutes(100, 120, 2_400)); // 40 x 1 MiB a second
    const bytes = ops.map((n) => (n ?? 0) * 1_048_576);
    const result = await auditOf(
      st1,
      load(vol, ops, { VolumeReadBytes: bytes, BurstBalance: day(100, minutes(100, 120, 0)) }),
    );
    expect(kindsOf(result)).toContain('credits-exhausted critical');
  });
});
