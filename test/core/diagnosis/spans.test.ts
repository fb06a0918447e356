/** When a volume was throttled: periods of one cause together, apart where there is a long break between. */
import { throttledSpans } from '../../../core/diagnosis/spans.ts';
import { isoFromEpochSeconds } from '../../../core/units.ts';
import { diagnosedMinutes, firstMinute, type Minute } from '../../fixtures/diagnosed-minutes.ts';

const quiet = (count: number): Minute[] => Array.from({ length: count }, () => ({ iops: 10 }));
const held = (count: number, minute: Partial<Minute> = {}): Minute[] =>
  Array.from({ length: count }, () => ({
    cause: 'volume-iops',
    iops: 3_000,
    demand: [3_200, 4_000],
    ...minute,
  }));
const times = (minutes: Minute[]): string[] =>
  throttledSpans(diagnosedMinutes(minutes)).map(
    ({ cause, startEpochSeconds, endEpochSeconds }) =>
      `${cause} ${isoFromEpochSeconds(startEpochSeconds).slice(11, 16)}-${isoFromEpochSeconds(endEpochSeconds).slice(11, 16)}`,
  );

test('nothing throttled, nothing told', () => {
  expect(throttledSpans(diagnosedMinutes(quiet(5)))).toEqual([]);
});

test('three minutes of five: from the first to the end of the last, of each figure the highest', () => {
  const minutes = [
    ...quiet(2),
    ...held(1, { iops: 2_900, demand: [3_100, 4_400] }),
    ...held(1),
    ...quiet(2),
    ...held(1, { confidence: 'medium', throttled: 0.5 }),
    ...quiet(1),
  ];
  expect(throttledSpans(diagnosedMinutes(minutes))).toEqual([
    {
      startEpochSeconds: firstMinute + 2 * 60,
      endEpochSeconds: firstMinute + 7 * 60,
      cause: 'volume-iops',
      throttledMinutes: 2.5, // 1 + 1 + 0.5
      confidence: 'medium', // the least sure of high, high and medium
      top: { iops: 3_000, mibps: 46.875, activeTimeIops: null }, // 3,000 / 64; its idle time is not published
      demandIops: { low: 3_200, high: 4_400 },
      demandMiBps: { low: 50, high: 68.75 }, // / 64
    },
  ]);
});

test('ten quiet minutes are a short break, eleven a long one', () => {
  expect(times([...held(1), ...quiet(10), ...held(1)])).toEqual(['volume-iops 14:00-14:12']);
  expect(times([...held(1), ...quiet(11), ...held(1)])).toEqual([
    'volume-iops 14:00-14:01',
    'volume-iops 14:12-14:13',
  ]);
});

test('causes are distinguished, also where they take turns', () => {
  const instance = held(1, { cause: 'instance-throughput' });
  expect(times([...held(1), ...instance, ...held(1), ...instance])).toEqual([
    'volume-iops 14:00-14:03',
    'instance-throughput 14:01-14:04',
  ]);
});

test('where nothing tells how much more was demanded in one of its minutes, the most is open', () => {
  const [span] = throttledSpans(diagnosedMinutes([...held(1), ...held(1, { demand: [3_500, Number.NaN] })]));
  expect(span?.demandIops).toEqual({ low: 3_500, high: null });
});

test('what nobody can tell has neither minutes nor a need', () => {
  const [span] = throttledSpans(
    diagnosedMinutes([...quiet(1), { cause: 'unknown', iops: 10, throttled: 0 }]),
  );
  expect(span).toMatchObject({
    ...{ cause: 'unknown', throttledMinutes: 0, confidence: null, demandIops: null, demandMiBps: null },
    top: { iops: 10 },
  });
});

test('a recording of half a year, throttled all the time, is one span', () => {
  const minutes = 182 * 24 * 60;
  const [span, ...others] = throttledSpans(diagnosedMinutes(held(minutes)));
  expect(others).toEqual([]);
  expect(span).toMatchObject({ throttledMinutes: minutes, confidence: 'high', top: { iops: 3_000 } });
});

test('the rate over the seconds that were not idle stands beside the average', () => {
  const [span] = throttledSpans(diagnosedMinutes(held(2, { iops: 500 }), { VolumeIdleTime: [50, 48] }));
  expect(span?.top).toMatchObject({ iops: 500, activeTimeIops: 3_000 }); // 500 x 60 / (60 - 50)
});
