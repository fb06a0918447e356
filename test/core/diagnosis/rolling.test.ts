import { lastMinutes, peakDay } from '../../../core/diagnosis/throttled.ts';

const hour = 3_600;
const axis = (...hours: number[]): Float64Array => Float64Array.from(hours, (h) => h * hour);

describe('the worst 24 hours', () => {
  test('slide: 3 minutes on Monday and 4 on Wednesday are 4, not 7', () => {
    const worst = peakDay(axis(0, 1, 48, 49), Float64Array.of(1, 2, 3, 1));
    expect(worst).toEqual({ minutes: 4, firstEpochSeconds: 48 * hour, lastEpochSeconds: 49 * hour });
  });

  test('are half-open: what is 24 hours apart is not in one day, a second less is', () => {
    expect(peakDay(Float64Array.of(0, 86_400), Float64Array.of(1, 1)).minutes).toBe(1);
    expect(peakDay(Float64Array.of(0, 86_399), Float64Array.of(1, 1)).minutes).toBe(2);
  });

  test('name the first and last counted period inside them', () => {
    const worst = peakDay(axis(0, 1, 2, 3, 4), Float64Array.of(0, 5, 0, 5, 0));
    expect(worst).toEqual({ minutes: 10, firstEpochSeconds: hour, lastEpochSeconds: 3 * hour });
  });

  test('without a counted minute there is no first', () => {
    expect(peakDay(axis(0, 1), Float64Array.of(0, 0))).toEqual({
      minutes: 0,
      firstEpochSeconds: null,
      lastEpochSeconds: null,
    });
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
