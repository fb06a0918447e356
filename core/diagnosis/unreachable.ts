/**
 * Performance that is paid for and cannot be reached: the volumes of an instance have more together than the instance
 * can do at its maximum. What it costs is what lowering the paid figures would save, at least, while the volumes together
 * still reach that maximum. It is a fact of the configuration: whether to lower anything is for the recommendation.
 */
import { type EbsFigures, type InstanceType, weightedFigures } from '../catalog/instance-types.ts';
import {
  type AttachedVolume,
  type AttachedVolumes,
  attachedVolumes,
  type Instance,
  isShared,
  type Sums,
  sumsOf,
  type Volume,
} from '../inventory.ts';
import type { VolumeConfiguration } from '../limits/volume-limits.ts';
import { isPaid, lowerToReach, type PaidConfiguration } from '../plan/cheapest-member.ts';
import type { Rates } from '../plan/layout.ts';
import { type EbsPrices, isPriced, monthlyUsd, type PriceBook, roundUsd } from '../prices/prices.ts';
import type { CardEvidence } from '../schemas/evidence.ts';
import type { EvidenceOf, Limit } from '../schemas/finding.ts';
import type { WeightingReason } from '../schemas/unknown-reasons.ts';
import type { Draft } from './draft.ts';
import type { Thresholds } from './thresholds.ts';
import { byConfiguration, standing } from './throttled.ts';

/** A volume of such a type. */
export type PaidVolume = AttachedVolume & { config: PaidConfiguration };

type UnreachableDraft = Draft<'unreachable-performance'>;

/** What is to be done about it is added by who recommends. */
type UnreachableEvidence = Omit<
  EvidenceOf<'unreachable-performance'>,
  'recommendedSavingMonthlyUsd' | 'volumesToLower'
>;

export interface Unreachable {
  draft: Omit<UnreachableDraft, 'evidence'> & { evidence: UnreachableEvidence };
  counted: AttachedVolume[];
  /** Those of the counted whose figures can be lowered: paid for apart, and not throttled by them. */
  lowerable: PaidVolume[];
  /** What the lowerable must have together, so that all counted reach what the instance can do. */
  reachable: Rates;
  /** What the volumes have together today. */
  sums: Sums;
}

interface Excess {
  sums: Sums;
  figures: EbsFigures;
  mibpsUnknownReason: WeightingReason | null;
  iops: number;
  mibps: number;
}

function excessOf(
  counted: readonly AttachedVolume[],
  { instanceType, ebs }: InstanceType,
  weighting: string | null,
): Excess | null {
  if (ebs === null) return null;
  const { figures, mibpsUnknownReason } = weightedFigures(ebs, instanceType, weighting);
  const sums = sumsOf(counted);
  const iops = Math.max(0, sums.iops - figures.maximumIops);
  const mibps = mibpsUnknownReason === null ? Math.max(0, sums.mibps - figures.maximumMiBps) : 0;
  return iops > 0 || mibps > 0 ? { sums, figures, mibpsUnknownReason, iops, mibps } : null;
}

/** An Outpost is billed by its rack: nothing is saved there. */
const isLowerable = (one: AttachedVolume): one is PaidVolume =>
  isPaid(one.config) && one.config.deployment === 'region';

/** What is not above the instance's maximum stays as it is: that can be reached. */
function reachableBy(
  lowerable: readonly AttachedVolume[],
  counted: readonly AttachedVolume[],
  { sums, iops, mibps }: Excess,
): Rates {
  const fixed = sumsOf(counted.filter((one) => !lowerable.includes(one)));
  return { iops: sums.iops - iops - fixed.iops, throughputMiBps: sums.mibps - mibps - fixed.mibps };
}

const nothing: Rates = { iops: 0, throughputMiBps: 0 };

/** What lowering saves, whatever a volume needs for itself. */
function excessUsd(lowerable: readonly PaidVolume[], reachable: Rates, prices: EbsPrices): number {
  const all = lowerable.map(({ config }) => ({ config, keeps: nothing }));
  const total = (configs: readonly VolumeConfiguration[]): number =>
    configs.reduce((sum, config) => sum + monthlyUsd(config, prices).total, 0);
  return roundUsd(total(all.map(({ config }) => config)) - total(lowerToReach(all, reachable, prices)));
}

/** What of the instance its volumes exceed. */
const limitOf = ({ iops, figures }: Excess): Limit =>
  iops > 0
    ? { what: 'maximum', value: figures.maximumIops, unit: 'IOPS', scope: 'instance' }
    : { what: 'maximum', value: figures.maximumMiBps, unit: 'MiB/s', scope: 'instance' };

/** Limits have three decimals. */
const rounded = (mibps: number): number => Number(mibps.toFixed(3));

function evidenceOf(
  { instanceType, weighting, ...excess }: Excess & { instanceType: string; weighting: string | null },
  usd: number,
  { counted, leftOut }: AttachedVolumes,
  kept: ReadonlySet<string>,
): UnreachableEvidence {
  const { sums, figures, mibpsUnknownReason } = excess;
  return {
    instanceType,
    instanceMaximumIops: figures.maximumIops,
    instanceBaselineIops: figures.baselineIops,
    instanceMaximumMiBps: mibpsUnknownReason === null ? figures.maximumMiBps : null,
    instanceBaselineMiBps: mibpsUnknownReason === null ? figures.baselineMiBps : null,
    throughputNotEvaluatedReason: mibpsUnknownReason,
    provisionedIops: sums.iops,
    provisionedMiBps: rounded(sums.mibps),
    excessIops: excess.iops,
    excessMiBps: mibpsUnknownReason === null ? rounded(excess.mibps) : null,
    excessMonthlyUsd: usd,
    volumes: counted.map(({ volume }) => volume.volumeId),
    volumesNotLowered: counted.flatMap(({ volume }) => (kept.has(volume.volumeId) ? [volume.volumeId] : [])),
    volumesLeftOut: leftOut,
  };
}

/**
 * Volumes of a type without a price count in the sum and are not lowered.
 * @param throttledVolumeIds volumes that their own limit throttled: neither are they.
 * @returns null where nothing exceeds, or what exceeds costs little, or its price is not known.
 */
export function unreachablePerformance(
  { bandwidthWeighting, excludedVolumes = 0 }: Instance,
  type: InstanceType,
  volumes: readonly Volume[],
  prices: PriceBook['ebs'],
  throttledVolumeIds: ReadonlySet<string>,
  { unreachableUsd }: Thresholds,
): Unreachable | null {
  if (!prices.known) return null;
  const attached = attachedVolumes(volumes, false);
  if (excludedVolumes > 0) attached.leftOut.push({ code: 'excluded', count: excludedVolumes });
  const { counted } = attached;
  const excess = excessOf(counted, type, bandwidthWeighting);
  if (excess === null) return null;
  const lowerable = counted
    .filter(isLowerable)
    .filter(({ volume }) => !throttledVolumeIds.has(volume.volumeId))
    .filter(({ config }) => isPriced(config.volumeType, prices.value));
  const reachable = reachableBy(lowerable, counted, excess);
  const usd = excessUsd(lowerable, reachable, prices.value);
  if (usd < unreachableUsd) return null;
  return {
    draft: {
      kind: 'unreachable-performance',
      // What can be saved without harm decides whether it is more than an information.
      severity: 'info',
      ...standing,
      ...{ limit: limitOf(excess), demand: null, confidence: 'high', ...byConfiguration },
      evidence: evidenceOf(
        { instanceType: type.instanceType, weighting: bandwidthWeighting, ...excess },
        usd,
        attached,
        throttledVolumeIds,
      ),
    },
    counted,
    lowerable,
    reachable,
    sums: excess.sums,
  };
}

// Volumes on the wrong EBS card. An instance type with several cards reaches its limit only if its volumes are spread:
// each card has a limit of its own. Evaluated where EC2 tells the card of every volume; unknown is not taken as card 0.

export interface CardMove {
  volume: Volume;
  toCard: number;
}

export interface CardImbalance {
  draft: Draft<'ebs-card-imbalance'>;
  moves: CardMove[];
}

/** Limits have three decimals. */

interface Card {
  /** The most it can do; infinite MiB/s where they cannot be known. */
  most: Sums;
  volumes: AttachedVolume[];
}

const excessOfCard = ({ most, volumes }: Card): Sums => {
  const sums = sumsOf(volumes);
  return { iops: Math.max(0, sums.iops - most.iops), mibps: Math.max(0, sums.mibps - most.mibps) };
};

/** What cannot be reached on all cards, each figure as a share of what a card can do. */
const unreachedShare = (cards: readonly Card[]): number =>
  cards.reduce((total, card) => {
    const { iops, mibps } = excessOfCard(card);
    return total + iops / card.most.iops + mibps / card.most.mibps;
  }, 0);

const moved = (cards: readonly Card[], one: AttachedVolume, to: number): Card[] =>
  cards.map((card, index) => {
    const others = card.volumes.filter((other) => other !== one);
    return { ...card, volumes: index === to ? [...others, one] : others };
  });

/** Shares that differ by less are equal. */
const tiny = 1e-9;

/** The move of one volume after which the least is left out of reach; null where none helps. One at a time: others together may do better. */
function bestMove(cards: readonly Card[]): { cards: Card[]; move: CardMove } | null {
  let best: { cards: Card[]; move: CardMove } | null = null;
  let least = unreachedShare(cards);
  for (const [from, { volumes }] of cards.entries()) {
    for (const one of volumes.filter(({ volume }) => !isShared(volume))) {
      for (const to of cards.keys()) {
        if (to === from) continue;
        const after = moved(cards, one, to);
        const left = unreachedShare(after);
        if (left >= least - tiny) continue;
        least = left;
        best = { cards: after, move: { volume: one.volume, toCard: to } };
      }
    }
  }
  return best;
}

function movesOf(cards: readonly Card[]): CardMove[] {
  const moves = new Map<string, CardMove>();
  for (let now = bestMove(cards); now !== null; now = bestMove(now.cards)) {
    moves.set(now.move.volume.volumeId, now.move);
  }
  return [...moves.values()];
}

function cardsOf(
  { instanceId, bandwidthWeighting }: Instance,
  { instanceType, cards }: InstanceType,
  volumes: readonly AttachedVolume[],
): Card[] | null {
  const byCard = cards.map((card): Card => {
    const { figures, mibpsUnknownReason } = weightedFigures(card, instanceType, bandwidthWeighting);
    const mibps = mibpsUnknownReason === null ? figures.maximumMiBps : Number.POSITIVE_INFINITY;
    return { most: { iops: figures.maximumIops, mibps }, volumes: [] };
  });
  for (const one of volumes) {
    const index = one.volume.attachments.find((at) => at.instanceId === instanceId)?.ebsCardIndex ?? null;
    const card = index === null ? undefined : byCard[index];
    if (card === undefined) return null;
    card.volumes.push(one);
  }
  return byCard;
}

function cardEvidence({ most, volumes }: Card, index: number): CardEvidence {
  const { iops, mibps } = sumsOf(volumes);
  return {
    ...{ card: index, iops, maximumIops: most.iops, mibps: rounded(mibps) },
    maximumMiBps: Number.isFinite(most.mibps) ? rounded(most.mibps) : null,
    volumes: volumes.length,
  };
}

/** The most that the first card can do whose volumes have more. */
function limitOfCards(excess: readonly Sums[], cards: readonly Card[]): Limit | null {
  const index = excess.findIndex(({ iops, mibps }) => iops > 0 || mibps > 0);
  const [over, card] = [excess[index], cards[index]];
  if (over === undefined || card === undefined) return null;
  return over.iops > 0
    ? { what: 'maximum', value: card.most.iops, unit: 'IOPS', scope: 'card' }
    : { what: 'maximum', value: card.most.mibps, unit: 'MiB/s', scope: 'card' };
}

function draftOf(
  instanceType: string,
  cards: readonly Card[],
  volumes: readonly AttachedVolume[],
): CardImbalance['draft'] {
  const excess = cards.map(excessOfCard);
  const total = excess.reduce((all, one) => ({ iops: all.iops + one.iops, mibps: all.mibps + one.mibps }));
  return {
    kind: 'ebs-card-imbalance',
    severity: 'warning',
    ...standing,
    ...{ limit: limitOfCards(excess, cards), demand: null, confidence: 'high', ...byConfiguration },
    evidence: {
      instanceType,
      cards: cards.map(cardEvidence),
      excessIops: total.iops,
      excessMiBps: rounded(total.mibps),
      volumes: volumes.map(({ volume }) => volume.volumeId),
    },
  };
}

/** @returns null where no move of a volume would help, or the card or the configuration of any volume is not known. */
export function ebsCardImbalance(
  instance: Instance,
  type: InstanceType,
  volumes: readonly Volume[],
): CardImbalance | null {
  // What an excluded volume takes of its card is not known.
  if (type.cards.length < 2 || instance.excludedVolumes !== undefined) return null;
  // A Multi-Attach volume takes of its card what it takes, whoever else uses it.
  const { counted, leftOut } = attachedVolumes(volumes, true);
  const cards = leftOut.length > 0 ? null : cardsOf(instance, type, counted);
  if (cards === null) return null;
  const moves = movesOf(cards);
  return moves.length === 0 ? null : { draft: draftOf(type.instanceType, cards, counted), moves };
}
