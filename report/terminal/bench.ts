/** Campaigns for a terminal: what one would cost, how far it is, what it found. */
import Table from 'cli-table3';
import type { CellStep } from '../../core/benchmark/campaign/commands.ts';
import type { BenchPlanAnswer } from '../../core/schemas/bench-plan-answer.ts';
import type { CampaignReport, CellReport } from '../../core/schemas/campaign-report.ts';
import { planNoteText } from '../wording/benchmark.ts';
import { cellTroubles, goalText, reportNoteText, searchEndText, stepText } from '../wording/campaign.ts';
import { benchFindingText } from './bench-finding.ts';
import { gradeText } from './grade.ts';
import { duration, plural, sanitize, usd, whole, withoutTrailingSpaces } from './text.ts';

const orUnknown = (value: number | null, text: (value: number) => string): string =>
  value === null ? 'unknown' : text(value);
const hoursText = (hours: number): string => duration(hours * 3600);
const style = { head: [], border: [], compact: true };

/** @param file that the request was written to. */
export function benchPlanText(answer: BenchPlanAnswer, file: string | null, invokedAs: string): string[] {
  const { cells, hours, totalUsd, region, request, notes } = answer;
  const table = new Table({ head: ['host', 'time', 'instance', 'volumes', 'in all'], style });
  table.push(
    ...cells.map((cell) => [
      sanitize(cell.id),
      hoursText(cell.hours),
      orUnknown(cell.instanceUsd, usd),
      orUnknown(cell.volumesUsd, usd),
      orUnknown(cell.totalUsd, usd),
    ]),
  );
  return [
    ...benchFindingText(answer),
    withoutTrailingSpaces(table.toString()),
    '',
    `${plural(cells.length, 'host')} in ${region}, ${request.hostsAtOnce} at once: about ${hoursText(hours)} and ${usd(totalUsd)} by list prices; it is ended before it costs ${usd(request.ceilingUsd)}.`,
    ...notes.map((note) => `note: ${planNoteText(note)}`),
    '',
    file === null
      ? 'Nothing is launched by this. With --out FILE it can be started.'
      : `Nothing is launched by this. Start it with: ${invokedAs} bench start ${file}`,
  ];
}

const searchText = ({ id, search }: CellReport, goal: string): string[] =>
  search === null
    ? []
    : [
        search.outcome === 'never'
          ? `${sanitize(id)}: ${goal}: none with ${plural(search.users, 'user')}. ${searchEndText(search.reason)}`
          : `${sanitize(id)}: ${goal}: ${whole(search.iops.mean)} IOPS${
              search.iops.low === null || search.iops.high === null
                ? ''
                : ` (${whole(Math.max(0, search.iops.low))} to ${whole(search.iops.high)} with 95 % confidence)`
            } with ${whole(search.users)} in flight. ${searchEndText(search.reason)}`,
      ];

export function campaignReportText(report: CampaignReport): string[] {
  const { label, campaignId, cells, request, estimatedUsd, grades, notes } = report;
  const table = new Table({ head: ['host', 'volumes', 'result', 'lived', 'cost'], style });
  table.push(
    ...cells.map(({ id, layout, status, hours, usd: cost }) => [
      sanitize(id),
      sanitize(layout),
      status,
      orUnknown(hours, hoursText),
      orUnknown(cost, usd),
    ]),
  );
  const { work } = request;
  return [
    ...(label === null ? [] : [`*** ${sanitize(label, 200)} ***`, '']),
    `Campaign ${campaignId}: ${orUnknown(report.usd, usd)} by list prices, estimated ${usd(estimatedUsd)}.`,
    withoutTrailingSpaces(table.toString()),
    ...cells.flatMap(cellTroubles),
    ...(work.kind === 'search'
      ? ['', ...cells.flatMap((cell) => searchText(cell, goalText(work.goal)))]
      : []),
    ...(grades.tests.length === 0 ? ['', 'Nothing was measured.'] : ['', ...gradeText(grades)]),
    ...notes.map((note) => `note: ${reportNoteText(note)}`),
  ];
}

export interface CellProgress {
  cellId: string;
  step: CellStep;
}

export const progressText = (cells: readonly CellProgress[]): string[] =>
  cells.map(({ cellId, step }) => `${sanitize(cellId)}: ${stepText(step)}`);
