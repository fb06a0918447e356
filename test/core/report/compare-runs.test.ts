/** Two runs compared: what is new, worse, better, resolved, and when nobody can tell; what both cost and could save. */
import type { VolumeType } from '../../../core/limits/volume-limits.ts';
import { run } from '../../../core/recommendations/recommendation.ts';
import { changesOf, compareRuns } from '../../../core/report/compare-runs.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { AnyEvidence, Finding } from '../../../core/schemas/finding.ts';
import { runComparisonSchema } from '../../../core/schemas/run-comparison.ts';
import {
  aFinding,
  anEvaluation,
  aRecommendation,
  aResult,
  onInstance,
  onStripe,
  onVolume,
  type SomeFinding,
} from '../../fixtures/findings.ts';

const priced = (monthlyUsdDelta: number | null) => aRecommendation({ monthlyUsdDelta });
const minutes = (throttledMinutesPeak24h: number): AnyEvidence => ({ throttledMinutesPeak24h });
const unknownVolume = { volumes: [anEvaluation({ status: 'unknown', reason: { code: 'no-operations' } })] };
const healthyVolume = { volumes: [anEvaluation({ status: 'healthy' })] };

/** What became of one finding. */
function changeOf(
  before: SomeFinding | null,
  after: SomeFinding | null,
  run: Partial<AuditResult> = {},
  earlier: Partial<AuditResult> = {},
) {
  const findings = (of: SomeFinding | null): Finding[] => (of === null ? [] : [aFinding(of)]);
  const compared = compareRuns(
    aResult(findings(before), earlier),
    aResult(findings(after), { runId: 'run-2', ...run }),
  );
  expect(compared.findings).toHaveLength(1);
  expect(runComparisonSchema.parse(compared)).toEqual(compared);
  const change = compared.findings[0]?.change as keyof typeof compared.counts;
  expect(compared.counts[change]).toBe(1);
  expect(Object.values(compared.counts).reduce((sum, count) => sum + count, 0)).toBe(1);
  return change;
}

test.each<[string, SomeFinding, SomeFinding, string]>([
  ['nothing else', {}, {}, 'ongoing'],
  ['a more urgent severity', { severity: 'warning' }, { severity: 'critical' }, 'worse'],
  ['a less urgent severity', { severity: 'critical' }, { severity: 'info' }, 'better'],
  ['twice the minutes', { evidence: minutes(30) }, { evidence: minutes(60) }, 'worse'],
  ['less than twice the minutes', { evidence: minutes(30) }, { evidence: minutes(59) }, 'ongoing'],
  ['half the minutes', { evidence: minutes(1_440) }, { evidence: minutes(60) }, 'better'],
  ['twice of very few minutes', { evidence: minutes(2) }, { evidence: minutes(6) }, 'ongoing'], // 4 more, 5 count
  ['minutes that are not counted', { evidence: minutes(2) }, {}, 'ongoing'],
  [
    'less urgent, with more minutes',
    { severity: 'critical', evidence: minutes(10) },
    { severity: 'warning', evidence: minutes(100) },
    'better',
  ],
])('%s between two runs', (_, before, after, change) => {
  expect(changeOf(before, after)).toBe(change);
});

describe('what is in one run alone', () => {
  test('is new, or resolved where its volume was evaluated again', () => {
    expect(changeOf(null, {}, {}, healthyVolume)).toBe('new');
    expect(changeOf({}, null, healthyVolume)).toBe('resolved');
  });

  test('is not resolved where its volume is unknown now, or was not looked at', () => {
    expect(changeOf({}, null, unknownVolume)).toBe('not-evaluated');
    expect(changeOf({}, null, { volumes: [] })).toBe('not-evaluated');
  });

  const whole = { volumes: [], wholeRegions: ['us-east-1'] };

  test('is resolved where its volume is gone from a Region that was read in whole', () => {
    expect(changeOf({}, null, whole)).toBe('resolved');
    expect(changeOf({}, null, { volumes: [], wholeRegions: ['eu-central-1'] })).toBe('not-evaluated');
  });

  test('is not resolved for being of another account, or excluded now', () => {
    const { coverage } = aResult([]);
    expect(changeOf({}, null, { ...whole, accounts: ['111122223333'] })).toBe('resolved');
    expect(changeOf({}, null, { ...whole, accounts: ['444455556666'] })).toBe('not-evaluated');
    const excluding = { coverage: { ...coverage, excluded: 3 } };
    expect(changeOf({}, null, { ...whole, ...excluding })).toBe('not-evaluated');
    expect(changeOf({}, null, { ...whole, ...excluding }, excluding)).toBe('resolved'); // as many as before
  });

  test('is not new where the earlier run could not have it', () => {
    expect(changeOf(null, {}, {}, unknownVolume)).toBe('not-evaluated');
    const elsewhere = [anEvaluation({ volumeId: 'vol-9', region: 'eu-central-1' })];
    expect(changeOf(null, {}, {}, { volumes: elsewhere })).toBe('not-evaluated');
    expect(changeOf(null, {}, {}, { ...whole, accounts: ['444455556666'] })).toBe('not-evaluated');
    expect(changeOf(null, {}, {}, { volumes: [], wholeRegions: [] })).toBe('not-evaluated');
  });

  test('is new on a volume that was not there: a Region with other volumes was read', () => {
    const beside = [anEvaluation({ volumeId: 'vol-9' })];
    expect(changeOf(null, {}, {}, { volumes: beside })).toBe('new');
    expect(changeOf(null, {}, {}, whole)).toBe('new');
    expect(changeOf(null, {}, {}, { volumes: beside, wholeRegions: [] })).toBe('not-evaluated');
  });

  const prices = (ebsAsOf: string | null): AuditResult['prices'] => [
    { region: 'us-east-1', refreshedAt: null, sources: [], ebsAsOf },
  ];

  test.each<Finding['kind']>(['over-provisioned', 'cheaper-type', 'cheaper-stripe'])(
    '%s: resolved where the later run knew prices and a day of its load',
    (kind) => {
      const later = (status: Partial<AuditResult['volumes'][number]>, ebsAsOf: string | null) =>
        changeOf({ kind }, null, { volumes: [anEvaluation(status)], prices: prices(ebsAsOf) });
      expect(later({}, '2026-11-20')).toBe('resolved');
      expect(later({}, null)).toBe('not-evaluated');
      expect(later({ knownMinutes: 1_000, unknownMinutes: 440 }, '2026-11-20')).toBe('not-evaluated'); // 69 %, 90 are needed
      expect(later({ knownMinutes: 720, unknownMinutes: 0 }, '2026-11-20')).toBe('not-evaluated'); // half a day
    },
  );

  test('a saving is not resolved where its type, or the one it goes to, has no price any more', () => {
    const saving = aFinding({
      kind: 'cheaper-type',
      evidence: { ...aFinding({ kind: 'cheaper-type' }).evidence, recommendedVolumeType: 'gp3' },
    } as never);
    const later = (unpricedTypes: VolumeType[]) => ({
      volumes: [anEvaluation({ volumeType: 'gp2' })],
      prices: [{ region: 'us-east-1', refreshedAt: null, sources: [], ebsAsOf: '2026-11-20', unpricedTypes }],
    });
    expect(changeOf(saving, null, later(['io1', 'st1']))).toBe('resolved');
    expect(changeOf(saving, null, later(['gp2']))).toBe('not-evaluated');
    expect(changeOf(saving, null, later(['gp3']))).toBe('not-evaluated');
  });

  test('a volume that was deleted saves nothing more, whatever is known of prices', () => {
    const later = { ...whole, prices: prices(null) };
    expect(changeOf({ kind: 'over-provisioned' }, null, later)).toBe('resolved');
    expect(changeOf({ kind: 'unattached' }, null, later)).toBe('resolved');
  });

  const ofInstance = (after: Partial<AuditResult>) => {
    const volumes = [anEvaluation({ instanceFindings: ['of-instance'] })];
    const finding = aFinding({ id: 'of-instance', resource: onInstance('i-1') });
    return compareRuns(aResult([finding], { volumes }), aResult([], after)).findings[0]?.change;
  };

  test('on an instance: resolved where the volumes that it throttled were evaluated, and it was too', () => {
    expect(ofInstance(healthyVolume)).toBe('resolved');
    expect(ofInstance(unknownVolume)).toBe('not-evaluated');
    const { coverage } = aResult([]);
    const reason = { code: 'no-operations' as const };
    const instances = { total: 1, evaluated: 0, notEvaluated: [{ instanceId: 'i-1', reason }] };
    expect(ofInstance({ ...healthyVolume, coverage: { ...coverage, instances } })).toBe('not-evaluated');
  });

  test('on a stripe: resolved where all its members were evaluated, also as single volumes', () => {
    const stripe = {
      ...{ stripeId: 'i-1/data', name: null, instanceId: 'i-1', region: 'us-east-1', kind: null },
      ...{ volumeIds: ['vol-1', 'vol-2'], evidence: 'tag' as const, confidence: 'high' as const },
      ...{ chunkKiB: null, builtWith: null, mountPoints: [], limits: null, unlikeMembers: [] },
    };
    const before = aResult([aFinding({ resource: onStripe('i-1/data') })], { stripes: [stripe] });
    const laterWith = (second: 'healthy' | 'unknown') =>
      aResult([], {
        volumes: [anEvaluation({ status: 'healthy' }), anEvaluation({ volumeId: 'vol-2', status: second })],
      });
    expect(compareRuns(before, laterWith('healthy')).findings[0]?.change).toBe('resolved');
    expect(compareRuns(before, laterWith('unknown')).findings[0]?.change).toBe('not-evaluated');
  });
});

test('each finding has both sides, what is new first and what goes on after what ended', () => {
  const on = (id: string, more: SomeFinding = {}) =>
    aFinding({ id, resource: onVolume(`vol-${id}`, { name: 'db' }), ...more });
  const before = aResult([on('gone'), on('same'), on('worse', { evidence: minutes(10) })]);
  const volumes = ['gone', 'same', 'worse', 'new'].map((id) => anEvaluation({ volumeId: `vol-${id}` }));
  const after = aResult(
    [
      on('same'),
      on('worse', { severity: 'critical', evidence: minutes(90), recommendations: [priced(3), priced(-2)] }),
      on('new'),
    ],
    { volumes },
  );
  const { findings } = compareRuns(before, after);
  expect(findings.map(({ finding, change }) => [finding.id, change])).toEqual([
    ['new', 'new'],
    ['worse', 'worse'],
    ['gone', 'resolved'],
    ['same', 'ongoing'],
  ]);
  expect(findings[1]).toMatchObject({
    finding: {
      kind: 'throttled-volume-iops',
      severity: 'critical',
      resource: { id: 'vol-worse', name: 'db' },
    },
    volumeText: 'gp3 100 GiB',
    before: { severity: 'warning', throttledMinutesPeak24h: 10, savingMonthlyUsd: null },
    after: { severity: 'critical', throttledMinutesPeak24h: 90, savingMonthlyUsd: -2 },
  });
  expect(findings[2]).toMatchObject({ before: { severity: 'warning' }, after: null });
});

test('USD of both: what the volumes cost and could save, and how much of it has no price', () => {
  const saving = (id: string, delta: number | null): Finding =>
    aFinding({
      ...{ id, kind: 'cheaper-type', severity: 'info', recommendations: [priced(delta)] },
      resource: onVolume(id),
    });
  const volumes = (...monthlyUsd: (number | null)[]) =>
    monthlyUsd.map((usd, i) => anEvaluation({ volumeId: `vol-${i}`, monthlyUsd: usd }));
  const { before, after, costChange, savingsChangeMonthlyUsd } = compareRuns(
    aResult([saving('vol-0', -10), saving('vol-1', -2.5), saving('vol-2', null)], {
      volumes: volumes(30, 20.25, null),
    }),
    aResult([saving('vol-1', -2.5)], { volumes: volumes(20, 20.25) }),
  );
  expect(before).toMatchObject({
    ...{ costMonthlyUsd: 50.25, volumesWithoutPrice: 1 },
    ...{ savingsMonthlyUsd: 12.5, findingsWithoutPrice: 1 },
  });
  expect(after).toMatchObject({
    ...{ costMonthlyUsd: 40.25, volumesWithoutPrice: 0 },
    ...{ savingsMonthlyUsd: 2.5, findingsWithoutPrice: 0 },
  });
  expect(costChange).toEqual({ monthlyUsd: -10, volumesLeftOut: 1 }); // 20 - 30, 20.25 - 20.25; vol-2 has no price
  expect(savingsChangeMonthlyUsd).toBeNull(); // that of vol-2 is not known
});

test('USD that changed: volumes that came and went count, a price that became known does not', () => {
  const costing = (prices: Record<string, number | null>, findings: Finding[] = []) =>
    aResult(findings, {
      volumes: Object.entries(prices).map(([volumeId, monthlyUsd]) => anEvaluation({ volumeId, monthlyUsd })),
      wholeRegions: ['us-east-1'],
    });
  const { costChange } = compareRuns(costing({ gone: 8, priced: null }), costing({ priced: 99, added: 3 }));
  expect(costChange).toEqual({ monthlyUsd: -5, volumesLeftOut: 1 }); // -8 + 3
  const saving = aFinding({ kind: 'cheaper-type', severity: 'info', recommendations: [priced(-2.5)] });
  const { savingsChangeMonthlyUsd } = compareRuns(
    costing({ 'vol-1': 8 }, [saving]),
    costing({ 'vol-1': 5.5 }),
  );
  expect(savingsChangeMonthlyUsd).toBe(-2.5);
});

test('a cost of which no price is known is not zero; that of no volume is', () => {
  const [priceless, empty] = [aResult([], { volumes: [anEvaluation()] }), aResult([], { volumes: [] })];
  const { before, after, costChange } = compareRuns(priceless, empty);
  expect([before.costMonthlyUsd, after.costMonthlyUsd, costChange.monthlyUsd]).toEqual([null, 0, null]);
});

describe('what one of the runs may not have read is no change', () => {
  const volumes = [anEvaluation({ monthlyUsd: 8 }), anEvaluation({ volumeId: 'vol-2', monthlyUsd: 3 })];
  const saving = aFinding({ kind: 'cheaper-type', recommendations: [priced(-2.5)] });

  test('of the cost: a volume that is not listed any more, unless its Region was read in whole', () => {
    const costChange = (wholeRegions?: string[]) =>
      compareRuns(
        aResult([], { volumes }),
        aResult([], { volumes: volumes.slice(0, 1), ...(wholeRegions ? { wholeRegions } : {}) }),
      ).costChange;
    expect(costChange()).toEqual({ monthlyUsd: 0, volumesLeftOut: 1 });
    expect(costChange(['us-east-1'])).toEqual({ monthlyUsd: -3, volumesLeftOut: 0 });
  });

  test('of the possible savings: one on a volume that is unknown now', () => {
    const change = (later: Partial<AuditResult>) =>
      compareRuns(aResult([saving]), aResult([], later)).savingsChangeMonthlyUsd;
    expect(change(healthyVolume)).toBe(-2.5);
    expect(change(unknownVolume)).toBeNull();
  });

  test('of the throttled minutes: those of a volume that is unknown now', () => {
    const throttled = anEvaluation({ throttledMinutesPeak24h: 40 });
    const before = aResult([aFinding({ evidence: minutes(40) })], { volumes: [throttled] });
    const change = (later: Partial<AuditResult>) => {
      const compared = compareRuns(before, aResult([], later));
      expect(compared.before.throttledMinutesPeak24h).toBe(40);
      return compared.throttledMinutesChange;
    };
    expect(change(healthyVolume)).toBe(-40);
    expect(change(unknownVolume)).toBeNull();
  });
});

test('of a page what is ongoing is counted, and not listed; of the rest the first recommendation is there', () => {
  const recommendations = [priced(5), priced(-1)].map((one) => ({
    ...one,
    steps: [run('aws ec2 modify-volume')],
  }));
  const added = aFinding({ id: 'added', resource: onVolume('vol-2'), recommendations });
  const compared = compareRuns(aResult([aFinding()]), aResult([aFinding(), added], { runId: 'run-2' }));
  expect(compared.counts).toMatchObject({ new: 1, ongoing: 1 });
  const { findings, ...others } = changesOf(compared);
  expect({ ...others, findings: compared.findings }).toEqual(compared);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({ change: 'new', after: { savingMonthlyUsd: -1 } });
  expect(findings[0]?.finding.recommendations).toEqual([{ ...recommendations[0], steps: [] }]);
});

test('volumes that only one of them has are counted', () => {
  const having = (...ids: string[]) =>
    aResult([], { volumes: ids.map((volumeId) => anEvaluation({ volumeId })) });
  const { volumesAdded, volumesRemoved } = compareRuns(having('a', 'b', 'c'), having('c', 'd'));
  expect({ volumesAdded, volumesRemoved }).toEqual({ volumesAdded: 1, volumesRemoved: 2 });
});

test.each<[string, Partial<AuditResult>, string[]]>([
  ['another run of the same window', {}, []],
  ['the same run', { runId: 'run-1' }, ['same-run']],
  [
    'an earlier one',
    { window: { start: '2026-10-06T00:00:00Z', end: '2026-10-20T00:00:00Z' } },
    ['first-is-later'],
  ],
  [
    'a day',
    { window: { start: '2026-11-20T00:00:00Z', end: '2026-11-21T00:00:00Z' } },
    ['other-window-length'],
  ],
  ['a minute more', { window: { start: '2026-11-06T00:00:00Z', end: '2026-11-20T00:01:00Z' } }, []],
  ['other thresholds', { thresholds: { throttledWarningMinutes: 9 } }, ['other-thresholds']],
  ['a Region read in whole that has no volume', { wholeRegions: ['us-east-1'], volumes: [] }, []],
  ['another Region', { volumes: [anEvaluation({ region: 'eu-central-1' })] }, ['other-regions']],
  ['another account', { accounts: ['444455556666'] }, ['other-accounts']],
  ['the same account', { accounts: ['111122223333'] }, []],
  ['excluded volumes', { coverage: { ...aResult([]).coverage, excluded: 1 } }, ['more-excluded']],
])('%s: what a reader should know', (_, after, notes) => {
  const volumes = [anEvaluation({})];
  const compared = compareRuns(
    aResult([], { volumes, accounts: ['111122223333'] }),
    aResult([], { volumes, runId: 'run-2', ...after }),
  );
  expect(compared.notes).toEqual(notes);
});
