/** What a plan refuses, why, and how near one can come, in words. */
import { figure, usdText } from '../../core/figures.ts';
import type { VolumeType } from '../../core/limits/volume-limits.ts';
import { rateText as failureText } from '../../core/plan/cheapest-member.ts';
import type {
  InstanceReason,
  Refused,
  RefusedNearest,
  RefusedReason,
  RefusedShapes,
  RefusedWhat,
} from '../../core/schemas/plan-refused.ts';
import { type WordsByCode, wordsOf } from './by-code.ts';
import { typeReasonText } from './reasons.ts';
import { shortText } from './words.ts';

const typeText = (instanceType: string): string => shortText(instanceType, 40);
const magnetic = 'standard (magnetic)';

/** Words before the number of members. */
const kindNames = { single: 'one', stripe: 'a stripe of', raid10: 'RAID10 of', raid5: 'RAID5 of' } as const;

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
  'hdd-small-io': ({ ioSizeKiB, leastKiB }) =>
    `HDD is for sequential I/O of ${leastKiB} KiB and more; ${figure(ioSizeKiB)} KiB was asked`,
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

const nearests: WordsByCode<RefusedNearest> = {
  rates: ratesText,
  capacity: ({ capacityGiB, members, volumeType }) =>
    `${figure(capacityGiB)} GiB with ${members} x ${volumeType}`,
  members: ({ members }) => `${members} members can`,
  'failure-rate': ({ annualFailureRate, members, volumeType }) =>
    `${failureText(annualFailureRate)} with ${members} x ${volumeType}`,
  'failure-rate-offered': ({ annualFailureRate }) =>
    `${failureText(annualFailureRate)} with an option that is offered`,
  sequential: ({ leastKiB }) => `--access sequential with --io-size-kib ${leastKiB} or more`,
  gp3: ({ iops, fromGiB }) => `gp3: ${figure(iops)} IOPS from ${fromGiB} GiB on`,
  'allow-members': ({ members }) => `--max-members ${members}`,
  'plan-with-type': ({ volumeType }) => `--types ${volumeType} plans with it`,
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
};

export const refusedWhatText = ({ what }: Pick<Refused, 'what'>): string =>
  what.map((one) => wordsOf<RefusedWhat>(whats, one)).join(', ');

export function refusedReasonText({ reason }: Pick<Refused, 'reason'>): string {
  const text = wordsOf<RefusedReason>(becauses, reason);
  return 'strongest' in reason && reason.strongest !== null
    ? `the strongest of them is ${typeText(reason.strongest)}: ${text}`
    : text;
}

/** Several instances are a choice; other figures belong together. */
export function refusedNearestText({ nearest }: Pick<Refused, 'nearest'>): string {
  const texts = nearest.map((one) => wordsOf<RefusedNearest>(nearests, one));
  return texts.join(nearest.every(({ code }) => code === 'instance') ? ', or ' : '; ');
}
