/** How CloudWatch lists the checks of volumes: by the volume alone, by volume and instance, or both. */
import { ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { mockClient } from 'aws-sdk-client-mock';
import { listPublishedChecks } from '../../../adapters/aws/list-published-checks.ts';
import { AccessDenied } from '../../../core/errors.ts';
import { cloudWatchFixture, region, series } from '../../local/cloudwatch-fixture.ts';
import { answerInTurn } from './answer-in-turn.ts';

const fixture = cloudWatchFixture();

/** A check of a volume, as it is published for the volume alone or with an instance. */
const check = (volumeId: string, metric: string, instanceId?: string) => {
  const one = series(volumeId, [0, 1], { metric });
  return instanceId === undefined
    ? one
    : { ...one, dimensions: { ...one.dimensions, InstanceId: instanceId } };
};

test('both ways to publish are distinguished, by volume and check', async () => {
  await fixture.load([
    check('vol-alone', 'VolumeStalledIOCheck'),
    check('vol-pair', 'VolumeIOPSExceededCheck', 'i-1'),
    check('vol-pair', 'VolumeThroughputExceededCheck', 'i-1'),
  ]);
  expect(await listPublishedChecks(fixture.client(), region)).toEqual({
    'vol-alone': [{ metric: 'VolumeStalledIOCheck', instanceId: null }],
    'vol-pair': [
      { metric: 'VolumeIOPSExceededCheck', instanceId: 'i-1' },
      { metric: 'VolumeThroughputExceededCheck', instanceId: 'i-1' },
    ],
  });
});

test('a volume that was re-attached has a series for each of its instances', async () => {
  await fixture.load([
    check('vol-1', 'VolumeIOPSExceededCheck', 'i-before'),
    check('vol-1', 'VolumeIOPSExceededCheck', 'i-now'),
  ]);
  expect(await listPublishedChecks(fixture.client(), region)).toEqual({
    'vol-1': [
      { metric: 'VolumeIOPSExceededCheck', instanceId: 'i-before' },
      { metric: 'VolumeIOPSExceededCheck', instanceId: 'i-now' },
    ],
  });
});

test('every page is followed: 501 series are 500 and 1', async () => {
  const volumes = Array.from({ length: 501 }, (_, i) => check(`vol-${i}`, 'VolumeStalledIOCheck', 'i-1'));
  await fixture.load(volumes);
  const found = await listPublishedChecks(fixture.client(), region);
  expect(Object.keys(found)).toHaveLength(501);
});

test('a page that comes again gives each series once: it is asked for, and paid, once', async () => {
  const client = fixture.client();
  const listed = (MetricName: string, InstanceId: string) => ({
    MetricName,
    Dimensions: [
      { Name: 'VolumeId', Value: 'vol-1' },
      { Name: 'InstanceId', Value: InstanceId },
    ],
  });
  const page = {
    Metrics: [listed('VolumeStalledIOCheck', 'i-1'), listed('VolumeStalledIOCheck', 'i-2')],
    NextToken: 'two',
  };
  // Three checks are listed, each by itself: the first in three pages, two of them the same.
  const asked = answerInTurn(mockClient(client).on(ListMetricsCommand), [page, page, {}, {}, {}]);
  const published = await listPublishedChecks(client, region);
  expect(published['vol-1']?.map(({ instanceId }) => instanceId)).toEqual(['i-1', 'i-2']);
  expect(asked).toHaveLength(5); // 3 + 1 + 1
});

test('other metrics, other namespaces and other Regions are no checks of these volumes', async () => {
  await fixture.load([
    series('vol-1', [1], { metric: 'VolumeReadOps' }),
    { ...check('vol-1', 'VolumeStalledIOCheck'), namespace: 'Own/EBS' },
  ]);
  await fixture.load([check('vol-2', 'VolumeStalledIOCheck')], 'eu-central-1');
  expect(await listPublishedChecks(fixture.client(), region)).toEqual({});
});

test('a series without a volume is left out', async () => {
  const { dimensions: _, ...one } = check('vol-1', 'VolumeStalledIOCheck');
  await fixture.load([{ ...one, dimensions: { InstanceId: 'i-1' } }]);
  expect(await listPublishedChecks(fixture.client(), region)).toEqual({});
});

test('a throttled page is asked again by the client, and nothing is lost', async () => {
  await fixture.load([check('vol-1', 'VolumeStalledIOCheck')]);
  await fixture.send('POST', 'faults', { operation: 'ListMetrics', error: 'Throttling', times: 1 });
  expect(await listPublishedChecks(fixture.client({ maxAttempts: 3 }), region)).toEqual({
    'vol-1': [{ metric: 'VolumeStalledIOCheck', instanceId: null }],
  });
});

test('denied by the service: AccessDenied with the call and the Region', async () => {
  await fixture.send('POST', 'faults', {
    operation: 'ListMetrics',
    error: 'AccessDenied',
    status: 403,
    message: 'not authorized to perform: cloudwatch:ListMetrics',
  });
  const listed = listPublishedChecks(fixture.client(), region);
  await expect(listed).rejects.toThrow(AccessDenied);
  await expect(listed).rejects.toThrow(
    'cloudwatch:ListMetrics in us-east-1 failed: AccessDenied: not authorized to perform: cloudwatch:ListMetrics',
  );
});
