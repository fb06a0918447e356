/** Volumes that are well: some busy, some in bursts of seconds that nobody waits long for, none at a limit for a minute. */
import { secondsPerDay, secondsPerMinute } from '../core/units.ts';
import { type Burst, closedLoop, database, diurnal, type Load, stream, workers } from './simulator/loads.ts';
import type { VolumePlan } from './simulator/plan.ts';
import { type Published, publish } from './simulator/publish.ts';
import { uniformSource } from './simulator/random.ts';
import type { Rules } from './simulator/rules.ts';
import { simulateInstance, type Window } from './simulator/simulate.ts';

/** A day, and two hours before it. */
const firstMinutes = 26 * 60;
/** 2026-11-18T22:00:00Z */
const startEpochSeconds = 1_795_039_200;
const perInstance = 8;

type Uniform = () => number;
const between = (uniform: Uniform, low: number, high: number): number => low + uniform() * (high - low);

/** One to three seconds of each minute far above the limit of 3,000 IOPS, 17 to 45 % of it on average. */
function inShortBursts(uniform: Uniform): Load {
  const seconds = 1 + Math.floor(uniform() * 3);
  const base = between(uniform, 400, 1_100);
  const burst: Burst = { fromSecond: 20, seconds, ioPerSecond: between(uniform, 3_300, 4_500), spread: 1 };
  return database(16, base, { burst: () => burst, maxWaitingIo: 5_000 });
}

/** By turns: what healthy volumes of gp3 with 3,000 IOPS and 125 MiB/s do. */
const loads: ((uniform: Uniform) => Load)[] = [
  (uniform) => database(8, diurnal(between(uniform, 5, 50), between(uniform, 600, 2_100), uniform() * 24)),
  inShortBursts,
  (uniform) => workers(16, between(uniform, 100, 2_200)),
  (uniform) => stream(256, diurnal(between(uniform, 1, 10), between(uniform, 100, 330), uniform() * 24)),
  (uniform) => closedLoop({ ioKiB: 8, workers: 4, thinkMs: between(uniform, 2, 40) }),
];

/** @returns one Region, as the AWS CLI prints it, with the window that it is of. */
export function healthyFleet(options: {
  seed: number;
  volumes: number;
  days?: number;
  rules: Partial<Rules>;
}): Published & {
  region: string;
  startEpochSeconds: number;
  endEpochSeconds: number;
} {
  const { seed, volumes, days = 1, rules } = options;
  const minutes = firstMinutes + ((days - 1) * secondsPerDay) / secondsPerMinute;
  const window: Window = { startEpochSeconds, minutes, seed, firstPlanMinute: 0, rules };
  const uniform = uniformSource(seed, 'healthy fleet');
  const plans = Array.from({ length: volumes }, (_, i): VolumePlan => {
    const load = (loads[i % loads.length] as (typeof loads)[number])(uniform);
    return { name: `healthy-${i}`, volumeType: 'gp3', sizeGiB: 200, load };
  });
  const instances = Array.from({ length: Math.ceil(volumes / perInstance) }, (_, i) =>
    simulateInstance(
      {
        ...{ name: `host-${i}`, region: 'us-east-1', zone: 'us-east-1a', instanceType: 'm6i.8xlarge' },
        volumes: plans.slice(i * perInstance, (i + 1) * perInstance),
      },
      window,
    ),
  );
  const endEpochSeconds = startEpochSeconds + minutes * secondsPerMinute;
  return { region: 'us-east-1', startEpochSeconds, endEpochSeconds, ...publish(instances, window) };
}
