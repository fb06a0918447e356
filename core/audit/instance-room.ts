/**
 * Which instances have room for one more volume, whatever their load does: by what their volumes can do at most. It follows from the
 * inventory alone, so that it is the same however the metrics are read, and it is put together when batches are merged.
 */
import type { InstanceType } from '../catalog/instance-types.ts';
import type { RegionCatalogs } from '../catalog/region-catalog.ts';
import { groupBy } from '../group-by.ts';
import { configurationOf } from '../inventory.ts';
import { architecturesOf } from '../plan/instance-choice.ts';
import { cheapestThatHelps } from '../recommendations/instance-recommendation.ts';
import { toInstanceThatIsThere } from '../recommendations/move-volume.ts';
import type { InstanceRoom } from '../schemas/audit-result.ts';
import type { Finding, Recommendation } from '../schemas/finding.ts';
import { lowestFigures, mostOf } from './instance-bounds.ts';
import type { InstanceToEvaluate } from './observed.ts';

const isFree = ({ attachments }: InstanceType, volumes: number): boolean =>
  attachments !== null && attachments.most > volumes;

/** Null where there is none, or where it is not known. Of several EBS cards the lowest one counts for all. */
function roomOf(
  { instance, volumes }: InstanceToEvaluate,
  regionCatalogs: RegionCatalogs,
): InstanceRoom | null {
  const { instanceId, instanceType, state, account, region, availabilityZone, excludedVolumes } = instance;
  if (state !== 'running' || instanceType === null || account === null || availabilityZone === undefined)
    return null;
  // Of volumes that nobody looks at nothing is known; an Outpost is another place within the zone.
  if (excludedVolumes !== undefined || volumes.some(({ deployment }) => deployment === 'outposts'))
    return null;
  const type = regionCatalogs(region).instanceTypes.get(instanceType);
  const figures = type === undefined ? null : lowestFigures(instance, type);
  const configured = volumes.map(configurationOf);
  const known = configured.flatMap((one) => (one.known ? [one.value] : []));
  const [architecture] = type === undefined ? [] : architecturesOf(type);
  if (type === undefined || architecture === undefined || figures === null) return null;
  if (!isFree(type, volumes.length) || known.length < configured.length) return null;
  const most = mostOf(known);
  const iops = figures.baselineIops - most.iops;
  const throughputMiBps = figures.baselineMiBps - most.mibps;
  if (iops <= 0 || throughputMiBps <= 0) return null;
  return {
    ...{ instanceId, instanceType, account, region, availabilityZone, architecture },
    room: { iops, throughputMiBps },
  };
}

/** Of a place the few with the most room of each of the two: more would make results large. */
const mostKept = 3;

const placeOf = ({
  account,
  region,
  availabilityZone,
  architecture,
}: Omit<InstanceRoom, 'instanceId' | 'instanceType' | 'room'>): string =>
  JSON.stringify([account, region, availabilityZone, architecture]);

const most = (rooms: readonly InstanceRoom[], of: keyof InstanceRoom['room']): InstanceRoom[] =>
  rooms
    .toSorted((a, b) => b.room[of] - a.room[of] || a.instanceId.localeCompare(b.instanceId))
    .slice(0, mostKept);

/** The same whether of all at once, or of parts and then of what was kept of those. */
export function mostRoom(rooms: readonly InstanceRoom[]): InstanceRoom[] {
  const kept = [...groupBy(rooms, placeOf).values()].flatMap((all) => [
    ...new Set([...most(all, 'iops'), ...most(all, 'throughputMiBps')]),
  ]);
  return kept.sort((a, b) => a.instanceId.localeCompare(b.instanceId));
}

export const roomsOf = (
  instances: readonly InstanceToEvaluate[],
  regionCatalogs: RegionCatalogs,
): InstanceRoom[] => mostRoom(instances.flatMap((one) => roomOf(one, regionCatalogs) ?? []));

type Move = Extract<Recommendation['change'], { of: 'volume-move' }>;

const moveOf = ({ change }: Recommendation): Move | null => (change?.of === 'volume-move' ? change : null);

/** An instance has room for each of the volumes that are sent there; for all of them nobody knows. */
function withShared(findings: readonly Finding[]): Finding[] {
  const sent = new Map<string, Set<string>>();
  for (const { to, volumeId } of findings.flatMap((one) =>
    one.recommendations.flatMap((way) => moveOf(way) ?? []),
  ))
    if (to !== null) sent.set(to, (sent.get(to) ?? new Set()).add(volumeId));
  if ([...sent.values()].every(({ size }) => size < 2)) return [...findings];
  return findings.map((finding) => ({
    ...finding,
    recommendations: finding.recommendations.map((one) => {
      const to = moveOf(one)?.to ?? null;
      const count = to === null ? 0 : (sent.get(to)?.size ?? 0);
      if (count < 2) return one;
      const risks = one.risks.filter(({ code }) => code !== 'several-go-there');
      return { ...one, risks: [...risks, { code: 'several-go-there' as const, count }] };
    }),
  }));
}

/** Moves go to an instance that is there and has room, the one with the most, where one is known; the cheapest remedy is first again. */
export function withDestinations(findings: readonly Finding[], rooms: readonly InstanceRoom[]): Finding[] {
  const byPlace = groupBy(rooms, placeOf);
  const placed = findings.map((finding) => {
    const { resource, recommendations } = finding;
    if (!recommendations.some(({ action }) => action === 'move-volume')) return finding;
    const moved = recommendations.map((one) => {
      const { change, sizedFor: need } = one;
      if (change?.of !== 'volume-move' || need === null) return one;
      const { availabilityZone, architecture } = change;
      const { account, region } = resource;
      if (account === null || availabilityZone === null) return one;
      const [there] = (byPlace.get(placeOf({ account, region, availabilityZone, architecture })) ?? [])
        .filter(
          ({ instanceId, room }) =>
            instanceId !== change.from &&
            room.iops >= need.iops &&
            room.throughputMiBps >= need.throughputMiBps,
        )
        .sort(
          (a, b) =>
            b.room.iops - a.room.iops ||
            b.room.throughputMiBps - a.room.throughputMiBps ||
            a.instanceId.localeCompare(b.instanceId),
        );
      return there === undefined ? one : toInstanceThatIsThere(one, change, there, region);
    });
    return { ...finding, recommendations: moved.sort(cheapestThatHelps) };
  });
  return withShared(placed);
}
