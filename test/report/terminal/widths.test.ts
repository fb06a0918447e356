/** No line is wider than the terminal, and nothing is lost or cut by folding: at 80, 100 and 120 columns, with long names and tags. */
import type { ThrottledSpan } from '../../../core/diagnosis/spans.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { auditText } from '../../../report/terminal/audit.ts';
import { inOrder } from '../../../report/terminal/finding-order.ts';
import { selectedText } from '../../../report/terminal/selected.ts';
import { columnsOf, folded, hanging, listRows } from '../../../report/terminal/text.ts';
import { findingLines, labelledLine, problemInShort } from '../../../report/wording/finding-lines.ts';
import { anEvaluation, aResult } from '../../fixtures/findings.ts';
import { samples } from '../wording/samples.ts';

const longName = 'orders database of the payments team, eu-central-1, kept until the end of 2027';
const tags = { team: 'payments and '.repeat(18), 'cost-center': 'c'.repeat(120) };

const findings = samples.map(({ finding }, i): Finding => {
  const isLong = i % 3 === 0;
  const resource = { ...finding.resource, tags, name: isLong ? longName : finding.resource.name };
  return { ...finding, id: `${i}`, resource };
});

const volumes = [0, 1, 2].map((i) =>
  anEvaluation({
    volumeId: `vol-0123456789abcdef${i}`,
    ...{ name: longName, lowestBalancePercent: 12.34, balanceModelled: true },
    ...(i === 2
      ? { status: 'unknown', reason: { code: 'batch-failed', reason: `${longName}: `.repeat(3) } }
      : {}),
  }),
);
const instanceId = 'i-0123456789abcdef0';
const reason = 'cloudwatch:GetMetricData failed in this Region, as it says';
const unread = `its metrics could not be read: ${reason}`;
const result: AuditResult = aResult(findings, {
  volumes,
  notices: [
    { code: 'recording-assumption', volumeId: 'vol-0123456789abcdef0', text: `${longName}. ${longName}.` },
  ],
  stripes: [
    {
      ...{ stripeId: `${instanceId}/data/data`, name: 'data/data', instanceId, region: 'us-east-1' },
      volumeIds: Array.from({ length: 20 }, (_, i) => `vol-0123456789abcde${10 + i}`),
      ...{ evidence: 'host', confidence: 'high', kind: null, chunkKiB: 64, builtWith: 'lvm' },
      ...{ mountPoints: ['/var/lib/postgresql'], limits: null, unlikeMembers: [] },
    },
  ],
  prices: ['us-east-1', 'eu-central-1', 'ap-southeast-2'].map((region) => ({
    ...{ region, refreshedAt: '2026-11-21T16:50:11Z', ebsAsOf: '2026-11-20' },
    sources: [],
  })),
  coverage: {
    ...{
      volumes: 3,
      evaluated: 2,
      metricsWithoutResource: [],
      incomplete: [{ code: 'instances-not-read', reason }],
    },
    unknown: [
      {
        volumeId: 'vol-0123456789abcdef2',
        reason: { code: 'metrics-not-read', reason },
        nothingToRead: false,
      },
    ],
    instances: {
      total: 2,
      evaluated: 1,
      notEvaluated: [{ instanceId, reason: { code: 'metrics-not-read', reason } }],
    },
  },
});

const start = Date.parse('2026-11-20T23:55:00Z') / 1_000;
const span: ThrottledSpan = {
  ...{ cause: 'instance-throughput', throttledMinutes: 600, confidence: 'medium' },
  top: { iops: 12_345, mibps: 1_234.5, activeTimeIops: 48_102 },
  ...{ demandIops: { low: 12_345, high: 18_102 }, demandMiBps: { low: 1_234, high: 1_810 } },
  ...{ startEpochSeconds: start, endEpochSeconds: start + 36_000 },
};

const style = (columns: number | null, recorded: boolean) => ({ columns, color: false, recorded });
const invokedAs = 'npm run -s stripewise --';
const texts: Record<string, (columns: number | null) => string[]> = {
  'a fleet': (columns) => auditText(result, { ...style(columns, false), invokedAs }),
  'a line for each finding': (columns) => auditText(result, { ...style(columns, false), invokedAs, top: 0 }),
  'by savings': (columns) => auditText(result, { ...style(columns, false), invokedAs, order: 'savings' }),
  'recorded series': (columns) => auditText(result, { ...style(columns, true), invokedAs }),
  'some resources': (columns) =>
    selectedText(
      { result, instances: [], spans: new Map([['vol-0123456789abcdef0', [span, span]]]) },
      style(columns, false),
    ),
};

const linesOf = (which: string, columns: number | null): string[] =>
  (texts[which] ?? (() => []))(columns).flatMap((line) => line.split('\n'));

const wordsOf = (lines: readonly string[]): string[] =>
  lines
    .join(' ')
    .split(/[\s│─┌┐└┘├┤┬┴┼]+/)
    .filter((word) => word !== '');

const cases = Object.keys(texts).flatMap((which) =>
  [80, 100, 120].map((columns): [string, number] => [which, columns]),
);

test.each(cases)('%s in %d columns: no line is wider, no word is cut', (which, columns) => {
  const lines = linesOf(which, columns);
  expect(lines.filter((line) => columnsOf(line) > columns)).toEqual([]);
  // Each word is one that stands there without a terminal, too.
  const whole = new Set(wordsOf(linesOf(which, null)));
  expect(wordsOf(lines).filter((word) => !whole.has(word))).toEqual([]);
});

const widths = [80, 100, 120];
const asOneLine = (lines: readonly string[]): string => lines.join(' ').replaceAll(/\s+/g, ' ');

test.each(widths)('in %d columns each finding is reported: the first ten by all their lines', (columns) => {
  const text = asOneLine(linesOf('a fleet', columns));
  const ordered = inOrder(findings, 'impact');
  expect(ordered.length).toBeGreaterThan(15);
  for (const finding of ordered.slice(0, 10))
    for (const line of findingLines(finding)) expect(text).toContain(asOneLine([labelledLine(line)]));
  for (const finding of ordered.slice(10)) expect(text).toContain(` ${problemInShort(finding)}`);
});

test.each(widths)('in %d columns the notes are whole', (columns) => {
  const text = asOneLine(linesOf('a fleet', columns));
  for (const note of [`${longName}. ${longName}.`, `vol-0123456789abcdef2: ${unread}`, ` ${reason}.`])
    expect(text).toContain(note);
});

test.each(widths)('in %d columns a table that is too wide goes on below: each cell is there', (columns) => {
  const tableIn = (width: number | null): string[] =>
    wordsOf(linesOf('recorded series', width).filter((line) => line.startsWith('│')));
  expect(new Set(tableIn(columns))).toEqual(new Set(tableIn(null)));
  const spans = asOneLine(linesOf('some resources', columns));
  for (const cell of [
    'instance-throughput',
    '600 of 600',
    '(48,102 IOPS while busy)',
    '1,234 to 1,810 MiB/s',
  ])
    expect(spans).toContain(cell);
});

test('without a terminal no line is folded: what a program looks for is on one', () => {
  const lines = linesOf('a fleet', null);
  expect(lines).toContain(`  vol-0123456789abcdef0: ${longName}. ${longName}.`);
  expect(lines).toContain(`  vol-0123456789abcdef2: ${unread}`);
});

test('a terminal of less than 80 columns gets lines of 80, one of more than 200 lines of 200', () => {
  expect(linesOf('a fleet', 40)).toEqual(linesOf('a fleet', 80));
  expect(linesOf('a fleet', 400)).toEqual(linesOf('a fleet', 200));
});

test('wide characters take two columns, marks on characters none', () => {
  expect([columnsOf('注文'), columnsOf('é'), columnsOf('e\u0301'), columnsOf('orders')]).toEqual([
    4, 1, 1, 6,
  ]);
  expect(hanging('注文 注文 注文', 9, 0)).toEqual(['注文 注文', '注文']); // 4 + 1 + 4 columns
});

test('what is folded goes on two columns in, a word that is too long has its own line', () => {
  expect(folded('  a note that is long', 14)).toEqual(['  a note that', '    is long']);
  expect(folded(`see ${'x'.repeat(30)}`, 20)).toEqual(['see', `  ${'x'.repeat(30)}`]);
});

test('a row of a list folds its last cell; where there is no room beside the others it stands below', () => {
  const heads = [{ head: 'resource' }, { head: 'USD', isRight: true }, { head: 'problem' }];
  const rows = [['vol-1', '5.00', 'throttled at its maximum of 3,000 IOPS']];
  expect(listRows(heads, rows, 44)).toEqual([
    ['resource   USD  problem'],
    ['vol-1     5.00  throttled at its maximum of', '                3,000 IOPS'], // 16 + 28 columns
  ]);
  expect(listRows(heads, rows, 43)).toEqual([
    ['resource   USD', '          problem'],
    ['vol-1     5.00', '          throttled at its maximum of 3,000', '          IOPS'],
  ]);
});
