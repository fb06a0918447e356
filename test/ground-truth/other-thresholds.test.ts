/**
 * Other figures for the words of the audit, at the ends of what a configuration may set: the first of two passes must not
 * clear what is reported by them, as it does not by the documented ones.
 */
import { type ThresholdName, thresholdsOf } from '../../core/diagnosis/thresholds.ts';
import { knownFleet } from '../fixtures/known-fleet.ts';
import { type BothWays, notifiedOf, regionsBothWays } from '../fixtures/two-passes.ts';
import { diurnal, workers } from '../simulator/loads.ts';
import { publish } from '../simulator/publish.ts';
import { simulateInstance, type Window } from '../simulator/simulate.ts';
import { stripedInstance } from '../simulator/stripe-plans.ts';

type Words = { [K in ThresholdName]?: number };

const quickest: Words = {
  throttledWarningMinutes: 1,
  throttledCriticalMinutes: 1,
  throttledCriticalMinutesOfLastFive: 1,
  microBurstMinutes: 1,
  emptyBalancePercent: 20,
  creditsExhaustedCriticalMinutes: 1,
  willExhaustSeconds: 12 * 3_600,
  willExhaustCriticalSeconds: 12 * 3_600,
  idleOpsPerMinute: 60,
  unreachableUsd: 0.01,
  overProvisionedUsd: 0.01,
  cheaperTypeUsd: 0.01,
  cheaperStripeUsd: 0.01,
  cheaperStripeShare: 0,
  savingHeadroom: 0,
  savingKnownShare: 0.5,
  idleKnownShare: 0.5,
};
const slowest: Words = {
  throttledWarningMinutes: 60,
  throttledCriticalMinutesOfLastFive: 5,
  microBurstMinutes: 60,
  microBurstAverageShare: 0.5,
  emptyBalancePercent: 0,
  willExhaustSeconds: 600,
  willExhaustCriticalSeconds: 60,
  idleOpsPerMinute: 0.01,
  savingHeadroom: 2,
  cheaperTypeUsd: 50,
};

/** Of what its user wants to be faster. */
const fast: Words = { maxLatencyMs: 1.5, latencyMinutes: 1 };

const expectTheSame = ({ one, two }: BothWays): void => expect(notifiedOf(two)).toEqual(notifiedOf(one));

test.each([
  ['told as soon as may be', quickest],
  ['told as late as may be', slowest],
  ['with a target of its latency', fast],
])('the fleet of the demo, %s', async (_, words) => {
  const fleet = knownFleet({ seed: 1 });
  const documented = await regionsBothWays(fleet.regions, fleet);
  const both = await regionsBothWays(fleet.regions, fleet, thresholdsOf(words));
  expectTheSame(both);
  // The words do mean something else, and two passes still clear somebody.
  expect(notifiedOf(both.one)).not.toEqual(notifiedOf(documented.one));
  expect(both.two.volumes.some(({ evaluatedBy }) => evaluatedBy === 'coarse')).toBe(true);
});

const window: Window = {
  startEpochSeconds: 1_795_046_400,
  minutes: 26 * 60,
  seed: 1,
  firstPlanMinute: 0,
};

test('a member that takes 2.4 times as long as its siblings is a straggler from 2 times on, and none by the documented 3', async () => {
  const load = workers(16, diurnal(800, 4_000, 14));
  const plan = stripedInstance({ load, straggler: { member: 2, serviceFactor: 2.4 } });
  const endEpochSeconds = window.startEpochSeconds + window.minutes * 60;
  const evaluated = (words: Words): Promise<BothWays> =>
    regionsBothWays(
      [{ region: 'us-east-1', ...publish([simulateInstance(plan, window)], window) }],
      { startEpochSeconds: window.startEpochSeconds, endEpochSeconds },
      thresholdsOf(words),
    );
  const kinds = ({ two }: BothWays): string[] => two.findings.map(({ kind }) => kind);
  expect(kinds(await evaluated({}))).not.toContain('stripe-straggler');
  const both = await evaluated({ stragglerTimes: 2, stragglerLeastMs: 0.1 });
  expectTheSame(both);
  expect(kinds(both)).toContain('stripe-straggler');
});
