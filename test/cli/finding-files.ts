/** An audit of files, and campaigns planned from its findings. */
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import { type BenchPlanAnswer, benchPlanAnswerSchema } from '../../core/schemas/bench-plan-answer.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { describeInstances, describeVolumes, getMetricData, type MetricReply } from '../fixtures/aws-cli.ts';
import type { TemporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { type CliRun, cliJson, runCli } from './run-cli.ts';

export interface AuditedFiles {
  result: AuditResult;
  finding(kind: string): Finding;
  /** The arguments of `bench plan` for the finding whose kind begins so. */
  argv(kind: string, ...options: string[]): string[];
  text(kind: string, ...options: string[]): Promise<CliRun>;
  plan(kind: string, ...options: string[]): Promise<BenchPlanAnswer>;
  refused(kind: string, line: RegExp): Promise<void>;
}

/** @param hosts options of the audit alone: what hosts said then is in its result. */
export async function auditedFiles(
  directory: TemporaryDirectory,
  files: readonly string[],
  hosts: readonly string[] = [],
): Promise<AuditedFiles> {
  const { out } = await runCli('audit', '--json', ...files, ...hosts);
  const result = auditResultSchema.parse(JSON.parse(out));
  const audit = directory.write('audit.json', out);
  const finding = (kind: string): Finding => {
    const found = result.findings.find((one) => one.kind.startsWith(kind));
    if (found === undefined)
      throw new Error(`no ${kind} among ${result.findings.map((one) => one.kind).join(', ')}`);
    return found;
  };
  const argv = (kind: string, ...options: string[]): string[] => [
    ...['bench', 'plan', '--from-finding', finding(kind).id, '--audit', audit, ...files],
    ...options,
  ];
  return {
    ...{ result, finding, argv },
    text: (kind, ...options) => runCli(...argv(kind, ...options)),
    plan: async (kind, ...options) => benchPlanAnswerSchema.parse(await cliJson(...argv(kind, ...options))),
    refused: (kind, line) => expectOneLine(argv(kind), line),
  };
}

/** One volume on one instance. */
export const auditedVolume = (
  directory: TemporaryDirectory,
  volume: Record<string, unknown>,
  metrics: MetricReply[],
  instanceType = 'm5.12xlarge',
): Promise<AuditedFiles> =>
  auditedFiles(directory, [
    ...['--volumes', directory.write('volumes.json', describeVolumes(volume))],
    ...['--instances', directory.write('instances.json', describeInstances({ InstanceType: instanceType }))],
    ...['--metrics', directory.write('metrics.json', getMetricData(...metrics))],
  ]);
