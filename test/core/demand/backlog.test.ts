/** Unmet work of an open load: it piles up while a limit throttles it, and is done later. */

import { type Demand, demandOf } from '../../../core/demand/demand.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { type Period, throttledLoad, times } from './periods.ts';

const demandIn = (periods: readonly Period[]): Demand => {
  const { load, attribution } = throttledLoad(periods);
  return demandOf(load, attribution, defaultThresholds);
};

describe('an open load', () => {
  const quiet: Period = { iops: 1_000, queue: 1, latencyMs: 1 };
  const held = (iops: number, queue: number): Period => ({ iops, queue, latencyMs: 1, cause: 'volume-iops' });
  // 4,000 a second come for three minutes, then 1,000; 3,000 are served. The queue ends the minutes at 60,000, 120,000,
  // 180,000, 60,000, and is gone in the middle of the fifth.
  const episode = [
    held(3_000, 30_000),
    held(3_000, 90_000),
    held(3_000, 150_000),
    held(3_000, 120_000),
    held(2_000, 15_000),
  ];
  const demand = demandIn([...times(20, quiet), ...episode, ...times(5, quiet)]);
  const lowIops = [...demand.lowIops.subarray(20, 25)].map(Math.round);

  test('wants what was served and what the queue grew by; less than served while the backlog is worked off', () => {
    // Queues at the turns of minutes are halfway: 1, 60,000, 120,000, 135,000, 67,500, 1; a 60th of the difference each.
    expect(lowIops).toEqual([4_000, 4_000, 3_250, 1_875, 875]);
    expect([...demand.highIops]).toEqual([...demand.lowIops]);
    expect(demand.assumptions).toEqual([{ code: 'backlog', periods: 5, throttledPeriods: 5 }]);
  });

  test('wants in all what is served in all', () => {
    expect(lowIops.reduce((sum, iops) => sum + iops, 0)).toBe(14_000); // 4 x 3,000 + 2,000 = 3 x 4,000 + 2 x 1,000
  });

  test('is not what many workers are that wait at once and stay as many', () => {
    // 600 workers at 30 IOPS wait 20 seconds each, from the first minute to the last.
    const slow = times(5, { iops: 30, queue: 600, latencyMs: 20_000, cause: 'volume-throughput' });
    const few: Period = { iops: 25, queue: 0.025, latencyMs: 1 };
    expect(demandIn([...times(20, few), ...slow]).highIops.at(-1)).toBeCloseTo(600_000, 6); // 600 / 1 ms
  });
});
