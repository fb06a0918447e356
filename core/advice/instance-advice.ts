/** Advice on an instance that held its volumes back: the cheapest type with room, where types and prices are known. */
import { weightedFigures } from '../catalogue/bandwidth-weighting.ts';
import { type EbsFigures, ebsFiguresOf, type InstanceType } from '../catalogue/instance-type.ts';
import type { Market } from '../catalogue/market.ts';
import { figure } from '../figures.ts';
import type { Instance, Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { Rates } from '../plan/need.ts';
import type { Advice, FindingKind } from '../schemas/finding.ts';
import { instancesTarget, instanceTarget } from './command-target.ts';
import {
  type LargerInstances,
  largerInstances,
  largerText,
  monthlyUsdMore,
  nextText,
} from './larger-instance.ts';
import type { NeedOf } from './savings/observed-need.ts';

export interface InstanceToAdvise {
  instance: Instance;
  /** Attached to it. */
  volumes: readonly Volume[];
  market: Market;
  needOf: NeedOf;
}

/** A throttled rate shows the limit and not the need: a quarter more is the least that is worth a move. */
const room = 1.25;

/** What the next type's baseline must be, and that in words. */
interface Wanted {
  iops: number;
  mibps: number;
  text: string;
}

const onCredits = 'that does all the time what it does today on credits';

/** What the volumes' loads need, as if all peaked at once; null where the load of one shows nothing. */
function sumOfNeeds({ volumes, needOf }: InstanceToAdvise): Rates | null {
  const needs = volumes.map(({ volumeId }) => needOf(volumeId)?.rates ?? null);
  return needs.reduce<Rates | null>(
    (sum, need) =>
      sum === null || need === null
        ? null
        : { iops: sum.iops + need.iops, throughputMiBps: sum.throughputMiBps + need.throughputMiBps },
    { iops: 0, throughputMiBps: 0 },
  );
}

/** Credits are spent above the baseline: what the volumes need at their busiest, and no more than today's maximum. */
function insteadOfCredits(to: InstanceToAdvise, figures: EbsFigures): Wanted {
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  const today = { iops: maximumIops, mibps: maximumMiBps };
  const needs = sumOfNeeds(to);
  if (needs === null) return { ...today, text: `${onCredits} (what some of its volumes need is not known)` };
  const iops = Math.max(baselineIops, Math.min(maximumIops, needs.iops));
  const mibps = Math.max(baselineMiBps, Math.min(maximumMiBps, needs.throughputMiBps));
  if (iops === baselineIops && mibps === baselineMiBps)
    return { ...today, text: `${onCredits} (what was seen of its volumes does not explain the load)` };
  return {
    iops,
    mibps,
    text: `that carries ${figure(iops)} IOPS and ${figure(mibps, 0)} MiB/s all the time (what its volumes need if all peak at once, a quarter above what was seen)`,
  };
}

/** By what was exceeded; what was not exceeded must not become less. */
function wantedOf(kind: FindingKind, to: InstanceToAdvise, figures: EbsFigures): Wanted {
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  if (kind === 'throttled-instance-iops') {
    const text = 'whose baseline has a quarter more IOPS than its maximum today';
    return { iops: room * maximumIops, mibps: baselineMiBps, text };
  }
  if (kind === 'throttled-instance-throughput') {
    const text = 'whose baseline has a quarter more MiB/s than its maximum today';
    return { iops: baselineIops, mibps: room * maximumMiBps, text };
  }
  return insteadOfCredits(to, figures);
}

export const changeTypeSteps = (instance: Instance, instanceType: string): string[] => [
  `see that ${instanceType} is offered in its Availability Zone, and that image and drivers support it`,
  `aws ec2 stop-instances ${instancesTarget(instance)}`,
  `aws ec2 modify-instance-attribute ${instanceTarget(instance)} --instance-type Value=${instanceType}`,
  `aws ec2 start-instances ${instancesTarget(instance)}`,
];

function larger(kind: FindingKind, to: InstanceToAdvise): Known<LargerInstances & { text: string }> {
  const { instance, volumes, market } = to;
  const { instanceType, bandwidthWeighting } = instance;
  const type: InstanceType | undefined =
    instanceType === null ? undefined : market.instanceTypes.get(instanceType);
  if (type === undefined) return unknown(`${instanceType ?? 'its type'} is not known here`);
  const figures = ebsFiguresOf(type);
  if (!figures.known) return figures;
  const { figures: weighted } = weightedFigures(figures.value, type.instanceType, bandwidthWeighting);
  const { text, ...baseline } = wantedOf(kind, to, weighted);
  const found = largerInstances(type, { ...baseline, volumes: volumes.length }, market);
  if (!found.known) return found;
  const next = kind === 'instance-credits-exhausted' ? nextText(found.value) : '';
  return known({
    ...found.value,
    text: ` The cheapest type ${text}: ${largerText(found.value)}; On-Demand, Linux.${next}`,
  });
}

const general =
  'A larger instance, or fewer busy volumes on this one: faster volumes change nothing while it is the limit.';

export function instanceAdvice(kind: FindingKind, to: InstanceToAdvise): Advice[] {
  const { instance } = to;
  const found = larger(kind, to);
  const vpc =
    instance.bandwidthWeighting === 'vpc-1' && kind === 'throttled-instance-throughput'
      ? ' Its bandwidth weighting vpc-1 takes from EBS: default gives it back for nothing.'
      : '';
  const how = found.known ? changeTypeSteps(instance, found.value.cheapest.type.instanceType) : [];
  const text = found.known
    ? `${found.value.text} What was held back does not show the whole need.`
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
