/** The report of an audit that was compared with Compute Optimizer: rows of every label and reason, and some hundred that agree. */
import { auditReport, type ReportWithSeries } from '../../core/report/audit-report.ts';
import type { SecondOpinion } from '../../core/schemas/second-opinion.ts';
import { aFinding, aResult } from '../fixtures/findings.ts';
import { allOpinions, anOpinion, anOpinionRead } from '../fixtures/second-opinion.ts';

/** More than a page of the table has room for. */
const agreeing: SecondOpinion[] = Array.from({ length: 120 }, (_, i) =>
  anOpinion({ volumeId: `vol-a${String(i).padStart(16, '0')}`, name: `same-${i}`, region: 'eu-central-1' }),
);

export const comparedReport = (): ReportWithSeries =>
  auditReport(
    aResult([aFinding()], {
      secondOpinion: [...agreeing, ...allOpinions],
      secondOpinionReads: [
        anOpinionRead({ rdsRows: 5, otherAccounts: 1, unmatched: 2 }),
        anOpinionRead({ status: 'not-enabled', account: '444455556666' }),
      ],
    }),
    [],
    { madeAt: '2026-11-20T00:00:00Z', label: 'sample rows of a comparison', comparison: null },
  );
