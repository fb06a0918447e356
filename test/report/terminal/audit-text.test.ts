/** The audit as people read it: prices, notices, what to doubt, prices beside advice. */
import { auditText } from '../../../report/terminal/audit.ts';
import { aFinding, aResult } from '../../fixtures/findings.ts';

type Result = Parameters<typeof aResult>[1];
const linesOf = (findings: ReturnType<typeof aFinding>[], result: Result = {}): string[] =>
  auditText(aResult(findings, result), {
    columns: 200,
    color: false,
    invokedAs: 'stripewise',
    recorded: false,
  });
const textOf = (...findings: ReturnType<typeof aFinding>[]): string =>
  linesOf(findings)
    .join('\n')
    .replace(/[│\s]+/g, ' ');

const advice = (action: string, monthlyUsdDelta: number | null) => ({
  ...{ action, monthlyUsdDelta, how: [] },
  ...{ throttledMinutesBefore: null, throttledMinutesAfter: null },
});

test('one line says of which day the prices are, by Region', () => {
  const prices = [
    { region: 'us-east-1', refreshedAt: null, ebsAsOf: '2026-11-01', ebsUnknownBecause: null },
    {
      region: 'eu-central-1',
      refreshedAt: '2026-11-21T16:50:11Z',
      ebsAsOf: '2026-11-20',
      ebsUnknownBecause: null,
    },
    { region: 'eu-west-2', refreshedAt: null, ebsAsOf: null, ebsUnknownBecause: 'not known' },
  ].map((one) => ({ ...one, sources: [] }));
  expect(linesOf([], { prices })).toContain(
    'EBS prices used: us-east-1 of 2026-11-01 (built in), eu-central-1 of 2026-11-20 (refreshed 2026-11-21 16:50 UTC), eu-west-2 not known.',
  );
});

test('notices are read, in whole', () => {
  const notice = 'EBS prices of eu-west-2 are not known: in eu-west-2 nothing was looked for';
  const lines = linesOf([], { notices: [notice] });
  expect(lines.slice(lines.indexOf('To know:'), lines.indexOf('To know:') + 2)).toEqual([
    'To know:',
    `  ${notice}`,
  ]);
});

test.each([
  ['medium', 'over-provisioned', 'confidence medium: less than a week was seen'],
  ['low', 'cheaper-type', 'confidence low: averages over more than a minute hide bursts'],
  ['medium', 'throttled-volume-iops', 'confidence medium: from the rate, no check of AWS behind it'],
] as const)('%s confidence of %s is said as it is', (confidence, kind, said) => {
  expect(textOf(aFinding({ kind, evidence: { confidence } }))).toContain(said);
});

test('a price that the advice names is not said again; another stands at its end', () => {
  const named = textOf(aFinding({ advice: [advice('take m6i.8xlarge (+1,949.00 USD a month)', 1_949)] }));
  expect(named.match(/1,949\.00/g)).toHaveLength(1);
  expect(textOf(aFinding({ advice: [advice('take gp3', -1_047.95)] }))).toContain(
    '-> take gp3 (-1,047.95 USD a month)',
  );
});
