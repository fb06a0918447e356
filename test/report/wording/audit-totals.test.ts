/** The headline and the totals of an audit, and what heads its lists. */
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import {
  auditHeadline,
  blocksHeading,
  leftText,
  listHeading,
  totalsLines,
} from '../../../report/wording/audit-totals.ts';
import { headline } from '../../../report/wording/message.ts';
import {
  aFinding,
  aNotification,
  anEvaluation,
  aRecommendation,
  aResult,
  findingsOnVolumes,
  onInstance,
} from '../../fixtures/findings.ts';

const linesOf = (result: AuditResult): string[] =>
  totalsLines(result).map(({ label, text }) => `${label}: ${text}`);

const saving = aFinding({
  ...{ id: 'saving', kind: 'over-provisioned', severity: 'info' },
  recommendations: [aRecommendation({ monthlyUsdDelta: -1_234.5 })],
  evidence: {},
});

const volumes = [
  anEvaluation({ throttledMinutesPeak24h: 1_440 }),
  anEvaluation({ volumeId: 'vol-2', status: 'healthy', region: 'eu-central-1', throttledMinutesPeak24h: 12 }),
  anEvaluation({ volumeId: 'vol-3', status: 'throttled-by-instance', throttledMinutesPeak24h: 48.4 }),
];

test('the headline: findings by severity, money, volumes, Regions', () => {
  const findings = [aFinding({ severity: 'critical' }), saving];
  expect(auditHeadline(aResult(findings, { volumes }))).toBe(
    'stripewise: 1 critical, 1 info. Up to 1,235 USD a month to save. 3 volumes, 2 Regions.',
  );
});

test('it is the headline of the first message', () => {
  const findings = findingsOnVolumes(30);
  expect(auditHeadline(aResult(findings))).toBe(headline({ ...aNotification(findings), isFirst: true }));
});

test('what the message leaves out is counted there', () => {
  const notification = { ...aNotification(findingsOnVolumes(2)), isFirst: true as const, notShown: 7 };
  expect(headline(notification)).toBe('stripewise: 2 warnings, 7 more. 2 volumes, 1 Region.');
});

const coverage = aResult([]).coverage;

test.each<[string, Partial<AuditResult['coverage']>, string]>([
  ['all is well', { volumes: 2, evaluated: 2 }, 'No findings: nothing was throttled, nothing stands unused.'],
  [
    'some are unknown',
    {
      ...{ volumes: 2, evaluated: 1 },
      unknown: [{ volumeId: 'vol-2', reason: { code: 'no-operations' }, nothingToRead: false }],
    },
    'No findings on what could be evaluated: 1 volume.',
  ],
  ['nothing is known', { volumes: 2, evaluated: 0 }, 'Nothing could be evaluated.'],
])('no findings, and %s', (_, known, said) => {
  const two = [anEvaluation({ status: 'healthy' }), anEvaluation({ volumeId: 'vol-2', status: 'healthy' })];
  expect(auditHeadline(aResult([], { volumes: two, coverage: { ...coverage, ...known } }))).toBe(
    `stripewise: ${said} 2 volumes, 1 Region.`,
  );
});

test('the totals add up', () => {
  const unknownPrice = aFinding({
    ...{ id: 'unknown', resource: onInstance('i-1') },
    recommendations: [
      aRecommendation({
        monthlyUsdDelta: null,
        priceUnknownReason: { code: 'no-ebs-prices', region: 'us-east-1' },
      }),
    ],
  });
  const findings = [aFinding(), saving, unknownPrice];
  const reason = { code: 'no-operations' as const };
  const unknown = [{ volumeId: 'vol-4', reason, nothingToRead: false }];
  const result = aResult(findings, { volumes });
  const { coverage: known } = result;
  expect(linesOf({ ...result, coverage: { ...known, volumes: 4, unknown } })).toEqual([
    // 1,440 + 12 + 48.4
    'Throttled: 1,500 volume-minutes: the peak 24 hours of each volume that is known, summed.',
    'Savings: 1,234.50 USD a month, the largest of each resource. 1 finding without a known price is not counted.',
    'Increases: 5.00 USD a month, for what is recommended first against throttling.',
    'Volumes: 4 = 1 healthy + 1 with findings + 1 throttled by their instance only + 1 unknown.',
    'Findings: 3; 1 of them on instances.',
  ]);
});

test('of nothing no more is said than that', () => {
  expect(linesOf(aResult([]))).toEqual([
    'Throttled: 0 volume-minutes: the peak 24 hours of each volume, summed.',
    'Savings: None found.',
    'Volumes: 0 = 0 healthy + 0 with findings + 0 unknown.',
  ]);
});

test('what heads the blocks and the list, and what is left', () => {
  expect(blocksHeading(10, 73, 'impact')).toBe(
    'Findings 1 to 10 of 73, by impact (severity, then ongoing first, then throttled minutes):',
  );
  expect(blocksHeading(1, 73, 'name')).toBe('Finding 1 of 73, by name:');
  expect(blocksHeading(2, 2, 'savings')).toBe('2 findings, by savings (the largest first):');
  expect(listHeading(11, 1_060)).toBe(
    'Findings 11 to 1,060, a line each with what the fix costs or saves (--top N shows more in full):',
  );
  expect([leftText(1), leftText(1_300)]).toEqual(['... and 1 more finding', '... and 1,300 more findings']);
});
