/** What a terminal, a CSV file and a table of Markdown say of a comparison with another service. */
import fc from 'fast-check';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { auditText } from '../../../report/terminal/audit.ts';
import { findingsCsv } from '../../../report/terminal/findings-csv.ts';
import { findingsMarkdown } from '../../../report/terminal/findings-markdown.ts';
import { selectedText } from '../../../report/terminal/selected.ts';
import { columnsOf } from '../../../report/terminal/text.ts';
import { aFinding, anEvaluation, aResult } from '../../fixtures/findings.ts';
import { aConfiguration, allOpinions, anOpinion, anOpinionRead } from '../../fixtures/second-opinion.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';
import { restless } from '../../untrusted/complaints.ts';

const compared = (result: Partial<AuditResult> = {}): AuditResult =>
  aResult([aFinding()], {
    secondOpinion: [...allOpinions],
    secondOpinionReads: [anOpinionRead({ rdsRows: 2 })],
    ...result,
  });

const linesOf = (result: AuditResult, options: { columns?: number; top?: number | null } = {}): string[] =>
  auditText(result, { columns: null, color: false, invokedAs: 'stripewise', recorded: false, ...options });

const headline =
  'Compared with AWS Compute Optimizer: 3 unsafe, 2 leave 212.40 USD a month, 8 unseen, 5 agree, 11 not comparable.';

/** From its title to the empty line. */
const tableIn = (lines: readonly string[]): string[] => {
  const at = lines.findIndex((line) => line.startsWith('Compared with AWS Compute Optimizer, '));
  return at < 0 ? [] : lines.slice(at, lines.indexOf('', at));
};

test('its totals are the second line, and the table stands between findings and notes', () => {
  const lines = linesOf(compared());
  expect(lines[1]).toBe(headline);
  const places = ['1 finding, ', 'Compared with AWS Compute Optimizer, ', 'Next:'].map((start) =>
    lines.findIndex((line) => line.startsWith(start)),
  );
  expect(Math.min(...places)).toBeGreaterThan(1);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
});

test('rows that do not agree, the unsafe first; how many more there are, and what was left out', () => {
  const lines = tableIn(linesOf(compared(), { top: 4 }));
  expect(lines.map((line) => line.trim().replaceAll(/ {2,}/g, ' | '))).toEqual([
    'Compared with AWS Compute Optimizer, 4 of 24 that do not agree:', // 29 rows, 5 of which agree
    'label | volume | name | USD a month | what it recommends, and why the label',
    'unsafe | vol-00000000000000003 | sample-3 | - | It would delete a volume that had I/O in 1,250 min of the window.',
    'unsafe | vol-00000000000000002 | sample-2 | -40.00 | gp3, 3,000 IOPS, 125 MiB/s. It would throttle up to 20,160 min (simulated; now 12.5).',
    'unsafe | vol-00000000000000001 | sample-1 | -40.00 | gp3, 3,000 IOPS, 125 MiB/s. It would throttle up to 84 min (simulated; now 0).',
    'leaves money | vol-00000000000000005 | sample-5 | +200.00 | gp3, 6,000 IOPS, 250 MiB/s. It recommends more than the load needs.',
    '... and 20 more volumes (--json has all)',
    'USD a month: what following it costs more (+) or less (-) than following this audit.',
    '1 recommendation is older than 48 hours, and not compared.',
    '2 rows of Amazon RDS storage: not covered yet.',
  ]);
});

test('with --top all of them; with --top 0 none, and it says how many', () => {
  expect(tableIn(linesOf(compared(), { top: null })).join('\n')).not.toContain('more volume');
  const none = linesOf(compared(), { top: 0 });
  expect(tableIn(none)).toEqual([]);
  expect(none).toContain('... and 24 volumes that do not agree (--top N shows them)');
});

test.each([80, 100, 120])('on %i columns no line is too long, and no volume or reason is lost', (columns) => {
  const rows = allOpinions.map((row) => ({ ...row, name: 'orders database of the payments team' }));
  const reads = (['not-enabled', 'denied', 'failed', 'empty'] as const).map((status) =>
    anOpinionRead({ status, error: status === 'empty' ? null : 'AccessDeniedException: '.repeat(8) }),
  );
  const result = compared({ secondOpinion: rows, secondOpinionReads: reads });
  const lines = linesOf(result, { columns, top: null });
  expect(lines.filter((line) => columnsOf(line) > columns)).toEqual([]);
  const text = lines.join(' ').replaceAll(/\s+/g, ' ');
  for (const { volumeId, label } of rows) if (label !== 'agree') expect(text).toContain(volumeId);
  expect(text).toContain('It would throttle up to 84 min (simulated; now 0).');
});

test('where nothing was compared nothing is said of it', () => {
  const lines = [...linesOf(aResult([aFinding()])), ...findingsMarkdown(aResult([]), [], 10)];
  expect(lines.join('\n')).not.toMatch(/compared/i);
});

test('where all agree the headline says so, without a table', () => {
  const lines = linesOf(compared({ secondOpinion: [anOpinion()], secondOpinionReads: [anOpinionRead()] }));
  expect(lines[1]).toBe('Compared with AWS Compute Optimizer: 0 unsafe, 1 agrees.');
  expect(tableIn(lines)).toEqual([]);
});

test('an account without it is said, though there is no row', () => {
  const lines = linesOf(
    compared({ secondOpinion: [], secondOpinionReads: [anOpinionRead({ status: 'not-enabled' })] }),
  );
  expect(lines[1]).toBe('Compared with AWS Compute Optimizer: nothing to compare.');
  expect(lines).toContain(
    'AWS Compute Optimizer is not enabled in account 111122223333: nothing was enabled. Enable it in its console, or pass a file.',
  );
});

test('of what --resource asks for its own rows alone, also one that agrees', () => {
  const [other, own] = [
    anOpinion({ volumeId: 'vol-9', label: 'unseen', reason: { code: 'detached' } }),
    anOpinion({ volumeId: 'vol-1' }),
  ];
  const result = compared({
    volumes: [anEvaluation({ volumeId: 'vol-1' })],
    secondOpinion: [other, own],
  });
  const lines = selectedText(
    { result, instances: [], spans: new Map() },
    { columns: null, color: false, recorded: false },
  );
  expect(lines).toContain('Compared with AWS Compute Optimizer: 0 unsafe, 1 agrees.');
  expect(lines.join('\n')).not.toContain('vol-9');
});

test('in Markdown a table of its own below the findings', () => {
  const result = compared();
  const lines = findingsMarkdown(result, result.findings, 2);
  expect(lines[2]).toBe(`**${headline}**`);
  const at = lines.indexOf('Compared with AWS Compute Optimizer');
  expect(at).toBeGreaterThan(lines.findIndex((line) => line.startsWith('| Severity |')));
  expect(lines.slice(at)).toEqual([
    ...['Compared with AWS Compute Optimizer', ''],
    '| Label | Volume | It recommends | Reason | USD a month |',
    '| --- | --- | --- | --- | --- |',
    '| unsafe | vol-00000000000000003 "sample-3" us-east-1 | to delete it | It would delete a volume that had I/O in 1,250 min of the window. | - |',
    '| unsafe | vol-00000000000000002 "sample-2" us-east-1 | gp3, 3,000 IOPS, 125 MiB/s | It would throttle up to 20,160 min (simulated; now 12.5). | -40.00 |',
    ...['', '... and 22 more volumes', ''],
    'USD a month: what following it costs more (+) or less (-) than following this audit.',
    ...['', '1 recommendation is older than 48 hours, and not compared.'],
    ...['', '2 rows of Amazon RDS storage: not covered yet.'],
  ]);
});

test('CSV stays a row for each finding', () => {
  const { findings } = compared();
  expect(findingsCsv(findings, false)).not.toMatch(/compute-optimizer|unsafe/);
});

test('whatever stands in the account stays in its cell and its line', () => {
  fc.assert(
    fc.property(untrustedText, untrustedText, (id, name) => {
      const row = anOpinion({
        ...{ volumeId: id, name, region: name, account: id, label: 'unseen', recommended: aConfiguration() },
        reason: { code: 'instance-limit', instanceId: name, minutes: 1 },
      });
      const reads = [anOpinionRead({ status: 'failed', error: name, account: id, region: name })];
      const result = aResult([], { secondOpinion: [row], secondOpinionReads: reads });
      const markdown = findingsMarkdown(result, [], 10).map((line) => line.replaceAll('\u200b', ''));
      expect([...linesOf(result), ...markdown].filter((line) => restless.test(line))).toEqual([]);
      const cells = findingsMarkdown(result, [], 10).filter((line) => line.startsWith('|'));
      expect(cells).toHaveLength(3);
      for (const line of cells) expect(line.split('|')).toHaveLength(7);
      expect(cells[2]?.slice(1)).not.toMatch(/[<>&[\]\\@]|https?:\/\//);
    }),
  );
});
