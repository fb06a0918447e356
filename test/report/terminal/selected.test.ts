/** What `audit --resource` prints: spans of time, the demand, what could not be evaluated. */
import fc from 'fast-check';
import type { ThrottledSpan } from '../../../core/diagnosis/spans.ts';
import type { AuditResult, VolumeEvaluation } from '../../../core/schemas/audit-result.ts';
import { selectedText } from '../../../report/terminal/selected.ts';
import { aFinding, anEvaluation, aResult } from '../../fixtures/findings.ts';
import { anInstance } from '../../fixtures/inventory.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

const start = Date.parse('2026-11-20T14:00:00Z') / 1_000;
const aSpan = (span: Partial<ThrottledSpan> = {}, minutes = 10): ThrottledSpan => {
  const startEpochSeconds = span.startEpochSeconds ?? start;
  return {
    ...{ cause: 'volume-iops', throttledMinutes: minutes, confidence: 'high' },
    top: { iops: 3_000, mibps: 46.9, activeTimeIops: 3_000 },
    ...{ demandIops: { low: 3_200, high: 4_000 }, demandMiBps: { low: 50, high: 62.5 } },
    ...span,
    ...{ startEpochSeconds, endEpochSeconds: startEpochSeconds + 60 * minutes },
  };
};

interface Notified {
  evaluation?: Partial<VolumeEvaluation>;
  spans?: ThrottledSpan[];
  result?: Partial<AuditResult>;
  recorded?: boolean;
}
const linesOf = ({ evaluation, spans, result, recorded = false }: Notified): string[] =>
  selectedText(
    {
      result: aResult([], {
        volumes: [anEvaluation({ volumeId: 'vol-1', status: 'healthy', ...evaluation })],
        ...result,
      }),
      instances: [],
      spans: new Map(spans === undefined ? [] : [['vol-1', spans]]),
    },
    { columns: null, color: false, recorded },
  )
    .join('\n')
    .split('\n');
/** The cells of the one span. */
const cellsOf = (span: Partial<ThrottledSpan>): string[] | undefined =>
  linesOf({ spans: [aSpan(span)] })
    .find((line) => line.startsWith('  2026-'))
    ?.trim()
    .split(/ {2,}/);

test('a span: when, by what, how sure, how long, what it did and its demand', () => {
  expect(cellsOf({})).toEqual([
    ...['2026-11-20 14:00 to 14:10', 'volume-iops', 'high', '10 of 10', '3,000 IOPS, 47 MiB/s'],
    '3,200 to 4,000 IOPS, 50 to 63 MiB/s',
  ]);
});

test('the day again only where it is another', () => {
  expect(cellsOf({ startEpochSeconds: start + 10 * 3_600 - 5 * 60 })?.[0]).toBe(
    '2026-11-20 23:55 to 2026-11-21 00:05',
  );
});

test.each([
  [
    'a burst that was over in its minute',
    { low: 3_000, high: 3_000 },
    { low: 46.9, high: 46.9 },
    'served late (queued)',
  ],
  [
    'work that came all the same and waited',
    { low: 3_300, high: 3_300 },
    { low: 51.6, high: 51.6 },
    '3,300 IOPS, 52 MiB/s',
  ],
  [
    'nothing tells how much more',
    { low: 3_000, high: null },
    { low: 46.9, high: null },
    '3,000 IOPS or more, 47 MiB/s or more',
  ],
  [
    'what bounds it is too far from it to size for',
    { low: 3_000, high: 48_000 },
    { low: 46.9, high: 75 },
    '3,000 IOPS or more, 47 to 75 MiB/s',
  ],
  ['bytes are not known', { low: 3_200, high: 4_000 }, null, '3,200 to 4,000 IOPS'],
  ['nobody can tell', null, null, '-'],
] as const)('demanded, where %s', (_, demandIops, demandMiBps, said) => {
  expect(cellsOf({ demandIops, demandMiBps })?.at(-1)).toBe(said);
});

test('an average that hides a burst says what the busy seconds did', () => {
  expect(cellsOf({ top: { iops: 552.4, mibps: 2.158, activeTimeIops: 2_548 } })?.[4]).toBe(
    '552 IOPS, 2.16 MiB/s (2,548 IOPS while busy)',
  );
  expect(cellsOf({ top: { iops: 2_500, mibps: 39, activeTimeIops: 2_900 } })?.[4]).toBe(
    '2,500 IOPS, 39 MiB/s',
  );
});

test('of 30 spans the 24 that weigh most, in the order of time; what nobody can tell weighs its whole length', () => {
  const short = Array.from({ length: 29 }, (_, i) =>
    aSpan({ startEpochSeconds: start + i * 1_200 }, i < 6 ? 1 : 2),
  );
  const unknown = aSpan(
    { startEpochSeconds: start + 40_000, cause: 'unknown', confidence: null, throttledMinutes: 0 },
    500,
  );
  const lines = linesOf({ spans: [...short, unknown] });
  const notified = lines
    .filter((line) => line.startsWith('  2026-'))
    .map((line) => line.trim().split(/ {2,}/));
  expect(notified).toHaveLength(24);
  expect(notified.map(([when]) => when)).toEqual(notified.map(([when]) => when).toSorted());
  expect(notified.at(-1)?.slice(1, 4)).toEqual(['unknown', '-', '? of 500']);
  expect(lines).toContain('  ... and 6 more (--minutes FILE has each minute)');
});

test('never throttled is said of what is known only', () => {
  expect(linesOf({ spans: [] })).toContain('  throttled in no minute');
  expect(linesOf({ spans: [], evaluation: { knownMinutes: 20, unknownMinutes: 1_420 } })).toContain(
    '  throttled in none of the 20 minutes with figures',
  );
});

test('credits, and what is beyond the steady rate without them', () => {
  const limits = { baselineIops: 100, burstIops: 200, baselineMiBps: 40, burstMiBps: 90 };
  const magnetic = linesOf({ evaluation: { volumeType: 'standard', limits: { ...limits, bucket: null } } });
  expect(magnetic).toContain('  can do    baseline 100 IOPS and 40 MiB/s; burst 200 and 90 at times');
  const gp2 = linesOf({
    evaluation: {
      limits: { ...limits, bucket: { unit: 'io', capacity: 5_400_000 } },
      ...{ lowestBalancePercent: 12.34, balanceModelled: true },
    },
  });
  expect(gp2).toContain('  can do    baseline 100 IOPS and 40 MiB/s; burst 200 and 90 on credits');
  expect(gp2).toContain('  credits   12.34 % left at the lowest (modelled: full at the start)');
});

test('an instance that was not evaluated says why: an asked one, and that of an asked volume', () => {
  const { coverage } = aResult([]);
  const notEvaluated = ['i-1', 'i-2'].map((instanceId) => ({
    instanceId,
    reason: { code: 'batch-without-result' as const },
  }));
  const result = aResult([], {
    coverage: { ...coverage, instances: { total: 3, evaluated: 1, notEvaluated } },
  });
  const instances = [anInstance({ name: 'db' }), anInstance({ instanceId: 'i-3' })];
  const lines = selectedText(
    { result, instances, spans: new Map() },
    { columns: 120, color: false, recorded: false },
  );
  expect(lines.slice(0, 3)).toEqual([
    'i-1 "db", m6i.large in us-east-1: not evaluated: its batch ended without a result',
    'i-3, m6i.large in us-east-1: evaluated on its own EBS limits',
    'i-2: not evaluated: its batch ended without a result',
  ]);
});

test('the window of a recording is each its own: none is reported', () => {
  const window = 'Figures from 2026-11-06T00:00:00Z to 2026-11-20T00:00:00Z.';
  expect(linesOf({})).toContain(window);
  expect(linesOf({ recorded: true })).not.toContain(window);
});

test('no text of the account can leave its line or color the terminal', () => {
  const plain = linesOf({ spans: [aSpan()] }).length;
  fc.assert(
    fc.property(untrustedText, (text) => {
      const lines = linesOf({ spans: [aSpan()], evaluation: { name: text, volumeType: text, region: text } });
      expect(lines).toHaveLength(plain);
      expect(lines.join('')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      const reason = linesOf({
        evaluation: { status: 'unknown', reason: { code: 'volume-state', state: text } },
      });
      expect(reason.join('')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }),
  );
  const untrusted = aFinding({ resource: { ...aFinding().resource, name: '\u001b[31m\n' } });
  expect(linesOf({ result: { findings: [untrusted] } }).join('')).not.toMatch(/\p{C}/u);
});
