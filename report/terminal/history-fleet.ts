/** The fleet by week, for a terminal. */
import type { FleetWeek, FleetWeeks } from '../../core/schemas/history-fleet.ts';
import { severityText } from '../wording/severities.ts';
import { longTable } from './long-table.ts';
import { plural, sanitize, usd, whole } from './text.ts';

const unknown = '-';
const orUnknown = (value: number | null): string => (value === null ? unknown : `${whole(value)} min`);

const costCell = (cost: FleetWeek['cost']): string => {
  if (cost === null || cost.usdMonth === null) return unknown;
  return `${cost.unpriced > 0 ? 'at least ' : ''}${usd(cost.usdMonth)}`;
};
const findingsCell = (findings: FleetWeek['findings']): string =>
  findings === null ? unknown : severityText(findings) || 'none';

const head = [
  ...['week', 'from', 'days', 'volumes', 'throttled', 'of volumes', 'exceeded', 'most of it'],
  ...['a month', 'findings'],
];
const noTables = 'USD and findings unknown: these days have no inventory and no findings.';

export function fleetWeeksText({ weeks }: FleetWeeks): string[] {
  const isEvaluated = weeks.some(({ throttledMinutes }) => throttledMinutes !== null);
  const sum = weeks.reduce((total, { throttledMinutes }) => total + (throttledMinutes ?? 0), 0);
  const exceeded = weeks.reduce((total, { exceededMinutes }) => total + (exceededMinutes ?? 0), 0);
  const exceededText = weeks.some(({ exceededMinutes }) => exceededMinutes !== null)
    ? `throttled minutes unknown, ${whole(exceeded)} exceeded`
    : 'throttled and exceeded minutes unknown';
  const rows = weeks.map((one) => [
    ...[one.week, one.from, whole(one.daysWithPoints), whole(one.volumes), orUnknown(one.throttledMinutes)],
    ...[
      one.volumesThrottled === null ? unknown : whole(one.volumesThrottled),
      orUnknown(one.exceededMinutes),
    ],
    one.top[0] === undefined ? '' : sanitize(one.top[0].volumeId),
    ...[costCell(one.cost), findingsCell(one.findings)],
  ]);
  return [
    `${plural(weeks.length, 'week')}: ${isEvaluated ? `${whole(sum)} throttled minutes of volumes` : exceededText}`,
    ...(weeks.length === 0 ? [] : [longTable(head, rows)]),
    ...(isEvaluated
      ? []
      : [
          'No minute was evaluated: exceeded are minutes that a check reports, which alone is no throttling.',
        ]),
    ...(weeks.some(({ volumes, volumesEvaluated }) => isEvaluated && volumesEvaluated < volumes)
      ? ['Not each volume was evaluated: throttled minutes are of those that were.']
      : []),
    ...(weeks.every(({ cost, findings }) => cost === null && findings === null) ? [noTables] : []),
  ];
}
