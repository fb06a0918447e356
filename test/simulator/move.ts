/**
 * Volumes that move from one instance to another: until then the first instance carries them as guests, from then on the
 * second; what happened on both is put together. Credits and what waits do not move along: such a volume is one
 * without a bucket, and has a quiet minute when it moves.
 */
import type { VolumeLedger } from './ledgers.ts';
import { isClosedLoop, type Load } from './loads.ts';
import type { InstancePlan, VolumePlan } from './plan.ts';
import { type SimulatedInstance, type SimulatedVolume, simulateInstance, type Window } from './simulate.ts';

/** The load in the plan's minutes from `from` to before `to`, nothing outside. */
function onlyBetween(load: Load, from: number, to: number): Load {
  const isIn = (minute: number): boolean => minute >= from && minute < to;
  if (isClosedLoop(load)) return { ...load, workers: (minute) => (isIn(minute) ? load.workers(minute) : 0) };
  const { arrived } = load;
  return {
    ...load,
    ...(arrived && { arrived: (minute, second) => (isIn(minute) ? arrived(minute, second) : 0) }),
    ioPerSecond: (minute) => (isIn(minute) ? load.ioPerSecond(minute) : 0),
    burst: (minute) => (isIn(minute) ? (load.burst?.(minute) ?? null) : null),
  };
}

const during = (plan: VolumePlan, from: number, to: number): VolumePlan =>
  plan.load === undefined ? plan : { ...plan, load: onlyBetween(plan.load, from, to) };

/** The first `minutes` of every column come from the other ledger. */
function overwriteStart(ledger: VolumeLedger, before: VolumeLedger, minutes: number): void {
  for (const name of Object.keys(ledger) as (keyof VolumeLedger)[]) {
    ledger[name].set(before[name].subarray(0, minutes));
  }
}

/** Simulates instances among which volumes may move. The load's minutes are the window's. */
export function simulateInstances(plans: readonly InstancePlan[], window: Window): SimulatedInstance[] {
  const fromStart = { ...window, firstPlanMinute: 0 };
  const guests = new Map<string, SimulatedVolume>();
  const simulated = plans.map((plan) => {
    const ofOthers = plans
      .flatMap(({ volumes }) => volumes)
      .flatMap((volume) =>
        volume.movedFrom?.instance === plan.name ? [during(volume, 0, volume.movedFrom.atMinute)] : [],
      );
    const own = plan.volumes.map((volume) =>
      volume.movedFrom === undefined ? volume : during(volume, volume.movedFrom.atMinute, window.minutes),
    );
    const instance = simulateInstance({ ...plan, volumes: [...own, ...ofOthers] }, fromStart);
    for (const guest of instance.volumes.slice(own.length)) guests.set(guest.volumeId, guest);
    return { ...instance, plan, volumes: instance.volumes.slice(0, own.length) };
  });
  for (const { volumeId, ledger, plan } of simulated.flatMap(({ volumes }) => volumes)) {
    const before = guests.get(volumeId)?.ledger;
    if (ledger && before && plan.movedFrom) overwriteStart(ledger, before, plan.movedFrom.atMinute);
  }
  return simulated;
}
