/** Who throttled whom: the instance and its volume. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { instanceTypeOf } from '../../core/schemas/finding-kinds.ts';
import { day, describeInstances, load, type MetricReply } from '../fixtures/aws-cli.ts';
import { auditOf, calm, calmQueue, instance, kindsOf, minutes, vol } from './one-volume.ts';

const ofInstances = ({ findings }: AuditResult): Finding[] =>
  findings.filter(({ resource }) => resource.type === 'instance');

describe('instances', () => {
  const checks = (iops: Record<number, number>, throughput: Record<number, number> = {}): MetricReply[] => [
    { label: `${instance} InstanceEBSIOPSExceededCheck`, values: day(0, iops) },
    { label: `${instance} InstanceEBSThroughputExceededCheck`, values: day(0, throughput) },
  ];

  /** Ten minutes of 15,000 of the 18,750 IOPS of its instance, whose check is 1, while I/O waits. */
  const throttledByInstance = (): Promise<AuditResult> =>
    auditOf(
      { Size: 500, Iops: 20_000, Throughput: 500 },
      [
        ...load(vol, day(calm, minutes(100, 110, 15_000 * 60)), {
          VolumeQueueLength: day(calmQueue, minutes(100, 110, 50)),
        }),
        ...checks(minutes(100, 110, 1)),
      ],
      describeInstances({ InstanceType: 'm5.4xlarge' }),
    );

  test('the instance is reported, its volume is not: nothing of the volume was at its limit', async () => {
    const result = await throttledByInstance();
    const found = ofInstances(result).find(({ kind }) => kind === 'throttled-instance-iops');
    expect(found).toMatchObject({
      resource: { type: 'instance', id: instance, account: '111122223333' },
      evidence: { throttledMinutesPeak24h: 10, volumes: [vol] },
    });
    expect(result.volumes[0]).toMatchObject({
      status: 'throttled-by-instance',
      instanceFindings: expect.arrayContaining([found?.id]),
      throttledMinutesByCause: { 'instance-iops': 10 },
    });
  });

  test('an empty EBS balance makes it the instance’s credits', async () => {
    const balance = {
      label: `${instance} EBSByteBalance%`,
      periodSeconds: 300,
      values: Array.from({ length: 288 }, (_, i) => (i >= 20 && i < 24 ? 0 : 90)),
    };
    const result = await auditOf({}, [...load(vol, day(calm)), ...checks({}, minutes(100, 120, 1)), balance]);
    expect(kindsOf(result)).toEqual(['instance-credits-exhausted critical']);
  });

  test('an instance without metrics of its own is evaluated by the sum over its volumes, and not without its type', async () => {
    const result = await auditOf({}, load(vol, day(calm)));
    expect(result.coverage.instances).toMatchObject({ total: 1, evaluated: 1, notEvaluated: [] });
    const untyped = await auditOf({}, load(vol, day(calm)), describeInstances({ InstanceType: 'x99.huge' }));
    expect(untyped.coverage.instances).toMatchObject({
      total: 1,
      evaluated: 0,
      notEvaluated: [{ instanceId: instance }],
    });
  });

  test('what its volumes have in vain is reported without any metric of its own', async () => {
    // 20,000 of 18,750 IOPS: 1,250 x 0.005 = 6.25 USD a month. Its load needs 3,000 at most: 17,000 x 0.005 = 85
    const result = await auditOf(
      { Size: 500, Iops: 20_000 },
      load(vol, day(calm)),
      describeInstances({ InstanceType: 'm5.4xlarge' }),
    );
    expect(ofInstances(result)).toMatchObject([
      {
        kind: 'unreachable-performance',
        severity: 'warning',
        resource: { type: 'instance', id: instance },
        evidence: {
          excessIops: 1_250,
          excessMonthlyUsd: 6.25,
          recommendedSavingMonthlyUsd: 85,
          volumes: [vol],
        },
        recommendations: [
          { monthlyUsdDelta: -85 },
          // All that is provisioned: 20,000 IOPS and 125 MiB/s. The cheapest, and the cheapest of its family.
          ...['m6a.4xlarge', 'm5.8xlarge'].map((to) => ({
            ...{ action: 'resize-instance', purpose: 'use-figures', change: { from: 'm5.4xlarge', to } },
            sizedFor: { iops: 20_000, throughputMiBps: 125 },
          })),
        ],
      },
    ]);
    expect(result.coverage.instances).toMatchObject({ total: 1, evaluated: 1 });
    expect(result.volumes[0]?.instanceFindings).toEqual([]);
  });

  test('where the load needs what is there it is an information, whatever the excess costs', async () => {
    // 40,000 of 18,750 IOPS cost 21,250 x 0.005 = 106.25; 35,000 x 1.25 = 43,750 are needed at the busiest time.
    const result = await auditOf(
      { Size: 500, Iops: 40_000, Throughput: 125 },
      load(vol, day(calm, minutes(100, 160, 35_000 * 60)), { VolumeReadBytes: day(calm * 4_096) }),
      describeInstances({ InstanceType: 'm5.4xlarge' }),
    );
    expect(ofInstances(result)).toMatchObject([
      {
        ...{ kind: 'unreachable-performance', severity: 'info' },
        evidence: { recommendedSavingMonthlyUsd: null },
        recommendations: [
          { action: 'investigate', purpose: 'keep-figures', change: null, monthlyUsdDelta: null },
          { action: 'resize-instance' },
          { action: 'resize-instance' },
        ],
      },
    ]);
  });

  test('an instance that is throttled has its larger type named once', async () => {
    const result = await throttledByInstance();
    const types = ofInstances(result).map(({ kind, recommendations }): [string, (string | null)[]] => [
      kind,
      recommendations.filter(({ action }) => action === 'resize-instance').map(instanceTypeOf),
    ]);
    // For what its volume demanded: the cheapest, and the cheapest of its family.
    expect(Object.fromEntries(types)).toEqual({
      'throttled-instance-iops': ['m6a.4xlarge', 'm5.8xlarge'],
      'unreachable-performance': [],
    });
  });

  test('a volume that its own limit throttles is not told to be lowered', async () => {
    const full = 1_200_000; // 20,000 IOPS for a minute: more than the instance is said to let through
    const result = await auditOf(
      { Size: 500, Iops: 20_000 },
      load(vol, day(calm, minutes(100, 110, full)), {
        VolumeQueueLength: day(calmQueue, minutes(100, 110, 200)),
        VolumeIOPSExceededCheck: day(0, minutes(100, 110, 1)),
      }),
      describeInstances({ InstanceType: 'm5.4xlarge' }),
    );
    expect(kindsOf(result)).toContain('throttled-volume-iops warning');
    expect(ofInstances(result)).toEqual([]);
  });

  test('volumes that are all on one of two EBS cards', async () => {
    const on = (id: string) => ({
      VolumeId: id,
      Size: 500,
      Iops: 8_000,
      Throughput: 2_000,
      Attachments: [{ InstanceId: instance, EbsCardIndex: 0 }],
    });
    const ids = ['vol-0123456789abcdef1', 'vol-0123456789abcdef2', 'vol-0123456789abcdef3'];
    const result = await auditOf(
      on(vol),
      [vol, ...ids].flatMap((id) => load(id, day(calm))),
      describeInstances({ InstanceType: 'c8gn.48xlarge' }),
      ids.map(on),
    );
    // 4 x 2,000 = 8,000 MiB/s on a card that does 7,152.557
    expect(ofInstances(result)).toMatchObject([
      {
        kind: 'ebs-card-imbalance',
        severity: 'warning',
        evidence: { excessMiBps: 847.443, excessIops: 0 },
      },
    ]);
  });
});
