/** What the page of an audit shows. Its series lie beside it in the same file, each by its resource. */
import type { Known } from '../known.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import type { Finding } from '../schemas/finding.ts';
import type { RunComparison } from '../schemas/run-comparison.ts';

/** Resources of findings of which the page has no series: they were evaluated without one, or the page was full. */
export interface WithoutSeries {
  code: 'evaluated-without' | 'page-full';
  resources: number;
}

export interface AuditReport {
  version: 1;
  madeAt: string;
  /** What is to be known first, such as: emulated. */
  label: string | null;
  result: AuditResult;
  /** What changed since an earlier run, without what is ongoing; null where there is none to compare it with. */
  comparison: Known<RunComparison> | null;
  /** Resources whose series are in the file. */
  withSeries: string[];
  /** Why some findings have no chart; empty where all have one. */
  withoutSeries: WithoutSeries[];
}

/** A series as it lies in the file: gzip of its JSON (`ResourceSeries`), in base64. */
export interface PackedSeries {
  resourceId: string;
  packed: string;
}

/** How a resource is called in a page: no parser of HTML changes it, whatever somebody called it. */
export const seriesKey = (resourceId: string): string => JSON.stringify(resourceId).slice(1, -1);

/** Series of a few hundred findings; with more than that the file would no longer open at once, or fit into a mail. */
const mostSeriesCharacters = 10 * 1024 * 1024;

export interface ReportWithSeries {
  report: AuditReport;
  series: PackedSeries[];
}

/** The resources of findings, each once, the most urgent first. */
const resourcesOf = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.map(({ resource }) => resource.id)),
];

/** With as many series as a page can hold, those of the most urgent findings. */
export function auditReport(
  result: AuditResult,
  all: readonly PackedSeries[],
  { madeAt, label, comparison }: Pick<AuditReport, 'madeAt' | 'label' | 'comparison'>,
): ReportWithSeries {
  const byResource = new Map(all.map((one) => [one.resourceId, one]));
  const series: PackedSeries[] = [];
  let characters = 0;
  let [without, tooMany] = [0, 0];
  for (const resourceId of resourcesOf(result.findings)) {
    const one = byResource.get(resourceId);
    if (one === undefined) without++;
    else if (characters + one.packed.length > mostSeriesCharacters) tooMany++;
    else {
      characters += one.packed.length;
      series.push(one);
    }
  }
  const withoutSeries: WithoutSeries[] = [
    { code: 'evaluated-without' as const, resources: without },
    { code: 'page-full' as const, resources: tooMany },
  ].filter(({ resources }) => resources > 0);
  const withSeries = series.map(({ resourceId }) => resourceId);
  return {
    report: { version: 1, madeAt, label, result, comparison, withSeries, withoutSeries },
    series,
  };
}
