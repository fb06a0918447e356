/** What recommendation on a volume is made from. */
import type { Draft } from '../diagnosis/draft.ts';
import type { Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { Layout } from '../plan/layout.ts';
import type { StepLine } from '../plan/steps/line.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import type { PriceReason } from '../prices/price-reason.ts';
import type { AnyEvidence, Limit, Recommendation } from '../schemas/finding.ts';
import type { PriceUnknown, Step } from '../schemas/recommendation.ts';
import type { Demand } from './throttled/demand.ts';

export interface RecommendationInput {
  draft: Pick<Draft, 'kind' | 'limit'> & { evidence: AnyEvidence };
  /** Every finding of the same volume. */
  siblings: readonly Draft[];
  volume: Volume;
  config: VolumeConfiguration;
  limits: VolumeLimits;
  prices: Known<EbsPrices, PriceReason>;
  usd: Known<number, PriceReason>;
  /** What its load demanded; null where there is no load to replay. */
  demand: Demand | null;
  /** Volumes that its instance takes beside those that it has; null where that is not known. */
  freeAttachments: number | null;
}

/** Why nobody can say what a change of a volume costs; null where its Region has prices. */
export function volumePriceUnknown({
  prices,
  config: { deployment },
  volume: { region },
}: Pick<RecommendationInput, 'prices' | 'config' | 'volume'>): PriceUnknown | null {
  if (deployment === 'outposts') return { code: 'billed-by-rack' };
  return prices.known ? null : { code: 'no-ebs-prices', region };
}

/** Of a share of 0.25 the 25, without the last digits of a product. */
export const percentOf = (share: number): number => Number((100 * share).toFixed(4));

export const run = (command: string): Step => ({ code: 'run', command });

/** A volume takes so many modifications, each after the one before is completed. */
export const modificationLimit: Step = { code: 'modification-limit', most: 4, hours: 24 };

/** The lines of a plan: commands, notes between them, and last what is commented out. */
export const stepsOfPlan = (lines: readonly StepLine[]): Step[] =>
  lines.map((line) => {
    if (typeof line !== 'string') return { code: 'plan-note', note: line };
    return line.startsWith('# ') ? { code: 'run-later', command: line.slice(2) } : run(line);
  });

export const unknownEffect: Recommendation['effect'] = {
  method: 'unknown',
  throttledMinutesBefore: null,
  throttledMinutesAfter: null,
  limitBefore: null,
  limitAfter: null,
};

/** A way without a size: no price, no replay. */
export const way = (
  action: Recommendation['action'],
  purpose: Recommendation['purpose'],
  steps: Step[] = [],
): Recommendation => ({
  ...{ action, purpose, inPlace: false, change: null, effect: unknownEffect },
  ...{ monthlyUsdDelta: null, priceUnknownReason: null },
  ...{ sizedBy: null, headroomPercent: null, sizedFor: null, risks: [], steps },
});

/** The limit that a layout has in the unit of another one, of all members together. */
export const limitOfLayout = (
  { members, iops, throughputMiBps }: Layout,
  before: Limit | null,
): Limit | null =>
  before && {
    ...{ what: 'maximum', unit: before.unit, scope: 'volume' },
    value: members * (before.unit === 'IOPS' ? iops : throughputMiBps),
  };
