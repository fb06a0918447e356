import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { minutesByCause, savingsByKind, useAgainstCost } from '../../../report/charts/fleet-charts.ts';
import { light } from '../../../report/charts/palette.ts';
import { aFinding, anEvaluation, aRecommendation, aResult, onVolume } from '../../fixtures/findings.ts';
import { namesOf, seen } from './charts.ts';

const fleetOf = (...volumes: Parameters<typeof anEvaluation>[0][]): AuditResult =>
  aResult([], { volumes: volumes.map(anEvaluation) });

describe('use of the limit against cost', () => {
  const result = fleetOf(
    { volumeId: 'vol-1', name: '<b>db</b>', status: 'finding', topShareOfLimit: 1, monthlyUsd: 80 },
    { volumeId: 'vol-2', status: 'healthy', topShareOfLimit: 0.123, monthlyUsd: 8 },
    { volumeId: 'vol-3', status: 'healthy', topShareOfLimit: 0, monthlyUsd: 0 },
    { volumeId: 'vol-4', status: 'throttled-by-instance', topShareOfLimit: 1.04, monthlyUsd: 20 },
    { volumeId: 'vol-5', status: 'unknown', topShareOfLimit: null, monthlyUsd: 8 },
    { volumeId: 'vol-6', status: 'healthy', topShareOfLimit: null, monthlyUsd: 8 },
    { volumeId: 'vol-7', status: 'healthy', topShareOfLimit: 0.5, monthlyUsd: null },
  );
  const chart = useAgainstCost(result, light);
  const pointsOf = (at: number) =>
    seen(chart).series[at]?.data as unknown as { volumeId: string; value: number[] }[];

  test('a point a volume, by percent and USD, and which volume it is', () => {
    expect(pointsOf(0).map(({ volumeId, value }) => [volumeId, ...value])).toEqual([
      ['vol-2', 12.3, 8],
      // What is free lies at the lowest that an axis of powers of ten has.
      ['vol-3', 0, 0.01],
    ]);
    expect(pointsOf(1).map(({ volumeId, value }) => [volumeId, ...value])).toEqual([['vol-4', 104, 20]]);
    expect(pointsOf(2).map(({ volumeId, value }) => [volumeId, ...value])).toEqual([['vol-1', 100, 80]]);
    expect(seen(chart).series.map(({ type }) => type)).toEqual(['scatter', 'scatter', 'scatter']);
  });

  test('evaluations are reported by symbol and name, and counted', () => {
    const symbols = seen(chart).series.map(({ symbol }) => symbol);
    expect(new Set(symbols).size).toBe(3);
    expect(namesOf(seen(chart))).toEqual([
      ...['with findings: 1', 'throttled by its instance only: 1', 'healthy: 2'],
    ]);
  });

  test('who is not drawn is counted, with why', () => {
    expect(chart.description).toBe(
      '4 of 7 volumes by the most that they used of the limit in force and their cost a month; not drawn: 1 unknown, 1 evaluated without reading the load, 1 without a price',
    );
    expect(chart.table().rows).toHaveLength(7);
    expect(chart.table().rows[4]).toEqual(['vol-5', 'db', 'unknown', null, 8]);
  });

  test('the tooltip says which, as text', () => {
    expect(seen(chart).tooltip.renderMode).toBe('richText');
    expect(seen(chart).tooltip.formatter({ data: pointsOf(2)[0] })).toBe(
      'vol-1 (<b>db</b>): with findings\n100 % of the limit in force at most\n80.00 USD a month',
    );
  });

  test('a name that looks like a style of ECharts is no style', () => {
    const styled = useAgainstCost(
      fleetOf({ name: '{a|b}', status: 'healthy', topShareOfLimit: 1, monthlyUsd: 1 }),
      light,
    );
    const [point] = seen(styled).series[0]?.data ?? [];
    expect(seen(styled).tooltip.formatter({ data: point })).toContain('({\u2060a|b})');
  });

  test('a fleet of nobody', () => {
    const empty = useAgainstCost(fleetOf(), light);
    expect(empty.description).toBe(
      '0 of 0 volumes by the most that they used of the limit in force and their cost a month',
    );
    expect(seen(empty).series).toEqual([]);
  });
});

describe('minutes by cause', () => {
  test('of all volumes, the most first', () => {
    const chart = minutesByCause(
      fleetOf(
        { throttledMinutesByCause: { 'volume-iops': 10, stalled: 3 } },
        { throttledMinutesByCause: { 'volume-iops': 150 } },
        { throttledMinutesByCause: {} },
      ),
      light,
    );
    expect(chart.table()).toEqual({
      head: ['Throttled by', 'Minutes of all volumes', 'Volumes'],
      // 10 + 150
      rows: [
        ['volume IOPS', 160, 2],
        ['stalled', 3, 1],
      ],
    });
    expect(seen(chart).yAxis).toMatchObject({ data: ['volume IOPS, 2 volumes', 'stalled, 1 volume'] });
    expect(chart.description).toBe('Of all volumes: 160 min throttled by volume IOPS, 3 min stalled');
  });

  test('none', () => {
    const chart = minutesByCause(fleetOf({}), light);
    expect(chart.description).toBe('No volume was throttled');
    expect(seen(chart).title).toMatchObject({ text: 'No volume was throttled.' });
  });
});

describe('savings by kind', () => {
  const saving = (kind: Finding['kind'], monthlyUsdDelta: number | null, volumeId: string) =>
    aFinding({
      ...{ kind, id: `${kind}-${volumeId}`, resource: onVolume(volumeId) },
      recommendations: [aRecommendation({ monthlyUsdDelta })],
    });

  test('of each resource its largest saving, as in what to do first; one without a price is said', () => {
    const findings = [
      saving('cheaper-type', -10, 'vol-1'),
      saving('over-provisioned', -4, 'vol-1'), // the same volume: the larger saving counts
      saving('cheaper-type', -5.5, 'vol-2'),
      saving('cheaper-type', null, 'vol-3'),
      saving('idle', -20, 'vol-4'),
      saving('throttled-volume-iops', -100, 'vol-5'),
    ];
    const chart = savingsByKind(aResult(findings), light);
    expect(chart.table().rows).toEqual([
      ['throttled volume IOPS', 1, 100, 0],
      ['idle', 1, 20, 0],
      ['cheaper type', 2, 15.5, 1], // 10 + 5.5
    ]);
    expect(chart.description).toBe(
      'Up to 135.50 USD a month, of each resource its largest saving; throttled volume IOPS 100.00 USD; idle 20.00 USD; cheaper type 15.50 USD; 1 finding without a known price is not in it',
    );
  });

  test('recommendation that costs more saves nothing', () => {
    const chart = savingsByKind(aResult([saving('idle', 3, 'vol-1')]), light);
    expect(chart.description).toBe('No saving was found');
    expect(seen(chart).series).toBeUndefined();
  });
});
