/** What the members of a stripe could cost less: all of them alike, or none. */

import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { day, describeInstances, load, type MetricReply } from '../fixtures/aws-cli.ts';
import { commandsOf, evidenceIn } from '../fixtures/findings.ts';
import { auditOf, calm, minutes, vol } from './one-volume.ts';

const [second, third] = ['vol-0123456789abcdef1', 'vol-0123456789abcdef2'];
const tagged = (volume: Record<string, unknown>, name = 'pgdata') => ({
  ...volume,
  Tags: [{ Key: 'stripewise:stripe', Value: name }],
});
const of = ({ findings }: AuditResult, kind: Finding['kind']): Finding[] =>
  findings.filter((finding) => finding.kind === kind);
/** So many IOPS in an hour of an otherwise calm day, of 4 KiB. */
const hourAt = (volumeId: string, iops: number, more: Parameters<typeof load>[2] = {}): MetricReply[] =>
  load(volumeId, day(calm, minutes(600, 660, iops * 60)), { VolumeReadBytes: day(calm * 4_096), ...more });

describe('over-provisioned', () => {
  /** On an instance that does 80,000. */
  const provisioned = { Size: 100, Iops: 16_000 };
  const audited = (first: number, other: number, name = 'pgdata') =>
    auditOf(
      tagged(provisioned),
      [...hourAt(vol, first), ...hourAt(second, other)],
      describeInstances({ InstanceType: 'm5.24xlarge' }),
      [tagged({ VolumeId: second, ...provisioned }, name)],
    );

  test('both could have less: one finding, what the needier takes, at the price of two', async () => {
    const result = await audited(8_000, 7_600);
    const [finding, ...others] = of(result, 'over-provisioned');
    expect(others).toEqual([]);
    // 8,000 x 1.25 = 10,000 IOPS: 6,000 x 0.005 = 30 USD less, for each of two
    expect(finding).toMatchObject({
      resource: { name: 'pgdata' },
      evidence: { members: [vol, second], recommendedIops: 10_000, recommendedMembers: 2 },
      recommendations: [{ monthlyUsdDelta: -60 }],
    });
    const commands = commandsOf(finding?.recommendations[0]).filter((line) =>
      line.includes('modify-volume '),
    );
    expect(commands.map((line) => /--volume-id (\S+) .*--iops (\d+)/.exec(line)?.slice(1))).toEqual([
      [vol, '10000'],
      [second, '10000'],
    ]);
    expect(result.volumes.map(({ status, findings }) => [status, findings])).toEqual([
      ['healthy', [finding?.id]],
      ['healthy', [finding?.id]],
    ]);
  });

  test('one of them needs what it has: nothing is reported of either', async () => {
    const result = await audited(8_000, 15_000); // 15,000 x 1.25 = 18,750 of its 16,000
    expect(result.stripes).toHaveLength(1);
    expect(result.findings).toEqual([]);
  });

  test('the same two in stripes of their own, that are none with one volume each: the one is reported', async () => {
    const result = await audited(8_000, 15_000, 'other');
    expect(result.stripes).toEqual([]);
    expect(of(result, 'over-provisioned').map(({ resource }) => resource.id)).toEqual([vol]);
  });
});

describe('more than the instance can reach', () => {
  const provisioned = { Size: 500, Iops: 20_000 };
  /** Two tagged volumes and a third, of 20,000 IOPS each, where the instance does 18,750. */
  const audited = (metrics: MetricReply[]) =>
    auditOf(tagged(provisioned), metrics, describeInstances({ InstanceType: 'm5.4xlarge' }), [
      tagged({ VolumeId: second, ...provisioned }),
      { VolumeId: third, ...provisioned },
    ]);
  const lowered = (result: AuditResult) => {
    const [finding] = of(result, 'unreachable-performance');
    const lines = commandsOf(finding?.recommendations[0]).filter((line) => line.includes('modify-volume '));
    const ids = lines.map((line) => [
      /--volume-id (\S+)/.exec(line)?.[1],
      Number(/--iops (\d+)/.exec(line)?.[1]),
    ]);
    expect(evidenceIn(finding).volumesToLower).toEqual(ids.map(([id]) => id));
    return { ids, usd: evidenceIn(finding).recommendedSavingMonthlyUsd };
  };

  test('both legs are lowered to what the needier needs, the third to its own need', async () => {
    const metrics = [...hourAt(vol, 2_000), ...hourAt(second, 14_000), ...hourAt(third, 4_000)];
    // 14,000 x 1.25 = 17,500, twice; 4,000 x 1.25 = 5,000: (2 x 2,500 + 15,000) x 0.005 = 100
    expect(lowered(await audited(metrics))).toEqual({
      ids: [
        [vol, 17_500],
        [second, 17_500],
        [third, 5_000],
      ],
      usd: 100,
    });
  });

  test('one leg needs what it has: neither is lowered', async () => {
    const metrics = [...hourAt(vol, 2_000), ...hourAt(second, 17_000), ...hourAt(third, 4_000)];
    expect(lowered(await audited(metrics))).toEqual({ ids: [[third, 5_000]], usd: 75 }); // 15,000 x 0.005
  });

  test('one leg is throttled by its own limit: neither is lowered', async () => {
    const held = hourAt(second, 20_000, {
      VolumeQueueLength: day(0.1, minutes(600, 660, 200)),
      VolumeIOPSExceededCheck: day(0, minutes(600, 660, 1)),
    });
    const result = await audited([...hourAt(vol, 2_000), ...held, ...hourAt(third, 4_000)]);
    expect(lowered(result)).toEqual({ ids: [[third, 5_000]], usd: 75 });
    expect(of(result, 'throttled-volume-iops').map(({ resource }) => resource.name)).toEqual(['pgdata']);
  });

  test('what one leg needs is not known: neither is lowered', async () => {
    const withoutBytes = hourAt(second, 2_000).filter(({ label }) => !label.endsWith('ReadBytes'));
    const metrics = [...hourAt(vol, 2_000), ...withoutBytes, ...hourAt(third, 4_000)];
    expect(lowered(await audited(metrics))).toEqual({ ids: [[third, 5_000]], usd: 75 });
  });
});
