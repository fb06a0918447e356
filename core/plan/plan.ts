/** The plan: the cheapest configurations that are good enough, with reasons, and what was refused. */
import { builtInRegionCatalog, knownType, type RegionCatalog } from '../catalog/region-catalog.ts';
import { deploymentNote, type VolumeType } from '../limits/volume-limits.ts';
import { ebsPriceUnknown, rankingPrices, rankingRegion, roundUsd } from '../prices/prices.ts';
import type { PlanNote, Planned } from '../schemas/plan-answer.ts';
import type { Refused } from '../schemas/plan-refused.ts';
import { currentOf, needWithoutLoss } from './compare.ts';
import { instanceStoreNote } from './instance-store.ts';
import { type Need, type Rates, slack } from './layout.ts';
import { type Explaining, limitsCost, optionsOf } from './options.ts';
import { refusedOf, strongestOf } from './refused.ts';
import { type Candidate, type Constraints, offersOf, type Ranking, search } from './search.ts';
import type { Current } from './step-commands.ts';

export interface PlanRequest {
  need: Need;
  /** Null: what is sold today; the others are only compared with. */
  types: readonly VolumeType[] | null;
  constraints: Omit<Constraints, 'types'>;
  top: number;
  current: Current | null;
  /** Options have at least what stands today has: its IOPS and MiB/s all the time, its capacity. */
  keepsCurrent: boolean;
  /** False: any size will do. */
  isCapacityAsked: boolean;
}

export const offeredTypes = ['gp3', 'io2', 'st1', 'sc1'] as const;
const comparedTypes = ['gp2', 'io1'] as const;

export const rankingOf = ({ prices }: RegionCatalog): Ranking => ({
  ebs: rankingPrices(prices.ebs),
  instances: prices.ebs.known ? prices : builtInRegionCatalog(rankingRegion).prices,
});

/** What was not asked for but is cheaper to ask than to wonder: types of before, and why not. */
function comparedWith(explaining: Explaining): Refused[] {
  const { need, constraints, ranking } = explaining;
  const [cheapest] = explaining.found.candidates;
  if (cheapest === undefined) return [];
  const found = search(need, { ...constraints, types: comparedTypes }, explaining);
  const { gp2, gp3 } = ranking.ebs.storagePerGiB;
  return comparedTypes.flatMap((volumeType): Refused[] => {
    const best = found.candidates.find(({ layout }) => layout.volumeType === volumeType);
    if (best === undefined || best.rank <= cheapest.rank) return [];
    return [
      {
        what: [{ code: 'volume-type', volumeType }],
        reason: {
          code: 'older-type',
          volumeType,
          members: best.layout.members,
          sizeGiB: best.layout.sizeGiB,
          monthlyUsdMore: roundUsd(best.rank - cheapest.rank),
          isPricedElsewhere: best.volumesUsd === null || cheapest.volumesUsd === null,
          gp3SavesShare: volumeType === 'gp2' && gp2 !== null && gp3 !== null ? 1 - gp3 / gp2 : null,
        },
        nearest: [{ code: 'plan-with-type', volumeType }],
      },
    ];
  });
}

/** What no instance takes is no plan, though the volumes could. */
function ceilingNote(
  { iops, throughputMiBps }: Rates,
  { types }: RegionCatalog['instanceTypes'],
): PlanNote | null {
  const strongest = strongestOf(types, { iops, throughputMiBps });
  if (strongest === undefined || strongest.ebs === null) return null;
  const { baselineIops, baselineMiBps } = strongest.ebs;
  if (iops <= baselineIops * slack && throughputMiBps <= baselineMiBps * slack) return null;
  const { instanceType } = strongest;
  return { code: 'no-instance-carries', iops, throughputMiBps, instanceType, baselineIops, baselineMiBps };
}

/** What the cheapest option asks of an instance, where none was asked about. */
function instanceNotes(cheapest: Candidate | undefined): PlanNote[] {
  if (cheapest === undefined || cheapest.instance !== null) return [];
  const { iops, throughputMiBps } = cheapest.instanceRates;
  return [{ code: 'instance-must-carry', iops, throughputMiBps }];
}

/** @param types of volumes that a plan is about. */
export function priceNotes(
  { prices, region, refreshedAt }: RegionCatalog,
  types: ReadonlySet<VolumeType>,
): PlanNote[] {
  const { ebs, sources } = prices;
  const notes: PlanNote[] = sources.map((source) => ({ code: 'price-source', source }));
  const reasons = ebs.known
    ? [...types].map((volumeType) => ebsPriceUnknown(ebs, region, [volumeType]))
    : [ebs.reason];
  for (const reason of reasons)
    if (reason !== null) notes.push({ code: 'prices-of-another-region', region, rankingRegion, reason });
  const isGiven = sources.some(({ fromFile }) => fromFile !== undefined);
  if (refreshedAt === null && region !== rankingRegion)
    notes.push({ code: 'built-in-instance-types', region });
  else if (refreshedAt === null && !isGiven) notes.push({ code: 'built-in-tables' });
  return notes;
}

const typesOf = (
  { types }: Constraints,
  asked: PlanRequest['types'],
  stands: Current | null,
): Set<VolumeType> =>
  new Set([
    ...types,
    ...(asked === null ? comparedTypes : []),
    ...(stands === null ? [] : [stands.layout.volumeType]),
  ]);

/**
 * @returns options cheapest first; none where nothing is legal and good enough, with what is in the way in `refused`.
 * @throws BadInput where the instance type is not in the catalog.
 */
export function plan(request: PlanRequest, regionCatalog: RegionCatalog): Planned {
  const { types, top } = request;
  const constraints: Constraints = { ...request.constraints, types: types ?? offeredTypes };
  const { instance } = constraints;
  if (instance !== null && 'instanceType' in instance) knownType(instance.instanceType, regionCatalog);
  const stands = request.current;
  const need =
    stands !== null && request.keepsCurrent
      ? needWithoutLoss(stands.layout, { need: request.need, constraints, regionCatalog })
      : request.need;
  const offers = offersOf(regionCatalog, rankingOf(regionCatalog), constraints);
  const found = search(need, constraints, offers);
  const current =
    stands === null
      ? null
      : { stands, answer: currentOf(stands.layout, { need, constraints, regionCatalog }) };
  const explaining = { need, constraints, ...offers, found, current };
  const [cheapest] = found.candidates;
  const ceiling = ceilingNote(cheapest?.instanceRates ?? need, regionCatalog.instanceTypes);
  const deployment = deploymentNote({ volumeType: 'gp3', sizeGiB: 1, deployment: constraints.deployment });
  return {
    need,
    region: regionCatalog.region,
    current: current?.answer ?? null,
    options: optionsOf(explaining, top),
    refused: [
      ...refusedOf(explaining),
      ...(types === null ? comparedWith(explaining) : []),
      ...instanceStoreNote(need, found, regionCatalog, constraints.instance),
    ],
    notes: [
      ...(request.isCapacityAsked ? [] : [{ code: 'no-capacity-asked' as const }]),
      ...(ceiling === null
        ? [...instanceNotes(cheapest), ...limitsCost(need, constraints, offers, found)]
        : [ceiling]),
      ...(deployment === null ? [] : [{ code: 'deployment' as const, note: deployment }]),
      ...priceNotes(regionCatalog, typesOf(constraints, types, stands)),
    ],
  };
}
