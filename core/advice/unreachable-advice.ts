/** Two ways out of performance that cannot be reached: pay for less, or take the instance that can use it. */
import type { InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import type { LoweredVolume, Unreachable } from '../diagnosis/unreachable.ts';
import { figure } from '../figures.ts';
import type { Instance } from '../inventory.ts';
import type { Advice } from '../schemas/finding.ts';
import { volumeTarget } from './command-target.ts';
import { changeTypeSteps } from './instance-advice.ts';
import { largerInstances, largerText, monthlyUsdMore } from './larger-instance.ts';

const modifyLine = ({ volume, to }: LoweredVolume): string => {
  const throughput = to.throughputMiBps === undefined ? '' : ` --throughput ${to.throughputMiBps}`;
  return `aws ec2 modify-volume ${volumeTarget(volume)} --volume-type ${to.volumeType} --iops ${to.iops}${throughput}`;
};

const unmeasured = { throttledMinutesBefore: null, throttledMinutesAfter: null };

const nothingToLower: Advice = {
  action:
    'Lower none of them: each needs what it has for its own busiest time, though not all at once. Spread the volumes over several instances if they do peak together.',
  monthlyUsdDelta: null,
  ...unmeasured,
  how: [],
};

const ownPeak = ({ someNeedUnknown }: Unreachable): string =>
  someNeedUnknown
    ? ' But volumes rarely peak together: keep what a single volume needs for its own peak.'
    : '';

const kept = ({ neededVolumeIds }: Unreachable): string =>
  neededVolumeIds.length === 0
    ? ''
    : ` ${neededVolumeIds.length === 1 ? 'One stays as it is' : `${neededVolumeIds.length} stay as they are`}: their own busiest time needs it.`;

const lower = (unreachable: Unreachable): Advice => ({
  action: `Lower ${unreachable.lowered.length === 1 ? 'one volume' : `${unreachable.lowered.length} volumes`} in place: together they still reach all that this instance can do.${kept(unreachable)}${ownPeak(unreachable)} Lower the members of a stripe alike; where \`over-provisioned\` is told of the same volume, it is the same money.`,
  monthlyUsdDelta: -unreachable.savedMonthlyUsd,
  ...unmeasured,
  how: [
    ...unreachable.lowered.map(modifyLine),
    'no downtime; a volume can be modified 4 times in 24 h, each after the one before is completed',
  ],
});

function larger(
  { sums }: Unreachable,
  instance: Instance,
  type: InstanceType,
  volumes: number,
  market: Market,
): Advice {
  const need = `${figure(sums.iops)} IOPS and ${figure(sums.mibps)} MiB/s`;
  const found = largerInstances(type, { ...sums, volumes }, market);
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

/** @param volumes attached to the instance. */
export const unreachableAdvice = (
  unreachable: Unreachable,
  instance: Instance,
  type: InstanceType,
  volumes: number,
  market: Market,
): Advice[] => [
  unreachable.lowered.length === 0 ? nothingToLower : lower(unreachable),
  larger(unreachable, instance, type, volumes, market),
];
