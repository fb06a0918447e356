/** What is asked for: as little as the poll needs. */
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Volume } from '../../../core/inventory.ts';
import { queriesOfPoll } from '../../../core/monitoring/queries-of-poll.ts';
import { newWatch, type Watch } from '../../../core/monitoring/watch.ts';
import { watchedOf } from '../../../core/monitoring/watched.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { aGp2, aWatch, start, tickSeconds, watched } from './watching.ts';

const minute = 60;

function asked(
  volume: Volume,
  watch: Partial<Watch>,
  atMinute = 0,
  published: Parameters<typeof watchedOf>[1] = null,
) {
  const now = start + atMinute * minute;
  const poll = queriesOfPoll(aWatch(volume, watch), watched(volume, published), now, tickSeconds);
  return poll?.queries.map(({ metric }) => metric) ?? [];
}

const far = { iops: 0.1, throughput: 0.1, atEpochSeconds: start };
const near = { iops: 0.9, throughput: 0.1, atEpochSeconds: start };

test('a quiet volume is asked for its queue alone', () => {
  expect(asked(aVolume(), { lately: far }, 15)).toEqual(['VolumeQueueLength']);
});

test('nothing is asked for before its time', () => {
  const volume = aVolume();
  expect(
    queriesOfPoll(aWatch(volume, { lately: far }), watched(volume), start + 600, tickSeconds),
  ).toBeNull();
});

test('a bucket is asked for its balance alone', () => {
  const watch = { balance: { percent: 100, untilEpochSeconds: start - 120 }, lately: far };
  expect(asked(aGp2(100), watch, 13)).toEqual(['BurstBalance']);
});

test('near a limit AWS is asked whether that limit throttles it, and of the other where that is near too', () => {
  expect(asked(aVolume(), { lately: near }, 3)).toEqual(['VolumeIOPSExceededCheck']);
  expect(asked(aVolume(), { lately: { iops: 0.1, throughput: 0.9, atEpochSeconds: start } }, 3)).toEqual([
    'VolumeThroughputExceededCheck',
  ]);
  expect(asked(aVolume(), { lately: { iops: 0.9, throughput: 0.6, atEpochSeconds: start } }, 3)).toEqual([
    'VolumeIOPSExceededCheck',
    'VolumeThroughputExceededCheck',
  ]);
});

test('with a bucket the balance comes with the checks: it says whether credits or the limit throttled it', () => {
  const watch = { lately: near, balance: { percent: 100, untilEpochSeconds: start - 120 } };
  expect(asked(aGp2(100), watch, 3)).toEqual(['BurstBalance', 'VolumeIOPSExceededCheck']);
});

test('a suspect is asked for everything', () => {
  expect(asked(aGp2(100), { suspect: true, lately: far }, 1).toSorted()).toEqual([
    'BurstBalance',
    'VolumeIOPSExceededCheck',
    'VolumeQueueLength',
    'VolumeReadBytes',
    'VolumeReadOps',
    'VolumeThroughputExceededCheck',
    'VolumeWriteBytes',
    'VolumeWriteOps',
  ]);
});

test.each([
  ['shared by several instances', aVolume({ multiAttach: true }), null],
  ['on an instance that publishes none', aVolume(), []],
  ['magnetic', aVolume({ volumeType: 'standard', iops: null, throughputMiBps: null }), null],
])('%s: no checks, so near a limit the rates and the queue', (_, volume, published) => {
  expect(asked(volume, { lately: near }, 3, published)).toEqual([
    ...['VolumeReadOps', 'VolumeWriteOps', 'VolumeReadBytes', 'VolumeWriteBytes', 'VolumeQueueLength'],
  ]);
});

test('checks of an instance that it has left are not asked for', () => {
  const metric = 'VolumeIOPSExceededCheck';
  const published = [
    { metric, instanceId: 'i-1' },
    { metric, instanceId: 'i-left' },
  ] as const;
  const volume = aVolume();
  const poll = queriesOfPoll(
    aWatch(volume, { lately: near }),
    watched(volume, published),
    start + 180,
    tickSeconds,
  );
  expect(poll?.queries.map(({ dimensions }) => dimensions[1]?.value)).toEqual(['i-1']);
});

test('the first poll asks for a day, every later one from the last on and some minutes more', () => {
  const volume = aGp2(100);
  const first = queriesOfPoll(newWatch(volume, start), watched(volume), start, tickSeconds);
  expect(first?.fromEpochSeconds).toBe(start - 86_400);
  expect(first?.queries).toHaveLength(8);
  const long = { askedEpochSeconds: { balance: start - 7_200, queue: start, checks: start, rates: start } };
  const later = queriesOfPoll(aWatch(volume, { ...long, lately: far }), watched(volume), start, tickSeconds);
  expect(later?.fromEpochSeconds).toBe(start - 7_200 - 900);
});

test.each([
  ['attached to nothing', aVolume({ state: 'available', attachments: [] })],
  ['of a type that nobody knows', aVolume({ volumeType: 'gp9' })],
])('%s: nothing to poll', (_, volume) => {
  expect(watchedOf(volume, null, defaultThresholds)).toBeNull();
});

test('no look asks for more than eight metrics, or for one twice', () => {
  for (const volume of [aVolume(), aGp2(33), aGp2(2_000), aVolume({ multiAttach: true })]) {
    const poll = queriesOfPoll(newWatch(volume, start), watched(volume), start, tickSeconds);
    const names = poll?.queries.map(({ metric }) => metric) ?? [];
    expect(names.length).toBeLessThanOrEqual(8);
    expect(new Set(names).size).toBe(names.length);
  }
});
