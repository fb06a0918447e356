/** The audit as people read it: prices, notices, what to doubt, prices beside recommendation. */

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import type { Finding } from '../../../core/schemas/finding.ts';
import { auditText } from '../../../report/terminal/audit.ts';
import { hanging } from '../../../report/terminal/text.ts';
import { noticeText } from '../../../report/wording/audit-notices.ts';
import {
  aFinding,
  anEvaluation,
  aRecommendation,
  aResult,
  findingsOnVolumes,
  onVolume,
} from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

type Result = Parameters<typeof aResult>[1];
const linesOf = (findings: ReturnType<typeof aFinding>[], result: Result = {}): string[] =>
  auditText(aResult(findings, result), {
    columns: null,
    color: false,
    invokedAs: 'stripewise',
    recorded: false,
  });
const textOf = (...findings: ReturnType<typeof aFinding>[]): string => linesOf(findings).join('\n');

const recommendation = (monthlyUsdDelta: number | null) => aRecommendation({ monthlyUsdDelta });

test('one line says of which day the prices are, by Region', () => {
  const prices = [
    { region: 'us-east-1', refreshedAt: null, ebsAsOf: '2026-11-01' },
    { region: 'eu-central-1', refreshedAt: '2026-11-21T16:50:11Z', ebsAsOf: '2026-11-20' },
    {
      region: 'eu-west-1',
      refreshedAt: null,
      ebsAsOf: '2026-11-01',
      unpricedTypes: ['io1' as const, 'sc1' as const],
    },
    { region: 'eu-west-2', refreshedAt: null, ebsAsOf: null },
  ].map((one) => ({ ...one, sources: [] }));
  expect(linesOf([], { prices })).toContain(
    'EBS prices used: us-east-1 of 2026-11-01 (built in), eu-central-1 of 2026-11-20 (refreshed 2026-11-21 16:50 UTC), eu-west-1 of 2026-11-01 (built in, none of io1 or sc1), eu-west-2 not known.',
  );
});

test('notices are read, in whole', () => {
  const notice = { code: 'ebs-prices-unknown', region: 'eu-west-2' } as const;
  const lines = linesOf([], { notices: [notice] });
  expect(lines.slice(lines.indexOf('Notes:'), lines.indexOf('Notes:') + 2)).toEqual([
    'Notes:',
    `  ${noticeText(notice)}`,
  ]);
});

test.each([
  ['medium', 'over-provisioned', 'Confidence medium: less than a week of metrics.'],
  ['low', 'cheaper-type', 'Confidence low: averages over more than a minute hide bursts.'],
  ['medium', 'throttled-volume-iops', 'Confidence medium: its rate and its queue length.'],
] as const)('%s confidence of %s is said as it is', (confidence, kind, said) => {
  expect(textOf(aFinding({ kind, confidence }))).toContain(said);
});

test('what each pass took stands below what all of them did, and how many volumes the first one evaluated', () => {
  const cost = {
    ...{ apiCalls: 611, metricsRequested: 4_685, usd: 0.046_85 },
    passes: [
      { pass: 'coarse', volumes: 996, instances: 0, metricsRequested: 3_121, apiCalls: 293, usd: 0.031_21 },
      {
        pass: 'second-look',
        volumes: 325,
        instances: 210,
        metricsRequested: 941,
        apiCalls: 192,
        usd: 0.009_41,
      },
      { pass: 'fine', volumes: 1, instances: 1, metricsRequested: 623, apiCalls: 126, usd: 0.006_23 },
    ],
  } satisfies NonNullable<Result>['cost'];
  const volumes = (['coarse', 'coarse', 'fine'] as const).map((evaluatedBy, i) =>
    anEvaluation({ volumeId: `vol-${i}`, status: 'healthy', evaluatedBy }),
  );
  const lines = linesOf([], { cost, volumes });
  expect(lines).toContain(
    'The first pass alone evaluated 2 volumes: its few metrics showed no trouble, the others were not read.',
  );
  expect(lines.slice(lines.findIndex((line) => line.startsWith('Reading took')))).toEqual(
    expect.arrayContaining([
      'Reading took 611 API calls for 4,685 metrics: about 0.05 USD of CloudWatch.',
      '  first pass, few metrics: 3,121 metrics of 996 volumes in 293 calls, about 0.03 USD',
      '  second look, what clears more of them: 941 metrics of 325 volumes and 210 instances in 192 calls, about 0.01 USD',
      '  second pass, all metrics of volumes that may be in trouble: 623 metrics of 1 volume and 1 instance in 126 calls, about 0.01 USD',
    ]),
  );
});

test('the cost of a few metrics is not told to be nothing', () => {
  const cost = { apiCalls: 12, metricsRequested: 62, usd: 0.000_62 };
  expect(linesOf([], { cost })).toContain(
    'Reading took 12 API calls for 62 metrics: less than 0.01 USD of CloudWatch.',
  );
});

test('a pass that had nothing to ask says so, and of instances alone no volumes are reported', () => {
  const nothing = { volumes: 0, instances: 0, metricsRequested: 0, apiCalls: 0, usd: 0 };
  const passes = [
    { pass: 'second-look' as const, ...nothing, instances: 2, metricsRequested: 3, apiCalls: 1 },
    { pass: 'fine' as const, ...nothing },
  ];
  const lines = linesOf([], { cost: { apiCalls: 1, metricsRequested: 3, usd: 0, passes } });
  expect(lines).toContain(
    '  second look, what clears more of them: 3 metrics of 2 instances in 1 call, about 0.00 USD',
  );
  expect(lines).toContain('  second pass, all metrics of volumes that may be in trouble: nothing to ask');
});

test('a finding is a title with its kind and the lines that every channel has', () => {
  const finding = aFinding({ evidence: { throttledMinutesPeak24h: 12, throttledMinutesInPeakHour: 12 } });
  const lines = linesOf([finding]);
  const title = lines.findIndex((line) => line.startsWith('1.  '));
  expect(lines.slice(title - 2, title + 8)).toEqual([
    '1 finding, by impact (severity, then ongoing first, then throttled minutes):',
    '',
    '1.  warning vol-1 "db" gp3 100 GiB us-east-1 (throttled-volume-iops)',
    '    Problem   Throttled at its maximum of 3,000 IOPS. Ended 19 Nov 14:30 UTC.',
    '    Evidence  Throttled 12 min in the peak 24 h. Confidence high: VolumeIOPSExceededCheck.',
    '    Fix       Change to gp3, 4,000 IOPS, 125 MiB/s. Online, no downtime.',
    '    Effect    Maximum 3,000 -> 4,000 IOPS; demand above that is unknown: check again in a day.',
    '    Cost      +5.00 USD a month.',
    '',
    'Figures from 2026-11-06T00:00:00Z to 2026-11-20T00:00:00Z.',
  ]);
});

test('the headline, the totals, the findings, the notes, what to try next: in this order', () => {
  const lines = linesOf(findingsOnVolumes(12), { notices: [{ code: 'cost-is-at-least' }] });
  const places = [
    'stripewise: 12 warnings. 12 volumes, 1 Region.',
    'Throttled 0 volume-minutes: the peak 24 hours of each volume, summed.',
    'Findings 1 to 10 of 12, by impact (severity, then ongoing first, then throttled minutes):',
    'Findings 11 to 12, a line each with what the fix costs or saves (--top N shows more in full):',
    `  ${noticeText({ code: 'cost-is-at-least' })}`,
    'Next:',
  ].map((line) => lines.indexOf(line));
  expect(places[0]).toBe(0);
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('a line that is too wide goes on below its text, and no word is cut', () => {
  expect(hanging('Fix       Change to gp3, 4,000 IOPS.', 24, 10)).toEqual([
    'Fix       Change to gp3,', // 24 characters
    '          4,000 IOPS.',
  ]);
  expect(hanging('Volumes   vol-0123456789abcdef0', 20, 10)).toEqual(['Volumes   vol-0123456789abcdef0']);
});

test('one instance that was not evaluated is named, of several the first', () => {
  const notEvaluated = [{ instanceId: 'i-1', reason: { code: 'batch-without-result' } }];
  const coverage = (instances: object) => ({ coverage: { ...aResult([]).coverage, instances } }) as Result;
  const one = coverage({ total: 2, evaluated: 1, notEvaluated });
  expect(linesOf([], one)).toContain(
    '2 instances: 1 evaluated on their own EBS limits; 1 not evaluated: i-1: its batch ended without a result.',
  );
  const two = coverage({ total: 2, evaluated: 0, notEvaluated: [...notEvaluated, ...notEvaluated] });
  expect(linesOf([], two)).toContain(
    '2 instances: 0 evaluated on their own EBS limits; 2 not evaluated, such as i-1: its batch ended without a result.',
  );
});

test.each([
  ['throttled-volume-iops', true],
  ['credits-exhausted', true],
  ['instance-credits-exhausted', true],
  ['micro-burst', true],
  ['idle', false],
  ['over-provisioned', false],
] as const)('what to try next of %s names one in full, minutes, replay and plan: %s', (kind, isNamed) => {
  const out = linesOf([aFinding({ kind })]).join('\n');
  for (const said of [
    '  add --resource ID ',
    '  add --minutes FILE ',
    '  stripewise replay --help ',
    '  stripewise plan --help ',
  ])
    expect(out.includes(said)).toBe(isNamed);
});

const styled = (
  findings: readonly Finding[],
  options: Partial<Parameters<typeof auditText>[1]> = {},
): string[] =>
  auditText(aResult(findings), {
    ...{ columns: null, color: false, invokedAs: 'stripewise', recorded: false },
    ...options,
  });

describe('a large fleet', () => {
  const blocksIn = (lines: readonly string[]): number =>
    lines.filter((line) => line === '    Cost      +5.00 USD a month.').length;
  /** Rows of the list, cell by cell; a title begins with a number. */
  const rowsIn = (lines: readonly string[]): string[][] =>
    lines.filter((line) => /^(critical|warning|info) /.test(line)).map((line) => line.split(/ {2,}/));

  test('ten findings in full are all there are to tell: no list of others', () => {
    const lines = styled(findingsOnVolumes(10));
    expect([blocksIn(lines), rowsIn(lines)]).toEqual([10, []]);
    expect(lines).toContain('10 findings, by impact (severity, then ongoing first, then throttled minutes):');
  });

  test('the ten most important in full, fifty in a line each, the rest counted', () => {
    const lines = styled(findingsOnVolumes(73));
    expect(blocksIn(lines)).toBe(10);
    expect(lines).toContain('... and 13 more findings (--format csv has all)');
    const rows = rowsIn(lines);
    expect(rows).toHaveLength(50);
    expect(rows[0]).toEqual([
      ...['warning', 'vol-18', 'db 18', 'gp3 100 GiB', '+5.00'],
      'throttled at its maximum of 3,000 IOPS, ended',
    ]);
  });

  test.each([
    [0, 0, 12],
    [3, 3, 9],
    [12, 12, 0],
    [99, 12, 0],
  ])('--top %d: %d as blocks, %d as lines', (top, blocks, rows) => {
    const lines = styled(findingsOnVolumes(12), { top });
    expect([blocksIn(lines), rowsIn(lines).length]).toEqual([blocks, rows]);
  });

  test('the price of a line is that of its first recommendation, a dash where it has none', () => {
    const some = [null, -3, 0].map((delta, i) =>
      aFinding({ id: `${i}`, recommendations: [recommendation(delta)] }),
    );
    const none = aFinding({ id: '3', recommendations: [] });
    const reason = { code: 'no-ebs-prices', region: 'eu-central-1' } as const;
    const unpriced = aFinding({
      id: '4',
      recommendations: [{ ...recommendation(null), priceUnknownReason: reason }],
    });
    expect(rowsIn(styled([...some, none, unpriced], { top: 0 })).map((cells) => cells.at(-2))).toEqual([
      ...['-', '-3.00', '0.00', '-', 'no price'],
    ]);
  });

  test('by savings the price is the best saving of all options', () => {
    const finding = aFinding({
      recommendations: [recommendation(5), recommendation(-20), recommendation(-7)],
    });
    const lines = styled([finding], { top: 0, order: 'savings' });
    expect(rowsIn(lines).map((cells) => cells.at(-2))).toEqual(['-20.00']);
    expect(lines.find((line) => line.startsWith('severity'))).toMatch(/ best saving {2}problem$/);
  });

  test('no name from the account can put a line of its own there', () => {
    fc.assert(
      fc.property(untrustedText, (name) => {
        const resource = onVolume('vol-1', { name });
        const lines = styled(findingsOnVolumes(12, { resource }));
        expect(lines).toHaveLength(styled(findingsOnVolumes(12)).length);
        expect(lines.join('')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe('color', () => {
  const csi = '\u001b[';
  const each = (['critical', 'warning', 'info'] as const).map((severity) =>
    aFinding({ id: severity, severity }),
  );

  test('is on the severity of a block and of a line, and nowhere else', () => {
    const lines = styled(each, { color: true, top: 1 });
    const colored = lines.filter((line) => line.includes(csi));
    expect(colored.map((line) => line.replace(/ vol-1.*/, ''))).toEqual([
      `1.  ${csi}31mcritical${csi}39m`, // red
      `${csi}33mwarning${csi}39m  `, // yellow
      `${csi}36minfo${csi}39m     `, // cyan
    ]);
    expect(stripVTControlCharacters(lines.join('\n'))).toBe(styled(each, { top: 1 }).join('\n'));
  });

  test('is nowhere where it is not demanded', () => {
    expect(styled(each).join('')).not.toContain(csi);
  });
});
