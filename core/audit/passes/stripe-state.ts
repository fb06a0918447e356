/**
 * Stripes on their way through the passes: what is one stripe is judged as one, so with one suspect, or one member that
 * waits longer than the others, all of it are suspects. Volumes that only look alike are asked for their operations first:
 * members of a stripe do the same ones.
 */
import type { FleetMetrics } from '../../load/fleet-metrics.ts';
import { isOneLoad, isUneven, lookingAlike, type Operations, toldAlike } from './alike.ts';
import { neighbourRules } from './volume-rules.ts';
import { suspect, type VolumeState } from './volume-state.ts';

export interface StripeState {
  members: VolumeState[];
  /** Their operations are asked for. */
  isAsked: boolean;
}

const isSuspect = ({ suspectedBy }: VolumeState): boolean => suspectedBy !== null;

function suspectAll(members: readonly VolumeState[]): void {
  for (const member of members) suspect(member, neighbourRules.alike.name);
}

/** One of them waits longer than the others. */
const isUnevenGroup = (members: readonly VolumeState[]): boolean =>
  isUneven(members.flatMap(({ look }) => (look === null ? [] : [look.queue.series])));

/** After the first pass: groups of one instance's volumes, with what must be asked to know whether they are stripes. */
export function stripesAfterFirst(volumes: readonly VolumeState[]): StripeState[] {
  const states = new Map(volumes.map((state) => [state.volume, state]));
  const membersOf = (group: readonly VolumeState['volume'][]): VolumeState[] =>
    group.map((volume) => states.get(volume) as VolumeState);
  const all = [...states.keys()];
  for (const group of toldAlike(all)) {
    const members = membersOf(group);
    if (members.some(isSuspect) || isUnevenGroup(members)) suspectAll(members);
  }
  return lookingAlike(all).map((group) => {
    const members = membersOf(group);
    const isInDoubt = members.some(isSuspect) ? !members.every(isSuspect) : isUnevenGroup(members);
    if (isInDoubt) for (const member of members) member.asksOperations = true;
    return { members, isAsked: isInDoubt };
  });
}

function operationsOf({ volume }: VolumeState, fine: FleetMetrics): Operations | null {
  const metrics = fine.of(volume.volumeId);
  const [reads, writes] = [metrics.get('VolumeReadOps'), metrics.get('VolumeWriteOps')];
  return reads === undefined || writes === undefined ? null : { reads, writes };
}

/** Members that may carry one load; those of whom it is not known may. */
function withOneLoad(members: readonly VolumeState[], fine: FleetMetrics): VolumeState[][] {
  const operations = new Map(members.map((member) => [member, operationsOf(member, fine)]));
  const mayBeOne = (a: VolumeState, b: VolumeState): boolean => {
    const [one, other] = [operations.get(a), operations.get(b)];
    return !one || !other || isOneLoad(one, other);
  };
  let parts: VolumeState[][] = [];
  for (const member of members) {
    const near = parts.filter((part) => part.some((other) => mayBeOne(other, member)));
    parts = [...parts.filter((part) => !near.includes(part)), [...near.flat(), member]];
  }
  return parts;
}

/** After the second look. A group of which only that showed a suspect was not asked: all of it are. */
export function suspectStripe({ members, isAsked }: StripeState, fine: FleetMetrics): void {
  const parts = isAsked ? withOneLoad(members, fine) : [members];
  for (const part of parts) {
    if (part.length > 1 && (part.some(isSuspect) || (isAsked && isUnevenGroup(part)))) suspectAll(part);
  }
}
