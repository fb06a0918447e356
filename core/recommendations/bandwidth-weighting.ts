/** Bandwidth weighting against an instance that throttles by throughput: it costs nothing, and IOPS stay as they are. */
import { type EbsFigures, type InstanceType, weightedFigures } from '../catalog/instance-types.ts';
import type { Instance } from '../inventory.ts';
import type { FindingKind } from '../schemas/finding-kinds.ts';
import type { Limit, Recommendation, Risk, Step } from '../schemas/recommendation.ts';
import { explained, type InstanceDemand, type InstanceToRecommendFor } from './instance-demand.ts';
import { instancesTarget, instanceTarget, run, stopRisks, unknownEffect, way } from './recommendation.ts';

type Weighting = 'default' | 'ebs-1';

export const setWeighting = (instance: Instance, weighting: Weighting): Step =>
  run(
    `aws ec2 modify-instance-network-performance-options ${instanceTarget(instance)} --bandwidth-weighting ${weighting}`,
  );

/** EC2 changes it of a stopped instance alone. */
const steps = (instance: Instance, weighting: Weighting): Step[] => [
  run(`aws ec2 stop-instances ${instancesTarget(instance)}`),
  run(`aws ec2 wait instance-stopped ${instancesTarget(instance)}`),
  setWeighting(instance, weighting),
  run(`aws ec2 start-instances ${instancesTarget(instance)}`),
];

/** By MiB/s: its maximum, or its byte credits. */
const isByThroughput = (kind: FindingKind, limit: Limit | null): boolean =>
  kind === 'throttled-instance-throughput' ||
  (kind === 'instance-credits-exhausted' && limit?.unit === 'MiB/s');

/** The network loses as much as EBS gets. */
export const networkLoss = ({ ebs }: InstanceType): Risk[] =>
  ebs === null
    ? []
    : [
        {
          code: 'less-network-bandwidth',
          throughputMiBps: Number(
            (
              weightedFigures(ebs, '', 'ebs-1').figures.baselineMiBps -
              weightedFigures(ebs, '', 'default').figures.baselineMiBps
            ).toFixed(3),
          ),
        },
      ];

interface Option {
  to: Weighting;
  figures: EbsFigures;
  effect: Recommendation['effect'];
}

const recommendation = (
  { instance }: InstanceToRecommendFor,
  type: InstanceType | null,
  { to, effect }: Pick<Option, 'to' | 'effect'>,
): Recommendation => ({
  ...way('set-bandwidth-weighting', 'throttle-nothing', steps(instance, to)),
  change: { of: 'bandwidth-weighting', from: instance.bandwidthWeighting, to },
  effect,
  monthlyUsdDelta: 0,
  risks: [...stopRisks(type), ...(to === 'ebs-1' && type !== null ? networkLoss(type) : [])],
});

const limitAfter = ({ baselineMiBps }: EbsFigures, limit: Limit | null): Limit | null =>
  limit && { what: 'baseline', value: baselineMiBps, unit: 'MiB/s', scope: 'instance' };

/**
 * From vpc-1, whose figures EC2 does not report: they are less than those of the default, so that a replay on those explains what
 * was measured, or nothing is promised. Back to the default, and to ebs-1 where the demand at most is throttled less with that.
 */
function fromNetwork(
  to: InstanceToRecommendFor,
  type: InstanceType | null,
  demand: InstanceDemand | null,
): Recommendation[] {
  const back: Recommendation['effect'] = unknownEffect;
  if (type?.ebs == null || demand === null)
    return [recommendation(to, type, { to: 'default', effect: back })];
  const { ebs } = type;
  const isExplained = explained(to, ebs)[0]?.isLikely === false;
  const option = (weighting: Weighting): Option => {
    const { figures } = weightedFigures(ebs, type.instanceType, weighting);
    return {
      ...{ to: weighting, figures },
      effect: {
        ...{ ...unknownEffect, throttledMinutesBefore: demand.throttledMinutes },
        ...(isExplained
          ? { method: 'simulated', throttledMinutesAfter: demand.most.throttledMinutesWith(figures) }
          : {
              ...{ method: 'estimated', throttledMinutesAfter: demand.likely.throttledMinutesWith(figures) },
              throttledMinutesAfterAtMost: demand.most.throttledMinutesWith(figures),
            }),
      },
    };
  };
  const atMost = ({ figures }: Option): number => demand.most.throttledMinutesWith(figures);
  const byDefault = option('default');
  const options = [byDefault];
  if (atMost(byDefault) > 0 && type.bandwidthWeightings.includes('ebs-1')) {
    const raised = option('ebs-1');
    if (atMost(raised) < atMost(byDefault)) options.unshift(raised);
  }
  return options.map((one) => recommendation(to, type, one));
}

/**
 * `ebs-1` where the type has it, the instance is known to be on its default, and the simulation, which explains what was measured,
 * has fewer throttled minutes with it than that, and than were measured. It does not help against a limit of IOPS.
 */
export function weightingRecommendations(
  kind: FindingKind,
  to: InstanceToRecommendFor,
  type: InstanceType | null,
  limit: Limit | null,
): Recommendation[] {
  const { instance, demand } = to;
  if (instance.bandwidthWeighting === 'vpc-1')
    return isByThroughput(kind, limit) || (kind === 'instance-credits-exhausted' && limit === null)
      ? fromNetwork(to, type, demand)
      : [];
  if (instance.bandwidthWeighting !== 'default' || !isByThroughput(kind, limit)) return [];
  if (type?.ebs == null || !type.bandwidthWeightings.includes('ebs-1') || demand === null) return [];
  const [first] = explained(to, type.ebs);
  if (first === undefined || first.isLikely) return [];
  const { figures } = weightedFigures(type.ebs, type.instanceType, 'ebs-1');
  const after = first.load.throttledMinutesWith(figures);
  // What is demanded at most may be throttled for longer than what was: then nothing is known to become less.
  if (after >= Math.min(first.load.throttledMinutesWith(type.ebs), demand.throttledMinutes)) return [];
  const effect: Recommendation['effect'] = {
    ...{ method: 'simulated', throttledMinutesBefore: demand.throttledMinutes },
    ...{ throttledMinutesAfter: after, limitBefore: limit, limitAfter: limitAfter(figures, limit) },
  };
  return [recommendation(to, type, { to: 'ebs-1', effect })];
}
