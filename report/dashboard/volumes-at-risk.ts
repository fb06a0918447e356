/** The body of a CloudWatch dashboard: volumes at risk, their burst duration and their load against their limits. */
import { isPartial } from '../../core/audit/audit.ts';
import { sanitizeJson } from '../../core/sanitize.ts';
import type { AuditResult, VolumeEvaluation } from '../../core/schemas/audit-result.ts';
import { type FindingKind, volumeIdsOf } from '../../core/schemas/finding.ts';
import { sanitize } from '../terminal/text.ts';
import { burstSecondsExpression } from './burst-expression.ts';

/**
 * People look at a page, not at a list: the most urgent ones. Three metrics a volume and its balance: a dashboard of at
 * most 50 metrics can be within CloudWatch's free tier.
 */
const mostVolumes = 12;
/** Below this balance a volume is shown, though nothing was found yet. */
const lowBalancePercent = 50;

const width = 24;
const half = 12;
const textHeight = 3;
const chartHeight = 6;

interface Widget {
  type: 'text' | 'metric';
  x: number;
  y: number;
  width: number;
  height: number;
  properties: object;
}

const riskKinds: readonly FindingKind[] = [
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'credits-exhausted',
  'credits-will-exhaust',
  'micro-burst',
  'stalled',
];

/** Throttled or about to be, most urgent first; then by their instance only; then those with few credits. */
export function volumesAtRisk({ findings, volumes }: AuditResult): VolumeEvaluation[] {
  const byId = new Map(volumes.map((volume) => [volume.volumeId, volume]));
  const urgent = findings
    .filter(({ kind }) => riskKinds.includes(kind))
    .flatMap(volumeIdsOf)
    .flatMap((volumeId) => byId.get(volumeId) ?? []);
  const low = volumes
    .filter(({ lowestBalancePercent }) => (lowestBalancePercent ?? 100) < lowBalancePercent)
    .sort((a, b) => (a.lowestBalancePercent ?? 0) - (b.lowestBalancePercent ?? 0));
  const byInstance = volumes.filter(({ status }) => status === 'throttled-by-instance');
  return [...new Set([...urgent, ...byInstance, ...low])].slice(0, mostVolumes);
}

/** A title is shown as it stands. */
const titleOf = ({ volumeId, name, volumeType, sizeGiB }: VolumeEvaluation): string =>
  `${sanitize(volumeId)}${name === null ? '' : ` ${sanitize(name, 40)}`} (${sanitize(volumeType)} ${sizeGiB} GiB)`;

/** CloudWatch would take `${...}` in a label as an expression: it holds the id alone, and of that no `$`. */
const labelOf = ({ volumeId }: VolumeEvaluation): string => sanitize(volumeId).replaceAll('$', '＄');

/** As the engine reckons it: over the whole seconds in which something was in flight, one at least. */
const activeSeconds = 'CEIL(PERIOD(r) - idle)';
const activeTimeRate = `IF(${activeSeconds} < 1, r + w, (r + w) / ${activeSeconds})`;

const metricOf = (volumeId: string, name: string, id: string, stat: string): unknown[] => [
  'AWS/EBS',
  name,
  'VolumeId',
  volumeId,
  { id, stat, visible: false },
];

/** All bucketed volumes of a Region in one chart. */
function burstWidgets(volumes: readonly VolumeEvaluation[], y: number): Widget[] {
  const bursting = volumes.flatMap((volume) => {
    const expression = volume.limits && burstSecondsExpression('m', volume.limits);
    return expression === null ? [] : [volume];
  });
  return [...new Set(bursting.map(({ region }) => region))].map((region, index) => ({
    type: 'metric',
    x: 0,
    y: y + index * chartHeight,
    width,
    height: chartHeight,
    properties: {
      title: `Seconds of burst left at full rate, ${region}`,
      region,
      view: 'timeSeries',
      period: 300,
      yAxis: { left: { min: 0, label: 'seconds', showUnits: false } },
      metrics: bursting
        .filter((volume) => volume.region === region)
        .flatMap((volume, i) => [
          [
            {
              id: `e${i}`,
              label: labelOf(volume),
              expression: volume.limits && burstSecondsExpression(`m${i}`, volume.limits),
            },
          ],
          metricOf(volume.volumeId, 'BurstBalance', `m${i}`, 'Minimum'),
        ]),
    },
  }));
}

function loadWidget(volume: VolumeEvaluation, index: number, y: number): Widget {
  const { limits, region, volumeId } = volume;
  const lines = limits && [
    { label: 'baseline', value: limits.baselineIops },
    ...(limits.burstIops > limits.baselineIops ? [{ label: 'burst', value: limits.burstIops }] : []),
  ];
  return {
    type: 'metric',
    x: (index % 2) * half,
    y: y + Math.floor(index / 2) * chartHeight,
    width: half,
    height: chartHeight,
    properties: {
      title: titleOf(volume),
      region,
      view: 'timeSeries',
      period: 60,
      yAxis: { left: { min: 0, label: 'operations per second', showUnits: false } },
      metrics: [
        [{ id: 'average', label: 'average', expression: '(r + w) / PERIOD(r)' }],
        [{ id: 'busy', label: 'while busy', expression: activeTimeRate }],
        metricOf(volumeId, 'VolumeReadOps', 'r', 'Sum'),
        metricOf(volumeId, 'VolumeWriteOps', 'w', 'Sum'),
        metricOf(volumeId, 'VolumeIdleTime', 'idle', 'Sum'),
      ],
      ...(lines === null ? {} : { annotations: { horizontal: lines } }),
    },
  };
}

/** The dashboard as CloudWatch takes it: JSON text. */
export function dashboardBody(result: AuditResult): string {
  const volumes = volumesAtRisk(result);
  const { coverage, findings } = result;
  const until = result.window?.end ?? 'no figures';
  const heading =
    volumes.length === 0
      ? `## No volume at risk among the ${coverage.evaluated} that were evaluated`
      : `## Volumes at risk: ${volumes.length} shown, the most urgent first`;
  const partial = isPartial(result)
    ? ' **Partial: something could not be read, see the summary of the run.**'
    : '';
  const text = `${heading}\nAudit of ${coverage.volumes} volumes until ${until}: ${findings.length} findings, ${coverage.unknown.length} volumes unknown.${partial}`;
  const bursts = burstWidgets(volumes, textHeight);
  const loadsFrom = textHeight + bursts.length * chartHeight;
  const widgets: Widget[] = [
    { type: 'text', x: 0, y: 0, width, height: textHeight, properties: { markdown: text } },
    ...bursts,
    ...volumes.map((volume, index) => loadWidget(volume, index, loadsFrom)),
  ];
  return sanitizeJson({ widgets });
}
