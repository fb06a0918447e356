import { lastMinutes, latestEpisode, peakDayMinutes } from '../../../core/diagnosis/throttled.ts';

const hour = 3_600;
const axis = (...hours: number[]): Float64Array => Float64Array.from(hours, (h) => h * hour);

describe('the peak 24 hours', () => {
  test('slide: 3 minutes on Monday and 4 on Wednesday are 4, not 7', () => {
    expect(peakDayMinutes(axis(0, 1, 48, 49), Float64Array.of(1, 2, 3, 1))).toBe(4);
  });

  test('are half-open: what is 24 hours apart is not in one day, a second less is', () => {
    expect(peakDayMinutes(Float64Array.of(0, 86_400), Float64Array.of(1, 1))).toBe(1);
    expect(peakDayMinutes(Float64Array.of(0, 86_399), Float64Array.of(1, 1))).toBe(2);
  });

  test('have none where none is counted', () => {
    expect(peakDayMinutes(axis(0, 1), Float64Array.of(0, 0))).toBe(0);
  });
});

describe('the latest episode', () => {
  const seen = (epochSeconds: Float64Array, ...minutes: number[]) =>
    latestEpisode(epochSeconds, Float64Array.from(minutes));
  const from = (first: number, last: number) => ({
    firstEpochSeconds: first * hour,
    lastEpochSeconds: last * hour,
  });

  test('names its first and last counted period', () => {
    expect(seen(axis(0, 1, 2, 3, 4), 0, 5, 0, 5, 0)).toEqual(from(1, 3));
  });

  test('is the last, and not the one with the most minutes', () => {
    expect(seen(axis(0, 1, 48, 49), 60, 60, 0, 1)).toEqual(from(49, 49));
  });

  test('of a nightly load begins with the first night: no gap is longer than 24 hours', () => {
    expect(seen(axis(2, 26, 50, 60), 30, 30, 30, 0)).toEqual(from(2, 50));
  });

  test('does not reach over a gap of more than 24 hours', () => {
    expect(seen(Float64Array.of(0, 86_400), 1, 1)).toEqual(from(0, 24));
    expect(seen(Float64Array.of(0, 86_401), 1, 1)?.firstEpochSeconds).toBe(86_401);
  });

  test('is none where no minute is counted', () => {
    expect(seen(axis(0, 1), 0, 0)).toBeNull();
  });
});

describe('the last five minutes', () => {
  const minutes = Float64Array.from({ length: 10 }, (_, i) => i * 60);

  test('are the five before the end, and not the sixth', () => {
    const held = Float64Array.of(0, 0, 0, 0, 1, 1, 1, 1, 1, 1); // minutes 4 to 9; 5 to 9 are the last five
    expect(lastMinutes(minutes, held, 600, 5)).toBe(5);
  });

  test('of an audit that goes on longer than the figures are empty', () => {
    expect(lastMinutes(minutes, new Float64Array(10).fill(1), 600 + 300, 5)).toBe(0);
    expect(lastMinutes(minutes, new Float64Array(10).fill(1), 600 + 120, 5)).toBe(3); // two of the five have no figures
  });
});
