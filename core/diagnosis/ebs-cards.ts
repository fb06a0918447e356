/**
 * Volumes on the wrong EBS card. An instance type with several cards reaches its limit only if its volumes are spread:
 * each card has a limit of its own. Evaluated where EC2 tells the card of every volume; unknown is not taken as card 0.
 */
import { weightedFigures } from '../catalog/bandwidth-weighting.ts';
import type { InstanceType } from '../catalog/instance-type.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { CardEvidence } from '../schemas/evidence.ts';
import type { Limit } from '../schemas/finding.ts';
import { type AttachedVolume, attachedVolumes, isShared, type Sums, sumsOf } from './attached-volumes.ts';
import type { Draft } from './draft.ts';
import { byConfiguration, standing } from './throttled.ts';

export interface CardMove {
  volume: Volume;
  toCard: number;
}

export interface CardImbalance {
  draft: Draft<'ebs-card-imbalance'>;
  moves: CardMove[];
}

/** Limits have three decimals. */
const rounded = (mibps: number): number => Number(mibps.toFixed(3));

interface Card {
  /** The most it can do; infinite MiB/s where they cannot be known. */
  most: Sums;
  volumes: AttachedVolume[];
}

const excessOf = ({ most, volumes }: Card): Sums => {
  const sums = sumsOf(volumes);
  return { iops: Math.max(0, sums.iops - most.iops), mibps: Math.max(0, sums.mibps - most.mibps) };
};

/** What cannot be reached on all cards, each figure as a share of what a card can do. */
const unreachedShare = (cards: readonly Card[]): number =>
  cards.reduce((total, card) => {
    const { iops, mibps } = excessOf(card);
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
function limitOf(excess: readonly Sums[], cards: readonly Card[]): Limit | null {
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
  const excess = cards.map(excessOf);
  const total = excess.reduce((all, one) => ({ iops: all.iops + one.iops, mibps: all.mibps + one.mibps }));
  return {
    kind: 'ebs-card-imbalance',
    severity: 'warning',
    ...standing,
    ...{ limit: limitOf(excess, cards), demand: null, confidence: 'high', ...byConfiguration },
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
