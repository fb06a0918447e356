/** What is to be known of the instance of an option. */
import type { InstanceType } from '../catalog/instance-types.ts';
import { roundUsd } from '../prices/prices.ts';
import type { PlanReason } from '../schemas/plan-reasons.ts';
import { type PricedInstance, spreadOverCards } from './instance-choice.ts';
import type { Candidate } from './search.ts';

const has = (is: boolean, reason: PlanReason): PlanReason[] => (is ? [reason] : []);

/** What a person should know of a type before running a database on it. */
const typeCautions = ({
  instanceType,
  currentGeneration,
  burstableCpu,
  architectures,
}: InstanceType): PlanReason[] => [
  ...has(architectures.includes('arm64'), { code: 'arm64', instanceType }),
  ...has(burstableCpu, { code: 'cpu-credits', instanceType }),
  ...has(!currentGeneration, { code: 'previous-generation', instanceType }),
];

/** @param usual the cheapest that carries it of the current generation, without CPU credits. */
export function instanceReasons(
  { instance, instanceRates, layout }: Candidate,
  usual: PricedInstance | null,
): PlanReason[] {
  if (instance === null || instance.type.ebs === null) return [];
  const { type, monthlyUsd } = instance;
  const { instanceType } = type;
  const { baselineIops, maximumIops, baselineMiBps } = instance.type.ebs;
  const volumes = spreadOverCards(type, instanceRates, layout.members);
  return [
    { code: 'instance-baseline', instanceType, baselineIops, baselineMiBps, maximumIops },
    ...typeCautions(type),
    ...(usual === null || usual.type === type || !usual.monthlyUsd.known
      ? []
      : [
          {
            code: 'usual-instance' as const,
            instanceType: usual.type.instanceType,
            monthlyUsd: roundUsd(usual.monthlyUsd.value),
          },
        ]),
    ...has(volumes.length > 1, { code: 'ebs-cards', volumes }),
    ...(monthlyUsd.known ? [] : [{ code: 'instance-price-unknown' as const, reason: monthlyUsd.reason }]),
  ];
}
