/** What is to be known of a plan as a whole, in words: one line a note. */
import { figure, usdText } from '../../core/figures.ts';
import { rateText as failureText } from '../../core/plan/cheapest-member.ts';
import type { PlanNote } from '../../core/schemas/plan-notes.ts';
import { type WordsByCode, wordsOf } from './by-code.ts';
import { limitNoteText, priceSourceText } from './catalog.ts';
import { priceReasonText } from './reasons.ts';
import { shortText } from './words.ts';

function widerText(one: Extract<PlanNote, { code: 'wider-limit' }>): string {
  const { maxMembers, chunkKiB, maxAnnualFailureRate, monthlyUsd, monthlyUsdLess } = one;
  const options = [
    ...(maxMembers === null ? [] : [`--max-members ${maxMembers}`]),
    ...(chunkKiB === null ? [] : [`--chunk-kib ${chunkKiB}`]),
    ...(maxAnnualFailureRate === null ? [] : [`--max-annual-failure-rate ${maxAnnualFailureRate}`]),
  ];
  const price = monthlyUsd === null ? '' : ` for ${usdText(monthlyUsd)} a month`;
  const less = monthlyUsdLess === null ? '' : `, ${usdText(monthlyUsdLess)} less than the cheapest here`;
  return `with ${options.join(' ')} it would be ${one.members} x ${one.volumeType}${price}${less}. It loses data with ${failureText(one.annualFailureRate)} a year`;
}

const texts: WordsByCode<PlanNote> = {
  'no-capacity-asked': () => 'no capacity was asked for: it is sized for performance alone',
  'no-instance-carries': ({ iops, throughputMiBps, instanceType, baselineIops, baselineMiBps }) =>
    `no instance type carries ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s: the most is ${shortText(instanceType, 40)} with ${figure(baselineIops)} IOPS and ${figure(baselineMiBps, 0)} MiB/s`,
  'instance-must-carry': ({ iops, throughputMiBps }) =>
    `the instance needs a baseline of ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s: --instance-type TYPE checks one, --vcpus and --memory-gib choose the cheapest`,
  'wider-limit': widerText,
  deployment: ({ note }) => limitNoteText(note),
  'price-source': ({ source }) => priceSourceText(source),
  'prices-of-another-region': ({ region, rankingRegion, reason }) =>
    `${priceReasonText(reason)}: options are ranked by the prices of ${rankingRegion}; \`catalog refresh --region ${region}\` reads them`,
  'built-in-instance-types': ({ region }) =>
    `instance types are those that come with stripewise: whether ${region} offers each of them is not known before a refresh`,
  'built-in-tables': () => 'these tables come with stripewise; `catalog refresh` reads today’s',
};

export const planNoteText = (note: PlanNote): string => wordsOf<PlanNote>(texts, note);
