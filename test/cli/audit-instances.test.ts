/** Who throttled whom: the instance and its volume. */
import { day, load, type MetricReply } from '../fixtures/aws-cli.ts';
import { auditOf, calm, calmQueue, instance, kindsOf, minutes, only, vol } from './one-volume.ts';

describe('instances', () => {
  const checks = (iops: Record<number, number>, throughput: Record<number, number> = {}): MetricReply[] => [
    { label: `${instance} InstanceEBSIOPSExceededCheck`, values: day(0, iops) },
    { label: `${instance} InstanceEBSThroughputExceededCheck`, values: day(0, throughput) },
  ];

  test('the instance is told, its volume is not: nothing of the volume was at its limit', async () => {
    const result = await auditOf({}, [
      ...load(vol, day(calm), { VolumeQueueLength: day(calmQueue, minutes(100, 110, 50)) }),
      ...checks(minutes(100, 110, 1)),
    ]);
    expect(only(result)).toMatchObject({
      kind: 'throttled-instance-iops',
      resource: { instanceId: instance, account: '111122223333' },
      evidence: { heldBackMinutesWorst24h: 10, volumes: [vol] },
    });
    expect(result.volumes[0]).toMatchObject({
      verdict: 'held-back-by-instance',
      instanceFindings: [result.findings[0]?.id],
      heldBackMinutesByCause: { 'instance-iops': 10 },
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

  test('an instance without metrics of its own is listed as not judged', async () => {
    const result = await auditOf({}, load(vol, day(calm)));
    expect(result.coverage.instances).toMatchObject({
      total: 1,
      judged: 0,
      notJudged: [{ instanceId: instance }],
    });
  });
});
