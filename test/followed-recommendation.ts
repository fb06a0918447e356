/** What another service recommends, followed: the instance of the volume is simulated again, every second of it, under the load that was truly offered. */
import type { OpinionConfiguration, SecondOpinion } from '../core/schemas/second-opinion.ts';
import { causeOf } from './simulator/causes.ts';
import type { SimulatedFleet } from './simulator/fleet.ts';
import type { FleetPlan, InstancePlan, VolumePlan } from './simulator/plan.ts';
import type { Rules } from './simulator/rules.ts';
import { type SimulatedInstance, simulateInstance, volumeIdOf } from './simulator/simulate.ts';

export interface Followed {
  row: SecondOpinion;
  /** Minutes in which I/O truly waited for a limit. */
  before: number;
  after: number;
}

interface Truth {
  plan: FleetPlan;
  fleet: SimulatedFleet;
  seed: number;
  rules: Partial<Rules>;
}

const isThrottled = (cause: string): boolean => cause.startsWith('volume-') || cause.startsWith('instance-');

function configured(plan: VolumePlan, { volumeType, sizeGiB, iops, throughputMiBps }: OpinionConfiguration) {
  const { iops: _, throughputMiBps: __, ...rest } = plan;
  return {
    ...{ ...rest, volumeType, sizeGiB },
    ...(iops === null ? {} : { iops }),
    ...(throughputMiBps === null ? {} : { throughputMiBps }),
  };
}

/**
 * Rows that change a volume, each followed alone; members of a stripe of which all are changed alike are followed together, as I/O
 * of a stripe waits for its slowest.
 */
export function followedRows(
  rows: readonly SecondOpinion[],
  { plan: { instances }, fleet, seed, rules }: Truth,
): Followed[] {
  const { startEpochSeconds, endEpochSeconds } = fleet;
  const window = { startEpochSeconds, minutes: (endEpochSeconds - startEpochSeconds) / 60, seed, rules };
  const recommended = new Map(
    rows.flatMap(({ volumeId, recommended: one }) => (one === null ? [] : [[volumeId, one] as const])),
  );
  const played = new Map<string, SimulatedInstance>();
  const idOf = (volume: VolumePlan): string => volumeIdOf(volume, seed);
  const after = (plan: InstancePlan, changed: ReadonlySet<string>): SimulatedInstance => {
    const key = [...changed].sort().join(' ');
    const before = played.get(key);
    if (before !== undefined) return before;
    const volumes = plan.volumes.map((volume) => {
      const option = changed.has(idOf(volume)) ? recommended.get(idOf(volume)) : undefined;
      return option === undefined ? volume : configured(volume, option);
    });
    const simulated = simulateInstance({ ...plan, volumes }, window);
    played.set(key, simulated);
    return simulated;
  };
  return rows.flatMap((row): Followed[] => {
    const { volumeId } = row;
    if (!recommended.has(volumeId)) return [];
    const plan = instances.find(({ volumes }) => volumes.some((one) => idOf(one) === volumeId));
    const own = plan?.volumes.find((one) => idOf(one) === volumeId);
    if (plan === undefined || own === undefined) return [];
    const members = plan.volumes
      .filter(({ stripe }) => stripe !== undefined && stripe === own.stripe)
      .map(idOf);
    const isWhole = members.length > 1 && members.every((id) => recommended.has(id));
    const simulated = after(plan, new Set(isWhole ? members : [volumeId]));
    const ledger = simulated.volumes.find((one) => one.volumeId === volumeId)?.ledger;
    if (ledger == null) return [];
    return [
      {
        row,
        before: (fleet.causesByVolume.get(volumeId) ?? []).filter(isThrottled).length,
        after: Array.from(ledger.cause, causeOf).filter(isThrottled).length,
      },
    ];
  });
}
