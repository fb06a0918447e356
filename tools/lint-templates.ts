/**
 * node tools/run.mjs tools/lint-templates.ts: cfn-lint and asl-validator over what would be deployed, also with what is off
 * unless somebody wants it, and ShellCheck over what would run on hosts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditStack, benchmarkStackOf } from '../core/stacks.ts';
import { stripewiseApp } from '../lib/app.ts';
import { buildPlainTemplate } from '../lib/plain-template.ts';
import { everyChannel } from './every-channel.ts';
import { hostScripts, shellcheckFindings } from './script-findings.ts';
import { templateFindings } from './template-findings.ts';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'stripewise-lint-'));
/** Synthesized, which fails where cdk-nag finds something. */
function synthesized(name: string, configFile: string, stack = auditStack): string {
  const app = stripewiseApp({ root, configFile, appProps: { outdir: join(scratch, name) } });
  return app.synth().getStackByName(stack).templateFullPath;
}

try {
  const asking = join(scratch, 'asking.yaml');
  writeFileSync(asking, 'audit: { hostDiscovery: true }\n');
  const benchmarking = join(scratch, 'benchmarking.yaml');
  writeFileSync(benchmarking, 'benchmark: { vpcId: vpc-12345678, subnetIds: [subnet-12345678] }\n');
  const emptying = join(scratch, 'emptying.yaml');
  writeFileSync(emptying, 'keep: { removalPolicy: destroy }\n');
  const notifying = join(scratch, 'telling.yaml');
  writeFileSync(notifying, JSON.stringify(everyChannel));
  const { templateFiles: plain } = buildPlainTemplate({
    ...{ root, out: join(scratch, 'plain'), configFile: benchmarking },
  });
  const findings: string[] = [];
  for (const [name, file] of [
    ['cdk', synthesized('cdk', join(root, 'stripewise.yaml'))],
    ['cdk that asks hosts', synthesized('asking', asking)],
    ['cdk that benchmarks', synthesized('benchmarking', benchmarking, benchmarkStackOf(auditStack))],
    ['cdk that empties the bucket', synthesized('emptying', emptying)],
    ['cdk with every channel', synthesized('notifying', notifying)],
    ...plain.map((file) => ['plain', file] as const),
  ] as const) {
    findings.push(...(await templateFindings(root, file)).map((line) => `${name}: ${line}`));
  }
  findings.push(...(await shellcheckFindings(root, hostScripts(root))));
  for (const line of findings) console.error(line);
  if (findings.length === 0)
    console.log('templates: cfn-lint, asl-validator and cdk-nag find nothing; scripts: nor does shellcheck');
  else process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
