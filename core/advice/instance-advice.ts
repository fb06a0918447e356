/** Advice on an instance that held its volumes back: the cheapest type with room, where types and prices are known. */
import { weightedFigures } from '../catalogue/bandwidth-weighting.ts';
import { type EbsFigures, ebsFiguresOf, type InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import type { Instance } from '../inventory.ts';
import { type Known, unknown } from '../known.ts';
import type { Advice, FindingKind } from '../schemas/finding.ts';
import { instanceTarget } from './command-target.ts';
import {
  type InstanceNeed,
  type LargerInstances,
  largerInstances,
  largerText,
  monthlyUsdMore,
} from './larger-instance.ts';

/** A throttled rate shows the limit and not the need: a quarter more is the least that is worth a move. */
const room = 1.25;

/** What the next type's baseline must be, by what was exceeded; what was not exceeded must not become less. */
function needOf(kind: FindingKind, figures: EbsFigures, volumes: number): InstanceNeed {
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  if (kind === 'throttled-instance-iops') return { iops: room * maximumIops, mibps: baselineMiBps, volumes };
  if (kind === 'throttled-instance-throughput')
    return { iops: baselineIops, mibps: room * maximumMiBps, volumes };
  return { iops: maximumIops, mibps: maximumMiBps, volumes };
}

const baselineText: Partial<Record<FindingKind, string>> = {
  'throttled-instance-iops': 'whose baseline has a quarter more IOPS than its maximum today',
  'throttled-instance-throughput': 'whose baseline has a quarter more MiB/s than its maximum today',
  'instance-credits-exhausted': 'that does all the time what it does today on credits',
};

export const changeTypeSteps = (instance: Instance, instanceType: string): string[] => [
  `see that ${instanceType} is offered in its Availability Zone, and that image and drivers support it`,
  `aws ec2 stop-instances ${instanceTarget(instance).replace('--instance-id', '--instance-ids')}`,
  `aws ec2 modify-instance-attribute ${instanceTarget(instance)} --instance-type Value=${instanceType}`,
  `aws ec2 start-instances ${instanceTarget(instance).replace('--instance-id', '--instance-ids')}`,
];

function larger(
  kind: FindingKind,
  { instanceType, bandwidthWeighting }: Instance,
  volumes: number,
  market: Market,
): Known<LargerInstances> {
  const type: InstanceType | undefined =
    instanceType === null ? undefined : market.instanceTypes.get(instanceType);
  if (type === undefined) return unknown(`${instanceType ?? 'its type'} is not known here`);
  const figures = ebsFiguresOf(type);
  if (!figures.known) return figures;
  const { figures: weighted } = weightedFigures(figures.value, type.instanceType, bandwidthWeighting);
  return largerInstances(type, needOf(kind, weighted, volumes), market);
}

const general =
  'A larger instance, or fewer busy volumes on this one: faster volumes change nothing while it is the limit.';

/** @param volumes attached to it. */
export function instanceAdvice(
  kind: FindingKind,
  instance: Instance,
  volumes: number,
  market: Market,
): Advice[] {
  const found = larger(kind, instance, volumes, market);
  const vpc =
    instance.bandwidthWeighting === 'vpc-1' && kind === 'throttled-instance-throughput'
      ? ' Its bandwidth weighting vpc-1 takes from EBS: default gives it back for nothing.'
      : '';
  const how = found.known ? changeTypeSteps(instance, found.value.cheapest.type.instanceType) : [];
  const text = found.known
    ? ` The cheapest type ${baselineText[kind] ?? 'with more'}: ${largerText(found.value)}; On-Demand, Linux. What was held back does not show the whole need.`
    : ` Which type is the cheapest is not known: ${found.because}.`;
  return [
    {
      action: `${general}${vpc}${text}`,
      monthlyUsdDelta: found.known ? monthlyUsdMore(found.value) : null,
      throttledMinutesBefore: null,
      throttledMinutesAfter: null,
      how,
    },
  ];
}
