/** What is to be done first, by harm and by money. */
import { isAboutMoney, peakMinutesOf, topRecommendations } from '../../../core/report/top-recommendations.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { aFinding, aRecommendation, onInstance, type SomeFinding } from '../../fixtures/findings.ts';

const on = (volumeId: string): Finding['resource'] => ({ ...aFinding().resource, id: volumeId });

const recommended = (monthlyUsdDelta: number | null) => aRecommendation({ monthlyUsdDelta });

const held = (id: string, minutes: number, more: SomeFinding = {}): Finding =>
  aFinding({ id, resource: on(id), evidence: { throttledMinutesPeak24h: minutes }, ...more });

const saves = (id: string, usd: number, more: SomeFinding = {}): Finding =>
  aFinding({
    id,
    kind: 'over-provisioned',
    resource: on(id),
    recommendations: [recommended(-usd)],
    ...more,
  });

const idsOf = (things: readonly { findingId: string }[]): string[] =>
  things.map(({ findingId }) => findingId);

describe('by harm', () => {
  test('the most severe stands first, and of those the longest throttled', () => {
    const { byImpact } = topRecommendations([
      held('warned-long', 900),
      held('critical-short', 5, { severity: 'critical' }),
      held('critical-long', 60, { severity: 'critical' }),
    ]);
    expect(idsOf(byImpact)).toEqual(['critical-long', 'critical-short', 'warned-long']);
  });

  test('what has no minutes stands after what was throttled for none', () => {
    const uncounted = aFinding({ id: 'a', kind: 'credits-will-exhaust', resource: on('a') });
    const { byImpact } = topRecommendations([uncounted, held('b', 0)]);
    expect(idsOf(byImpact)).toEqual(['b', 'a']);
    expect(byImpact[1]?.throttledMinutesPeak24h).toBeNull();
  });

  test('where all is the same the id decides, so that two runs tell the same', () => {
    expect(idsOf(topRecommendations([held('b', 1), held('a', 1)]).byImpact)).toEqual(['a', 'b']);
  });

  test('what only costs too much harms nobody', () => {
    expect(topRecommendations([saves('a', 10)]).byImpact).toEqual([]);
    expect(isAboutMoney({ kind: 'idle' })).toBe(true);
    expect(isAboutMoney({ kind: 'micro-burst' })).toBe(false);
  });

  test('a resource stands there once, with the worst of it, and says how many others it has', () => {
    const worst = held('a', 60, { severity: 'critical' });
    const other = held('b', 900, { resource: on('a') });
    const { byImpact } = topRecommendations([other, worst]);
    expect(byImpact).toMatchObject([{ findingId: 'a', others: 1 }]);
  });

  test('the same id in another Region is another resource', () => {
    const elsewhere = held('b', 1, { resource: { ...on('a'), region: 'eu-central-1' } });
    expect(topRecommendations([held('a', 1), elsewhere]).byImpact).toHaveLength(2);
  });

  test('it has its finding, and what is recommended first', () => {
    const finding = held('a', 1, { recommendations: [recommended(1), recommended(-4)] });
    const [thing] = topRecommendations([finding]).byImpact;
    expect(thing).toMatchObject({ finding, recommendation: recommended(1), monthlyUsdDelta: 1 });
  });

  test('without a recommendation there is no price', () => {
    const [thing] = topRecommendations([held('a', 1, { recommendations: [] })]).byImpact;
    expect(thing).toMatchObject({ recommendation: null, monthlyUsdDelta: null });
  });
});

describe('by money', () => {
  test('the largest saving stands first', () => {
    const { byMoney, savingMonthlyUsd } = topRecommendations([saves('a', 5), saves('b', 20), saves('c', 10)]);
    expect(idsOf(byMoney)).toEqual(['b', 'c', 'a']);
    expect(savingMonthlyUsd).toBe(35); // 20 + 10 + 5
  });

  test('what costs more, nothing or an unknown amount saves nothing', () => {
    const none = [0, 5, null].map((delta, i) => saves(`${i}`, 1, { recommendations: [recommended(delta)] }));
    expect(topRecommendations(none)).toMatchObject({ byMoney: [], savingMonthlyUsd: 0 });
  });

  test('the option that saves the most is reported, though another may come first', () => {
    const recommendations = [recommended(3), recommended(-4), recommended(-9)];
    const [thing] = topRecommendations([saves('a', 1, { recommendations })]).byMoney;
    expect(thing).toMatchObject({ recommendation: recommended(-9), monthlyUsdDelta: -9 });
  });

  test('of a volume one saving counts: they exclude each other', () => {
    const other = saves('b', 20, { kind: 'cheaper-type', resource: on('a') });
    const { byMoney, savingMonthlyUsd } = topRecommendations([saves('a', 5), other]);
    expect(byMoney).toMatchObject([{ findingId: 'b', others: 1 }]);
    expect(savingMonthlyUsd).toBe(20);
  });

  describe('what an instance wastes and what its volumes could save is the same money: the larger counts', () => {
    const rates = { iops: 6_000, throughputMiBps: 125 };
    const wasted = (usd: number, ...ids: string[]): Finding => {
      const volumes = ids.map((volumeId) => ({ volumeId, from: rates, to: { ...rates, iops: 3_000 } }));
      return saves('i', usd, {
        kind: 'unreachable-performance',
        resource: onInstance('i-1'),
        recommendations: [{ ...recommended(-usd), change: { of: 'volumes', volumes } }],
      });
    };
    test.each([
      { what: 'the instance', findings: [saves('a', 30), wasted(50, 'a')], usd: 50 },
      { what: 'its volume', findings: [saves('a', 60), wasted(50, 'a')], usd: 60 },
      {
        what: 'both volumes',
        findings: [saves('a', 30), saves('b', 30), wasted(50, 'a', 'b')],
        usd: 60,
      },
      {
        what: 'the instance, of which one volume could save a little',
        findings: [saves('a', 2), wasted(400, 'a', 'b')],
        usd: 400,
      },
      { what: 'each, of different volumes', findings: [saves('a', 30), wasted(50, 'b')], usd: 80 },
    ])('$what', ({ findings, usd }) => {
      expect(topRecommendations(findings).savingMonthlyUsd).toBe(usd);
    });
  });
});

test('slow minutes of a stripe count as those that throttled it', () => {
  expect(peakMinutesOf({ evidence: { slowMinutesPeak24h: 7 } })).toBe(7);
  expect(peakMinutesOf({ evidence: { throttledMinutesPeak24h: 0, slowMinutesPeak24h: 7 } })).toBe(0);
  expect(peakMinutesOf({ evidence: {} })).toBeNull();
});
