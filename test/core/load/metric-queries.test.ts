/** Which metrics are asked for a volume and an instance, with the checks as they are published. */
import { pointsOf, queriesOfInstance, queriesOfVolume, usdOfMetrics } from '../../../core/load/metrics.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

const namesOf = (queries: ReturnType<typeof queriesOfVolume>): string[] =>
  queries.map(({ metric, dimensions }) => [metric, ...dimensions.map(({ value }) => value)].join(' '));
const checksOf = (queries: ReturnType<typeof queriesOfVolume>): string[] =>
  namesOf(queries).filter((name) => name.includes('Check'));

test('a gp3 volume: 8 metrics of its own and 3 checks with its instance', () => {
  expect(namesOf(queriesOfVolume(aVolume(), 60))).toEqual([
    'VolumeReadOps vol-1',
    'VolumeWriteOps vol-1',
    'VolumeReadBytes vol-1',
    'VolumeWriteBytes vol-1',
    'VolumeTotalReadTime vol-1',
    'VolumeTotalWriteTime vol-1',
    'VolumeIdleTime vol-1',
    'VolumeQueueLength vol-1',
    'VolumeStalledIOCheck vol-1 i-1',
    'VolumeIOPSExceededCheck vol-1 i-1',
    'VolumeThroughputExceededCheck vol-1 i-1',
  ]);
});

test('without a list, checks are asked for with every instance of a Multi-Attach volume', () => {
  const shared = aVolume({ volumeType: 'io2', multiAttach: true, attachments: on('i-1', 'i-2') });
  expect(checksOf(queriesOfVolume(shared, 60))).toEqual([
    'VolumeStalledIOCheck vol-1 i-1',
    'VolumeStalledIOCheck vol-1 i-2',
  ]);
});

test('with a list, each check is asked for as it is published, and no other', () => {
  const published = [
    { metric: 'VolumeStalledIOCheck', instanceId: null },
    { metric: 'VolumeIOPSExceededCheck', instanceId: 'i-before' },
    { metric: 'VolumeIOPSExceededCheck', instanceId: 'i-1' },
  ] as const;
  expect(checksOf(queriesOfVolume(aVolume(), 60, published))).toEqual([
    'VolumeStalledIOCheck vol-1',
    'VolumeIOPSExceededCheck vol-1 i-before',
    'VolumeIOPSExceededCheck vol-1 i-1',
  ]);
  expect(checksOf(queriesOfVolume(aVolume(), 60, []))).toEqual([]);
});

test('a volume whose attachment shows no instance is asked for the checks that are listed', () => {
  const managed = aVolume({ attachments: [] });
  expect(checksOf(queriesOfVolume(managed, 60))).toEqual([]);
  const published = [{ metric: 'VolumeStalledIOCheck', instanceId: 'i-hidden' }] as const;
  expect(checksOf(queriesOfVolume(managed, 60, published))).toEqual(['VolumeStalledIOCheck vol-1 i-hidden']);
});

test.each([{ state: 'available' }, { state: 'creating' }, { volumeType: 'gp9' }])(
  'nothing is asked, and paid, for a volume that cannot be evaluated on it: %p, also where checks are still listed',
  (volume) => {
    const published = [{ metric: 'VolumeStalledIOCheck', instanceId: 'i-1' }] as const;
    expect(queriesOfVolume(aVolume(volume), 60, published)).toEqual([]);
  },
);

test('an instance: checks and sums at the period, two balances never finer than 300 s', () => {
  const periods = (period: number) =>
    queriesOfInstance(anInstance(), period).map(({ metric, periodSeconds }) => [metric, periodSeconds]);
  expect(periods(60)).toEqual([
    ['InstanceEBSIOPSExceededCheck', 60],
    ['InstanceEBSThroughputExceededCheck', 60],
    ['EBSReadOps', 60],
    ['EBSWriteOps', 60],
    ['EBSReadBytes', 60],
    ['EBSWriteBytes', 60],
    ['EBSIOBalance%', 300],
    ['EBSByteBalance%', 300],
  ]);
  expect(periods(300).map(([, period]) => period)).toEqual(Array(8).fill(300));
});

test('a query of two weeks in five minutes is 14 x 288 = 4,032 points', () => {
  const [query] = queriesOfVolume(aVolume(), 300);
  expect(query && pointsOf(query, 14 * 86_400)).toBe(4_032);
});

test('1,000 volumes of 11 metrics cost 11,000 / 1,000 x 0.01 USD = 0.11 USD', () => {
  expect(usdOfMetrics(11_000)).toBeCloseTo(0.11, 10);
});
