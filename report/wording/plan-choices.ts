/** The choice between more IOPS and a bigger instance, in words: why each stands where it stands, and what to know before. */
import { figure, usdText } from '../../core/figures.ts';
import { rateText } from '../../core/plan/cheapest-member.ts';
import type {
  ChoiceCaution,
  ChoiceWhy,
  PlanChoice,
  PlanChoices,
  RuledOut,
} from '../../core/schemas/plan-choices.ts';
import { aboveText, layoutName, limitsText } from './plan.ts';
import { shortText, type WordsByCode, wordsOf } from './words.ts';

const typeText = (instanceType: string): string => shortText(instanceType, 40);

/** How it interrupts what runs. */
export const disruptionTexts: Record<PlanChoice['disruption'], string> = {
  none: 'nothing to do',
  online: 'online',
  restart: 'restart',
  migration: 'migration',
};

const byTexts: Record<PlanChoice['disruption'], string> = {
  none: 'without a change',
  online: 'online',
  restart: 'with a restart',
  migration: 'by a migration',
};

/** What a growing load meets first. */
export const limitTexts: Record<PlanChoice['bindingLimits'][number], string> = {
  iops: 'volumes: IOPS',
  throughput: 'volumes: MiB/s',
  'instance-iops': 'instance: IOPS',
  'instance-throughput': 'instance: MiB/s',
};

/** What stands today with its instance: sentences. */
export function choicesCurrentText(current: PlanChoices['current']): string {
  const { layout, instanceType, deliveredIops, deliveredMiBps, bursts, isEnough, totalMonthlyUsd } = current;
  const more = aboveText({ layout, bursts });
  return [
    `Today: ${layoutName(layout)} of ${figure(layout.sizeGiB, 0)} GiB on ${typeText(instanceType)}, baseline ${figure(deliveredIops)} IOPS and ${figure(deliveredMiBps)} MiB/s${more}.`,
    totalMonthlyUsd === null
      ? 'What it costs with the instance is unknown.'
      : `${usdText(totalMonthlyUsd)} a month with the instance.`,
    `It loses data with ${rateText(current.annualFailureRate)} a year.`,
    `That is ${isEnough ? 'enough' : 'not enough'}.`,
  ].join(' ');
}

/** What today's instance has for a while, where that would do; null where it would not. */
export const burstText = ({ burst, instanceType }: PlanChoices['current']): string | null =>
  burst === null
    ? null
    : `${typeText(instanceType)} has up to ${figure(burst.iops)} IOPS and ${figure(burst.throughputMiBps, 0)} MiB/s, promised for 30 minutes in 24 h. For a shorter peak it can stay.`;

const less = (usd: number): string => `${usdText(usd)} a month less`;

function cheaperText({ cheaper }: Extract<ChoiceWhy, { code: 'least-disruptive' }>): string {
  if (cheaper === null) return 'nothing that is enough is cheaper';
  const { number, monthlyUsdLess, disruption, isLessDurable } = cheaper;
  const durability = isLessDurable ? ', and less durable' : '';
  return `${number} costs ${less(monthlyUsdLess)}, ${byTexts[disruption]}${durability}`;
}

function againstFirstText(one: Extract<ChoiceWhy, { code: 'against-first' }>): string {
  const { monthlyUsdMore, isMoreDisruptive, isLessDurable } = one;
  const price =
    monthlyUsdMore === null
      ? 'its price is unknown'
      : monthlyUsdMore === 0
        ? 'the same price as 1'
        : monthlyUsdMore < 0
          ? `${less(-monthlyUsdMore)} than 1`
          : `${usdText(monthlyUsdMore)} a month more than 1`;
  const buts = [...(isMoreDisruptive ? ['more disruptive'] : []), ...(isLessDurable ? ['less durable'] : [])];
  return buts.length === 0 ? price : `${price}, but ${buts.join(' and ')}`;
}

const whys: WordsByCode<ChoiceWhy> = {
  'nothing-to-change': () => 'today is enough',
  'only-enough': () => 'the only one that is enough',
  'least-disruptive': (one) => `the least disruptive that is enough; ${cheaperText(one)}`,
  saves: ({ number, monthlyUsdLess, share }) =>
    `${less(monthlyUsdLess)} (${figure(share * 100, 0)} %) than ${number}, the least disruptive: worth it`,
  'against-first': againstFirstText,
  'not-enough': ({ limits }) => `not enough: the limit is ${limitsText(limits)}`,
};

export const choiceWhyText = (why: ChoiceWhy): string => wordsOf<ChoiceWhy>(whys, why);

const cautions: WordsByCode<ChoiceCaution> = {
  'network-bandwidth': ({ instanceType }) =>
    `bandwidth weighting ebs-1 of ${typeText(instanceType)} is free; it takes the bandwidth from the network`,
  'instance-store-lost': ({ instanceType }) =>
    `${typeText(instanceType)} has instance store: stopping it loses the data there`,
  'nitro-drivers': ({ instanceType }) =>
    `${typeText(instanceType)} is on Nitro: the system needs ENA and NVMe drivers first`,
  'loses-data-more-often': ({ annualFailureRate, currentAnnualFailureRate }) =>
    `it loses data with ${rateText(annualFailureRate, 2)} a year, today’s volumes with ${rateText(currentAnnualFailureRate, 2)}`,
  'ebs-cards': ({ volumes }) =>
    `put ${volumes.map((count, i) => `${count} on EBS card ${i}`).join(', ')}: each card has limits of its own`,
};

export const choiceCautionText = (caution: ChoiceCaution): string =>
  wordsOf<ChoiceCaution>(cautions, caution);

const needed = (iops: number, mibps: number): string => `${figure(iops)} IOPS and ${figure(mibps)} MiB/s`;

const ruledOuts: WordsByCode<RuledOut> = {
  'volumes-in-place': ({ iops, throughputMiBps }) =>
    `today’s volumes cannot have ${needed(iops, throughputMiBps)} where they stand`,
  'instance-is-not-the-limit': ({ instanceType }) =>
    `a larger instance changes nothing: ${typeText(instanceType)} carries the load, the volumes are the limit`,
  'no-instance-carries': ({ iops, throughputMiBps }) =>
    `no instance type that has all of today’s carries ${needed(iops, throughputMiBps)}`,
  'none-of-family': ({ family }) => `no size of ${shortText(family, 20)} carries it`,
  'instance-limits-unknown': ({ instanceType }) =>
    `EC2 does not report the EBS limits of ${typeText(instanceType)}: what it delivers is unknown`,
};

export const ruledOutText = (one: RuledOut): string => wordsOf<RuledOut>(ruledOuts, one);
