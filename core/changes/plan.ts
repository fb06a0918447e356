/** What of a recommendation EBS does online, to one volume: type, IOPS, throughput, size. All else stays steps to follow. */
import { sha256Hex } from '../hash.ts';
import { volumeLimits } from '../limits/volume-limits.ts';
import type { FindingFields } from '../schemas/finding.ts';
import type { FindingKind } from '../schemas/finding-kinds.ts';
import type { PlannedChange, VolumeSettings } from '../schemas/volume-change.ts';

type Layout = {
  volumeType: VolumeSettings['volumeType'];
  sizeGiB: number;
  iops: number;
  throughputMiBps: number;
};

/** IOPS and throughput where they are provisioned: of other types they follow from the size. */
export function settingsOf({ volumeType, sizeGiB, iops, throughputMiBps }: Layout): VolumeSettings {
  const hasIops = volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2';
  return {
    ...{ volumeType, sizeGiB },
    iops: hasIops ? Math.ceil(iops) : null,
    throughputMiBps: volumeType === 'gp3' ? Math.ceil(throughputMiBps) : null,
  };
}

export const isSame = (a: VolumeSettings, b: VolumeSettings): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

/** Of approval: for this volume, from this to that, for this evidence and price, planned that day. */
export const fingerprintOf = (plan: PlannedChange): string => sha256Hex(JSON.stringify(plan)).slice(0, 16);

/** A size grows and never shrinks: it cannot be undone, and people hear so before they approve. */
export const isFinal = ({ from, to }: Pick<PlannedChange, 'from' | 'to'>): boolean =>
  to.sizeGiB > from.sizeGiB;

/** Of what a volume can do, with and without credits. Source of the limits: volume-limits.ts. */
function abilities({ volumeType, sizeGiB, iops, throughputMiBps }: VolumeSettings): number[] {
  const { baselineIops, burstIops, baselineMiBps, burstMiBps } = volumeLimits({
    ...{ volumeType, sizeGiB, deployment: 'region' },
    iops: iops ?? undefined,
    throughputMiBps: throughputMiBps ?? undefined,
  });
  return [baselineIops, burstIops, baselineMiBps, burstMiBps];
}

/** Whether the volume can do less than before in any way: then it may hurt, and is undone without anybody where it does. */
export function isReduction({ from, to }: Pick<PlannedChange, 'from' | 'to'>): boolean {
  const after = abilities(to);
  return abilities(from).some((before, i) => before > (after[i] ?? 0));
}

/** What an undo sets: all but the size, which stays. */
export const settingsOfUndo = ({ from, to }: Pick<PlannedChange, 'from' | 'to'>): VolumeSettings => ({
  ...from,
  sizeGiB: to.sizeGiB,
});

type Planned = Pick<FindingFields, 'id' | 'resource' | 'recommendations'> & { kind?: FindingKind };

/** Null where nothing of the finding is a modification of its one volume. */
export function plannedChangeOf(
  { id: findingId, kind, resource, recommendations }: Planned,
  plannedOn: string,
): PlannedChange | null {
  const { type, account, region, id: volumeId, name } = resource;
  if (type !== 'volume' || account === null) return null;
  const found = recommendations.find(
    ({ action, inPlace, change }) =>
      action === 'modify' && inPlace && change?.of === 'volume' && change.to.members === 1,
  );
  if (found?.change?.of !== 'volume') return null;
  const { effect, monthlyUsdDelta } = found;
  const [from, to] = [settingsOf(found.change.from), settingsOf(found.change.to)];
  if (isSame(from, to) || to.sizeGiB < from.sizeGiB) return null;
  return {
    ...{ account, region, volumeId, findingId, from, to, monthlyUsdDelta, plannedOn },
    ...(kind === undefined ? {} : { findingKind: kind }),
    ...(name === null ? {} : { volumeName: name }),
    throttledMinutesBefore: effect.throttledMinutesBefore,
    throttledMinutesAfter: effect.throttledMinutesAfter,
  };
}
