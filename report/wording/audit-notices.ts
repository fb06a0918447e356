/** What a reader of an audit should know beside its findings, and what could not be read: a line each. */
import { fewOf } from '../../core/few.ts';
import { figure } from '../../core/figures.ts';
import type {
  AuditNotice,
  LeftOutType,
  MonitoringBounded,
  NotRead,
  UsedInstead,
} from '../../core/schemas/audit-notice.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { type AccountNames, calledIn } from './accounts.ts';
import { contradictionText } from './catalog.ts';
import { exceededTimeText } from './host-statistics.ts';
import { cameText, hostNoteText, hostReasonText } from './reasons.ts';
import { cited, counted, metricPriceNote, minutesText, shortText, timeText } from './words.ts';

type Code = AuditNotice['code'];
type Of<One extends Code> = Extract<AuditNotice, { code: One }>;

const id = (text: string): string => shortText(text, 100);
const few = (ids: readonly string[], count: number): string =>
  [...ids.map(id), ...(count > ids.length ? [`${figure(count - ids.length, 0)} more`] : [])].join(', ');

const examples = 2;

const partTexts: Readonly<Record<UsedInstead['part'], string>> = { ebs: 'EBS', instances: 'Instance' };

const ofTypes = (volumeTypes: readonly string[] | undefined): string =>
  volumeTypes === undefined ? '' : ` of ${volumeTypes.map(id).join(', ')}`;

const insteadText = (used: readonly UsedInstead[]): string =>
  used
    .map(({ part, asOf, volumeTypes }) => {
      const prices = `${partTexts[part]} prices${ofTypes(volumeTypes)}`;
      return asOf === null ? ` ${prices} are unknown.` : ` ${prices} of ${id(asOf)} are used.`;
    })
    .join('');

function usedText({ used, asOf }: Of<'prices-not-refreshed'>): string {
  const day = id(asOf ?? '');
  if (used === 'stored') return `The table of ${day} is used.`;
  if (used === 'built-in') return 'The table that comes with stripewise is used.';
  if (used === 'those-of-before') return 'Those of before are used.';
  return `None comes with stripewise: they are unknown, and instance types are those of ${day}.`;
}

function leftOutText({ instanceType, reason }: LeftOutType): string {
  const why =
    reason.code === 'not-as-expected'
      ? [reason.path, reason.message].filter((part) => part !== '').join(': ')
      : contradictionText(reason);
  return `${instanceType === '' ? 'one without a name' : instanceType} (${why})`;
}

const ofVolumes = (volumes: Of<'stripe-tag-unused'>['volumes']): string =>
  fewOf(volumes.map(({ volumeId, tag }) => `${id(volumeId)} (${id(tag)})`));

/** "The budget of 50 USD a month (budget.apiUsdPerMonth) bounds monitoring: quiet volumes are polled every 45 min, not every 15." */
export function monitoringBoundedText(bounded: MonitoringBounded): string {
  const { budgetUsd, accounts, quietEveryMinutes, usualEveryMinutes } = bounded;
  const polled =
    quietEveryMinutes === null
      ? 'no volume is polled'
      : `quiet volumes are polled every ${figure(quietEveryMinutes, 0)} min, not every ${figure(usualEveryMinutes, 0)}`;
  const of =
    accounts === undefined
      ? `The budget of ${figure(budgetUsd)} USD a month (budget.apiUsdPerMonth)`
      : `The budget of ${figure(budgetUsd)} USD a month (budget.accounts[${accounts.entry}]) of ${few(accounts.first.slice(0, examples), accounts.count)}`;
  return `${of} bounds monitoring: ${polled}.`;
}

/** "vol-0123456789abcdef0, 90 s above the volume's IOPS". */
const exceededText = ({
  volumeId,
  limit,
  exceededSeconds,
}: Of<'exceeded-without-finding'>['volumes'][number]): string =>
  `${id(volumeId)}, ${exceededTimeText(exceededSeconds, [limit])},`;

/** "2 volumes have the rhythm for a schedule of IOPS: vol-0123456789abcdef0, vol-0fedcba9876543210." */
const scheduleText = (volumeIds: readonly string[], count: number): string =>
  `${counted(count, 'volume')} ${count === 1 ? 'has' : 'have'} the rhythm for a schedule of IOPS: ${few(volumeIds.slice(0, examples), count)}.`;

const texts: { [One in Code]: (notice: Of<One>) => string } = {
  'ebs-prices-unknown': ({ region }) =>
    `EBS prices of ${id(region)} are not known: recommendations there have no price, and savings are not in USD. \`stripewise catalog refresh --region ${id(region)}\` reads them; a deployed audit reads them before it evaluates.`,
  'prices-not-refreshed': (notice) =>
    `Prices of ${id(notice.region)} could not be refreshed: ${cited(notice.reason)}. ${usedText(notice)}`,
  'stored-prices-unreadable': ({ region, reason }) =>
    `Stored prices of ${id(region)} could not be read: ${cited(reason)}. The table that comes with stripewise is used.`,
  'stored-prices-denied': ({ region, reason }) =>
    `Stored prices of ${id(region)} may not be read: ${cited(reason)}. Each run asks for them anew.`,
  'volume-type-prices-unknown': ({ region, volumeTypes }) =>
    `No price of ${volumeTypes.map(id).join(', ')} in ${id(region)} is known: no savings with these types were looked for. \`stripewise catalog refresh --region ${id(region)}\` reads it anew.`,
  'price-list-incomplete': ({ region, part, reason, volumeTypes, usedInstead }) =>
    `${partTexts[part]} prices of ${id(region)}${volumeTypes === undefined ? '' : ` for ${volumeTypes.map(id).join(', ')}`} in the Price List cannot be used: ${cited(reason)}.${insteadText(usedInstead.filter((used) => used.part === part))}`,
  'instance-prices-unclear': ({ region, instanceTypes, count, usedInstead }) =>
    `Instance prices of ${id(region)} that are not clear in the Price List were left out: ${few(instanceTypes, count)}.${insteadText(usedInstead)}`,
  'instance-types-left-out': ({ region, read, leftOut, first }) =>
    `${figure(leftOut, 0)} of ${counted(read, 'instance type')} of ${id(region)} cannot be used, and were left out. Among them: ${cited(first.slice(0, examples).map(leftOutText).join(', '))}.`,
  'of-host': ({ instanceId, note }) => `Host ${id(instanceId)}: ${hostNoteText(note)}.`,
  'host-not-in-audit': ({ instanceId }) =>
    `Host ${id(instanceId)} is no instance of this audit: what it says of volumes was not used.`,
  'host-not-read': ({ instanceIds, count, reason }) =>
    `How volumes are joined was not read from ${count === 0 ? 'hosts' : few(instanceIds, count)}: ${hostReasonText(reason)}.`,
  'hosts-denied': ({ reason }) => `How volumes are joined was not read from hosts: ${cited(reason)}.`,
  'exceeded-without-finding': ({ instanceId, volumes: [most], count, start, end }) =>
    `No finding is about ${most === undefined ? 'volumes' : exceededText(most)} on host ${id(instanceId)}.${count > 1 ? ` So it is with ${figure(count - 1, 0)} more.` : ''} NVMe statistics count from ${timeText(start)} to ${timeText(end)}, seconds included that averages hide.`,
  'host-readings-not-kept': ({ count, reason }) =>
    `NVMe statistics of ${counted(count, 'host')} were not kept for the next run: ${cited(reason)}.`,
  'stripe-tag-unused': ({ volumes }) =>
    `The tag stripewise:stripe makes no stripe of ${ofVolumes(volumes)}. No other volume of the same instance has the same value, or the host says otherwise.`,
  'monitoring-bounded': (bounded) =>
    `${monitoringBoundedText(bounded)} Polling ${counted(bounded.volumes, 'volume')} as usual takes about ${figure(bounded.enoughUsd, 0)} USD a month with the audits${metricPriceNote(null)}.`,
  'budget-of-nothing-read': ({ entry, names, count }) =>
    `budget.accounts[${entry}] names ${few(names.slice(0, examples), count)}, which this audit does not read: correct the budget, or organization.`,
  'one-minute-points-gone': ({ periodSeconds }) =>
    `CloudWatch no longer has one-minute points of all of this window. Suspects were also read in points of ${periodSeconds} s, which hide bursts.`,
  'cost-is-at-least': () => 'The run cost at least this: what failed is not counted.',
  'cloudwatch-message': ({ from, messageCode, text }) =>
    `${cited(from)}: CloudWatch says ${id(messageCode)}: ${cited(text)}.`,
  'metric-in-part': ({ from, resourceId, metric, status }) =>
    `${cited(from)}: ${metric === '' ? '' : `${id(metric)} of `}${id(resourceId)} ${cameText(status)}.`,
  'metrics-not-read': ({ metrics, resources, reason }) =>
    `${counted(metrics, 'metric')} of ${counted(resources, 'resource')} could not be read: ${cited(reason)}.`,
  'more-pages': ({ file }) => `${cited(file)} has a NextToken: more pages follow that are not in it.`,
  'archive-file-not-read': ({ reason }) => `${cited(reason)}. The rest of the archive was used.`,
  'archive-begins': ({ start, regions, accounts = 1 }) => {
    const where = `${few(regions.slice(0, examples), regions.length)}${accounts > 1 ? ` in ${counted(accounts, 'account')}` : ''}`;
    return regions.length * accounts > 1
      ? `The archives of ${where} begin after the window does, the last at ${id(start)}. Each volume was evaluated from there on.`
      : `The archive of ${where} begins at ${id(start)}: volumes were evaluated from there on.`;
  },
  'archive-not-written': ({ region, reason }) =>
    `What was read of ${id(region)} is not in the archive yet: ${reason === null ? 'the step that writes it failed, and its log says why' : cited(reason)}. The next run writes it.`,
  'labels-passed-over': ({ file, count, first }) =>
    `${cited(file)}: ${counted(count, 'result')} passed over, as the labels are not of the audit. The first is "${id(first)}".`,
  'region-not-read': ({ region, reason }) => `No volume of ${id(region)} was evaluated: ${cited(reason)}.`,
  'batch-not-read': ({ volumes, reason }) =>
    `${counted(volumes, 'volume')} of a batch could not be read: ${reason === null ? 'it ended without a result' : cited(reason)}.`,
  'modifications-unknown': ({ volumeIds, count }) =>
    `${scheduleText(volumeIds, count)} How long a modification of theirs takes is not known. With \`--archive\` or \`--metrics\`, \`--modifications\` gives it; a deployed audit of an archive reads it.`,
  'modifications-too-slow': ({ volumeIds, count }) =>
    `${scheduleText(volumeIds, count)} An earlier modification took too long for the hours between: none is offered.`,
  'instances-not-read': ({ reason }) =>
    `Instances were not evaluated, and volumes without them: ${cited(reason)}.`,
  'instances-unlisted': ({ instanceIds, count, reason }) =>
    `Not evaluated, and their volumes without them: ${few(instanceIds, count)}. ${cited(reason)}.`,
  'volumes-unlisted': ({ volumeIds, count, reason }) =>
    `Attached to an instance, and not evaluated: ${few(volumeIds, count)}. ${reason === null ? 'ec2:DescribeVolumes does not know them' : cited(reason)}.`,
  'checks-not-listed': ({ reason }) =>
    `Published checks of volumes were not listed: ${cited(reason)}. They were asked for as published with the present instance.`,
  'benchmark-hosts-not-read': ({ reason }) =>
    `Hosts of the benchmark could not be read: ${cited(reason)}. Their volumes were audited like others.`,
  'benchmark-hosts-not-known': ({ region, reason }) =>
    `${id(region)}: whether a benchmark runs there is not known: ${cited(reason)}. If one does, its volumes were audited like others.`,
  'recording-assumption': ({ volumeId, text }) => `${id(volumeId)}: ${cited(text)}.`,
  'recording-gap': ({ volumeId, from, to, stepSeconds, unknownSeconds, periodSeconds }) =>
    `${id(volumeId)}: no row for ${minutesText(stepSeconds / secondsPerMinute)} from ${id(from)} to ${id(to)}. Of it ${minutesText(unknownSeconds / secondsPerMinute)} are unknown, since a row stands for ${periodSeconds} s.`,
  'recording-overlap': ({ volumeId, at, stepSeconds, periodSeconds }) =>
    `${id(volumeId)}: the row at ${id(at)} comes ${stepSeconds} s after the one before. The period is ${periodSeconds} s, so they overlap.`,
  'recording-repeated': ({ volumeId, points, at }) =>
    `${id(volumeId)}: ${counted(points, 'row')} with a timestamp that comes again (${few(at, points)}). The last of each was kept.`,
  'recording-more': ({ volumeId, what, count }) => `${id(volumeId)}: ${figure(count, 0)} more ${what}.`,
};

/** In sentences, each with its point; text of an account in it is sanitized. */
export const noticeTextIn =
  (names: AccountNames) =>
  (notice: AuditNotice | NotRead): string => {
    const text = (texts[notice.code] as (notice: AuditNotice) => string)(notice);
    const times = 'times' in notice ? (notice.times ?? 1) : 1;
    const where = notice.account === undefined ? '' : `Account ${calledIn(names, notice.account)}: `;
    return `${where}${text}${times === 1 ? '' : ` (${figure(times, 0)} times)`}`;
  };

/** Where accounts have no names. */
export const noticeText = noticeTextIn(new Map());
