/** The runs that have a report, for a terminal. */
import Table from 'cli-table3';
import type { RunEntry, RunManifest } from '../../core/report/run-manifest.ts';
import { minuteText, plural, sanitize, usd, whole, withoutTrailingSpaces } from './text.ts';

const maxInTable = 30;
const style = { head: [], border: [], compact: true };

const maxIdCharacters = 80;

function noteOf({ partial, byHand, unknown }: RunEntry): string {
  return [
    ...(partial ? ['partial'] : []),
    ...(unknown > 0 ? [`${whole(unknown)} unknown`] : []),
    ...(byHand ? ['by hand'] : []),
  ].join(', ');
}

const windowText = ({ window }: RunEntry): string =>
  window === null ? '-' : `${minuteText(window.start)} to ${minuteText(window.end)}`;

function savedText({ savedMonthlyUsd, findingsWithoutPrice }: RunEntry): string {
  if (savedMonthlyUsd === 0) return findingsWithoutPrice > 0 ? 'not known' : usd(0);
  const without = findingsWithoutPrice > 0 ? `, ${whole(findingsWithoutPrice)} without a price` : '';
  return `up to ${usd(savedMonthlyUsd)}${without}`;
}

/** The newest first. */
export function runsText({ runs }: RunManifest): string[] {
  const table = new Table({
    head: [
      'run',
      'made (UTC)',
      'window (UTC)',
      'volumes',
      'critical',
      'warning',
      'info',
      'to save a month',
      '',
    ],
    style,
  });
  const notified = runs.slice(0, maxInTable);
  table.push(
    ...notified.map((run) => [
      sanitize(run.runId, maxIdCharacters),
      minuteText(sanitize(run.madeAt)),
      sanitize(windowText(run)),
      whole(run.volumes),
      whole(run.findings.critical),
      whole(run.findings.warning),
      whole(run.findings.info),
      savedText(run),
      noteOf(run),
    ]),
  );
  const left = runs.length - notified.length;
  return [
    withoutTrailingSpaces(table.toString()),
    ...(left > 0 ? [`... and ${plural(left, 'earlier run')} (--json has them all)`] : []),
  ];
}
