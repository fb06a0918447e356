/** The dashboard: which volumes it shows, and that its body is one whatever the account holds. */
import fc from 'fast-check';
import type { VolumeEvaluation } from '../../../core/schemas/audit-result.ts';
import { dashboardBody, volumesAtRisk } from '../../../report/dashboard/volumes-at-risk.ts';
import {
  aFinding,
  anEvaluation,
  aResult,
  findingsOnVolumes,
  onInstance,
  onVolume,
} from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

interface Widget {
  type: string;
  x: number;
  y: number;
  width: number;
  height: number;
  properties: {
    title?: string;
    region?: string;
    markdown?: string;
    metrics?: unknown[][];
    annotations?: object;
  };
}
const widgetsOf = (body: string): Widget[] => (JSON.parse(body) as { widgets: Widget[] }).widgets;

const bucket = { unit: 'io', capacity: 5_400_000 } as const;
const gp2 = (volumeId: string, evaluation: Partial<VolumeEvaluation> = {}): VolumeEvaluation =>
  anEvaluation({
    volumeId,
    volumeType: 'gp2',
    sizeGiB: 500,
    limits: { baselineIops: 1_500, burstIops: 3_000, baselineMiBps: 250, burstMiBps: 250, bucket },
    ...evaluation,
  });

test('an account without trouble has a dashboard that says so', () => {
  const [only, ...others] = widgetsOf(dashboardBody(aResult([])));
  expect(only?.properties.markdown).toBe(
    '## No volume at risk among the 0 that were evaluated\nAudit of 0 volumes until 2026-11-20T00:00:00Z: 0 findings, 0 volumes unknown.',
  );
  expect(others).toEqual([]);
  const unread = aResult([]);
  unread.coverage.incomplete.push({ code: 'instances-not-read', reason: 'denied' });
  expect(widgetsOf(dashboardBody(unread))[0]?.properties.markdown).toContain(
    'Partial: something could not be read',
  );
});

test('throttled or about to be first, in order of urgency; then few credits, the fewest first; each once', () => {
  const on = (volumeId: string) => onVolume(volumeId);
  const findings = [
    aFinding({ id: '1', kind: 'stalled', resource: on('vol-stalled') }),
    aFinding({ id: '2', kind: 'credits-exhausted', resource: on('vol-empty') }),
    aFinding({ id: '3', kind: 'throttled-volume-iops', resource: on('vol-stalled') }),
    aFinding({ id: '4', kind: 'idle', resource: on('vol-idle') }),
    aFinding({
      id: '5',
      kind: 'throttled-instance-iops',
      resource: onInstance('i-1', { region: 'r' }),
    }),
  ];
  const volumes = [
    anEvaluation({ volumeId: 'vol-idle' }),
    gp2('vol-half', { lowestBalancePercent: 50 }),
    gp2('vol-40', { lowestBalancePercent: 40 }),
    gp2('vol-0', { lowestBalancePercent: 0 }),
    gp2('vol-empty', { lowestBalancePercent: 0 }),
    anEvaluation({ volumeId: 'vol-stalled' }),
  ];
  const shown = volumesAtRisk(aResult(findings, { volumes })).map(({ volumeId }) => volumeId);
  expect(shown).toEqual(['vol-stalled', 'vol-empty', 'vol-0', 'vol-40']);
});

test('of 500 volumes at risk the 12 most urgent are shown: a text and 12 charts', () => {
  const body = dashboardBody(aResult(findingsOnVolumes(500)));
  const widgets = widgetsOf(body);
  expect(widgets.map(({ type }) => type)).toEqual(['text', ...Array.from({ length: 12 }, () => 'metric')]);
  expect(widgets[0]?.properties.markdown).toContain('## Volumes at risk: 12 shown');
  expect(widgets[1]?.properties.title).toBe('vol-0 db (gp3 100 GiB)');
});

test('also where all have a bucket, a dashboard has at most 50 metrics: 12 x (3 + 1) = 48', () => {
  const volumes = Array.from({ length: 100 }, (_, i) => gp2(`vol-${i}`, { lowestBalancePercent: 1 }));
  const metrics = widgetsOf(dashboardBody(aResult([], { volumes })))
    .flatMap(({ properties }) => properties.metrics ?? [])
    .filter(([namespace]) => namespace === 'AWS/EBS');
  expect(metrics).toHaveLength(48);
});

test('no widget lies over another, and all are inside of the 24 columns', () => {
  const volumes = Array.from({ length: 7 }, (_, i) =>
    gp2(`vol-${i}`, { lowestBalancePercent: i, region: i % 2 === 0 ? 'us-east-1' : 'eu-central-1' }),
  );
  const cells = widgetsOf(dashboardBody(aResult([], { volumes }))).flatMap(({ x, y, width, height }) =>
    Array.from({ length: width * height }, (_, i) => [x + (i % width), y + Math.floor(i / width)]),
  );
  expect(new Set(cells.map(String)).size).toBe(cells.length);
  expect(Math.max(...cells.map(([x]) => x ?? 0))).toBe(23);
});

test('volumes with a bucket share a chart a Region: an expression and its hidden balance each, ids once', () => {
  const volumes = [
    gp2('vol-a', { lowestBalancePercent: 1 }),
    gp2('vol-b', { lowestBalancePercent: 2 }),
    gp2('vol-c', { lowestBalancePercent: 3, region: 'eu-central-1' }),
  ];
  const [, here, there] = widgetsOf(dashboardBody(aResult([], { volumes })));
  expect(here?.properties).toMatchObject({
    region: 'us-east-1',
    title: 'Seconds of burst left at full rate, us-east-1',
  });
  expect(here?.properties.metrics).toEqual([
    [{ id: 'e0', label: 'vol-a', expression: 'm0 * 5400000 / 100 / (3000 - 1500)' }],
    ['AWS/EBS', 'BurstBalance', 'VolumeId', 'vol-a', { id: 'm0', stat: 'Minimum', visible: false }],
    [{ id: 'e1', label: 'vol-b', expression: 'm1 * 5400000 / 100 / (3000 - 1500)' }],
    ['AWS/EBS', 'BurstBalance', 'VolumeId', 'vol-b', { id: 'm1', stat: 'Minimum', visible: false }],
  ]);
  expect(there?.properties.metrics).toHaveLength(2);
});

test('the load of a volume is drawn against its limits; without known limits, without lines', () => {
  const volumes = [
    gp2('vol-a', { lowestBalancePercent: 1 }),
    gp2('vol-b', { lowestBalancePercent: 2, limits: null }),
  ];
  const widgets = widgetsOf(dashboardBody(aResult([], { volumes })));
  const load = (volumeId: string) => widgets.find(({ properties: { title } }) => title?.startsWith(volumeId));
  expect(load('vol-a')?.properties.annotations).toEqual({
    horizontal: [
      { label: 'baseline', value: 1_500 },
      { label: 'burst', value: 3_000 },
    ],
  });
  expect(load('vol-b')?.properties.annotations).toBeUndefined();
});

test('whatever a volume is named: JSON, at most 12 charts, and no name in a place that CloudWatch evaluates', () => {
  fc.assert(
    fc.property(fc.array(untrustedText, { maxLength: 30 }), (names) => {
      const volumes = names.map((name, i) => gp2(`vol-${i}`, { name, lowestBalancePercent: 1 }));
      const body = dashboardBody(aResult([], { volumes }));
      const charts = widgetsOf(body).filter(({ properties: { title } }) => title?.startsWith('vol-'));
      expect(charts).toHaveLength(Math.min(12, names.length));
      for (const { properties } of widgetsOf(body)) {
        expect(properties.title ?? '').not.toMatch(/\p{C}/u);
        expect(JSON.stringify([properties.metrics ?? [], properties.markdown ?? ''])).not.toMatch(
          /PROP|channel|evil/,
        );
      }
    }),
  );
});
