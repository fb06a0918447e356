/** The plan: the cheapest configurations that are good enough, with reasons, and what was refused. */
import { knownType } from '../catalogue/known-type.ts';
import { builtInMarket, type Market } from '../catalogue/market.ts';

import { figure, usdText } from '../figures.ts';
import { deploymentNote } from '../limits/volume-limits.ts';
import type { VolumeType } from '../limits/volume-types.ts';
import { builtInRegions } from '../prices/price-book.ts';
import type { PlanAnswer } from '../schemas/plan-answer.ts';
import { presentOf } from './compare.ts';

import { instanceStoreNote } from './instance-store.ts';
import { limitsCost } from './limits-cost.ts';
import { type Need, type Rates, slack } from './need.ts';
import { type Explaining, optionsOf } from './options.ts';
import { refusedOf } from './refused.ts';
import { strongestOf } from './refused-instance.ts';
import { type Candidate, type Constraints, offersOf, type Ranking, search } from './search.ts';
import type { Present } from './steps.ts';

export interface PlanRequest {
  need: Need;
  /** Null: what is sold today; the others are only compared with. */
  types: readonly VolumeType[] | null;
  constraints: Omit<Constraints, 'types'>;
  top: number;
  present: Present | null;
  /** False: any size will do. */
  isCapacityAsked: boolean;
}

const offeredTypes = ['gp3', 'io2', 'st1', 'sc1'] as const;
const comparedTypes = ['gp2', 'io1'] as const;
const rankingRegion = builtInRegions[0] as string;

/** Where a Region has no prices, those of another rank the options: the relations are much the same. */
function rankingOf({ prices }: Market): Ranking {
  if (prices.ebs.known) return { ebs: prices.ebs.value, instances: prices };
  const other = builtInMarket(rankingRegion).prices;
  if (!other.ebs.known) throw new Error(other.ebs.because.code);
  return { ebs: other.ebs.value, instances: other };
}

/** What was not asked for but is cheaper to ask than to wonder: types of before, and why not. */
function comparedWith(explaining: Explaining): PlanAnswer['refused'] {
  const { need, constraints, market, ranking } = explaining;
  const [cheapest] = explaining.found.candidates;
  if (cheapest === undefined) return [];
  const found = search(need, { ...constraints, types: comparedTypes }, explaining);
  return comparedTypes.flatMap((volumeType) => {
    const best = found.candidates.find(({ layout }) => layout.volumeType === volumeType);
    if (best === undefined || best.rank <= cheapest.rank) return [];
    const { members, sizeGiB } = best.layout;
    return [
      {
        what: volumeType,
        because: `the cheapest with it, ${members} x ${figure(sizeGiB)} GiB, costs ${usdText(best.rank - cheapest.rank)} a month more than the cheapest option${market.prices.ebs.known ? '' : ', by the prices of another Region'}${beside(volumeType, ranking)}`,
        nearest: `--types ${volumeType} plans with it`,
      },
    ];
  });
}

/** What is known of a type of before, beside its price. */
function beside(volumeType: (typeof comparedTypes)[number], { ebs }: Ranking): string {
  const { gp2, gp3 } = ebs.storagePerGiB;
  if (volumeType === 'gp2')
    return `; gp3 costs ${figure(100 * (1 - gp3 / gp2), 0)} % less a GiB and brings 3,000 IOPS for nothing`;
  return '; io2 is more durable, and costs less above 32,000 IOPS';
}

/** What no instance takes is no plan, though the volumes could. */
function ceilingNote(rates: Rates, { types }: Market['instanceTypes']): string | null {
  const { iops, throughputMiBps } = rates;
  const strongest = strongestOf(types, rates);
  if (strongest === undefined || strongest.ebs === null) return null;
  const { baselineIops, baselineMiBps } = strongest.ebs;
  if (iops <= baselineIops * slack && throughputMiBps <= baselineMiBps * slack) return null;
  return `no instance type carries ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s: the most is ${strongest.instanceType} with ${figure(baselineIops)} IOPS and ${figure(baselineMiBps, 0)} MiB/s`;
}

/** What the cheapest option asks of an instance, where none was asked about. */
function instanceNotes(cheapest: Candidate | undefined): string[] {
  if (cheapest === undefined || cheapest.instance !== null) return [];
  const { iops, throughputMiBps } = cheapest.instanceRates;
  return [
    `the instance must carry ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s all the time: --instance-type TYPE checks one, --vcpus and --memory-gib choose the cheapest`,
  ];
}

function priceNotes({ prices, region, refreshedAt }: Market): string[] {
  const notes = prices.sources.map(({ part, asOf, source }) => `${part} ${prices.region} ${asOf}: ${source}`);
  if (!prices.ebs.known)
    notes.push(
      `${prices.ebs.because.code}: options are ranked by the prices of ${rankingRegion}; \`catalog refresh --region ${region}\` reads them`,
    );
  if (refreshedAt === null && region !== rankingRegion)
    notes.push(
      `instance types are those that come with stripewise: whether ${region} offers each of them is not known before a refresh`,
    );
  else if (refreshedAt === null)
    notes.push('these tables come with stripewise; `catalog refresh` reads today’s');
  return notes;
}

/**
 * @returns options cheapest first; none where nothing is legal and good enough, with what is in the way in `refused`.
 * @throws BadInput where the instance type is not in the catalogue.
 */
export function plan(request: PlanRequest, market: Market): PlanAnswer {
  const { need, types, top } = request;
  const constraints: Constraints = { ...request.constraints, types: types ?? offeredTypes };
  const { instance } = constraints;
  if (instance !== null && 'instanceType' in instance) knownType(instance.instanceType, market);
  const offers = offersOf(market, rankingOf(market), constraints);
  const found = search(need, constraints, offers);
  const stands = request.present;
  const present =
    stands === null ? null : { stands, answer: presentOf(stands.layout, { need, constraints, market }) };
  const explaining = { need, constraints, ...offers, found, present };
  const [cheapest] = found.candidates;
  const ceiling = ceilingNote(cheapest?.instanceRates ?? need, market.instanceTypes);
  const deployment = deploymentNote({ volumeType: 'gp3', sizeGiB: 1, deployment: constraints.deployment });
  return {
    need,
    region: market.region,
    present: present?.answer ?? null,
    options: optionsOf(explaining, top),
    refused: [
      ...refusedOf(explaining),
      ...(types === null ? comparedWith(explaining) : []),
      ...instanceStoreNote(need, found, market, constraints.instance),
    ],
    notes: [
      ...(request.isCapacityAsked ? [] : ['no capacity was asked for: it is sized for performance alone']),
      ...(ceiling === null
        ? [...instanceNotes(cheapest), ...limitsCost(need, constraints, offers, found)]
        : [ceiling]),
      ...(deployment === null ? [] : [deployment.code]),
      ...priceNotes(market),
    ],
  };
}
