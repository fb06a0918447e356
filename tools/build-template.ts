/** node tools/run.mjs tools/build-template.ts [--out DIR] [--config FILE]: the stacks and the member's role, without the CDK. */
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { BadConfig } from '../core/config/check.ts';
import { buildPlainTemplate } from '../lib/plain-template.ts';

const root = join(import.meta.dirname, '..');
const { out, config } = new Command('build-template')
  .description(
    'Writes each stack as a CloudFormation template, with the zips of their functions, and the role of members.',
  )
  .option('--out <directory>', 'where to', join(root, 'dist/cloudformation'))
  .option('--config <file>', 'the configuration', join(root, 'stripewise.yaml'))
  .parse()
  .opts<{ out: string; config: string }>();

try {
  const { templateFiles, memberFile, zips } = buildPlainTemplate({
    root,
    out: resolve(out),
    configFile: resolve(config),
  });
  console.log(
    `${[...templateFiles, memberFile].map((file) => relative(process.cwd(), file)).join(', ')} and ${zips.length} zips; README.txt beside them says how to deploy.`,
  );
} catch (error) {
  if (!(error instanceof BadConfig)) throw error;
  console.error(`build-template: ${error.message}`);
  process.exitCode = 2;
}
