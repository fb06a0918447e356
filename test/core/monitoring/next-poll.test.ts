/** When a volume is polled again. Ticks come each minute. */
import fc from 'fast-check';
import type { Volume } from '../../../core/inventory.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { dueOfParts, nextPoll } from '../../../core/monitoring/next-poll.ts';
import type { Watch } from '../../../core/monitoring/watch.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { aGp2, aWatch, start, throttled, watched } from './watching.ts';

const minute = 60;
const due = (volume: Volume, watch: Partial<Watch>, now = start) =>
  dueOfParts(aWatch(volume, watch), watched(volume), now, minute);
const afterMinutes = (epochSeconds: number): number => (epochSeconds - start) / minute;
const balance = (percent: number) => ({ percent, untilEpochSeconds: start - 2 * minute });

test('a full gp2 of 100 GiB cannot run dry before 2,000 s, and is polled within half of that', () => {
  // 5.4 M / (3,000 - 300) = 2,000 s; half, and a tick less: 940 s after 2 min ago.
  expect(afterMinutes(due(aGp2(100), { balance: balance(100) }).balance)).toBe(13);
});

test.each([
  ['large buckets wait longer', aGp2(900), 100, 147], // 18,000 s: half is 150 min, and 2 + 1 min less
  ['but no longer than three hours', aGp2(950), 100, 180], // 36,000 s
  ['nearly empty: every tick', aGp2(100), 30, 1], // 600 s
  [
    'an HDD likewise',
    aVolume({ volumeType: 'st1', sizeGiB: 1_024, iops: null, throughputMiBps: null }),
    50,
    17,
  ], // 512 GiB / 210 MiB/s = 2,497 s
])('%s', (_, volume, percent, minutes) => {
  expect(afterMinutes(due(volume, { balance: balance(percent) }).balance)).toBe(minutes);
});

test('a balance that was never seen is looked for every ten minutes', () => {
  expect(afterMinutes(due(aGp2(100), { balance: null }).balance)).toBe(10);
});

test('an idle volume publishes no balance and spends none: the old one holds', () => {
  // 1,000 s after what could not be there yet (5 min), a tick less: 11.67 min, and never later than the tick before.
  const day = 86_400;
  expect(
    afterMinutes(due(aGp2(100), { balance: { percent: 100, untilEpochSeconds: start - day } }).balance),
  ).toBe(10);
});

describe('where CloudWatch of a Region is seven minutes later than as a rule', () => {
  const late = { delaySeconds: 180 + 420 };

  test('the balance of an idle volume holds as long less', () => {
    const old = { percent: 100, untilEpochSeconds: start - 86_400 };
    // 10 min from the last poll, and 7 less: the bucket may fall since.
    expect(afterMinutes(due(aGp2(100), { balance: old, ...late }).balance)).toBe(3);
  });

  test('a minute that was throttled 12 minutes ago is one of a moment ago: every tick polls', () => {
    const held = { throttled: throttled([12], 'volume-iops'), hours: '0'.repeat(168) };
    expect(afterMinutes(due(aVolume(), { ...held, ...late }).checks)).toBe(1);
    expect(afterMinutes(due(aVolume(), held).checks)).toBeGreaterThan(1);
  });
});

test('volumes without a bucket are never asked for one', () => {
  expect(due(aGp2(1_000), {}).balance).toBe(Number.POSITIVE_INFINITY);
  expect(due(aVolume(), {}).balance).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  [0.05, 15],
  [0.3, 10],
  [0.5, 5],
])('at %d of its limit the queue is polled every %d minutes', (share, minutes) => {
  const lately = { iops: share, throughput: 0, atEpochSeconds: start };
  expect(afterMinutes(due(aVolume(), { lately, hours: '0'.repeat(168) }).queue)).toBe(minutes);
});

test('near a limit the checks are polled every three minutes, and the queue no more', () => {
  const near = due(aVolume(), { lately: { iops: 0.8, throughput: 0, atEpochSeconds: start } });
  expect(afterMinutes(near.checks)).toBe(3);
  expect(near.queue).toBe(Number.POSITIVE_INFINITY);
  expect(afterMinutes(near.rates)).toBe(15);
});

test('what is expected of the hour counts as much as what was seen', () => {
  expect(afterMinutes(due(aVolume(), { hours: 'j'.repeat(168) }).checks)).toBe(3); // step 45: 0.9
});

test('what was seen fades: an hour and a half later it is not near any more', () => {
  const watch = { lately: { iops: 0.9, throughput: 0, atEpochSeconds: start - 90 * minute } };
  expect(afterMinutes(due(aVolume(), watch).checks)).toBe(360); // 0.9 x 0.5^2 = 0.225
});

test('after a minute that was throttled every tick polls, until it is reported', () => {
  const throttled = { fromEpochMinutes: start / 60 - 3, codes: 'B' };
  const watch = { lately: { iops: 1, throughput: 0, atEpochSeconds: start }, throttled };
  expect(afterMinutes(due(aVolume(), watch).checks)).toBe(1);
  const open = {
    severity: 'critical',
    sinceEpochSeconds: start,
    gone: false,
    fromEpochSeconds: start,
    times: 1,
    saidEpochSeconds: start,
  } as const;
  expect(afterMinutes(due(aVolume(), { ...watch, open: { 'throttled-volume-iops': open } }).checks)).toBe(5);
});

test('a volume of which nothing is published is polled every half hour, but not while it is new', () => {
  expect(afterMinutes(due(aVolume(), { seenUntilEpochSeconds: null, revision: 7 }).queue)).toBe(30);
  expect(afterMinutes(due(aVolume(), { seenUntilEpochSeconds: start - 31 * minute }).queue)).toBe(30);
  expect(
    afterMinutes(due(aVolume(), { seenUntilEpochSeconds: null, revision: 2, hours: '.'.repeat(168) }).queue),
  ).toBe(5);
});

test('volumes without checks are polled by their rates', () => {
  const volume = aVolume({ multiAttach: true });
  const near = due(volume, { lately: { iops: 0.8, throughput: 0, atEpochSeconds: start } });
  expect(near.checks).toBe(Number.POSITIVE_INFINITY);
  expect(afterMinutes(near.rates)).toBe(3);
});

test('whatever the bucket and its balance, the next poll comes before half of the time to empty is over, or with the next tick', () => {
  const size = fc.integer({ min: 1, max: 990 });
  const hdd = fc.record({
    volumeType: fc.constantFrom('st1', 'sc1'),
    sizeGiB: fc.integer({ min: 125, max: 16_384 }),
  });
  const volume = fc.oneof(
    size.map((sizeGiB) => aGp2(sizeGiB)),
    hdd.map((one) => aVolume({ ...one, iops: null, throughputMiBps: null })),
  );
  fc.assert(
    fc.property(
      volume,
      fc.double({ min: 1.1, max: 100, noNaN: true }),
      fc.integer({ min: 1, max: 5 }),
      (one, percent, lag) => {
        const until = start - lag * minute;
        const { bucket } = watched(one);
        if (bucket === null) return;
        const limits = volumeLimits({
          volumeType: one.volumeType as 'gp2',
          sizeGiB: one.sizeGiB,
          deployment: 'region',
        });
        const [burst, base] =
          bucket.unit === 'io'
            ? [limits.burstIops, limits.baselineIops]
            : [limits.burstMiBps, limits.baselineMiBps];
        const secondsToEmpty = ((percent / 100) * bucket.capacity) / (burst - base);
        const next = nextPoll(
          aWatch(one, { balance: { percent, untilEpochSeconds: until } }),
          watched(one),
          start,
          minute,
        );
        expect(next).toBeLessThanOrEqual(Math.max(start + minute, until + secondsToEmpty / 2));
      },
    ),
    { seed: 3, numRuns: 500 },
  );
});
