/** The label of each recommendation, and its reason: which rule goes before which. */
import { known, unknown } from '../../../core/known.ts';
import type { VolumeRecommendation } from '../../../core/schemas/volume-recommendation.ts';
import { type AuditedVolume, labelOf, type Trouble } from '../../../core/second-opinion/compare.ts';

const day = 86_400;
const end = 1_795_132_800; // 2026-11-20T00:00Z
const window = { startEpochSeconds: end - 14 * day, endEpochSeconds: end };
const ago = (hours: number): string => new Date((end - hours * 3_600) * 1_000).toISOString();

const gp3 = (iops: number) => ({ volumeType: 'gp3' as const, sizeGiB: 100, iops, throughputMiBps: 125 });

/** At 6,000 IOPS; the audit keeps it and finds nothing. */
const audited = (more: Partial<AuditedVolume> = {}): AuditedVolume => ({
  isDetached: false,
  current: gp3(6_000),
  isEvaluated: true,
  window,
  knownMinutes: 14 * 1_440,
  activeMinutes: 500,
  trouble: null,
  choice: 'keep',
  hasFinding: false,
  simulated: { now: 0, option: { atMost: 0, atLeast: 0 }, isOpen: false, ours: 0 },
  usd: known({ theirs: 23, ours: 23 }),
  ours: null,
  ...more,
});

/** To 3,000 IOPS, 20 hours ago. */
const change = (more: Partial<VolumeRecommendation> = {}): VolumeRecommendation => ({
  source: 'compute-optimizer',
  volumeId: 'vol-1',
  account: null,
  region: null,
  action: 'change',
  current: gp3(6_000),
  options: [
    { rank: 1, volumeType: 'gp3', configuration: gp3(3_000), performanceRisk: 1, monthlyUsdSaving: 15 },
  ],
  lookBackDays: 14,
  lastRefreshed: ago(20),
  ...more,
});
const keep = (more: Partial<VolumeRecommendation> = {}) => change({ action: 'keep', options: [], ...more });
const remove = (more: Partial<VolumeRecommendation> = {}) =>
  change({ action: 'delete', options: [], ...more });

const simulated = (now: number, atMost: number, atLeast = atMost, ours = now) => ({
  simulated: { now, option: { atMost, atLeast }, isOpen: false, ours },
});
const found = (trouble: Trouble, more: Partial<AuditedVolume> = {}) =>
  audited({ trouble, hasFinding: true, ...more });
const credits: Trouble = { code: 'credits', minutes: 40 };
const own: Trouble = { code: 'keeps-throttled', minutes: 40 };
const byInstance: Trouble = { code: 'instance-limit', instanceId: 'i-1', minutes: 40 };
const cheaper = { choice: 'change' as const, hasFinding: true, ours: gp3(3_000) };

const optionOf = (volumeType: string) => ({
  options: [{ rank: 1, volumeType, configuration: null, performanceRisk: 1, monthlyUsdSaving: null }],
});

type Case = [string, AuditedVolume, VolumeRecommendation | null, string, object];

test.each<Case>([
  // What it says nothing of.
  ['nothing said, nothing found', audited(), null, 'agree', { code: 'both-keep' }],
  ['nothing said of trouble', found(credits), null, 'unseen', credits],
  ['nothing said of a saving', audited(cheaper), null, 'unseen', { code: 'no-recommendation' }],
  ['detached', audited({ isDetached: true }), null, 'unseen', { code: 'detached' }],
  [
    '26 h of metrics in 14 days',
    found(credits, { knownMinutes: 26 * 60 }),
    null,
    'unseen',
    { code: 'under-30-hours', hours: 26 },
  ],
  ['30 h of metrics', found(credits, { knownMinutes: 30 * 60 }), null, 'unseen', credits],
  [
    '26 h in a window of 26 h show nothing of how long it is attached',
    found(credits, { knownMinutes: 26 * 60, window: { ...window, startEpochSeconds: end - 26 * 3_600 } }),
    null,
    'unseen',
    credits,
  ],
  ['not evaluated', audited({ isEvaluated: false }), null, 'not-comparable', { code: 'not-evaluated' }],
  // Old, or of something else.
  ['48 h old is not stale', audited(), keep({ lastRefreshed: ago(48) }), 'agree', { code: 'both-keep' }],
  [
    '49 h old is',
    audited(simulated(0, 90)),
    change({ lastRefreshed: ago(49) }),
    'not-comparable',
    { code: 'stale', lastRefreshed: ago(49), hours: 49 },
  ],
  ['undated', audited(), keep({ lastRefreshed: null }), 'not-comparable', { code: 'undated' }],
  [
    'of another configuration',
    audited({ current: gp3(4_000) }),
    change(),
    'not-comparable',
    { code: 'configuration-changed' },
  ],
  [
    'an unknown type',
    audited(),
    change(optionOf('gp4')),
    'not-comparable',
    { code: 'option-unknown', volumeType: 'gp4' },
  ],
  [
    'an option that is what there is',
    audited({ current: gp3(3_000) }),
    change({ current: null }),
    'agree',
    { code: 'both-keep' },
  ],
  [
    'no load to simulate',
    audited({ simulated: null }),
    change(),
    'not-comparable',
    { code: 'not-evaluated' },
  ],
  [
    'fewer GiB than there are, at less than it costs now',
    audited({ ...simulated(0, 0), current: { ...gp3(6_000), sizeGiB: 200 } }),
    change({ current: null }),
    'not-comparable',
    { code: 'smaller-size' },
  ],
  // Harm.
  [
    'more minutes than now, by what is certain of the demand',
    audited(simulated(10, 90, 60)),
    change(),
    'unsafe',
    { code: 'throttled-if-followed', throttledMinutesNow: 10, throttledMinutes: 90 },
  ],
  [
    'more only by demand at most',
    audited(simulated(10, 90, 10)),
    change(),
    'not-comparable',
    { code: 'demand-unknown' },
  ],
  [
    'more only by demand at most, where its instance is what throttles it',
    found(byInstance, simulated(40, 90, 40)),
    change(),
    'unseen',
    byInstance,
  ],
  [
    'a hard disk for I/O that may not be sequential',
    audited({ simulated: { ...simulated(0, 0).simulated, isOpen: true } }),
    change(),
    'not-comparable',
    { code: 'demand-unknown' },
  ],
  [
    'less than a minute more is the rounding of a replay',
    audited(simulated(10, 10.9)),
    change(),
    'agree',
    { code: 'like-cost' },
  ],
  [
    'one minute more is more',
    audited(simulated(10, 11)),
    change(),
    'unsafe',
    { code: 'throttled-if-followed', throttledMinutesNow: 10, throttledMinutes: 11 },
  ],
  [
    'unsafe goes before what it does not see',
    found(byInstance, simulated(40, 90)),
    change(),
    'unsafe',
    { code: 'throttled-if-followed', throttledMinutesNow: 40, throttledMinutes: 90 },
  ],
  [
    'deletes what is used',
    audited(),
    remove(),
    'unsafe',
    { code: 'deletes-what-is-used', activeMinutes: 500 },
  ],
  ['deletes what is idle', audited({ choice: 'delete' }), remove(), 'agree', { code: 'both-delete' }],
  [
    'deletes what is detached',
    audited({ isDetached: true, choice: 'delete' }),
    remove(),
    'agree',
    { code: 'both-delete' },
  ],
  [
    'keeps what is detached',
    audited({ isDetached: true, choice: 'delete' }),
    keep(),
    'unseen',
    { code: 'detached' },
  ],
  // What stays.
  ['keeps what its credits limit', found(credits), keep(), 'unseen', credits],
  [
    'changes a volume that its instance limits',
    found(byInstance, simulated(40, 40)),
    change(),
    'unseen',
    byInstance,
  ],
  [
    'its option leaves 30 of 40 minutes, ours none',
    found(own, { ...cheaper, ...simulated(40, 30, 30, 0) }),
    change(),
    'unseen',
    { code: 'keeps-throttled', minutes: 30 },
  ],
  [
    'its option cures as well as ours, for 5 USD more',
    found(credits, {
      choice: 'change',
      ours: gp3(4_000),
      ...simulated(40, 0, 0, 0),
      usd: known({ theirs: 28, ours: 23 }),
    }),
    change(),
    'leaves-money',
    { code: 'more-than-needed' },
  ],
  // Money.
  [
    'the same configuration',
    audited({ ...cheaper, usd: unknown(null) }),
    change(),
    'agree',
    { code: 'same-configuration' },
  ],
  [
    'keeps what costs 15 USD too much',
    audited({ ...cheaper, usd: known({ theirs: 23, ours: 8 }) }),
    keep(),
    'leaves-money',
    { code: 'keeps-what-can-cost-less' },
  ],
  [
    '9 cents are no money',
    audited({ ...cheaper, usd: known({ theirs: 23.09, ours: 23 }) }),
    keep(),
    'agree',
    { code: 'like-cost' },
  ],
  [
    'ours is not safe either',
    audited({ ...cheaper, ...simulated(0, 0, 0, 50), usd: known({ theirs: 23, ours: 8 }) }),
    keep(),
    'not-comparable',
    { code: 'demand-unknown' },
  ],
  [
    'more than the load needs',
    audited({ usd: known({ theirs: 30, ours: 23 }) }),
    change(),
    'leaves-money',
    { code: 'more-than-needed' },
  ],
  [
    'cheaper than ours, and safe',
    audited({ usd: known({ theirs: 8, ours: 23 }) }),
    change(),
    'agree',
    { code: 'costs-less-than-ours' },
  ],
  ['no prices', audited({ usd: unknown(null) }), change(), 'not-comparable', { code: 'price-unknown' }],
  ['both keep: no price is needed', audited({ usd: unknown(null) }), keep(), 'agree', { code: 'both-keep' }],
])('%s', (_, volume, recommendation, label, reason) => {
  expect(labelOf(volume, recommendation)).toEqual({ label, reason });
});

describe('windows', () => {
  const days = (length: number, endsAgo = 0) => ({
    window: { startEpochSeconds: end - (endsAgo + length) * day, endEpochSeconds: end - endsAgo * day },
  });
  const other = (auditDays: number) => ({ code: 'other-window', days: 14, auditDays });

  test.each<[string, Partial<AuditedVolume>, object]>([
    // Theirs ends 20 h ago: 14 days but for 20 h are seen of it, and 48 h may be missing.
    ['14 days', days(14), { code: 'both-keep' }],
    ['13 days', days(13), { code: 'both-keep' }],
    ['12 days', days(12), other(12)], // 12 days - 20 h < 14 days - 48 h
    ['30 days', days(30), { code: 'both-keep' }],
    ['a day', days(1), other(1)],
  ])('what was not seen may be the peak: of %s nothing is agreed', (_, more, reason) => {
    expect(labelOf(audited(more), keep()).reason).toEqual(reason);
  });

  test('harm that was seen is harm, also in an hour of theirs or a month before it', () => {
    for (const asked of [days(1), days(30)])
      expect(labelOf(audited({ ...asked, ...simulated(0, 90) }), change()).label).toBe('unsafe');
  });

  test('a window that has no hour of theirs shows nothing', () => {
    const before = audited({ ...days(14, 15), ...simulated(0, 90) });
    expect(labelOf(before, change())).toEqual({ label: 'not-comparable', reason: other(14) });
  });

  test('14 days are taken where it does not say how far it looked back', () => {
    expect(labelOf(audited(days(1)), keep({ lookBackDays: null })).reason).toEqual(other(1));
  });

  test('to delete what seems idle is agreed on the whole window alone', () => {
    expect(labelOf(audited({ ...days(1), choice: 'delete' }), remove()).reason).toEqual(other(1));
  });
});
