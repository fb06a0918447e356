/** The words of a campaign: what its hosts do, what a search found, what its result cannot show. */
import type { CampaignNote } from '../../core/benchmark/campaign/campaign.ts';
import type { CellStep } from '../../core/benchmark/campaign/commands.ts';
import type { BenchLayout } from '../../core/benchmark/campaign/request.ts';
import type { Goal, SearchEnd } from '../../core/benchmark/search.ts';
import { fewOf } from '../../core/few.ts';
import { figure } from '../../core/figures.ts';
import type { CellFailure, CellReport, ReportNote, Unread } from '../../core/schemas/campaign-report.ts';
import { cited, counted, rateText, shortText } from './words.ts';

/** "most IOPS with p95 under 2 ms". */
export const goalText = ({ percentile, limitMs }: Goal): string =>
  `most IOPS with ${percentile} under ${limitMs} ms`;

/** "100 GiB, 3,000 IOPS, 125 MiB/s": of each volume. */
export const volumeFigures = ({
  sizeGiB,
  iops,
  throughputMiBps,
}: Pick<BenchLayout, 'sizeGiB' | 'iops' | 'throughputMiBps'>): string =>
  [
    rateText(sizeGiB, 'GiB'),
    ...(iops === undefined ? [] : [rateText(iops, 'IOPS')]),
    ...(throughputMiBps === undefined ? [] : [rateText(throughputMiBps, 'MiB/s')]),
  ].join(', ');

/** What a cell is at, in a few words: what is done next to it. */
export function stepText(step: CellStep): string {
  switch (step.code) {
    case 'launch-host':
      return 'launch its host';
    case 'wait-for-host':
      return 'wait for its host';
    case 'choose-next':
      return 'choose what it does next';
    case 'end-host':
      return 'terminate its host';
    case 'build-stripe':
      return 'build the stripe';
    case 'initialize-volumes':
      return 'read every block once';
    case 'drain-credits':
      return 'spend burst credits';
    case 'run-profile':
      return `run ${step.profile} (${shortText(step.runId, 20)})`;
    case 'measure-load':
      return `measure ${counted(step.inFlight, 'operation')} in flight (${shortText(step.runId, 20)})`;
  }
}

/** "Run it on the host: HostLost: gone": the state, the code, what was said. */
export const failureText = ({ step, error, message }: CellFailure): string =>
  [shortText(step, 100), shortText(error ?? 'unknown error', 100), cited(message, 1_000)].join(': ');

/** How an instance ends whose encrypted volumes cannot be made. Source: EC2 user guide, "Instance terminates immediately", read 2026-11-25. */
const whatEnded = (reason: string): string =>
  reason.startsWith('Client.InternalError')
    ? ' A common cause: the launch has no permission for the KMS key of the volumes. Set benchmark.kmsKeyArn, and allow the launch in the key policy.'
    : '';

/** What went wrong with a cell; it begins with its name. */
export const cellTroubles = ({
  id,
  failure,
  leftBehind,
  hostEnded,
}: Pick<CellReport, 'id' | 'failure' | 'leftBehind' | 'hostEnded'>): string[] => [
  ...(failure === null ? [] : [`${shortText(id, 70)} failed: ${failureText(failure)}.`]),
  ...(hostEnded === null
    ? []
    : [`${shortText(id, 70)}: EC2 ended its host: ${cited(hostEnded, 200)}.${whatEnded(hostEnded)}`]),
  ...(leftBehind === null
    ? []
    : [
        `${shortText(id, 70)}: its host was not terminated (${failureText(leftBehind)}). The cleanup takes it.`,
      ]),
];

/** Why a search measured no more. */
export function searchEndText(end: SearchEnd): string {
  switch (end.code) {
    case 'most-users':
      return `No more than ${counted(end.users, 'user')} may ask at once.`;
    case 'no-more-iops':
      return 'More users get no more IOPS, they only wait longer.';
    case 'next-load-over-limit':
      return 'The next larger load is over the limit.';
    case 'not-even-one':
      return 'Not even one user alone stays below the limit.';
    case 'runs-spent':
      return `${counted(end.runs, 'run')} were all that was allowed.`;
  }
}

/** "12,000 IOPS against 3,600": where the volumes can do more than the instance. */
const againstText = (against: { layout: number; instance: number } | null, unit: string): string[] =>
  against === null ? [] : [`${figure(against.layout)} ${unit} against ${figure(against.instance)}`];

export function campaignNoteText(note: CampaignNote): string {
  switch (note.code) {
    case 'instance-limits-unknown':
      return `${note.layout} on ${note.instanceType}: EC2 reports no EBS limits for it, so the instance may be the limit.`;
    case 'instance-is-limit': {
      const { layout, instanceType, iops, mibps, bursts } = note;
      const held = [...againstText(iops, 'IOPS'), ...againstText(mibps, 'MiB/s')].join(', ');
      const burst =
        bursts === null
          ? ''
          : ` It bursts to ${figure(bursts.iops)} IOPS and ${figure(bursts.mibps)} MiB/s for half an hour a day.`;
      return `${layout} on ${instanceType}: the instance is the limit, not the volumes (${held}).${burst}`;
    }
    case 'quotas-not-read':
      return `Whether quotas of the account are enough is unknown: ${cited(note.reason, 300)}.`;
    case 'quotas-not-looked-at':
      return `Quotas of instances other than Standard ones are not checked: ${note.instanceTypes.join(', ')}.`;
    case 'of-region-catalog':
      return `${cited(note.text, 400)}.`;
  }
}

const unreadText = (unread: Unread): string =>
  unread.code === 'result'
    ? `${shortText(unread.key, 150)} (${cited(unread.reason, 200)})`
    : `what limited the tests of ${shortText(unread.cellId, 70)} (${cited(unread.reason, 200)})`;

export const reportNoteText = (note: ReportNote): string =>
  note.code === 'not-read' ? `Not read: ${fewOf(note.unread.map(unreadText))}.` : campaignNoteText(note);
