/** A drawn day against a minute-by-minute model that knows nothing of the replay. */
import fc from 'fast-check';
import { builtInCatalog } from '../../../core/catalog/instance-types.ts';
import { instanceConfiguration, replayConfiguration } from '../../../core/replay/configuration.ts';
import { replayDrawnDay } from '../../../core/replay/drawn-day.ts';

const gp2 = (sizeGiB: number, percent = 100) =>
  replayConfiguration(
    { kind: 'single', members: 1, volumeType: 'gp2', sizeGiB, iops: 0, throughputMiBps: 0 },
    { startPercent: { volume: percent } },
  );
const ofIops = (iops: readonly number[]) => ({ iops, mibps: new Array<number>(24).fill(0) });
const office = (peak: number, night: number): number[] =>
  Array.from({ length: 24 }, (_, hour) => (hour >= 9 && hour < 17 ? peak : night));

/** gp2: 5.4 million I/O credits, 3 IOPS per GiB from 100 on, 3,000 in a burst. */
function modelOf(hours: readonly number[], sizeGiB: number, percent: number, days: number) {
  const base = Math.max(100, 3 * sizeGiB) * 60;
  let credits = (5_400_000 * percent) / 100;
  let waiting = 0;
  const left: number[] = [];
  const throttled: number[] = [];
  for (let minute = 0; minute < days * 1_440; minute++) {
    const asked = (hours[Math.floor(minute / 60) % 24] as number) * 60;
    const can = Math.min(base + credits, 3_000 * 60);
    const served = Math.min(waiting + asked, can);
    // It waits at the end, or for longer than the first second.
    const isLate = waiting + asked > can * (1 + 1e-9) || (waiting > 0 && waiting * 60 + asked > can);
    waiting = waiting + asked > can * (1 + 1e-9) ? waiting + asked - served : 0;
    credits = Math.min(5_400_000, Math.max(0, credits + base - served));
    left.push((100 * credits) / 5_400_000);
    throttled.push(isLate ? 1 : 0);
  }
  return { left, throttled };
}

test('credits and throttled minutes are those of a model, minute by minute', () => {
  const rate = fc.integer({ min: 0, max: 3_600 });
  const hours = fc.array(rate, { minLength: 24, maxLength: 24 });
  // Low rates, so that there are days that are sustained, throttled for hours, and never served.
  const low = hours.map((all) => all.map((one) => Math.round(one / 8)));
  fc.assert(
    fc.property(
      fc.oneof(hours, low),
      fc.integer({ min: 1, max: 900 }),
      fc.integer({ min: 0, max: 100 }),
      (all, sizeGiB, percent) => {
        const replayed = replayDrawnDay(ofIops(all), gp2(sizeGiB, percent));
        const { left, throttled } = modelOf(all, sizeGiB, percent, replayed.days.length);
        const [bucket] = replayed.buckets;
        expect(bucket?.percent.length).toBe(left.length);
        const apart = left.map((one, i) => Math.abs(one - (bucket?.percent[i] as number)));
        expect(Math.max(...apart)).toBeLessThan(1e-6);
        expect([...replayed.cause].map((code) => (code === 0 ? 0 : 1))).toEqual(throttled);
        for (const [day, { throttledMinutes, throttledMinutesByHour }] of replayed.days.entries()) {
          const minutes = throttled.slice(day * 1_440, (day + 1) * 1_440);
          expect(throttledMinutes).toBe(minutes.filter((one) => one === 1).length);
          expect(throttledMinutesByHour.reduce((sum, one) => sum + one, 0)).toBe(throttledMinutes);
        }
      },
    ),
    { seed: 35, numRuns: 60 },
  );
});

test('a day that spends less than it earns ends as it began', () => {
  // 8 h at 400 spend 100 x 28,800 = 2.88 of 5.4 million; 16 h idle bring back 300 x 57,600.
  const { course, days, secondsToEmpty } = replayDrawnDay(ofIops(office(400, 0)), gp2(100));
  expect({ course, secondsToEmpty, days: days.length }).toEqual({
    course: 'repeats',
    secondsToEmpty: null,
    days: 1,
  });
  expect(days[0]).toMatchObject({
    startPercent: 100,
    endPercent: 100,
    throttledMinutes: 0,
    lowestMinute: 1_019,
  });
  expect(days[0]?.lowestPercent).toBeCloseTo(100 - (100 * 2.88) / 5.4, 6);
});

test('a day that spends more is empty on a later day, by what is left each day', () => {
  // 8 h at 640 spend 340 x 28,800 = 9.792 million: empty 5.4 million / 340 = 15,882 s after 09:00.
  const { days, secondsToEmpty, course } = replayDrawnDay(ofIops(office(640, 0)), gp2(100));
  expect(secondsToEmpty).toBeCloseTo(9 * 3_600 + 5_400_000 / 340, 6);
  expect(course).toBe('repeats');
  expect(days[0]?.byCause).toEqual({ 'volume-credits': days[0]?.throttledMinutes });
});

test('a loss of a fifth of the bucket a day is empty on day 5', () => {
  // 24 h at 312.5: 12.5 x 86,400 = 1.08 of 5.4 million a day.
  const { secondsToEmpty } = replayDrawnDay(ofIops(new Array<number>(24).fill(312.5)), gp2(100));
  expect(secondsToEmpty).toBeCloseTo(5 * 86_400, 3);
});

test('a slow loss is not settled after 32 days, and said so', () => {
  // 1 IOPS above the baseline: 86,400 of 5.4 million a day, 1.6 points.
  const { course, days, secondsToEmpty } = replayDrawnDay(ofIops(new Array<number>(24).fill(301)), gp2(100));
  expect({ course, secondsToEmpty }).toEqual({ course: 'changes', secondsToEmpty: null });
  expect(days.at(-1)?.endPercent).toBeCloseTo(100 - 32 * 1.6, 6);
});

test('above the baseline on average, what waits grows and all of a day is throttled', () => {
  const { course, days } = replayDrawnDay(ofIops(new Array<number>(24).fill(600)), gp2(100));
  expect(course).toBe('waits-more');
  expect(days.at(-1)?.throttledMinutes).toBe(1_440);
});

test('an empty bucket that is spared is full after it was refilled', () => {
  // 5.4 million / 300 a second = 18,000 s
  const { secondsToFull, secondsToEmpty } = replayDrawnDay(
    ofIops(new Array<number>(24).fill(0)),
    gp2(100, 0),
  );
  expect({ secondsToFull, secondsToEmpty }).toEqual({ secondsToFull: 18_000, secondsToEmpty: null });
});

test('an empty bucket that is asked for more than its baseline is empty from the start', () => {
  expect(replayDrawnDay(ofIops(office(400, 400)), gp2(100, 0)).secondsToEmpty).toBe(0);
});

test('a volume without credits has its limit and no bucket', () => {
  const { buckets, days } = replayDrawnDay(ofIops(office(2_000, 100)), gp2(1_000));
  expect(buckets[0]).toMatchObject({ measure: 'iops', bucket: null });
  expect(buckets[0]?.limit[0]).toBe(3_000);
  expect(days[0]?.throttledMinutes).toBe(0);
});

test('of an instance both buckets are replayed, and the first that is empty throttles', () => {
  const type = builtInCatalog().get('m5.large');
  if (type?.ebs == null) throw new Error('m5.large is in the catalog');
  const { baselineMiBps, maximumMiBps } = type.ebs;
  const mibps = office(maximumMiBps, 0).map((rate, hour) => (hour === 9 ? rate : 0));
  const { buckets, secondsToEmpty, days } = replayDrawnDay(
    { iops: new Array<number>(24).fill(0), mibps },
    instanceConfiguration(type.ebs),
  );
  expect(buckets.map(({ measure }) => measure)).toEqual(['iops', 'mibps']);
  expect(secondsToEmpty).toBeCloseTo(9 * 3_600 + 1_800, 6); // 30 min at the maximum
  expect(buckets[0]?.percent.every((left) => left === 100)).toBe(true);
  // 30 min at the baseline are served of the second half hour; the rest waits.
  expect(days[0]?.throttledMinutesByHour[9]).toBe(30);
  expect(baselineMiBps).toBeLessThan(maximumMiBps);
});
