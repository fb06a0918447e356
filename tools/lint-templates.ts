/** node tools/run.mjs tools/lint-templates.ts: cfn-lint and asl-validator over what would be deployed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripewiseApp } from '../lib/app.ts';
import { buildPlainTemplate } from '../lib/plain-template.ts';
import { templateFindings } from './template-findings.ts';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'stripewise-lint-'));
try {
  const app = stripewiseApp({
    root,
    configFile: join(root, 'stripewise.yaml'),
    appProps: { outdir: join(scratch, 'cdk') },
  });
  const { templateFullPath } = app.synth().getStackByName('Stripewise');
  const { templateFile } = buildPlainTemplate({ root, out: join(scratch, 'plain') });
  const findings: string[] = [];
  for (const [name, file] of [
    ['cdk', templateFullPath],
    ['plain', templateFile],
  ] as const) {
    findings.push(...(await templateFindings(root, file)).map((line) => `${name}: ${line}`));
  }
  for (const line of findings) console.error(line);
  if (findings.length === 0) console.log('templates: cfn-lint, asl-validator and cdk-nag find nothing');
  else process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
