/** Why an option of a plan is what it is, in words: one line a reason, without a full stop at its end. */
import { figure, usdText } from '../../core/figures.ts';
import { rateText as failureText } from '../../core/plan/cheapest-member.ts';
import type { BindingLimit } from '../../core/plan/delivered.ts';
import type { PlanReason } from '../../core/schemas/plan-reasons.ts';
import { type WordsByCode, wordsOf } from './by-code.ts';
import { priceReasonText } from './reasons.ts';
import { shortText } from './words.ts';

type Code = PlanReason['code'];
type Of<C extends Code> = Extract<PlanReason, { code: C }>;
type Placed = Of<'dearer'>;

const percent = (share: number): string => `${figure(share * 100, 4)} %`;
const typeText = (instanceType: string): string => shortText(instanceType, 40);

function placedText({ shownAs, lowerRisk }: Pick<Placed, 'shownAs' | 'lowerRisk'>, text: string): string {
  const head = { 'in-place': 'in place: ', 'cheapest-single': 'the cheapest single volume: ' };
  const [rate, other] = [
    failureText(lowerRisk?.annualFailureRate ?? 0),
    failureText(lowerRisk?.cheapestAnnualFailureRate ?? 0),
  ];
  const risk =
    lowerRisk === null || rate === other ? '' : `, for an annual failure rate of ${rate} instead of ${other}`;
  return `${shownAs === null ? '' : head[shownAs]}${text}${risk}`;
}

function gp3Text({ members, iops, throughputMiBps, paidIops, paidMiBps }: Of<'gp3-included'>): string {
  const each = members === 1 ? 'it includes' : 'each member includes';
  const included = `${each} ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s`;
  const paid = [
    ...(paidIops > 0 ? [`${figure(paidIops)} IOPS`] : []),
    ...(paidMiBps > 0 ? [`${figure(paidMiBps)} MiB/s`] : []),
  ];
  if (paid.length === 0) return `${included}: only storage is paid`;
  return `${included}; ${paid.join(' and ')}${members === 1 ? '' : ' a member'} are paid on top`;
}

function firstLimitText({ limits, roomShare }: Of<'first-limit'>): string {
  const named = (whose: string, iops: BindingLimit, throughput: BindingLimit): string[] => {
    const mine = [
      ...(limits.includes(iops) ? ['IOPS'] : []),
      ...(limits.includes(throughput) ? ['throughput'] : []),
    ];
    return mine.length === 0 ? [] : [`${whose} ${mine.join(' and ')}`];
  };
  const met = [
    ...named('its volumes’', 'iops', 'throughput'),
    ...named('the instance’s', 'instance-iops', 'instance-throughput'),
  ];
  const room =
    roomShare === 0 ? 'without room above what was asked' : `with room for ${percent(roomShare)} more`;
  return `a growing load first meets ${met.join(' and ')}, ${room}`;
}

const redundancies = {
  stripe: 'it is lost when any member is',
  raid10:
    'it is lost when both volumes of a pair are. Half of the capacity is the second copy, every write is two I/Os',
  raid5: 'it is lost when two members are. A write costs four I/Os (read data and parity, write both)',
};

const hddNames = {
  st1: 'HDD for large sequential I/O',
  sc1: 'the cheapest storage, HDD for large sequential I/O',
};

const texts: WordsByCode<PlanReason> = {
  cheapest: ({ layouts }) => `the cheapest of ${layouts} layouts that are legal and good enough`,
  'same-price': (one) =>
    placedText(one, `the same price as the cheapest${one.hasMoreMembers ? ', with more members' : ''}`),
  'price-unknown': (one) => placedText(one, 'after those with a known price'),
  dearer: (one) =>
    placedText(
      one,
      `${usdText(one.monthlyUsdMore)} a month more than the cheapest${one.isPricedElsewhere ? ', by the prices of another Region' : ''}`,
    ),
  'gp3-included': gp3Text,
  'io2-promises': () =>
    'io2 keeps its performance 99.9 % of the time, is 99.999 % durable and answers in under 0.5 ms on average (16 KiB). gp3: 99 % of the time, 99.8 to 99.9 % durable',
  'io1-promises': () => 'io1 keeps its performance 99.9 % of the time and is as durable as gp3',
  'gp2-baseline': ({ iopsPerGiB }) =>
    `the baseline of gp2 counts (${figure(iopsPerGiB)} IOPS a GiB), not its burst, which ends with its credits`,
  'hdd-baseline': ({ volumeType, baselineMiBpsPerTiB }) =>
    `${hddNames[volumeType]}: the baseline of ${volumeType} counts (${figure(baselineMiBpsPerTiB)} MiB/s a TiB), not its burst`,
  'loses-data-more-often': ({ annualFailureRate, currentAnnualFailureRate }) =>
    `it loses data with ${failureText(annualFailureRate)} a year, today’s volumes with ${failureText(currentAnnualFailureRate)}`,
  'smallest-of-its-type': ({ volumeType, totalGiB, smallestGiB }) =>
    `${figure(totalGiB)} GiB in all: the smallest ${volumeType} has ${figure(smallestGiB)} GiB`,
  'size-for-speed': ({ volumeType, totalGiB }) =>
    `${figure(totalGiB)} GiB in all, more than was asked: ${volumeType} has so much performance only from this size on`,
  'capacity-alone': () => 'only capacity was asked for',
  'first-limit': firstLimitText,
  redundancy: ({ kind }) => redundancies[kind],
  'write-penalty': ({ writeShare, memberIoPerIo }) =>
    `with ${percent(writeShare)} writes, 100 I/Os are ${figure(100 * memberIoPerIo)} on the members`,
  'io-split': ({ ioSizeKiB, chunkKiB, pieces }) =>
    `an I/O of ${figure(ioSizeKiB)} KiB is ${pieces} I/Os of the members at a chunk of ${figure(chunkKiB)} KiB`,
  'no-room-in-stripe': ({ measuredEfficiency, leastRoomShare }) =>
    `a stripe was measured to give about ${percent(measuredEfficiency)} of its members’ sum. This one has less than ${percent(leastRoomShare)} of room: --stripe-efficiency ${measuredEfficiency} plans for that`,
  'merging-not-counted': ({ ioSizeKiB, merged, unitKiB }) =>
    `up to ${merged} sequential I/Os of ${figure(ioSizeKiB)} KiB can count as one of ${unitKiB} KiB: this plan does not rely on it`,
  'instance-baseline': ({ instanceType, baselineIops, baselineMiBps, maximumIops }) =>
    `${typeText(instanceType)} has a baseline of ${figure(baselineIops)} IOPS and ${figure(baselineMiBps, 0)} MiB/s${maximumIops > baselineIops ? `. Its maximum of ${figure(maximumIops)} IOPS is only promised for 30 minutes in 24 h` : ''}`,
  arm64: ({ instanceType }) => `${typeText(instanceType)} is arm64: --arch x86_64 leaves such types out`,
  'cpu-credits': ({ instanceType }) =>
    `the CPU of ${typeText(instanceType)} runs on credits: a steady load uses them up`,
  'previous-generation': ({ instanceType }) => `${typeText(instanceType)} is of a previous generation`,
  'usual-instance': ({ instanceType, monthlyUsd }) =>
    `of the current generation without CPU credits the cheapest is ${typeText(instanceType)} at ${usdText(monthlyUsd)} a month`,
  'ebs-cards': ({ volumes }) =>
    `put ${volumes.map((count, i) => `${count} on EBS card ${i}`).join(', ')}: each card has limits of its own`,
  'instance-price-unknown': ({ reason }) => `its price is unknown: ${priceReasonText(reason)}`,
};

export const planReasonText = (reason: PlanReason): string => wordsOf<PlanReason>(texts, reason);
