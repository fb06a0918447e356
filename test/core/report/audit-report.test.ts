/** Which series lie in the page: those of the most urgent findings, as many as it can hold. */
import { auditReport } from '../../../core/report/audit-report.ts';
import { aFinding, aResult, onVolume } from '../../fixtures/findings.ts';

const about = { madeAt: '2026-11-20T00:00:00Z', label: null, comparison: null };
const found = (volumeId: string) => aFinding({ id: `f-${volumeId}`, resource: onVolume(volumeId) });
const series = (resourceId: string, mib: number) => ({ resourceId, packed: 'A'.repeat(mib * 1024 * 1024) });

test('each resource with a finding has its series once, in the order of the findings', () => {
  const result = aResult([found('vol-2'), found('vol-1'), found('vol-2')]);
  const made = auditReport(result, [series('vol-1', 1), series('vol-2', 1), series('vol-9', 1)], about);
  expect(made.series.map(({ resourceId }) => resourceId)).toEqual(['vol-2', 'vol-1']);
  expect(made.report).toMatchObject({ withSeries: ['vol-2', 'vol-1'], withoutSeries: [] });
});

test('where 10 MiB are full the less urgent are left out, and the page says so', () => {
  const result = aResult(['vol-1', 'vol-2', 'vol-3', 'vol-4'].map(found));
  const all = [series('vol-1', 6), series('vol-2', 5), series('vol-3', 4)]; // 6 + 5 > 10, 6 + 4 = 10
  const { report } = auditReport(result, all, about);
  expect(report.withSeries).toEqual(['vol-1', 'vol-3']);
  expect(report.withoutSeries).toEqual([
    { code: 'evaluated-without', resources: 1 },
    { code: 'page-full', resources: 1 },
  ]);
});
