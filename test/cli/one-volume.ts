/** One volume on one instance, audited through the command line. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { type Finding, isSaving } from '../../core/schemas/finding.ts';
import { describeInstances, describeVolumes, getMetricData, type MetricReply } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
export const vol = 'vol-0123456789abcdef0';
export const instance = 'i-0123456789abcdef0';

/** Audits one volume with these metrics on one instance, and more volumes where there are. */
export async function auditOf(
  volume: Record<string, unknown>,
  metrics: MetricReply[],
  instances: object = describeInstances({}),
  more: Record<string, unknown>[] = [],
): Promise<AuditResult> {
  const { out, err } = await runCli(
    'audit',
    '--json',
    ...['--volumes', directory.write('volumes.json', describeVolumes(volume, ...more))],
    ...['--instances', directory.write('instances.json', instances)],
    ...['--metrics', directory.write('metrics.json', getMetricData(...metrics))],
  );
  expect(err).toBe('');
  return auditResultSchema.parse(JSON.parse(out));
}

/** What could cost less is reported beside a trouble; tests of troubles leave it out. */
const troublesOf = ({ findings }: AuditResult): Finding[] => findings.filter((finding) => !isSaving(finding));

export const kindsOf = (result: AuditResult): string[] =>
  troublesOf(result).map(({ kind, severity }) => `${kind} ${severity}`);
export const only = (result: AuditResult): Finding => {
  const findings = troublesOf(result);
  expect(findings).toHaveLength(1);
  return findings[0] as Finding;
};
/** Minutes from..to (exclusive) with a value. */
export const minutes = (from: number, to: number, value: number): Record<number, number> =>
  Object.fromEntries(Array.from({ length: to - from }, (_, i) => [from + i, value]));

/** 3,000 IOPS for a minute are 180,000 operations. */
export const full = 180_000;
export const calm = 6_000; // 100 IOPS
export const calmQueue = 0.1; // 1 ms each
