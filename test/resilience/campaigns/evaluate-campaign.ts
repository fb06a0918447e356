/** What came of a campaign under trouble, in its own words. */
import { failureText } from '../../../core/failure-text.ts';
import type { CampaignRun, Left } from '../../../local/run-campaign.ts';
import { failureText as textOf } from '../../../report/wording/campaign.ts';

export type Ending =
  | 'measured'
  | 'measured, its host left behind'
  | 'measured in part'
  | 'not measured, and reported'
  | 'failed'
  | 'stopped';

export interface CampaignSeen {
  /** One of `Ending`, or what it should never be. */
  ending: string;
  /** Empty where it had nothing to say. */
  reason: string;
}

export function campaignSeen({ execution, report }: CampaignRun): CampaignSeen {
  const { status, error, cause } = execution;
  const ofExecution = failureText(error ?? undefined, cause ?? undefined);
  if (status === 'ABORTED') return { ending: 'stopped', reason: cause ?? '' };
  // Where the last step fails after it has written, there is a report.
  if (report === null || (status !== 'SUCCEEDED' && error !== 'NothingMeasured'))
    return { ending: status === 'FAILED' ? 'failed' : status, reason: ofExecution };
  const reason = report.cells
    .flatMap(({ id, failure, leftBehind }) =>
      [failure, leftBehind].flatMap((why) => (why === null ? [] : [`${id}: ${textOf(why)}`])),
    )
    .join(' | ');
  const measured = report.cells.filter(({ status: of }) => of === 'measured').length;
  const isNothing = measured === 0;
  if (isNothing !== (status === 'FAILED'))
    return { ending: `${status} with ${measured} cells measured`, reason };
  if (isNothing) return { ending: 'not measured, and reported', reason };
  if (measured < report.cells.length) return { ending: 'measured in part', reason };
  const isLeft = report.cells.some(({ leftBehind }) => leftBehind !== null);
  return { ending: isLeft ? 'measured, its host left behind' : 'measured', reason };
}

const twice = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index)),
];

interface Traces {
  /** After the cleanup's next run. */
  left: Left;
  /** Why the cleanup failed; null: it did not. */
  cleanup: string | null;
  /** Instances by cells: a cell has one. */
  launched: number;
  cells: number;
  /** By their comments: each is sent once. */
  commands: readonly string[];
}

/** What no campaign may leave or do, whatever its ending. */
export function wrongIn({ left, cleanup, launched, cells, commands }: Traces): string[] {
  const more = (what: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`${what}: ${list.join(' ')}`];
  return [
    ...(cleanup === null ? [] : [`the cleanup failed: ${cleanup}`]),
    ...more('instances are left', left.instances),
    ...more('volumes are left', left.volumes),
    ...(launched > cells ? [`${launched} instances were launched for ${cells} cells`] : []),
    ...more('sent twice', twice(commands)),
  ];
}
