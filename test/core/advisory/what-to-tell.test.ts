/** Which findings are news: new, worse or back; what goes on is not told again. */
import { type TellingRules, type ToldRecord, whatToTell } from '../../../core/advisory/what-to-tell.ts';
import type { Finding, Severity } from '../../../core/schemas/finding.ts';
import { secondsPerDay } from '../../../core/units.ts';
import { aFinding } from '../../fixtures/findings.ts';

const now = 1_795_132_800;
const rules: TellingRules = {
  runId: 'run-now',
  nowEpochSeconds: now,
  leastSeverity: 'warning',
  forgetAfterDays: 7,
};

/** Told yesterday, and remembered for six more days. */
const record = (values: Partial<ToldRecord> = {}): ToldRecord => ({
  findingId: 'f',
  severity: 'warning',
  runId: 'run-yesterday',
  claimedEpochSeconds: now - secondsPerDay,
  confirmed: true,
  expiresEpochSeconds: now + 6 * secondsPerDay,
  change: 'new',
  messageId: 'message-yesterday',
  ...values,
});

const finding = (severity: Severity = 'warning'): Finding => aFinding({ id: 'f', severity });

function tell(one: Finding, before: ToldRecord | null, others: Partial<TellingRules> = {}) {
  const told = new Map(before === null ? [] : [['f', before]]);
  const { news, remember } = whatToTell([one], told, { ...rules, ...others });
  return { change: news[0]?.record.change ?? null, news, remember };
}

test('what was never told is new: claimed by this run, for as long as is remembered', () => {
  const { news } = tell(finding('critical'), null);
  expect(news).toEqual([
    {
      finding: finding('critical'),
      before: null,
      record: {
        findingId: 'f',
        severity: 'critical',
        runId: 'run-now',
        claimedEpochSeconds: now,
        confirmed: false,
        expiresEpochSeconds: now + 7 * secondsPerDay,
        change: 'new',
        messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    },
  ]);
});

test('what was told and goes on is not told again', () => {
  expect(tell(finding(), record())).toMatchObject({ change: null, news: [] });
});

test.each<[Severity, Severity, string | null]>([
  ['info', 'warning', 'worse'],
  ['warning', 'critical', 'worse'],
  ['warning', 'warning', null],
  ['critical', 'warning', null],
])('told as %s, now %s: %s', (before, after, change) => {
  expect(tell(finding(after), record({ severity: before })).change).toBe(change);
});

test('what was forgotten is back: from the second on that it expires, not a second before', () => {
  expect(tell(finding(), record({ expiresEpochSeconds: now + 1 })).change).toBeNull();
  expect(tell(finding(), record({ expiresEpochSeconds: now })).change).toBe('back');
});

describe('below the least severity', () => {
  test('nothing is new: info is not told where warning is the least', () => {
    expect(tell(finding('info'), null)).toEqual({ change: null, news: [], remember: [] });
    expect(tell(finding('info'), null, { leastSeverity: 'info' }).change).toBe('new');
    expect(tell(finding('warning'), null, { leastSeverity: 'critical' }).change).toBeNull();
  });

  test('nothing is back, whether DynamoDB has swept the forgotten item or not; and it stays forgotten', () => {
    const forgotten = record({ expiresEpochSeconds: now - 1 });
    expect(tell(finding('info'), forgotten)).toEqual({ change: null, news: [], remember: [] });
  });

  test('nothing is worse: info that became a warning, where critical is the least', () => {
    expect(
      tell(finding('warning'), record({ severity: 'info' }), { leastSeverity: 'critical' }).change,
    ).toBeNull();
  });
});

describe('a claim that nobody confirmed', () => {
  const claimed = (secondsAgo: number, runId = 'run-other') =>
    record({ runId, confirmed: false, claimedEpochSeconds: now - secondsAgo, change: 'worse' });

  test('of a run of just now is that run telling: 900 s are left to it', () => {
    expect(tell(finding(), claimed(1)).change).toBeNull();
    expect(tell(finding(), claimed(900)).change).toBeNull();
  });

  test('for more than 900 s is of a run that died: told, as the change that it was', () => {
    expect(tell(finding(), claimed(901)).change).toBe('worse');
  });

  test('of this very run is its first attempt that died: told again at once', () => {
    expect(tell(finding(), claimed(1, 'run-now')).change).toBe('worse');
  });

  test('a claim must find what is there now', () => {
    expect(tell(finding(), claimed(901)).news[0]?.before).toEqual(claimed(901));
  });
});

describe('remembering', () => {
  test('is moved on by each run: what is seen every day is never forgotten', () => {
    const later = record({ expiresEpochSeconds: now + 7 * secondsPerDay });
    expect(tell(finding(), record({ expiresEpochSeconds: now + 6 * secondsPerDay })).remember).toEqual([
      later,
    ]);
    expect(
      tell(finding(), record({ expiresEpochSeconds: now + 7 * secondsPerDay - 3_599 })).remember,
    ).toEqual([]);
  });

  test('also of what is less severe now than when it was told', () => {
    const soon = record({ severity: 'critical', expiresEpochSeconds: now + 1 });
    expect(tell(finding('info'), soon).remember).toHaveLength(1);
  });

  test('what is told now is not remembered twice', () => {
    const soon = record({ severity: 'warning', expiresEpochSeconds: now + 1 });
    expect(tell(finding('critical'), soon)).toMatchObject({ change: 'worse', remember: [] });
  });
});

test('news keep the order of the findings', () => {
  const findings = ['c', 'a', 'b'].map((id) => aFinding({ id }));
  const { news } = whatToTell(findings, new Map([['a', record({ findingId: 'a' })]]), rules);
  expect(news.map(({ finding: { id } }) => id)).toEqual(['c', 'b']);
});
