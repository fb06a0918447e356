/** The dashboard as it is written, evaluated as CloudWatch evaluates it, against the engine's own arithmetic. */
import fc from 'fast-check';
import { limitFigures } from '../../../core/audit/evaluate-volume.ts';
import { burst } from '../../../core/credits/credits.ts';
import { type VolumeType, volumeLimits } from '../../../core/limits/volume-limits.ts';
import type { VolumeEvaluation } from '../../../core/schemas/audit-result.ts';
import { dashboardBody, volumesAtRisk } from '../../../report/dashboard/volumes-at-risk.ts';
import { aFinding, anEvaluation, aResult, onVolume } from '../../fixtures/findings.ts';
import { evaluate } from './metric-math.ts';

interface AtRisk {
  volumeId: string;
  volumeType: VolumeType;
  sizeGiB: number;
  region: string;
}

const limitsOf = ({ volumeType, sizeGiB }: AtRisk) =>
  volumeLimits({ volumeType, sizeGiB, deployment: 'region' });

/** By a finding, every third; else by a low balance. */
function resultOf(volumes: readonly AtRisk[]) {
  const statuses = volumes.map(
    (volume, i): VolumeEvaluation =>
      anEvaluation({
        ...volume,
        limits: limitFigures(limitsOf(volume)),
        lowestBalancePercent: i % 3 === 0 ? 80 : i,
      }),
  );
  const findings = volumes
    .filter((_, i) => i % 3 === 0)
    .map(({ volumeId, region }, i) =>
      aFinding({
        id: volumeId,
        kind: i % 2 === 0 ? 'credits-will-exhaust' : 'throttled-volume-iops',
        resource: onVolume(volumeId, { region }),
      }),
    );
  return aResult(findings, { volumes: statuses });
}

interface Chart {
  properties: { region?: string; period?: number; title?: string; metrics?: unknown[][] };
}

/** Seconds by volume and Region, of all charts of burst durations, with these balances published. */
function secondsShown(body: string, balanceOf: ReadonlyMap<string, number>): Map<string, number> {
  const shown = new Map<string, number>();
  for (const { properties } of (JSON.parse(body) as { widgets: Chart[] }).widgets) {
    if (!properties.title?.startsWith('Seconds of burst left')) continue;
    const values: Record<string, number> = {};
    const expressions: { label: string; expression: string }[] = [];
    for (const row of properties.metrics ?? []) {
      const [first, metric, dimension, volumeId, options] = row;
      if (typeof first === 'object') {
        expressions.push(first as { label: string; expression: string });
        continue;
      }
      expect([first, metric, dimension]).toEqual(['AWS/EBS', 'BurstBalance', 'VolumeId']);
      const { id } = options as { id: string };
      expect(values[id]).toBeUndefined(); // ids are there once
      values[id] = balanceOf.get(volumeId as string) ?? Number.NaN;
    }
    for (const { label, expression } of expressions) {
      const key = `${properties.region} ${label}`;
      expect(shown.has(key)).toBe(false);
      shown.set(key, evaluate(expression, { values, periodSeconds: properties.period ?? 0 }));
    }
  }
  return shown;
}

/** What the engine says of those that the dashboard shows. */
function secondsOfEngine(
  volumes: readonly AtRisk[],
  balanceOf: ReadonlyMap<string, number>,
): Map<string, number> {
  const ids = new Set(volumesAtRisk(resultOf(volumes)).map(({ volumeId }) => volumeId));
  const expected = new Map<string, number>();
  for (const volume of volumes) {
    const seconds = burst(
      limitsOf(volume),
      balanceOf.get(volume.volumeId) ?? Number.NaN,
      null,
    ).burstDurationSeconds;
    if (ids.has(volume.volumeId) && seconds !== null)
      expected.set(`${volume.region} ${volume.volumeId}`, seconds);
  }
  return expected;
}

function expectSame(shown: ReadonlyMap<string, number>, expected: ReadonlyMap<string, number>): void {
  expect([...shown.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [key, seconds] of expected) expect(shown.get(key)).toBeCloseTo(seconds, 6);
}

test('gp2 of 500 GiB at 50 %: 2.7 million / (3,000 - 1,500) = 1,800 s, from the body that is put', () => {
  const volume: AtRisk = { volumeId: 'vol-1', volumeType: 'gp2', sizeGiB: 500, region: 'us-east-1' };
  const balances = new Map([['vol-1', 50]]);
  expect([...secondsShown(dashboardBody(resultOf([volume])), balances)]).toEqual([
    ['us-east-1 vol-1', 1_800],
  ]);
});

test('every size of gp2 that bursts, 1 to 999 GiB, twelve at risk at a time', () => {
  const sizes = Array.from({ length: 999 }, (_, i) => i + 1);
  let compared = 0;
  while (sizes.length > 0) {
    const volumes = sizes.splice(0, 12).map(
      (sizeGiB): AtRisk => ({
        volumeId: `vol-${sizeGiB}`,
        volumeType: 'gp2',
        sizeGiB,
        region: 'eu-central-1',
      }),
    );
    const balances = new Map(volumes.map(({ volumeId, sizeGiB }) => [volumeId, (sizeGiB * 37) % 101]));
    const expected = secondsOfEngine(volumes, balances);
    expectSame(secondsShown(dashboardBody(resultOf(volumes)), balances), expected);
    expect(expected.size).toBe(volumes.length);
    compared += expected.size;
  }
  expect(compared).toBe(999);
});

test('any mix of types, sizes, Regions and balances: each bucket at risk once, in its Region, to the second', () => {
  const volume = fc.record({
    volumeType: fc.constantFrom<VolumeType>('gp2', 'gp2', 'st1', 'sc1', 'gp3', 'standard'),
    sizeGiB: fc.integer({ min: 1, max: 16_384 }),
    region: fc.constantFrom('us-east-1', 'eu-central-1', 'ap-south-1'),
    balance: fc.double({ min: 0, max: 100, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(volume, { maxLength: 40 }), (some) => {
      const volumes = some.map(({ balance: _, ...one }, i): AtRisk => {
        const least = one.volumeType === 'st1' || one.volumeType === 'sc1' ? 125 : 1;
        const most = one.volumeType === 'standard' ? 1_024 : 16_384;
        return { ...one, volumeId: `vol-${i}`, sizeGiB: Math.min(most, Math.max(least, one.sizeGiB)) };
      });
      const balances = new Map(some.map(({ balance }, i) => [`vol-${i}`, balance]));
      const body = dashboardBody(resultOf(volumes));
      expectSame(secondsShown(body, balances), secondsOfEngine(volumes, balances));
    }),
    { seed: 21, numRuns: 200 },
  );
});

test('the load charts reckon as the engine does: the average, and over the seconds that were not idle', () => {
  const [volume] = [{ volumeId: 'vol-1', volumeType: 'gp2', sizeGiB: 500, region: 'us-east-1' } as const];
  const { widgets } = JSON.parse(dashboardBody(resultOf([volume]))) as { widgets: Chart[] };
  const chart = widgets.find(({ properties: { title } }) => title?.startsWith('vol-1'))?.properties;
  const expressions = (chart?.metrics ?? []).map(([first]) => first as { id?: string; expression?: string });
  const expressionOf = (id: string): string => expressions.find((one) => one.id === id)?.expression ?? '';
  const at = (id: string, idle: number): number =>
    evaluate(expressionOf(id), { values: { r: 4_000, w: 2_000, idle }, periodSeconds: chart?.period ?? 0 });
  expect(at('average', 40)).toBe(100); // 6,000 in 60 s
  expect(at('busy', 40)).toBe(300); // in 20 s
  expect(at('busy', 39.5)).toBeCloseTo(6_000 / 21, 9); // CEIL
  expect(at('busy', 60)).toBe(6_000); // one second at least
});

test.each([
  ['m1 * 2', '"m1" is no id of this chart'],
  ['m0 * 2 )', '")" is too much'],
  ['m0 ** 2', '"*" is no id of this chart'],
  ['SEARCH(m0)', 'SEARCH of 1 is none that the dashboards use'],
])('the evaluator refuses what CloudWatch would: %s', (expression, message) => {
  expect(() => evaluate(expression, { values: { m0: 1 }, periodSeconds: 60 })).toThrow(message);
});
