/** Volumes that were throttled, their demand, and what is recommended. */

import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { configurationOf, type Volume } from '../../../core/inventory.ts';
import { known } from '../../../core/known.ts';
import type { Layout } from '../../../core/plan/layout.ts';
import type { Demand, RecommendationInput, Sized } from '../../../core/recommendations/recommendation.ts';
import { topRecommendation } from '../../../core/recommendations/top-recommendation.ts';
import type { FindingKind, Recommendation, Risk } from '../../../core/schemas/finding.ts';
import { layoutOf } from '../../../core/schemas/finding-kinds.ts';
import { aDraft } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const { ebs } = builtInRegionCatalog('us-east-1').prices;
export const volumeId = 'vol-0123456789abcdef0';

export const gp3 = { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 };
export const gp2 = { volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null };
export const io1 = { volumeType: 'io1', sizeGiB: 200, iops: 4_000, throughputMiBps: null };
export const io2 = { volumeType: 'io2', sizeGiB: 100, iops: 4_000, throughputMiBps: null };
export const st1 = { volumeType: 'st1', sizeGiB: 500, iops: null, throughputMiBps: null };

const sizedFor = (iops: number, throughputMiBps = iops / 64): Sized => ({
  rates: { iops, throughputMiBps },
  cutIops: iops,
});

interface Load {
  /** IOPS and MiB/s that it takes to throttle nothing. */
  iops: number;
  mibps?: number;
  likelyIops?: number;
  minutes?: number;
  /** What the instance does: more than that is throttled on it. */
  instanceIops?: number;
}

/** Throttled for all its minutes with less than it takes, for none with as much. */
export function demandBy({
  iops,
  mibps = iops / 64,
  likelyIops = iops,
  minutes = 40,
  instanceIops,
}: Load): Demand {
  const does = ({ members, ...each }: Layout) => ({
    iops: members * each.iops,
    mibps: members * each.throughputMiBps,
  });
  return {
    most: sizedFor(iops, mibps),
    likely: sizedFor(likelyIops, (mibps * likelyIops) / iops),
    likelyRates: { iops: likelyIops, throughputMiBps: (mibps * likelyIops) / iops },
    throttledMinutes: minutes,
    openMinutes: 0,
    ioKiB: (1_024 * mibps) / iops,
    isComing: false,
    isMember: false,
    instance:
      instanceIops === undefined
        ? null
        : {
            instanceId: 'i-0123456789abcdef0',
            instanceType: 'm4.xlarge',
            iops: instanceIops,
            throughputMiBps: 1_000,
          },
    throttledMinutesWith: (layout, { line = 'high', withoutInstance = false } = {}) => {
      const need = line === 'high' ? iops : likelyIops;
      const has = does(layout);
      const isEnough = has.iops >= need && has.mibps >= (mibps * need) / iops;
      const isCarried = withoutInstance || instanceIops === undefined || need <= instanceIops;
      return isEnough && isCarried ? 0 : minutes;
    },
    coming: () => null,
  };
}

export function recommend(
  volume: Partial<Volume>,
  demand: Demand | null,
  others: Partial<RecommendationInput> & { kind?: FindingKind } = {},
) {
  const all = aVolume({ volumeId, ...volume });
  const configured = configurationOf(all);
  if (!configured.known) throw new Error(configured.reason.code);
  const { kind = 'throttled-volume-iops', ...rest } = others;
  return topRecommendation(
    {
      volume: all,
      ...configured.value,
      prices: ebs,
      usd: known(0),
      draft: aDraft({ kind }),
      siblings: [],
      demand,
      freeAttachments: null,
      ...rest,
    },
    defaultThresholds,
  );
}

/** What each recommendation does, and what the volume becomes. */
export const changesOf = (...asked: Parameters<typeof recommend>) =>
  recommend(...asked).recommendations.map((one) => ({ action: one.action, ...layoutOf(one) }));

/** With its figures; undefined where it is none. */
export const riskOf = (one: Recommendation | undefined, code: Risk['code']): Risk | undefined =>
  one?.risks.find((risk) => risk.code === code);
