/** Where a run's text goes, and what would be wrong with it there: a sentence each, none where all is well. */

import { compareRuns } from '../../core/report/compare-runs.ts';
import { dashboardBody } from '../../report/dashboard/volumes-at-risk.ts';
import { auditText } from '../../report/terminal/audit.ts';
import { comparisonText } from '../../report/terminal/compare.ts';
import { findingsMarkdown } from '../../report/terminal/findings-markdown.ts';
import { columnsOf } from '../../report/terminal/text.ts';
import { stepLines } from '../../report/wording/steps.ts';
import { markdownComplaints } from '../report/terminal/markdown-complaints.ts';
import { channelComplaints } from './channels.ts';
import { complaintsIf, restless } from './complaints.ts';
import { csvComplaints, findingsCsvComplaints } from './csv.ts';
import { jsonComplaints } from './json-documents.ts';
import { mailComplaints } from './mail.ts';
import type { UntrustedRun } from './untrusted-run.ts';

function terminalComplaints({ result }: UntrustedRun): string[] {
  const linesIn = (columns: number | null): string[] =>
    auditText(result, { columns, color: false, recorded: false, invokedAs: 'stripewise' })
      .join('\n')
      .split('\n');
  return complaintsIf(
    [linesIn(200).some((line) => restless.test(line)), 'a character that a terminal acts on'],
    // Where nothing is folded, so that what goes on below is not taken for it.
    [linesIn(null).some((line) => /^ *(touch pwned|Bcc:|\{"level")/.test(line)), 'a line of its own'],
  );
}

/** All of it is new, and then all of it is resolved or not evaluated. */
const comparisonComplaints = ({ result }: UntrustedRun): string[] => {
  const none = { ...result, findings: [] };
  const text = [compareRuns(none, result), compareRuns(result, none)]
    .flatMap((compared) => [...comparisonText(compared, 200), ...comparisonText(compared, 80)])
    .join('\n');
  return complaintsIf(
    [!/^new /m.test(text), 'findings are missing'],
    [text.split('\n').some((line) => restless.test(line)), 'a character that a terminal acts on'],
  );
};
/** At 80 columns too: what folds is as sanitized as what does not. */
function narrowComplaints({ result }: UntrustedRun): string[] {
  const options = { color: false, recorded: false, invokedAs: 'stripewise' };
  const lines = auditText(result, { ...options, columns: 80 });
  const whole = auditText(result, { ...options, columns: null });
  const words = (texts: readonly string[]): number => texts.join(' ').split(/\s+/).length;
  return complaintsIf(
    [[...lines, ...whole].some((line) => restless.test(line)), 'a character that a terminal acts on'],
    [lines.some((line) => columnsOf(line) > 80 && /\S \S/.test(line.trim())), 'a line that is not folded'],
    // What is folded is indented: at the beginning of a line stands what we put there.
    [lines.some((line) => /^(touch pwned|Bcc:|\{"level")/.test(line)), 'a line of its own'],
    [words(lines) < words(whole) / 2, 'words are missing'],
  );
}

function findingsMarkdownComplaints({ result }: UntrustedRun): string[] {
  const { findings } = result;
  return markdownComplaints(findingsMarkdown(result, findings, findings.length), findings.length, 1);
}

interface Widget {
  type: string;
  properties: { title?: string; markdown?: string; metrics?: unknown[] };
}

function dashboardComplaints({ result }: UntrustedRun): string[] {
  const body = dashboardBody(result);
  const { widgets } = JSON.parse(body) as { widgets: Widget[] };
  const shown = widgets.map(({ properties: { title = '', markdown = '' } }) => `${title}${markdown}`);
  const options = widgets
    .flatMap(({ properties }) => properties.metrics ?? [])
    .flatMap((metric) => (metric as unknown[]).filter((part) => typeof part === 'object'))
    .map((option) => option as { label?: string; expression?: string });
  return complaintsIf(
    [widgets.length < 4, 'volumes are missing'],
    [restless.test(body) || shown.join('').includes('\n\n'), 'a character that a page acts on'],
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/graph-dynamic-labels.html
    [options.some(({ label = '' }) => label.includes('${') || restless.test(label)), 'a label is evaluated'],
    [options.some(({ expression = '' }) => !/^[\w\s*/().,+<-]*$/.test(expression)), 'an expression'],
    [/<script|<img|evil/.test(widgets[0]?.properties.markdown ?? ''), 'mark-up in what is formatted'],
  );
}

/** Lines to be pasted into a shell, in any order. */
const commandsOf = ({ result }: UntrustedRun): string[] =>
  result.findings
    .flatMap(({ recommendations }) => recommendations.flatMap(({ steps }) => stepLines(steps)))
    .sort();

/** @param harmless the same run of harmless texts. */
export const destinations = (harmless: UntrustedRun): Record<string, (run: UntrustedRun) => string[]> => ({
  ...Object.fromEntries(
    Object.entries(channelComplaints).map(([kind, complaints]) => [
      `channel ${kind}`,
      ({ notified }: UntrustedRun) => complaints(notified),
    ]),
  ),
  'mail of the topic': ({ published }) => published.flatMap(mailComplaints),
  'JSON in S3 and --json': jsonComplaints,
  'CSV of --minutes': csvComplaints,
  'CSV of findings': findingsCsvComplaints,
  'Markdown of findings': findingsMarkdownComplaints,
  terminal: terminalComplaints,
  'terminal, two runs': comparisonComplaints,
  'terminal of 80 columns': narrowComplaints,
  dashboard: dashboardComplaints,
  'commands of recommendation': (run) =>
    complaintsIf([
      commandsOf(run).join('\n') !== commandsOf(harmless).join('\n'),
      'other commands than those of a harmless run',
    ]),
});
