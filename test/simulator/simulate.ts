/** Runs a plan: every instance with its volumes over the whole window. */
import { type VolumeLimits, volumeLimits } from '../../core/limits/volume-limits.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { causeOf } from './causes.ts';
import { ClosedLoopRun } from './closed-loop-run.ts';
import { firstReadSeconds } from './first-reads.ts';
import { InstanceRun } from './instance-run.ts';
import { canBurst, type InstanceLimits, instanceLimits } from './instance-types.ts';
import { at, type InstanceLedger, type VolumeLedger } from './ledgers.ts';
import { isClosedLoop, type Load, planMinutes } from './loads.ts';
import type { InstancePlan, LoosePlan, VolumePlan } from './plan.ts';
import { resourceId, uniformSource } from './random.ts';
import { type Rules, usualRules } from './rules.ts';
import type { RunningVolume, RunOptions } from './running-volume.ts';
import type { InstanceTruth, VolumeTruth } from './true-kinds.ts';
import { VolumeRun } from './volume-run.ts';

export interface Window {
  startEpochSeconds: number;
  minutes: number;
  seed: number;
  /** The plan's minute at the start; without it the window ends where the plan of 26 hours does. */
  firstPlanMinute?: number;
  /** What differs from the usual rules. */
  rules?: Partial<Rules>;
  /** How long after its end the window is asked for: an audit reads what is three minutes old. @default 180 */
  askedAfterSeconds?: number;
}

export const rulesOf = ({ rules }: Window): Rules => ({ ...usualRules, ...rules });

export interface SimulatedVolume {
  volumeId: string;
  plan: VolumePlan;
  limits: VolumeLimits;
  /** Null where nothing ran. */
  ledger: VolumeLedger | null;
}

export interface SimulatedInstance {
  instanceId: string;
  plan: InstancePlan;
  limits: InstanceLimits;
  ledger: InstanceLedger;
  volumes: SimulatedVolume[];
}

export const volumeIdOf = (plan: VolumePlan, seed: number): string => resourceId('vol-0', seed, plan.name);

export const instanceIdOf = (name: string, seed: number): string => resourceId('i-0', seed, name);

const limitsOf = (plan: VolumePlan, outpost: boolean): VolumeLimits =>
  volumeLimits({
    volumeType: plan.volumeType,
    sizeGiB: plan.sizeGiB,
    iops: plan.iops,
    throughputMiBps: plan.throughputMiBps,
    deployment: outpost ? 'outposts' : 'region',
  });

function runningVolume(options: RunOptions<Load>): RunningVolume {
  const { load } = options;
  return isClosedLoop(load) ? new ClosedLoopRun({ ...options, load }) : new VolumeRun({ ...options, load });
}

export function simulateInstance(plan: InstancePlan, window: Window): SimulatedInstance {
  const rules = rulesOf(window);
  const runs: RunningVolume[] = [];
  const volumes = plan.volumes.map((volume): SimulatedVolume => {
    const limits = limitsOf(volume, plan.outpost === true);
    const simulated = { volumeId: volumeIdOf(volume, window.seed), plan: volume, limits, ledger: null };
    if (volume.load === undefined || plan.state === 'stopped') return simulated;
    const { fromSnapshot } = volume;
    const firstPlanMinute = window.firstPlanMinute ?? planMinutes - window.minutes;
    const run = runningVolume({
      limits,
      load: volume.load,
      startBalancePercent: volume.startBalancePercent ?? 100,
      rules,
      seconds: window.minutes * secondsPerMinute,
      firstPlanMinute,
      uniform: uniformSource(window.seed, volume.stripe ?? volume.name),
      serviceUniform: volume.stripe === undefined ? undefined : uniformSource(window.seed, volume.name),
      serviceFactor: volume.serviceFactor,
      firstReadSeconds:
        fromSnapshot && ((planMinute) => firstReadSeconds(fromSnapshot, planMinute - firstPlanMinute)),
    });
    runs.push(run);
    return { ...simulated, ledger: run.ledger };
  });
  const limits = instanceLimits(plan.instanceType, plan.bandwidthWeighting);
  const run = new InstanceRun(limits, runs, window.minutes, {
    startIoBalancePercent: rules.instanceStartPercent,
    startByteBalancePercent: rules.instanceStartPercent,
    ...plan,
  });
  run.run();
  return { instanceId: instanceIdOf(plan.name, window.seed), plan, limits, ledger: run.ledger, volumes };
}

export const looseVolumes = (plan: LoosePlan, seed: number): SimulatedVolume[] =>
  plan.volumes.map((volume) => ({
    volumeId: volumeIdOf(volume, seed),
    plan: volume,
    limits: limitsOf(volume, false),
    ledger: null,
  }));

export function volumeTruth(limits: VolumeLimits, ledger: VolumeLedger): VolumeTruth {
  return {
    causes: Array.from(ledger.cause, causeOf),
    shareOfIops: ledger.servedUnits.map((units) => units / secondsPerMinute / limits.burstIops),
    shareOfThroughput: ledger.servedMiB.map((mib) => mib / secondsPerMinute / limits.burstMiBps),
    balancePercent: ledger.lowestBalancePercent,
    operations: ledger.servedIo,
  };
}

export function instanceTruth({ limits, ledger }: SimulatedInstance): InstanceTruth {
  const lower = ledger.lowestIoBalancePercent.map((percent, minute) =>
    canBurst(limits) ? Math.min(percent, at(ledger.lowestByteBalancePercent, minute)) : Number.NaN,
  );
  return {
    causes: Array.from(ledger.cause, causeOf),
    shareOfIops: ledger.servedIo.map((io) => io / secondsPerMinute / limits.maximumIops),
    shareOfThroughput: ledger.servedMiB.map((mib) => mib / secondsPerMinute / limits.maximumMiBps),
    balancePercent: lower,
    operations: ledger.servedIo,
  };
}
