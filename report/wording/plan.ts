/** A plan in words: notes, routes, reasons, and what was refused with what is nearest. */
import { figure, usdText } from '../../core/figures.ts';
import type { VolumeType } from '../../core/limits/volume-limits.ts';
import { rateText as failureText } from '../../core/plan/cheapest-member.ts';
import type { BindingLimit } from '../../core/plan/delivered.ts';
import type { Layout } from '../../core/plan/layout.ts';
import type {
  CurrentAnswer,
  PlanNote,
  Planned,
  PlanOption,
  PlanReason,
} from '../../core/schemas/plan-answer.ts';
import type {
  InstanceReason,
  Refused,
  RefusedNearest,
  RefusedReason,
  RefusedShapes,
  RefusedWhat,
} from '../../core/schemas/plan-refused.ts';
import type { RouteMember, RouteReason } from '../../core/schemas/plan-steps.ts';
import { limitNoteText, priceSourceText } from './catalog.ts';
import { commandLine, type PlanNaming } from './plan-names.ts';
import { priceReasonText, typeReasonText } from './reasons.ts';
import { layoutKindWords, shortText, type WordsByCode, wordsOf } from './words.ts';

// What is to be known of a plan as a whole, in words: one line a note.

function widerText(one: Extract<PlanNote, { code: 'wider-limit' }>, { set, together }: PlanNaming): string {
  const { maxMembers, chunkKiB, maxAnnualFailureRate, monthlyUsd, monthlyUsdLess } = one;
  const options = [
    ...(maxMembers === null ? [] : [set('maxMembers', maxMembers)]),
    ...(chunkKiB === null ? [] : [set('chunkKiB', chunkKiB)]),
    ...(maxAnnualFailureRate === null ? [] : [set('maxAnnualFailureRate', maxAnnualFailureRate)]),
  ];
  const price = monthlyUsd === null ? '' : ` for ${usdText(monthlyUsd)} a month`;
  const less = monthlyUsdLess === null ? '' : `, ${usdText(monthlyUsdLess)} less than the cheapest here`;
  return `with ${together(options)} it would be ${one.members} x ${one.volumeType}${price}${less}. It loses data with ${failureText(one.annualFailureRate)} a year`;
}

const noteTexts = (naming: PlanNaming): WordsByCode<PlanNote> => ({
  'no-capacity-asked': () => 'no capacity was asked for: it is sized for performance alone',
  'no-instance-carries': ({ iops, throughputMiBps, instanceType, baselineIops, baselineMiBps }) =>
    `no instance type carries ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s: the most is ${shortText(instanceType, 40)} with ${figure(baselineIops)} IOPS and ${figure(baselineMiBps, 0)} MiB/s`,
  'instance-must-carry': ({ iops, throughputMiBps }) =>
    `the instance needs a baseline of ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s: ${naming.aType} checks one, ${naming.names.vcpus} and ${naming.names.memoryGiB} choose the cheapest`,
  'wider-limit': (one) => widerText(one, naming),
  deployment: ({ note }) => limitNoteText(note),
  'price-source': ({ source }) => priceSourceText(source),
  'prices-of-another-region': ({ region, rankingRegion, reason }) =>
    `${priceReasonText(reason)}: options are ranked by the prices of ${rankingRegion}; ${naming.refreshedOf(region)}`,
  'built-in-instance-types': ({ region }) =>
    `instance types are those that come with stripewise: whether ${region} offers each of them is not known before a refresh`,
  'built-in-tables': () => `these tables come with stripewise; ${naming.refreshed}`,
});

/** @param naming of what can be asked */
export const planNoteText = (note: PlanNote, naming = commandLine): string =>
  wordsOf<PlanNote>(noteTexts(naming), note);

// Layouts, and what stands today.

/** "one gp3", "stripe of 5 gp3". */
export const layoutName = ({ kind, members, volumeType }: Layout): string =>
  kind === 'single' ? `one ${volumeType}` : `${layoutKindWords[kind]}${members} ${volumeType}`;

/** What is paid for: "storage 80.00 USD", "IOPS 15.00 USD". */
export function paidPartTexts({ storage, iops, throughput, instance }: PlanOption['monthlyUsd']): string[] {
  const parts = [
    ['storage', storage],
    ['IOPS', iops],
    ['throughput', throughput],
    ['instance', instance],
  ] as const;
  return parts.flatMap(([name, usd]) => (usd === null || usd === 0 ? [] : [`${name} ${usdText(usd)}`]));
}

/** What is needed, in a line. */
export function needText({ need }: Pick<Planned, 'need'>): string {
  const { iops, throughputMiBps, capacityGiB, ioSizeKiB, access, readShare } = need;
  return `Needed: ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s, ${figure(capacityGiB)} GiB; ${access}, ${figure(ioSizeKiB)} KiB an I/O, ${figure(readShare * 100)} % reads`;
}

/** What stands behind a baseline. */
export function aboveText({ layout, bursts }: Pick<CurrentAnswer, 'layout' | 'bursts'>): string {
  const said = [
    ...(bursts ? ['bursts above it, on credits'] : []),
    ...(layout.kind === 'linear' ? ['at worst: of one of its volumes'] : []),
  ];
  return said.length === 0 ? '' : ` (${said.join('; ')})`;
}

/** What stands today, and whether it is enough: sentences. */
export function currentText({
  layout,
  instanceType,
  deliveredIops,
  deliveredMiBps,
  bursts,
  isEnough,
  monthlyUsd,
  annualFailureRate,
}: CurrentAnswer): string {
  const more = aboveText({ layout, bursts });
  const on = instanceType === null ? '' : ` on ${shortText(instanceType, 40)}`;
  const rates =
    layout.volumeType === 'standard'
      ? `about ${figure(deliveredIops)} IOPS, which AWS does not promise`
      : `baseline ${figure(deliveredIops)} IOPS and ${figure(deliveredMiBps)} MiB/s${more}`;
  const usd = monthlyUsd === null ? 'unknown' : usdText(monthlyUsd);
  return [
    `Today: ${layoutName(layout)} of ${figure(layout.sizeGiB, 0)} GiB${on}, ${rates}, ${usd} a month.`,
    `It loses data with ${failureText(annualFailureRate)} a year.`,
    `${instanceType === null ? 'Its volumes are' : 'That is'} ${isEnough ? 'enough' : 'not enough'}.`,
  ].join(' ');
}

// Why a layout is reached in the way that it is, in words.

const routeKindNames = {
  single: 'one volume',
  stripe: 'a stripe of',
  raid10: 'a RAID10 of',
  raid5: 'a RAID5 of',
  linear: 'a linear layout of',
};

/** One volume, a stripe of 5, a RAID10 of 4. */
export const membersText = ({ kind, members }: Pick<Layout, 'kind' | 'members'>): string =>
  kind === 'single' ? routeKindNames.single : `${routeKindNames[kind]} ${members}`;

/** "gp3, 500 GiB, 3,000 IOPS, 125 MiB/s". */
const memberText = ({ volumeType, sizeGiB, iops, throughputMiBps }: RouteMember): string =>
  [
    volumeType,
    `${figure(sizeGiB)} GiB`,
    ...(iops === null ? [] : [`${figure(iops)} IOPS`]),
    ...(throughputMiBps === null ? [] : [`${figure(throughputMiBps)} MiB/s`]),
  ].join(', ');

const routeTexts: WordsByCode<RouteReason> = {
  'nothing-stands': () => 'nothing stands there yet',
  unchanged: ({ member }) => `it already is ${memberText(member)}`,
  'modify-volume': ({ members, from, to }) =>
    `ModifyVolume changes ${members === 1 ? 'the volume' : `${members} volumes alike`} while in use, from ${memberText(from)} to ${memberText(to)}`,
  'other-layout': ({ from, to }) =>
    `${membersText(from)} cannot become ${membersText(to)} where the data is: it is laid out over the volumes in another way`,
  'never-shrinks': ({ fromGiB, toGiB }) =>
    `an EBS volume never shrinks: from ${figure(fromGiB)} to ${figure(toGiB)} GiB needs a new one`,
  'joined-by-unknown': (one) =>
    `${membersText(one)} can be grown where it stands with some tools only, and what joins these volumes is not known`,
  'mdadm-stripe-grown': () => 'mdadm cannot use members that have grown in a stripe (RAID0)',
  'lvm-raid-grown': (one) => `growing ${membersText(one)} of LVM where it stands is not among the known ways`,
  magnetic: () => 'EC2 changes no volume from or to standard (magnetic) where it stands',
};

export const routeText = (reason: RouteReason): string => wordsOf<RouteReason>(routeTexts, reason);

// Why an option of a plan is what it is, in words: one line a reason, without a full stop at its end.

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

/** "its volumes’ IOPS and the instance’s throughput". */
export function limitsText(limits: readonly BindingLimit[]): string {
  const named = (whose: string, iops: BindingLimit, throughput: BindingLimit): string[] => {
    const mine = [
      ...(limits.includes(iops) ? ['IOPS'] : []),
      ...(limits.includes(throughput) ? ['throughput'] : []),
    ];
    return mine.length === 0 ? [] : [`${whose} ${mine.join(' and ')}`];
  };
  return [
    ...named('its volumes’', 'iops', 'throughput'),
    ...named('the instance’s', 'instance-iops', 'instance-throughput'),
  ].join(' and ');
}

function firstLimitText({ limits, roomShare }: Of<'first-limit'>): string {
  const room =
    roomShare === 0 ? 'without room above what was asked' : `with room for ${percent(roomShare)} more`;
  return `a growing load first meets ${limitsText(limits)}, ${room}`;
}

const redundancies = {
  linear: 'it is lost when any member is',
  stripe: 'it is lost when any member is',
  raid10:
    'it is lost when both volumes of a pair are. Half of the capacity is the second copy, every write is two I/Os',
  raid5: 'it is lost when two members are. A write costs four I/Os (read data and parity, write both)',
};

const hddNames = {
  st1: 'HDD for large sequential I/O',
  sc1: 'the cheapest storage, HDD for large sequential I/O',
};

const reasonTexts = ({ set }: PlanNaming): WordsByCode<PlanReason> => ({
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
  'no-room-in-stripe': ({ measuredEfficiency, minRoomShare }) =>
    `a stripe was measured to give about ${percent(measuredEfficiency)} of its members’ sum. This one has less than ${percent(minRoomShare)} of room: ${set('stripeEfficiency', measuredEfficiency)} plans for that`,
  'merging-not-counted': ({ ioSizeKiB, merged, unitKiB }) =>
    `up to ${merged} sequential I/Os of ${figure(ioSizeKiB)} KiB can count as one of ${unitKiB} KiB: this plan does not rely on it`,
  'instance-baseline': ({ instanceType, baselineIops, baselineMiBps, maximumIops }) =>
    `${typeText(instanceType)} has a baseline of ${figure(baselineIops)} IOPS and ${figure(baselineMiBps, 0)} MiB/s${maximumIops > baselineIops ? `. Its maximum of ${figure(maximumIops)} IOPS is only promised for 30 minutes in 24 h` : ''}`,
  arm64: ({ instanceType }) =>
    `${typeText(instanceType)} is arm64: ${set('architecture', 'x86_64')} leaves such types out`,
  'cpu-credits': ({ instanceType }) =>
    `the CPU of ${typeText(instanceType)} runs on credits: a steady load uses them up`,
  'previous-generation': ({ instanceType }) => `${typeText(instanceType)} is of a previous generation`,
  'usual-instance': ({ instanceType, monthlyUsd }) =>
    `of the current generation without CPU credits the cheapest is ${typeText(instanceType)} at ${usdText(monthlyUsd)} a month`,
  'ebs-cards': ({ volumes }) =>
    `put ${volumes.map((count, i) => `${count} on EBS card ${i}`).join(', ')}: each card has limits of its own`,
  'instance-price-unknown': ({ reason }) => `its price is unknown: ${priceReasonText(reason)}`,
});

/** @param naming of what can be asked */
export const planReasonText = (reason: PlanReason, naming = commandLine): string =>
  wordsOf<PlanReason>(reasonTexts(naming), reason);

// What a plan refuses, why, and how near one can come, in words.

const magnetic = 'standard (magnetic)';

/** Words before the number of members. */
const kindNames = {
  single: 'one',
  stripe: 'a stripe of',
  raid10: 'RAID10 of',
  raid5: 'RAID5 of',
  linear: 'a linear layout of',
} as const;

/** "a stripe of 2 to 4 gp3", "one gp3", "RAID10 of 4 or more". */
function shapesText({ kind, volumeType, fewest, most }: RefusedShapes): string {
  const range = most === null ? `${fewest} or more` : most === fewest ? `${fewest}` : `${fewest} to ${most}`;
  return [
    kindNames[kind],
    ...(kind === 'single' ? [] : [range]),
    ...(volumeType === null ? [] : [volumeType]),
  ].join(' ');
}

const underText = (under: readonly RefusedShapes[]): string =>
  under.length === 0 ? '' : ` with ${under.map(shapesText).join(', ')}`;

const whats: WordsByCode<RefusedWhat> = {
  layouts: shapesText,
  'volume-type': ({ volumeType }) => (volumeType === 'standard' ? magnetic : volumeType),
  'instance-type': ({ instanceType, under }) => `instance ${typeText(instanceType)}${underText(under)}`,
  instances: ({ vcpus, memoryGiB, architecture, under }) =>
    `any instance with ${figure(vcpus)} vCPU, ${figure(memoryGiB)} GiB${architecture === null ? '' : ` and ${shortText(architecture, 20)}`}${underText(under)}`,
  'instance-store': () => 'instance store (disks of the instance itself)',
};

/** gp3 is read "gee", st1 "ess". */
const withArticle = (volumeType: VolumeType): string =>
  `${volumeType.startsWith('gp') ? 'a' : 'an'} ${volumeType}`;

const units = { iops: 'IOPS', throughput: 'MiB/s', capacity: 'GiB' } as const;

function volumeLimitText(one: Extract<RefusedReason, { code: 'volume-limit' }>): string {
  const { limit, volumeType, deployment, asked, atMost, countedFrom } = one;
  const unit = units[limit];
  const isAsked =
    countedFrom === null
      ? `${figure(asked)} ${unit} are asked`
      : `${figure(countedFrom.iops)} IOPS of ${figure(countedFrom.ioSizeKiB)} KiB are asked, which count as ${figure(asked)} ${unit}`;
  const where = deployment === 'outposts' ? ' on Outposts' : '';
  return `${isAsked}; ${withArticle(volumeType)} volume${where} has at most ${figure(atMost)} ${unit}`;
}

function olderTypeText(one: Extract<RefusedReason, { code: 'older-type' }>): string {
  const { members, sizeGiB, monthlyUsdMore, isPricedElsewhere, gp3SavesShare } = one;
  const elsewhere = isPricedElsewhere ? ', by the prices of another Region' : '';
  const beside =
    gp3SavesShare === null
      ? 'io2 is more durable, and costs less above 32,000 IOPS'
      : `gp3 costs ${figure(100 * gp3SavesShare, 0)} % less a GiB and includes 3,000 IOPS`;
  return `the cheapest with it, ${members} x ${figure(sizeGiB)} GiB, costs ${usdText(monthlyUsdMore)} a month more than the cheapest option${elsewhere}. ${beside}`;
}

type InstanceLimits = Extract<InstanceReason, { code: 'instance-limits' }>;

function instanceLimitsText({ iops, throughputMiBps }: InstanceLimits): string {
  const text = (limit: InstanceLimits['iops'], unit: string, digits: number): string[] =>
    limit === null
      ? []
      : [
          `${figure(limit.asked)} ${unit} are asked: its EBS baseline is ${figure(limit.baseline, digits)}, its maximum ${figure(limit.maximum, digits)}`,
        ];
  return [...text(iops, 'IOPS', 2), ...text(throughputMiBps, 'MiB/s', 0)].join('. ');
}

const lost =
  'its data are lost when the instance stops, hibernates or terminates, or its disk fails. No snapshots, no resizing, no move to another instance: only for what can be rebuilt or is replicated';

const instanceBecauses: WordsByCode<InstanceReason> = {
  'instance-limits-unknown': ({ reason }) =>
    `${typeReasonText(reason)}: whether it carries the load is unknown`,
  'instance-limits': instanceLimitsText,
  'ebs-cards': ({ cards, baselineIopsEach, volumes }) =>
    `its ${cards} EBS cards carry ${figure(baselineIopsEach)} IOPS each, and ${volumes === 1 ? 'one volume is' : `${volumes} volumes are`} on one or few of them`,
  attachments: ({ dataVolumes }) => `it takes ${dataVolumes} volumes beside its root volume`,
  'no-such-instance': () => 'there is no such instance type',
};

const becauses: WordsByCode<RefusedReason> = {
  ...instanceBecauses,
  'volume-limit': volumeLimitText,
  'failure-rate': ({ annualFailureRate, ceiling, volumeAnnualFailureRate }) =>
    `its annual failure rate is ${failureText(annualFailureRate)} or more, above the ceiling of ${failureText(ceiling)} (${failureText(volumeAnnualFailureRate)} a volume)`,
  'hdd-random': () =>
    'HDD is for large sequential I/O: each random I/O counts as a whole MiB there, and takes the time of a seek',
  'hdd-small-io': ({ ioSizeKiB, minKiB }) =>
    `HDD is for sequential I/O of ${minKiB} KiB and more; ${figure(ioSizeKiB)} KiB was asked`,
  'no-promise': () =>
    'AWS promises no figure: about 100 IOPS on average, 40 to 200, unfit for most databases',
  'max-members': ({ maxMembers }) =>
    `at most ${maxMembers} ${maxMembers === 1 ? 'member is' : 'members are'} allowed`,
  'older-type': olderTypeText,
  'data-on-the-instance': ({ isOnlyWay }) =>
    isOnlyWay ? `no EBS layout within these limits does it. Instance store may, but ${lost}` : lost,
};

type Carries = Omit<Extract<RefusedNearest, { code: 'instance' }>, 'code'>;

/** "m5.8xlarge (baseline 30,000 IOPS and 811 MiB/s, 1,121.28 USD a month)". */
function carriesText({ instanceType, baselineIops, baselineMiBps, monthlyUsd }: Carries): string {
  const usd = monthlyUsd === null ? 'price unknown' : `${usdText(monthlyUsd)} a month`;
  return `${typeText(instanceType)} (baseline ${figure(baselineIops)} IOPS and ${figure(baselineMiBps, 0)} MiB/s, ${usd})`;
}

function ratesText(one: Extract<RefusedNearest, { code: 'rates' }>): string {
  const { iops, throughputMiBps, members, volumeType } = one;
  const rates = [
    ...(iops === null ? [] : [`${figure(iops)} IOPS`]),
    ...(throughputMiBps === null ? [] : [`${figure(throughputMiBps)} MiB/s`]),
  ];
  return `${rates.join(' and ')} with ${members} x ${volumeType}`;
}

const nearests = ({ set }: PlanNaming): WordsByCode<RefusedNearest> => ({
  rates: ratesText,
  capacity: ({ capacityGiB, members, volumeType }) =>
    `${figure(capacityGiB)} GiB with ${members} x ${volumeType}`,
  members: ({ members }) => `${members} members can`,
  'failure-rate': ({ annualFailureRate, members, volumeType }) =>
    `${failureText(annualFailureRate)} with ${members} x ${volumeType}`,
  'failure-rate-offered': ({ annualFailureRate }) =>
    `${failureText(annualFailureRate)} with an option that is offered`,
  sequential: ({ minKiB }) => `${set('access', 'sequential')} with ${set('ioSizeKiB', minKiB)} or more`,
  gp3: ({ iops, fromGiB }) => `gp3: ${figure(iops)} IOPS from ${fromGiB} GiB on`,
  'allow-members': ({ members }) => set('maxMembers', members),
  'plan-with-type': ({ volumeType }) => `${set('types', volumeType)} plans with it`,
  instance: carriesText,
  'no-instance-carries': ({ strongest }) =>
    strongest === null
      ? 'no instance type carries it'
      : `no instance type carries it; the most has ${carriesText(strongest)}`,
  'largest-instances': ({ vcpus, memory }) =>
    `the most vCPU has ${typeText(vcpus.instanceType)} (${figure(vcpus.vcpus)}), the most memory ${typeText(memory.instanceType)} (${figure(memory.memoryGiB)} GiB)`,
  'instance-store': ({ instanceType, disks, isSsd, totalGB }) =>
    `${typeText(instanceType)}: ${disks} ${isSsd ? 'SSD' : 'HDD'}${disks === 1 ? '' : 's'}, ${figure(totalGB)} GB in all; EC2’s API does not report what it can do: measure it`,
  'no-instance-store': ({ capacityGiB }) => `no instance type has ${figure(capacityGiB)} GiB of it`,
});

export const refusedWhatText = ({ what }: Pick<Refused, 'what'>): string =>
  what.map((one) => wordsOf<RefusedWhat>(whats, one)).join(', ');

export function refusedReasonText({ reason }: Pick<Refused, 'reason'>): string {
  const text = wordsOf<RefusedReason>(becauses, reason);
  return 'strongest' in reason && reason.strongest !== null
    ? `the strongest of them is ${typeText(reason.strongest)}: ${text}`
    : text;
}

/** Several instances are a choice; other figures belong together. @param naming of what can be asked */
export function refusedNearestText({ nearest }: Pick<Refused, 'nearest'>, naming = commandLine): string {
  const texts = nearest.map((one) => wordsOf<RefusedNearest>(nearests(naming), one));
  return texts.join(nearest.every(({ code }) => code === 'instance') ? ', or ' : '; ');
}
