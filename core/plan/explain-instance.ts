/** What is said of the instance of an option. */
import type { InstanceType } from '../catalogue/instance-type.ts';
import { figure, usdText } from '../figures.ts';
import { type PricedInstance, spreadOverCards } from './instance-choice.ts';
import type { Candidate } from './search.ts';

/** What a person should know of a type before running a database on it. */
function typeCautions({
  instanceType,
  currentGeneration,
  burstableCpu,
  architectures,
}: InstanceType): string[] {
  return [
    ...(architectures.includes('arm64')
      ? [`${instanceType} is arm64: --arch x86_64 leaves such types out`]
      : []),
    ...(burstableCpu ? [`its CPU runs on credits: a steady load uses them up`] : []),
    ...(currentGeneration ? [] : [`${instanceType} is of a previous generation`]),
  ];
}

/** @param usual the cheapest that carries it of the current generation, without CPU credits. */
export function instanceReasons(
  { instance, instanceRates, layout }: Candidate,
  usual: PricedInstance | null,
): string[] {
  if (instance === null || instance.type.ebs === null) return [];
  const { type, monthlyUsd } = instance;
  const { baselineIops, maximumIops, baselineMiBps } = instance.type.ebs;
  const cards = spreadOverCards(type, instanceRates, layout.members);
  return [
    `${type.instanceType} carries ${figure(baselineIops)} IOPS and ${figure(baselineMiBps, 0)} MiB/s all the time (its baseline)${maximumIops > baselineIops ? `; its maximum of ${figure(maximumIops)} is only promised for 30 minutes in 24 h` : ''}`,
    ...typeCautions(type),
    ...(usual === null || usual.type === type || !usual.monthlyUsd.known
      ? []
      : [
          `of the current generation without CPU credits the cheapest is ${usual.type.instanceType} at ${usdText(usual.monthlyUsd.value)} a month`,
        ]),
    ...(cards.length > 1
      ? [
          `put ${cards.map((count, i) => `${count} on EBS card ${i}`).join(', ')}: each card has limits of its own`,
        ]
      : []),
    ...(monthlyUsd.known ? [] : [`its price is unknown: ${monthlyUsd.because.code}`]),
  ];
}
