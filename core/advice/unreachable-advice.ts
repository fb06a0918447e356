/** Two ways out of performance that cannot be reached: pay for less, or take the instance that can use it. */
import type { InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { Unreachable } from '../diagnosis/unreachable.ts';
import { figure } from '../figures.ts';
import type { Instance } from '../inventory.ts';
import type { Advice } from '../schemas/finding.ts';
import { volumeTarget } from './command-target.ts';
import { headroomText } from './headroom-text.ts';
import { changeTypeSteps } from './instance-advice.ts';
import { baselineOf, largerInstances, largerText, monthlyUsdMore } from './larger-instance.ts';
import type { Lowering } from './lowering.ts';

const modifyLine = ({ volume, to }: Lowering['lowered'][number]): string => {
  const throughput = to.throughputMiBps === undefined ? '' : ` --throughput ${to.throughputMiBps}`;
  return `aws ec2 modify-volume ${volumeTarget(volume)} --volume-type ${to.volumeType} --iops ${to.iops}${throughput}`;
};

const unmeasured = { throttledMinutesBefore: null, throttledMinutesAfter: null };

const nothingToLower = ({ needUnknown }: Lowering): Advice => {
  const unknown = needUnknown === 0 ? '' : ` (of ${figure(needUnknown)} the load does not show it whole)`;
  return {
    action: `Lower none of them: each volume needs what it has for its own busiest time, though not all at once${unknown}. Spread them over several instances if they do peak together.`,
    monthlyUsdDelta: null,
    ...unmeasured,
    how: [],
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

const lower = (lowering: Lowering, thresholds: Thresholds): Advice => ({
  action: `Lower ${lowering.lowered.length === 1 ? 'one volume' : `${lowering.lowered.length} volumes`} in place: ${basis(lowering, thresholds)} Lower the members of a stripe alike; where \`over-provisioned\` or \`cheaper-type\` is told of the same volume, it is the same money.`,
  monthlyUsdDelta: -lowering.savedUsd,
  ...unmeasured,
  how: [
    ...lowering.lowered.map(modifyLine),
    'no downtime; a volume can be modified 4 times in 24 h, each after the one before is completed',
  ],
});

/** @param volumes attached to the instance. */
export function largerForAll(
  { sums }: Unreachable,
  instance: Instance,
  type: InstanceType,
  volumes: number,
  market: Market,
): Advice {
  const need = `${figure(sums.iops)} IOPS and ${figure(sums.mibps)} MiB/s`;
  const found = largerInstances(type, { isCarriedBy: baselineOf(sums.iops, sums.mibps), volumes }, market);
  const action = found.known
    ? `If the performance is wanted: the cheapest type that can use ${need} all the time is ${largerText(found.value)}; On-Demand, Linux.`
    : `If the performance is wanted: an instance type that can use ${need} all the time. Which one is the cheapest is not known: ${found.because}.`;
  return {
    action,
    monthlyUsdDelta: found.known ? monthlyUsdMore(found.value) : null,
    ...unmeasured,
    how: found.known ? changeTypeSteps(instance, found.value.cheapest.type.instanceType) : [],
  };
}

export const lowerAdvice = (lowering: Lowering, thresholds: Thresholds): Advice =>
  lowering.lowered.length === 0 ? nothingToLower(lowering) : lower(lowering, thresholds);
