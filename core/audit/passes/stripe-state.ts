/**
 * Stripes on their way through the passes. What is one stripe is evaluated as one: with one suspect, or one member that waits
 * longer than the others, all of it are suspects. Who is told to be one, by the host or a tag, is known from the start.
 * Volumes that only look alike are asked for their loads where it matters whether they are.
 */
import type { Thresholds } from '../../diagnosis/thresholds.ts';
import type { Volume } from '../../inventory.ts';
import type { FleetMetrics } from '../../load/fleet-metrics.ts';
import { type VolumeLoad, volumeLoad } from '../../load/volume-load.ts';
import type { HostEvidence } from '../../stripes/host-evidence.ts';
import { stripesOf } from '../../stripes/stripes-of.ts';
import { isUneven, lookingAlike, withOneLoad } from './alike.ts';
import { type FirstRead, neighbourRules } from './volume-rules.ts';
import { suspect, type VolumeState } from './volume-state.ts';

interface AlikeGroup {
  members: VolumeState[];
  /** Their loads are asked for. */
  isAsked: boolean;
}

const isSuspect = ({ suspectedBy }: VolumeState): boolean => suspectedBy !== null;

function suspectAll(members: readonly VolumeState[]): void {
  for (const member of members) suspect(member, neighbourRules.alike.name);
}

/** One of them waits longer than the others. */
const isUnevenGroup = (members: readonly VolumeState[], thresholds: Thresholds): boolean =>
  isUneven(
    members.flatMap(({ firstRead }) => (firstRead === null ? [] : [firstRead.queue.series])),
    thresholds,
  );

/** It takes all of a stripe to evaluate one of it. */
function suspectTogether(members: readonly VolumeState[], thresholds: Thresholds): void {
  if (members.some(isSuspect) || isUnevenGroup(members, thresholds)) suspectAll(members);
}

/** Those that may carry one load; where a queue is not known nothing tells them apart. */
function partsOf(members: readonly VolumeState[], thresholds: Thresholds): VolumeState[][] {
  const isSeen = members.every(({ firstRead }) => firstRead !== null);
  const parts = isSeen
    ? withOneLoad(members, ({ firstRead }) => (firstRead as FirstRead).queue.series, thresholds)
    : [[...members]];
  return parts.filter(({ length }) => length > 1);
}

/** What is reported of them depends on whether they are one stripe: not where all are read anyway. */
function dependsOnStripe(members: readonly VolumeState[], thresholds: Thresholds): boolean {
  if (members.every(isSuspect)) return false;
  const isNotified = members.some(({ firstRead }) => firstRead?.savings.isReportedAnyway() === true);
  return isNotified || members.some(isSuspect) || isUnevenGroup(members, thresholds);
}

/** The stripes among the volumes of one instance. */
export class StripeStates {
  private readonly instanceId: string;
  private readonly states: ReadonlyMap<Volume, VolumeState>;
  private readonly host: HostEvidence | null;
  private readonly thresholds: Thresholds;
  private groups: AlikeGroup[] = [];

  constructor(
    instanceId: string,
    volumes: readonly VolumeState[],
    host: HostEvidence | null,
    thresholds: Thresholds,
  ) {
    this.instanceId = instanceId;
    this.states = new Map(volumes.map((state) => [state.volume, state]));
    this.host = host;
    this.thresholds = thresholds;
  }

  private membersOf(volumes: readonly Volume[]): VolumeState[] {
    return volumes.map((volume) => this.states.get(volume) as VolumeState);
  }

  private stripes(loads: (volumeId: string) => VolumeLoad | null): VolumeState[][] {
    const found = stripesOf(this.instanceId, [...this.states.keys()], { host: this.host, loads });
    return found.map(({ volumes }) => this.membersOf(volumes));
  }

  /** After the first pass: suspects of what is reported, and what must be asked of volumes that look alike. */
  afterFirst(): void {
    const { thresholds } = this;
    const notified = this.stripes(() => null);
    for (const members of notified) suspectTogether(members, thresholds);
    const decided = new Set([
      ...notified.flat().map(({ volume }) => volume.volumeId),
      ...(this.host?.singleVolumeIds ?? []),
      ...(this.host?.arrays ?? []).flatMap(({ memberVolumeIds }) => memberVolumeIds),
    ]);
    const open = [...this.states.keys()].filter(({ volumeId }) => !decided.has(volumeId));
    this.groups = lookingAlike(open)
      .flatMap((alike) => partsOf(this.membersOf(alike), thresholds))
      .map((members) => ({ members, isAsked: dependsOnStripe(members, thresholds) }));
    for (const { members, isAsked } of this.groups) {
      if (isAsked) for (const member of members) member.asksLoad = true;
    }
  }

  /** After the second look. Of a group that was not asked, and has a suspect by now, all may be one stripe. */
  afterSecond(fine: FleetMetrics): void {
    for (const { members, isAsked } of this.groups)
      if (!isAsked && members.some(isSuspect)) suspectAll(members);
    const found = this.stripes((volumeId) => {
      const load = volumeLoad(fine.of(volumeId));
      return load.known ? load.value : null;
    });
    for (const members of found) suspectTogether(members, this.thresholds);
  }
}
