/** Two ways out of performance that cannot be reached: pay for less, or take the instance that can use it. */
import type { InstanceType } from '../catalog/instance-type.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { Unreachable } from '../diagnosis/unreachable.ts';
import type { Instance } from '../inventory.ts';
import type { Recommendation, Risk } from '../schemas/finding.ts';
import type { Step } from '../schemas/recommendation.ts';
import { volumeTarget } from './command-target.ts';
import { changeTypeSteps } from './instance-recommendation.ts';
import { baselineOf, instanceChange, largerInstances } from './larger-instance.ts';
import type { Lowering } from './lowering.ts';
import { modificationLimit, percentOf, run, way } from './recommendation-input.ts';

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
    risks: [{ code: 'downtime' }],
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
