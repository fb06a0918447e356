/** One busy volume on another instance, where its neighbours wait for the instance and would not without it. */
import type { EbsFigures, InstanceType } from '../catalog/instance-types.ts';
import { isVolumeId } from '../ids.ts';
import { architecturesOf } from '../plan/instance-choice.ts';
import { roundUsd } from '../prices/prices.ts';
import type { Limit, Recommendation, Step } from '../schemas/recommendation.ts';
import {
  explained,
  type InstanceToRecommendFor,
  isServedBy,
  isSteadyWith,
  type MovableVolume,
  refillHours,
} from './instance-demand.ts';
import { run, safeInstanceId, volumesTarget, volumeTarget, way } from './recommendation.ts';

/** Neighbours with less of the load are no reason to move what the instance is there for. */
const leastShareOfOthers = 0.1;
/** It has its root volume and this one. */
export const volumesOnNew = 2;

/** An instance for the volume alone, with its price. */
export interface NewInstance {
  type: InstanceType;
  monthlyUsd: number;
}

function moveSteps(volume: { volumeId: string; region: string }, instanceId: string): Step[] {
  return [
    { code: 'stop-application' },
    run(`aws ec2 detach-volume ${volumeTarget(volume)}`),
    run(`aws ec2 wait volume-available ${volumesTarget(volume)}`),
    run(`aws ec2 attach-volume ${volumeTarget(volume)} --instance-id ${instanceId} --device <device>`),
    { code: 'start-application' },
  ];
}

const shareIn = ({ loadShare }: MovableVolume, limit: Limit | null): number =>
  limit?.unit === 'MiB/s' ? loadShare.throughputMiBps : loadShare.iops;

/** What is known of where it is now. */
export interface Leaving {
  type: InstanceType;
  figures: EbsFigures;
}

/**
 * The cheapest move of one volume that ends the throttling of all others by replay, to a new instance of the cheapest type that
 * carries the volume alone; of those that cost the same the busiest volume. Whether an instance that is there has room is known
 * only of all of them together (see `toInstanceThatIsThere`).
 * @param newFor the cheapest type whose figures carry a load; null where there is none with a price.
 */
export function moveRecommendation(
  to: InstanceToRecommendFor,
  { type, figures }: Leaving,
  limit: Limit | null,
  newFor: (isCarriedBy: (figures: EbsFigures) => boolean) => NewInstance | null,
): Recommendation[] {
  const { demand, instance } = to;
  const [first] = explained(to, figures);
  const [architecture] = architecturesOf(type);
  if (demand?.movable === undefined || architecture === undefined) return [];
  if (first === undefined || first.isLikely) return [];
  const moves = demand
    .movable()
    .filter(
      (one) =>
        isVolumeId(one.volumeId) &&
        shareIn(one, limit) <= 1 - leastShareOfOthers &&
        one.others.throttledMinutesWith(figures) === 0,
    )
    .flatMap((volume) => {
      const there = newFor((figures) => isServedBy(figures, volume.alone));
      return there === null || there.type.ebs === null ? [] : [{ volume, there, ebs: there.type.ebs }];
    })
    .sort(
      (a, b) =>
        a.there.monthlyUsd - b.there.monthlyUsd ||
        shareIn(b.volume, limit) - shareIn(a.volume, limit) ||
        a.volume.volumeId.localeCompare(b.volume.volumeId),
    );
  const { instanceId, region, availabilityZone = null } = instance;
  return moves.slice(0, 1).map(({ volume, there, ebs }): Recommendation => {
    const { volumeId, mayBeRoot, alone } = volume;
    const { instanceType } = there.type;
    const monthlyUsd = roundUsd(there.monthlyUsd);
    return {
      ...way('move-volume', 'throttle-nothing', [
        { code: 'launch-instance', instanceType, availabilityZone },
        ...moveSteps({ volumeId, region }, '<new-instance-id>'),
      ]),
      change: {
        ...{ of: 'volume-move', volumeId, loadShare: Number(shareIn(volume, limit).toFixed(4)) },
        ...{ from: instanceId, to: null, instanceType, availabilityZone, architecture, monthlyUsd },
      },
      effect: {
        ...{ method: 'simulated', throttledMinutesBefore: demand.throttledMinutes },
        ...{ throttledMinutesAfter: 0, limitBefore: limit, limitAfter: limit },
      },
      monthlyUsdDelta: monthlyUsd,
      ...{ sizedBy: 'demand', sizedFor: alone.rates },
      risks: [
        { code: 'downtime' },
        { code: 'application-moves' },
        ...(mayBeRoot ? [{ code: 'no-root-volume' as const }] : []),
        ...(isSteadyWith(ebs, alone) ? [] : [{ code: 'on-instance-credits' as const, refillHours }]),
      ],
    };
  });
}

type Move = Extract<Recommendation['change'], { of: 'volume-move' }>;

/** The same move to an instance that is there: it costs nothing, and needs no credits. */
export function toInstanceThatIsThere(
  one: Recommendation,
  { monthlyUsd: _, ...change }: Move,
  { instanceId, instanceType }: { instanceId: string; instanceType: string },
  region: string,
): Recommendation {
  return {
    ...one,
    change: { ...change, to: instanceId, instanceType },
    monthlyUsdDelta: 0,
    // How many go there is known of all together.
    risks: one.risks.filter(({ code }) => code !== 'on-instance-credits' && code !== 'several-go-there'),
    steps: moveSteps({ volumeId: change.volumeId, region }, safeInstanceId(instanceId)),
  };
}
