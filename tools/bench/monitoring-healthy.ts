/** What monitoring notifies of a fleet that is well: a thousand volumes, a fifth of them above the limit for seconds of every minute. */
import { figure } from '../../core/figures.ts';
import { volumeLimits } from '../../core/limits/volume-limits.ts';
import { expectedChecks } from '../../core/load/metrics.ts';
import { secondsPerDay } from '../../core/units.ts';
import { uniformSource } from '../../test/simulator/random.ts';
import type { Measure } from './measure.ts';
import { hex, type WatchedVolume } from './monitoring-fleet.ts';
import { type DemandAt, minutesPerDay, type Uniform } from './monitoring-loads.ts';
import { historyOf } from './monitoring-minutes.ts';
import { type Notified, runMonitoring } from './monitoring-run.ts';

const volumes = 1_000;
const days = 4;

const between = (uniform: Uniform, low: number, high: number): number => low + uniform() * (high - low);

/** Up and down over the day, with noise. */
function daily(uniform: Uniform, low: number, high: number): DemandAt {
  const phase = uniform() * minutesPerDay;
  return (minute) => {
    const wave = 0.5 + 0.5 * Math.sin((2 * Math.PI * (minute + phase)) / minutesPerDay);
    const share = (low + (high - low) * wave) * between(uniform, 0.9, 1.1);
    return { share, topSecondShare: 1.3 * share };
  };
}

function steady(uniform: Uniform, share: number): DemandAt {
  return () => ({ share: share * between(uniform, 0.95, 1.05), topSecondShare: share });
}

/** One to three seconds of each minute above the limit, 17 to 45 % of it on average. */
function inShortBursts(uniform: Uniform): DemandAt {
  const average = between(uniform, 0.17, 0.45);
  return () => ({
    share: average * between(uniform, 0.95, 1.05),
    topSecondShare: between(uniform, 1.1, 1.5),
  });
}

/** By turns, with the size of an I/O: none comes near the limit for a minute. */
const loads: { ioKiB: number; of: (uniform: Uniform) => DemandAt }[] = [
  { ioKiB: 8, of: (uniform) => daily(uniform, between(uniform, 0.002, 0.02), between(uniform, 0.2, 0.7)) },
  { ioKiB: 16, of: inShortBursts },
  { ioKiB: 16, of: (uniform) => steady(uniform, between(uniform, 0.03, 0.73)) },
  { ioKiB: 256, of: (uniform) => daily(uniform, between(uniform, 0.002, 0.02), between(uniform, 0.2, 0.66)) },
  { ioKiB: 8, of: (uniform) => steady(uniform, between(uniform, 0.03, 0.6)) },
];

function healthyVolumes(seed: number): WatchedVolume[] {
  const size = { volumeType: 'gp3', sizeGiB: 200, iops: 3_000, throughputMiBps: 125 } as const;
  const limits = volumeLimits({ ...size, deployment: 'region' });
  return Array.from({ length: volumes }, (_, i) => {
    const uniform = uniformSource(seed, `healthy ${i}`);
    const { ioKiB, of } = loads[i % loads.length] as (typeof loads)[number];
    const volume = {
      ...{ volumeId: hex('vol', i), ...size, region: 'us-east-1', account: '111122223333' },
      ...{ deployment: 'region' as const, multiAttach: false, state: 'in-use' },
      attachments: [{ instanceId: hex('i', i), ebsCardIndex: null }],
      ...{ name: null, stripeTag: null, tags: {} },
    };
    const history = historyOf(limits, ioKiB, of(uniform), uniform, { length: days * minutesPerDay });
    return { volume, group: 'healthy', checks: expectedChecks(volume), history };
  });
}

/** A finding that was not there, or became worse. */
function newsOf(notified: readonly Notified[]): Notified[] {
  const before = new Map<string, Notified['severity']>();
  return notified.filter(({ kind, severity }) => {
    const was = before.get(kind) ?? null;
    before.set(kind, severity);
    return severity !== null && (was === null || (was === 'warning' && severity === 'critical'));
  });
}

export async function monitoringHealthy(seed = 1): Promise<Measure[]> {
  const fleet = healthyVolumes(seed);
  const lastMinute = days * minutesPerDay;
  const run = await runMonitoring(fleet, { everyMinutes: 1, metricsPerMonth: null, lastMinute });
  const news = [...run.notified.values()].flatMap(newsOf);
  const later = news.filter(({ at }) => at > secondsPerDay).length;
  const throttledMinutes = fleet.reduce(
    (sum, { history }) => sum + history.held.filter((held) => held > 0).length,
    0,
  );
  return [
    {
      name: 'monitoring-notifications-per-day-healthy',
      value: Number((later / (days - 1)).toFixed(1)),
      unit: 'findings a day that are new or worse, after the first',
      conditions: `${figure(volumes)} healthy volumes, ${days} days, checks of 1 in ${figure(throttledMinutes)} of ${figure(volumes * lastMinute)} minutes; ${news.length - later} on the first day; ${figure(run.metrics / volumes / days)} metrics a volume and day`,
    },
  ];
}
