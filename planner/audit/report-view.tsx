/** The report of the audit, as its own page shows it, and what can be saved of it. */
import { useMemo, useState } from 'preact/hooks';
import type { ReportWithSeries } from '../../core/report/audit-report.ts';
import { sanitizeJson } from '../../core/sanitize.ts';
import { AuditPage } from '../../report/browser/audit/audit-page.tsx';
import { type PackedSource, SeriesSource } from '../../report/browser/shared/data.ts';
import { download } from '../../report/browser/shared/download.ts';
import { Text } from '../../report/browser/shared/text.tsx';
import { lineOf } from '../picked-file.ts';
import { savedPage } from './own-page.ts';
import { plannerHost } from './report-host.ts';

interface ReportViewProps {
  report: ReportWithSeries;
  onBack: () => void;
  onNew: () => void;
}

function sourceOf({ series }: ReportWithSeries): PackedSource {
  const byId = new Map(series.map(({ resourceId, packed }) => [resourceId, packed]));
  return (resourceId) => byId.get(resourceId) ?? null;
}

export function ReportView({ report, onBack, onNew }: ReportViewProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const source = useMemo(() => sourceOf(report), [report]);
  const { result } = report.report;
  const name = `stripewise-${result.runId}`;
  const save = (): void => {
    setProblem(null);
    savedPage(report).then(
      (page) => download(`${name}.html`, page, 'text/html'),
      (error: unknown) => setProblem(`The report cannot be saved: ${lineOf(error)}`),
    );
  };
  return (
    <>
      <div class="audit-actions no-print">
        <button type="button" class="button" onClick={save}>
          Save the report
        </button>
        <button
          type="button"
          class="button"
          onClick={() => download(`${name}.json`, `${sanitizeJson(result, 2)}\n`, 'application/json')}
        >
          Save JSON
        </button>
        <button type="button" class="button" onClick={onBack}>
          Back to the files
        </button>
        <button type="button" class="button" onClick={onNew}>
          New audit
        </button>
      </div>
      <div role="alert">{problem === null ? null : <Text value={problem} />}</div>
      <SeriesSource.Provider value={source}>
        <AuditPage report={report.report} host={plannerHost} />
      </SeriesSource.Provider>
    </>
  );
}
