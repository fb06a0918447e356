/** Audits a fleet of many volumes copy by copy, writes its report and says what it took: node report-process.ts FILE VOLUMES FINDINGS */
import { writeFileSync } from 'node:fs';
import { audit } from '../../core/audit/audit.ts';
import { mergeResults } from '../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { auditReport, type PackedSeries } from '../../core/report/audit-report.ts';
import { keepSeries } from '../../core/report/series-keeper.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { instanceIdOf } from '../../core/schemas/finding.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { auditPage } from '../../report/pages/audit-page.ts';
import { packedSeries } from '../../report/pages/pack.ts';
import { copyOf, type LongFleet, longFleet, window } from './report-fleet.ts';

const [file = '', wantedVolumes = 0, wantedWithFindings = 0] = process.argv
  .slice(2)
  .map((argument, i) => (i === 0 ? argument : Number(argument))) as [string, number, number];

const series: PackedSeries[] = [];
const parts: AuditResult[] = [];
const total = (of: (part: AuditResult) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
const volumesWithFindings = ({ volumes }: AuditResult): number =>
  volumes.filter(({ findings }) => findings.length > 0).length;

function evaluate(fleet: LongFleet): AuditResult {
  const { metrics, ...inventory } = copyOf(fleet, parts.length);
  const part = audit({
    runId: 'bench',
    inventory,
    read: { metrics, window },
    rules: { regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
    onEvaluated: keepSeries((one) => series.push(packedSeries(one))),
  });
  parts.push(part);
  return part;
}

/** What is on no instance with a finding. */
function quietPart({ groups, metrics }: LongFleet, { volumes, findings }: AuditResult): LongFleet {
  const found = new Set([
    ...findings.flatMap(({ resource }) => instanceIdOf(resource) ?? []),
    ...volumes.filter((volume) => volume.findings.length > 0).map(({ volumeId }) => volumeId),
  ]);
  const isFound = (id: string): boolean => found.has(`${id.slice(0, -4)}0000`);
  return {
    groups: groups.filter(
      (group) =>
        !group.volumes.some(({ volumeId }) => isFound(volumeId)) &&
        !group.instances.some(({ instanceId }) => isFound(instanceId)),
    ),
    metrics,
  };
}

const fleet = longFleet();
const first = evaluate(fleet);
const quiet = quietPart(fleet, first);
while (total(volumesWithFindings) < wantedWithFindings) evaluate(fleet);
while (total(({ volumes }) => volumes.length) < wantedVolumes) evaluate(quiet);
const result = mergeResults(parts, {
  ...{ runId: 'bench', notices: [], incomplete: [], apiCalls: 0 },
  window: {
    start: isoFromEpochSeconds(window.startEpochSeconds),
    end: isoFromEpochSeconds(window.endEpochSeconds),
  },
});
const made = auditReport(result, series, {
  madeAt: isoFromEpochSeconds(window.endEpochSeconds),
  ...{ label: 'simulated', comparison: null },
});
const drawn = result.findings.find(({ resource }) => made.report.withSeries.includes(resource.id));
const html = await auditPage(made);
writeFileSync(file, html);
console.log(
  JSON.stringify({
    bytes: Buffer.byteLength(html),
    volumes: result.volumes.length,
    withFindings: volumesWithFindings(result),
    findings: result.findings.length,
    series: made.series.length,
    seriesBytes: made.series.reduce((sum, { packed }) => sum + packed.length, 0),
    longestSeriesBytes: Math.max(...made.series.map(({ packed }) => packed.length)),
    drawnId: drawn?.id,
    peakMiB: Math.round(process.resourceUsage().maxRSS / 1024),
    seconds: Math.round(process.uptime()),
  }),
);
