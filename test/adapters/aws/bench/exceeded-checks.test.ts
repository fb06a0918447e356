/** The checks of a host's volumes and of the host, on the local CloudWatch. */
import { readExceededChecks } from '../../../../adapters/aws/bench/exceeded-checks.ts';
import { cloudWatchFixture, endSeconds, region } from '../../../local/cloudwatch-fixture.ts';

const fixture = cloudWatchFixture();
const at = endSeconds - 3_600;
const host = {
  instanceId: 'i-00000000000000001',
  volumeIds: ['vol-00000000000000001', 'vol-00000000000000002'],
};
const span = { fromEpochSeconds: at + 5, toEpochSeconds: at + 175 };

const check = (namespace: string, metric: string, dimensions: Record<string, string>, values: number[]) => ({
  ...{ namespace, metric, dimensions, values },
  epochSeconds: values.map((_, index) => at + 60 * index),
});
const ofVolume = (metric: string, volumeId: string, values: number[]) =>
  check('AWS/EBS', metric, { VolumeId: volumeId, InstanceId: host.instanceId }, values);

test('minutes that were looked at, and those at a limit', async () => {
  const [first = '', second = ''] = host.volumeIds;
  await fixture.load([
    ofVolume('VolumeIOPSExceededCheck', first, [0, 1, 1]),
    ofVolume('VolumeThroughputExceededCheck', first, [0, 0, 0]),
    check('AWS/EC2', 'InstanceEBSIOPSExceededCheck', { InstanceId: host.instanceId }, [1, 0, 0]),
  ]);
  const read = await readExceededChecks(fixture.client({ maxAttempts: 1 }), region, host, span);
  expect(read.volumes[first]).toEqual({
    iops: { looked: [at, at + 60, at + 120], exceeded: [at + 60, at + 120] },
    throughput: { looked: [at, at + 60, at + 120], exceeded: [] },
  });
  expect(read.instance.iops.exceeded).toEqual([at]);
  // Nothing is published of it.
  expect(read.volumes[second]?.iops).toEqual({ looked: [], exceeded: [] });
});

test('a CloudWatch that does not answer is said', async () => {
  await fixture.send('POST', 'faults', {
    ...{ operation: 'GetMetricData', error: 'AccessDenied', status: 403 },
    ...{ message: 'not authorized', times: -1 },
  });
  await expect(readExceededChecks(fixture.client({ maxAttempts: 1 }), region, host, span)).rejects.toThrow(
    /cloudwatch:GetMetricData in/,
  );
});
