/** The rules by which a host's statistics confirm or refute a finding, each with its threshold. */
import fc from 'fast-check';
import type { Between } from '../../../core/host/between-readings.ts';
import { exceededLimits } from '../../../core/host/ebs-statistics.ts';
import {
  type Said,
  type Suspicion,
  saidOfNoTime,
  saidOfVolume,
  saidTogether,
  statisticsSay,
} from '../../../core/host/host-statistics.ts';

/** 100 of 120 throttled minutes lie between the readings, an hour of 24 was not seen. */
const suspicion: Suspicion = {
  limits: ['volume-iops'],
  ...{ isMicroBurst: false, isOnCredits: false, isShared: false },
  ...{ throttledMinutesInWindow: 120, throttledMinutes: 100, unseenSeconds: 0 },
};
const both = ['volume-iops', 'volume-throughput'] as const;

const between = (exceeded: Partial<Between['exceededSeconds']>): Between => ({
  ...{ startEpochSeconds: 1_795_046_400, endEpochSeconds: 1_795_132_800 },
  exceededSeconds: {
    ...{ 'volume-iops': 0, 'volume-throughput': 0, 'instance-iops': 0, 'instance-throughput': 0 },
    ...exceeded,
  },
});

test.each<[string, Partial<Suspicion>, Partial<Between['exceededSeconds']>, string]>([
  // 100 min are 6,000 s: 10 % are 600, 1 % are 60.
  ['10 % of the throttled time', {}, { 'volume-iops': 600 }, 'confirms'],
  ['less than that', {}, { 'volume-iops': 599 }, 'in-between'],
  ['1 % of it', {}, { 'volume-iops': 60 }, 'refutes'],
  ['more than that', {}, { 'volume-iops': 61 }, 'in-between'],
  ['none', {}, {}, 'refutes'],
  ['above another limit', {}, { 'volume-throughput': 6_000, 'instance-iops': 6_000 }, 'refutes'],
  [
    'as much as may be of a time without figures',
    { unseenSeconds: 500 },
    { 'volume-iops': 1_099 },
    'in-between',
  ],
  ['more than fits into it', { unseenSeconds: 500 }, { 'volume-iops': 1_100 }, 'confirms'],
  ['a micro-burst: 1 %', { isMicroBurst: true, limits: both }, { 'volume-throughput': 60 }, 'confirms'],
  ['a micro-burst: 0.1 %', { isMicroBurst: true, limits: both }, { 'volume-iops': 6 }, 'refutes'],
  [
    'a micro-burst: more',
    { isMicroBurst: true, limits: both },
    { 'volume-iops': 4, 'volume-throughput': 3 },
    'in-between',
  ],
  ['on credits, above the limit', { isOnCredits: true, limits: both }, { 'volume-iops': 600 }, 'confirms'],
  ['on credits, not above it', { isOnCredits: true, limits: both }, {}, 'on-credits'],
  ['on several instances', { isShared: true }, {}, 'shared'],
  ['on several instances, above it', { isShared: true }, { 'volume-iops': 600 }, 'confirms'],
  ['half of the minutes', { throttledMinutesInWindow: 200 }, {}, 'refutes'],
  ['less than half', { throttledMinutesInWindow: 201 }, {}, 'part-of-the-minutes'],
  ['less than half, above it', { throttledMinutesInWindow: 2_000 }, { 'volume-iops': 600 }, 'confirms'],
  ['5 min', { throttledMinutes: 5, throttledMinutesInWindow: 5 }, {}, 'refutes'],
  ['less', { throttledMinutes: 4.9, throttledMinutesInWindow: 5 }, { 'volume-iops': 300 }, 'few-minutes'],
])('%s', (_, more, exceeded, expected) => {
  const { says, reason } = statisticsSay({ ...suspicion, ...more }, between(exceeded));
  expect(reason ?? says).toBe(expected);
});

test('what confirms names the limit above which most of the time was', () => {
  const said = statisticsSay(
    { ...suspicion, limits: both },
    between({ 'volume-iops': 10, 'volume-throughput': 900 }),
  );
  expect(said).toEqual({
    ...{ says: 'confirms', reason: null, limits: ['volume-throughput'], exceededSeconds: 900 },
  });
});

test('more time above the limit never makes a confirmed finding a refuted one', () => {
  fc.assert(
    fc.property(
      fc.nat(90_000),
      fc.nat(90_000),
      fc.integer({ min: 0, max: 1_440 }),
      (one, other, throttledMinutes) => {
        const order = { refutes: 0, 'says-nothing': 1, confirms: 2 } as const;
        const [less, more] = [Math.min(one, other), Math.max(one, other)].map((seconds) =>
          statisticsSay({ ...suspicion, throttledMinutes }, between({ 'volume-iops': seconds })),
        );
        expect(order[less?.says ?? 'refutes']).toBeLessThanOrEqual(order[more?.says ?? 'confirms']);
      },
    ),
  );
});

const said = (volumeId: string, seconds: number): Said =>
  saidOfVolume(volumeId, suspicion, between({ 'volume-iops': seconds }));

test('of several volumes one confirms, and all must refute', () => {
  expect(saidTogether([])).toBeNull();
  expect(saidTogether([said('a', 0), said('b', 700), said('c', 900)])).toMatchObject({
    says: 'confirms',
    volumeId: 'c',
  });
  expect(saidTogether([said('a', 0), said('b', 20)])).toMatchObject({ says: 'refutes', volumeId: 'b' });
  expect(saidTogether([said('a', 0), said('b', 100)])).toMatchObject({
    says: 'says-nothing',
    reason: 'not-all-volumes',
  });
  expect(saidTogether([said('a', 0), saidOfNoTime('not-read', ['volume-iops'])])).toMatchObject({
    ...{ says: 'says-nothing', reason: 'not-all-volumes' },
  });
  expect(saidTogether([saidOfNoTime('host-restarted', exceededLimits)])).toMatchObject({
    reason: 'host-restarted',
  });
});
