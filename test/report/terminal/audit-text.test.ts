/** The audit as people read it: prices, notices, what to doubt, prices beside advice. */

import fc from 'fast-check';
import type { Finding } from '../../../core/schemas/finding.ts';
import { auditText } from '../../../report/terminal/audit.ts';
import { hanging } from '../../../report/terminal/text.ts';
import { noticeText } from '../../../report/wording/audit-notices.ts';
import { aFinding, aRecommendation, aResult, aVerdict, findingsOnVolumes } from '../../fixtures/findings.ts';
import { hostileText } from '../../fixtures/hostile-text.ts';

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

const advice = (text: string, monthlyUsdDelta: number | null) => aRecommendation({ text, monthlyUsdDelta });

test('one line says of which day the prices are, by Region', () => {
  const prices = [
    { region: 'us-east-1', refreshedAt: null, ebsAsOf: '2026-11-01' },
    { region: 'eu-central-1', refreshedAt: '2026-11-21T16:50:11Z', ebsAsOf: '2026-11-20' },
    { region: 'eu-west-2', refreshedAt: null, ebsAsOf: null },
  ].map((one) => ({ ...one, sources: [] }));
  expect(linesOf([], { prices })).toContain(
    'EBS prices used: us-east-1 of 2026-11-01 (built in), eu-central-1 of 2026-11-20 (refreshed 2026-11-21 16:50 UTC), eu-west-2 not known.',
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
  ['medium', 'throttled-volume-iops', 'Confidence medium: its rate and its queue.'],
] as const)('%s confidence of %s is said as it is', (confidence, kind, said) => {
  expect(textOf(aFinding({ kind, confidence }))).toContain(said);
});

test('what each pass took stands below what all of them did, and how many volumes the first one judged', () => {
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
  const volumes = (['coarse', 'coarse', 'fine'] as const).map((judgedBy, i) =>
    aVerdict({ volumeId: `vol-${i}`, verdict: 'healthy', judgedBy }),
  );
  const lines = linesOf([], { cost, volumes });
  expect(lines).toContain(
    'The first pass alone judged 2 volumes: its few metrics showed no trouble, the others were not read.',
  );
  expect(lines.slice(lines.findIndex((line) => line.startsWith('Reading took')))).toEqual(
    expect.arrayContaining([
      'Reading took 611 API calls for 4,685 metrics: about 0.05 USD of CloudWatch.',
      '  first pass, few metrics: 3,121 metrics of 996 volumes in 293 calls, about 0.03 USD',
      '  second look, what clears more of them: 941 metrics of 325 volumes and 210 instances in 192 calls, about 0.01 USD',
      '  second pass, everything of the suspects: 623 metrics of 1 volume and 1 instance in 126 calls, about 0.01 USD',
    ]),
  );
});

test('the cost of a few metrics is not told to be nothing', () => {
  const cost = { apiCalls: 12, metricsRequested: 62, usd: 0.000_62 };
  expect(linesOf([], { cost })).toContain(
    'Reading took 12 API calls for 62 metrics: less than 0.01 USD of CloudWatch.',
  );
});

test('a pass that had nothing to ask says so, and of instances alone no volumes are told', () => {
  const nothing = { volumes: 0, instances: 0, metricsRequested: 0, apiCalls: 0, usd: 0 };
  const passes = [
    { pass: 'second-look' as const, ...nothing, instances: 2, metricsRequested: 3, apiCalls: 1 },
    { pass: 'fine' as const, ...nothing },
  ];
  const lines = linesOf([], { cost: { apiCalls: 1, metricsRequested: 3, usd: 0, passes } });
  expect(lines).toContain(
    '  second look, what clears more of them: 3 metrics of 2 instances in 1 call, about 0.00 USD',
  );
  expect(lines).toContain('  second pass, everything of the suspects: nothing to ask');
});

test('a finding is its kind and the lines that every channel has', () => {
  const finding = aFinding({ evidence: { heldBackMinutesWorst24h: 12, heldBackMinutesInWorstHour: 12 } });
  const cells = linesOf([finding])
    .join('\n')
    .split('\n')
    .filter((line) => line.startsWith('│'))
    .map((line) => line.split('│')[3]?.trim());
  expect(cells).toEqual([
    'what, when, what to do',
    'throttled-volume-iops',
    'Problem   Throttled at its maximum of 3,000 IOPS. Ended 19 Nov 14:30 UTC.',
    'Evidence  Throttled 12 min in the peak 24 h. Confidence high: the exceeded check of CloudWatch.',
    'Fix       Change to gp3, 4,000 IOPS, 125 MiB/s. Online, no downtime.',
    'Effect    Maximum 3,000 -> 4,000 IOPS; demand above that is unknown: check again in a day.',
    'Cost      +5.00 USD a month.',
  ]);
});

test('a line that is too wide goes on below its text, and no word is cut', () => {
  expect(hanging('Fix       Change to gp3, 4,000 IOPS.', 24, 10)).toEqual([
    'Fix       Change to gp3,', // 24 characters
    '          4,000 IOPS.',
  ]);
  expect(hanging('Volumes   vol-0123456789abcdef0', 20, 10)).toEqual(['Volumes   vol-0123456789abcdef0']);
});

test('one instance that was not judged is named, of several the first', () => {
  const notJudged = [{ instanceId: 'i-1', because: { code: 'too-little-known', because: 'it is Xen' } }];
  const coverage = (instances: object) => ({ coverage: { ...aResult([]).coverage, instances } }) as Result;
  const one = coverage({ total: 2, judged: 1, notJudged });
  expect(linesOf([], one)).toContain(
    '2 instances: 1 judged on their own EBS limits; 1 not judged: i-1: it is Xen.',
  );
  const two = coverage({ total: 2, judged: 0, notJudged: [...notJudged, ...notJudged] });
  expect(linesOf([], two)).toContain(
    '2 instances: 0 judged on their own EBS limits; 2 not judged, such as i-1: it is Xen.',
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

describe('a large fleet', () => {
  const linesOfFleet = (count: number): string[] => linesOf(findingsOnVolumes(count)).join('\n').split('\n');

  test('ten resources in full are all there are to tell: no list of others', () => {
    expect(linesOfFleet(10).some((line) => line.startsWith('The others'))).toBe(false);
  });

  test('the ten most urgent in full, fifty in a line each, the rest counted', () => {
    const lines = linesOfFleet(73);
    expect(lines.filter((line) => line.includes('Fix       Change to gp3, 4,000 IOPS'))).toHaveLength(10);
    expect(lines).toContain('The others (--resource ID tells one in full), 63 resources:');
    expect(lines).toContain('... and 13 more resources (--json has them all)');
    const brief = lines.filter((line) => line.startsWith('warning '));
    expect(brief).toHaveLength(50);
    expect(brief[0]?.split(/ {2,}/)).toEqual([
      ...['warning', 'vol-10', 'db 10', 'gp3 100 GiB', '+5.00 USD', 'throttled-volume-iops'],
    ]);
  });

  test.each([
    [126, ['name', 'what it is']], // 58 + 22 + 18 + 28
    [125, ['name']],
    [80, []],
  ])('in %s columns no line is longer; left out is what is also told in full', (columns, optional) => {
    const kinds = ['throttled-instance-throughput', 'unreachable-performance', 'ebs-card-imbalance'] as const;
    const many = Array.from({ length: 12 }, (_, i) =>
      kinds.map((kind) =>
        aFinding({
          ...{ id: `${kind} ${i}`, kind },
          resource: {
            ...aFinding().resource,
            id: `vol-0123456789abcde${10 + i}`,
            name: 'n'.repeat(30),
          },
        }),
      ),
    ).flat();
    const lines = auditText(aResult(many), {
      columns,
      color: false,
      invokedAs: 'stripewise',
      recorded: false,
    })
      .join('\n')
      .split('\n');
    const head = lines.find((line) => line.startsWith('severity'));
    expect(head?.trim().split(/ {2,}/)).toEqual([
      ...['severity', 'resource', ...optional, 'first advice, a month', 'findings'],
    ]);
    const brief = lines.filter((line) => line.startsWith('warning '));
    expect(brief).toHaveLength(2);
    for (const line of brief) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test('several findings on one are one line, the price is that of the first advice, a dash where it has none', () => {
    const eleventh = (kind: Finding['kind'], advised: Finding['recommendations']): Finding =>
      aFinding({
        id: kind,
        kind,
        severity: 'info',
        recommendations: advised,
        resource: { ...aFinding().resource, id: 'vol-x' },
      });
    const two = [
      eleventh('idle', [advice('delete it', null)]),
      eleventh('cheaper-type', [advice('take gp3', -3)]),
    ];
    const line = linesOf([...findingsOnVolumes(10), ...two])
      .join('\n')
      .split('\n')
      .find((one) => one.startsWith('info'));
    expect(line?.split(/ {2,}/).slice(-2)).toEqual(['-', 'idle, cheaper-type']);
  });

  test('no name from the account can put a line of its own there', () => {
    fc.assert(
      fc.property(hostileText, (name) => {
        const hostile = findingsOnVolumes(12, { resource: { ...aFinding().resource, name } });
        const named = hostile.map((one, i) => ({
          ...one,
          resource: { ...one.resource, id: `vol-${i}` },
        }));
        const brief = linesOf(named)
          .join('\n')
          .split('\n')
          .filter((line) => /^warning +vol-1[01] /.test(line));
        expect(brief).toHaveLength(2);
        expect(brief.join('')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 15 }, // a table of twelve resources takes its time
    );
  });
});
