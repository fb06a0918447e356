/** Two ways out of performance that cannot be reached: pay for less, or take the instance that can use it. */

import type { InstanceType } from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { CardImbalance, CardMove, PaidVolume, Unreachable } from '../diagnosis/unreachable.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { VolumeConfiguration, VolumeLimits } from '../limits/volume-limits.ts';
import { lowerToReach } from '../plan/cheapest-member.ts';
import { type EbsPrices, monthlyUsd, roundUsd } from '../prices/prices.ts';
import type { Recommendation, Risk } from '../schemas/finding.ts';
import type { Step } from '../schemas/recommendation.ts';
import { inPlace, toServe } from './candidates.ts';
import { baselineOf, changeTypeSteps, instanceChange, largerInstances } from './instance-recommendation.ts';
import {
  instanceTarget,
  modificationLimit,
  percentOf,
  run,
  safeVolumeId,
  stopRisks,
  volumesTarget,
  volumeTarget,
  way,
} from './recommendation.ts';
import type { NeedOf, VolumeNeed } from './savings.ts';

// Which volumes of an instance that cannot reach what they have are lowered. Where the load of any of them shows what it
// needs, each such volume goes to its own need, and the others stay. Where none does, all go as far as they together
// still reach what the instance can do, and none below what it was served.

interface LoweredVolume {
  volume: Volume;
  from: VolumeLimits;
  to: VolumeConfiguration;
  /** Saved a month. */
  usd: number;
}

export interface Lowering {
  /** By each volume's own need, or by what all reach together. */
  by: 'own-need' | 'together';
  lowered: LoweredVolume[];
  savedUsd: number;
  /** Volumes that stay as they are although they are paid for, since their load does not show what they need. */
  needUnknown: number;
  /** False where the need of a lowered volume rests on averages that hide bursts, or on nothing. */
  isSure: boolean;
}

const isKnown = (need: VolumeNeed | null): need is VolumeNeed => need !== null && need.confidence !== null;

/** The cheapest of its type and size that serves its own need; as it is where there is none. */
function byOwnNeed({ config, limits }: PaidVolume, need: VolumeNeed, prices: EbsPrices) {
  const current = { config, limits, prices };
  const found = inPlace(current, config.volumeType, toServe(current, need.rates));
  if (found === null) return config;
  const { iops, throughputMiBps } = found.layout;
  return config.volumeType === 'gp3' ? { ...config, iops, throughputMiBps } : { ...config, iops };
}

function together({ lowerable, reachable }: Unreachable, needOf: NeedOf, prices: EbsPrices) {
  const nothing = { iops: 0, throughputMiBps: 0 };
  const volumes = lowerable.map(({ volume, config }) => {
    return { config, keeps: needOf(volume.volumeId)?.rates ?? nothing };
  });
  return lowerToReach(volumes, reachable, prices);
}

export function loweringOf(unreachable: Unreachable, needOf: NeedOf, prices: EbsPrices): Lowering {
  const { counted, lowerable } = unreachable;
  const needs = lowerable.map(({ volume }) => needOf(volume.volumeId));
  const someKnown = counted.some(({ volume }) => isKnown(needOf(volume.volumeId)));
  const next = someKnown
    ? lowerable.map((one, i) => {
        const need = needs[i] ?? null;
        return isKnown(need) ? byOwnNeed(one, need, prices) : one.config;
      })
    : together(unreachable, needOf, prices);
  const lowered = lowerable.flatMap(({ volume, config, limits }, i) => {
    const to = next[i] as VolumeConfiguration;
    const usd = monthlyUsd(config, prices).total - monthlyUsd(to, prices).total;
    return usd > 0 ? [{ volume, from: limits, to, usd }] : [];
  });
  const isLowered = (one: Volume): boolean => lowered.some(({ volume }) => volume.volumeId === one.volumeId);
  return {
    by: someKnown ? 'own-need' : 'together',
    lowered,
    savedUsd: roundUsd(lowered.reduce((sum, { usd }) => sum + usd, 0)),
    needUnknown: lowerable.filter(({ volume }, i) => !isKnown(needs[i] ?? null) && !isLowered(volume)).length,
    isSure: lowered.every(({ volume }) =>
      ['high', 'medium'].includes(`${needOf(volume.volumeId)?.confidence}`),
    ),
  };
}

// How volumes get onto another EBS card: detached and attached again.

const steps = ({ volume, toCard }: CardMove, instance: Instance): Step[] => [
  run(`aws ec2 detach-volume ${volumeTarget(volume)}`),
  run(`aws ec2 wait volume-available ${volumesTarget(volume)}`),
  run(
    `aws ec2 attach-volume --volume-id ${safeVolumeId(volume.volumeId)} ${instanceTarget(instance)} --device <device> --ebs-card-index ${toCard}`,
  ),
];

/** The moves take one volume at a time, each time the one that helps most: others of the same figures do as well. */
export const ebsCardRecommendation = ({ moves }: CardImbalance, instance: Instance): Recommendation[] => [
  {
    ...way('move-card', 'use-figures', [
      { code: 'stop-and-unmount' },
      ...moves.flatMap((move) => steps(move, instance)),
      { code: 'start-and-mount' },
    ]),
    change: {
      of: 'cards',
      moves: moves.map(({ volume, toCard }) => ({ volumeId: volume.volumeId, toCard })),
    },
    monthlyUsdDelta: 0,
    risks: [{ code: 'downtime' }, { code: 'stripe-in-use' }],
  },
];

const modifyLine = ({ volume, to }: Lowering['lowered'][number]): string => {
  const throughput = to.throughputMiBps === undefined ? '' : ` --throughput ${to.throughputMiBps}`;
  return `aws ec2 modify-volume ${volumeTarget(volume)} --volume-type ${to.volumeType} --iops ${to.iops}${throughput}`;
};

const needUnknown = ({ needUnknown: count }: Lowering): Risk[] =>
  count === 0 ? [] : [{ code: 'need-unknown', count }];

/** Each volume needs what it has for its own busiest time, though not all at once. */
const nothingToLower = (lowering: Lowering): Recommendation => ({
  ...way('investigate', 'keep-figures'),
  risks: needUnknown(lowering),
});

/** Volumes rarely peak together: what all reach together is no guide to what one needs for its own peak. */
function sizingOf({ by }: Lowering, { savingHeadroom }: Thresholds) {
  return by === 'together'
    ? ({ sizedBy: 'current-maximum', headroomPercent: null } as const)
    : ({ sizedBy: 'headroom', headroomPercent: percentOf(savingHeadroom) } as const);
}

const lower = (lowering: Lowering, thresholds: Thresholds): Recommendation => ({
  ...way('modify', lowering.by === 'together' ? 'lower-to-reach' : 'lower-to-need', [
    ...lowering.lowered.map((one) => run(modifyLine(one))),
    modificationLimit,
  ]),
  inPlace: true,
  change: {
    of: 'volumes',
    volumes: lowering.lowered.map(({ volume, from, to }) => ({
      volumeId: volume.volumeId,
      from: { iops: from.baselineIops, throughputMiBps: from.baselineMiBps },
      to: { iops: to.iops ?? from.baselineIops, throughputMiBps: to.throughputMiBps ?? from.baselineMiBps },
    })),
  },
  monthlyUsdDelta: -lowering.savedUsd,
  ...sizingOf(lowering, thresholds),
  risks: [
    ...(lowering.by === 'together' ? [{ code: 'volumes-peak-together' as const }] : []),
    ...needUnknown(lowering),
    { code: 'stripes-alike' },
    { code: 'same-saving' },
  ],
});

/**
 * The instance types that can use all that its volumes are provisioned with: the cheapest, and that of today's family.
 * @param volumes attached to the instance.
 */
export function largerForAll(
  { sums }: Unreachable,
  instance: Instance,
  type: InstanceType,
  volumes: number,
  regionCatalog: RegionCatalog,
): Recommendation[] {
  const found = largerInstances(
    type,
    { isCarriedBy: baselineOf(sums.iops, sums.mibps), volumes },
    regionCatalog,
  );
  const resize = (steps: Step[]): Recommendation => ({
    ...way('resize-instance', 'use-figures', steps),
    sizedBy: 'provisioned',
    sizedFor: { iops: sums.iops, throughputMiBps: sums.mibps },
    risks: stopRisks(type),
  });
  if (!found.known) return [{ ...resize([]), priceUnknownReason: found.reason }];
  const { cheapest, ofFamily } = found.value;
  return [cheapest, ofFamily]
    .filter((one) => one !== null)
    .map((one) => ({
      ...resize(changeTypeSteps(instance, one.type.instanceType)),
      ...instanceChange(instance.instanceType, one, found.value),
    }));
}

export const lowerRecommendation = (lowering: Lowering, thresholds: Thresholds): Recommendation =>
  lowering.lowered.length === 0 ? nothingToLower(lowering) : lower(lowering, thresholds);
