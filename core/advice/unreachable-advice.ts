/** Two ways out of performance that cannot be reached: pay for less, or take the instance that can use it. */
import type { InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { Unreachable } from '../diagnosis/unreachable.ts';
import { figure } from '../figures.ts';
import type { Instance } from '../inventory.ts';
import type { Recommendation } from '../schemas/finding.ts';
import { way } from './advice-input.ts';
import { volumeTarget } from './command-target.ts';
import { headroomText } from './headroom-text.ts';
import { changeTypeSteps } from './instance-advice.ts';
import { baselineOf, largerInstances, largerText, monthlyUsdMore } from './larger-instance.ts';
import type { Lowering } from './lowering.ts';

const modifyLine = ({ volume, to }: Lowering['lowered'][number]): string => {
  const throughput = to.throughputMiBps === undefined ? '' : ` --throughput ${to.throughputMiBps}`;
  return `aws ec2 modify-volume ${volumeTarget(volume)} --volume-type ${to.volumeType} --iops ${to.iops}${throughput}`;
};

const nothingToLower = ({ needUnknown }: Lowering): Recommendation => {
  const unknown = needUnknown === 0 ? '' : ` (of ${figure(needUnknown)} the load does not show it whole)`;
  return {
    ...way(
      'investigate',
      'keep-figures',
      `Lower none of them: each volume needs what it has for its own busiest time, though not all at once${unknown}. Spread them over several instances if they do peak together.`,
    ),
    risks: needUnknown === 0 ? [] : [{ code: 'need-unknown', count: needUnknown }],
  };
};

function basis({ by, needUnknown }: Lowering, thresholds: Thresholds): string {
  if (by === 'together')
    return 'together they still reach all that this instance can do. But volumes rarely peak together: keep what a single volume needs for its own peak.';
  const stay =
    needUnknown === 0
      ? ''
      : ` ${figure(needUnknown)} more ${needUnknown === 1 ? 'stays as it is, since its load does' : 'stay as they are, since their load does'} not show what is needed.`;
  return `each keeps what it needs for its own busiest time, ${headroomText(thresholds)} above the most that was seen.${stay}`;
}

const lower = (lowering: Lowering, thresholds: Thresholds): Recommendation => ({
  ...way(
    'modify',
    lowering.by === 'together' ? 'lower-to-reach' : 'lower-to-need',
    `Lower ${lowering.lowered.length === 1 ? 'one volume' : `${lowering.lowered.length} volumes`} in place: ${basis(lowering, thresholds)} Lower the members of a stripe alike; where \`over-provisioned\` or \`cheaper-type\` is told of the same volume, it is the same money.`,
    [
      ...lowering.lowered.map(modifyLine),
      'no downtime; a volume can be modified 4 times in 24 h, each after the one before is completed',
    ],
  ),
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
  sizedBy: lowering.by === 'together' ? 'present-maximum' : 'headroom',
  risks: [
    ...(lowering.by === 'together' ? [{ code: 'volumes-peak-together' as const }] : []),
    ...(lowering.needUnknown > 0 ? [{ code: 'need-unknown' as const, count: lowering.needUnknown }] : []),
  ],
});

/** @param volumes attached to the instance. */
export function largerForAll(
  { sums }: Unreachable,
  instance: Instance,
  type: InstanceType,
  volumes: number,
  market: Market,
): Recommendation {
  const need = `${figure(sums.iops)} IOPS and ${figure(sums.mibps)} MiB/s`;
  const found = largerInstances(type, { isCarriedBy: baselineOf(sums.iops, sums.mibps), volumes }, market);
  const text = found.known
    ? `If the performance is wanted: the cheapest type that can use ${need} all the time is ${largerText(found.value)}; On-Demand, Linux.`
    : `If the performance is wanted: an instance type that can use ${need} all the time. Which one is the cheapest is not known: ${found.because}.`;
  const steps = found.known ? changeTypeSteps(instance, found.value.cheapest.type.instanceType) : [];
  const price = found.known ? found.value.todayMonthlyUsd : found;
  return {
    ...way('resize-instance', 'use-figures', text, steps),
    change: found.known
      ? { of: 'instance', from: instance.instanceType, to: found.value.cheapest.type.instanceType }
      : null,
    monthlyUsdDelta: found.known ? monthlyUsdMore(found.value) : null,
    priceUnknownReason: price.known ? null : price.because,
    risks: [{ code: 'downtime' }],
  };
}

export const lowerAdvice = (lowering: Lowering, thresholds: Thresholds): Recommendation =>
  lowering.lowered.length === 0 ? nothingToLower(lowering) : lower(lowering, thresholds);
