/** The report of an audit as one file: what a reader without scripts sees, and what lies in it. */
import { known, unknown } from '../../../core/known.ts';
import { type AuditReport, auditReport } from '../../../core/report/audit-report.ts';
import { compareRuns } from '../../../core/report/compare-runs.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { auditPage, plainLines } from '../../../report/pages/audit-page.ts';
import { resultOfAccounts } from '../../fixtures/accounts.ts';
import { aFinding, anEvaluation, aResult } from '../../fixtures/findings.ts';
import { dataInPage } from '../../fixtures/page-parts.ts';

const reportOf = (findings: readonly Finding[], label: string | null = null) =>
  auditReport(aResult(findings), [], { madeAt: '2026-11-20T00:00:00Z', label, comparison: null });

test('without scripts the most urgent is read in plain words', () => {
  const lines = plainLines(reportOf([aFinding()]).report);
  expect(lines).toEqual([
    '1 finding on 1 volume, of which 1 could be evaluated.',
    'warning: vol-1 "db" us-east-1: throttled at its maximum of 3,000 IOPS, ended. Fix: gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month.',
  ]);
});

test('of several accounts how many were read', () => {
  const made = auditReport(resultOfAccounts(), [], {
    ...{ madeAt: '2026-11-20T00:00:00Z', label: null, comparison: null },
  });
  expect(plainLines(made.report)[1]).toBe(
    'Accounts: 3 asked, 2 read, 1 not read. 1 new since the run before.',
  );
});

test('what the figures are is said first', () => {
  expect(plainLines(reportOf([], 'emulated prices').report)[0]).toBe('emulated prices');
});

test('what changed since the earlier run is said where it is known', () => {
  const { report } = reportOf([aFinding()]);
  const comparison = known(
    compareRuns(aResult([], { runId: 'run-0', volumes: [anEvaluation()] }), report.result),
  );
  expect(plainLines({ ...report, comparison })[1]).toBe(
    'Since the earlier run: 1 new, 0 worse, 0 better, 0 resolved, 0 ongoing.',
  );
  expect(plainLines({ ...report, comparison: unknown('it is gone') })).toEqual(plainLines(report));
});

test('a name acts nowhere in the file: it lies packed, and what is plain is escaped', async () => {
  const name = '</script><img src=x onerror=alert(1)>\u202e';
  const finding = aFinding({ resource: { ...aFinding().resource, name } });
  const page = await auditPage(reportOf([finding]));
  expect(page).not.toContain('<img');
  expect(page).toContain('&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;\\u{202e}');
  expect(dataInPage<AuditReport>(page).result.findings[0]?.resource.name).toBe(name);
});

test('an audit of nothing has a page too', async () => {
  const result = aResult([], { window: null });
  const page = await auditPage(
    auditReport(result, [], { madeAt: '2026-11-20T00:00:00Z', label: null, comparison: null }),
  );
  expect(page).toContain('<title>Audit of EBS volumes - stripewise</title>');
});
