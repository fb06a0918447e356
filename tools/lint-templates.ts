/**
 * node tools/run.mjs tools/lint-templates.ts: cfn-lint, asl-validator and parliament over what would be deployed, with the defaults and
 * with everything on, of an organization (both with an archive), both stacks and the plain template, and the member's role; and
 * ShellCheck over what would run on hosts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripewiseApp } from '../lib/app.ts';
import { memberTemplate } from '../lib/member-template.ts';
import { buildPlainTemplate } from '../lib/plain-template.ts';
import { everything, organization } from './every-channel.ts';
import { policyFindings } from './policy-findings.ts';
import { hostScripts, shellcheckFindings } from './script-findings.ts';
import { templateFindings } from './template-findings.ts';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'stripewise-lint-'));
/** Both stacks as a configuration has them, synthesized, which fails where cdk-nag finds something. */
function synthesized(name: string, configFile: string): (readonly [string, string])[] {
  const app = stripewiseApp({ root, configFile, appProps: { outdir: join(scratch, name) } });
  return app
    .synth()
    .stacks.map(({ stackName, templateFullPath }) => [`${name}: ${stackName}`, templateFullPath]);
}
function plain(name: string, configFile: string): (readonly [string, string])[] {
  const { templateFiles } = buildPlainTemplate({ root, out: join(scratch, `plain ${name}`), configFile });
  return templateFiles.map((file) => [`plain template, ${name}`, file]);
}

try {
  const everythingFile = join(scratch, 'everything.yaml');
  writeFileSync(everythingFile, JSON.stringify({ ...everything, archive: {} }));
  const memberFile = join(scratch, 'member.template.json');
  writeFileSync(memberFile, JSON.stringify(memberTemplate(root)));
  const organizationFile = join(scratch, 'organization.yaml');
  writeFileSync(organizationFile, JSON.stringify({ ...organization, archive: {} }));
  const stacks = [
    ['defaults', join(root, 'stripewise.yaml')] as const,
    ['everything on', everythingFile] as const,
    ['an organization', organizationFile] as const,
  ].flatMap(([name, configFile]) => [...synthesized(name, configFile), ...plain(name, configFile)]);
  const templates = [...stacks, ['member role', memberFile] as const];
  const findings: string[] = [];
  for (const [name, file] of templates)
    findings.push(...(await templateFindings(root, file)).map((line) => `${name}: ${line}`));
  findings.push(...(await policyFindings(root, templates, scratch)));
  findings.push(...(await shellcheckFindings(root, hostScripts(root))));
  for (const line of findings) console.error(line);
  if (findings.length === 0)
    console.log(
      `${templates.length} templates: cfn-lint, asl-validator, cdk-nag and parliament find nothing; scripts: nor does shellcheck`,
    );
  else process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
