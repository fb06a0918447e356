/** node tools/run.mjs tools/lint-prose.ts: no sentence in core/, which report/wording and report/steps are for. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isExempt, proseIn } from './prose-findings.ts';

const root = join(import.meta.dirname, '..');
const files = globSync('core/**/*.ts', { cwd: root })
  .toSorted()
  .filter((file) => !isExempt(file));
const findings = files.flatMap((file) =>
  proseIn(file, readFileSync(join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line}: ${text}`),
);
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
  console.error('prose in core: make it a code with figures, and its sentence in report/wording');
  process.exitCode = 1;
}
