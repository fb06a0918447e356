/** node tools/run.mjs tools/lint-words.ts: no word that another one replaced, and no long sentence in README.md and docs/. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { longSentences } from './sentences.ts';
import { allowed, notShown, nowhere, replacedIn } from './vocabulary.ts';

const root = join(import.meta.dirname, '..');
const maxWords = 25;

const noText =
  /\.(png|gz|bin|svg|zst)$|(^|\/)(package-lock\.json|requirements\.txt|licences\.md)$|\/generated\/|\/recordings\//;
/** Documents that people read to use the product; decisions tell how it came to be. */
const isDocument = (file: string): boolean =>
  (file === 'README.md' || /^docs\/.*\.md$/.test(file)) &&
  !file.includes('/decisions/') &&
  !file.endsWith('/licences.md');
/** Files whose lines are texts that people see. */
const isShown = (file: string): boolean => isDocument(file) || /^test\/report\/wording\/.*\.txt$/.test(file);

function findingsIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const words = isShown(file) ? [...nowhere, ...notShown] : nowhere;
  const found = text
    .split('\n')
    .flatMap((line, index) =>
      replacedIn(line, words).map(({ word, use }) => `${file}:${index + 1}: "${word}": use ${use}`),
    );
  const long = isDocument(file) ? longSentences(text, maxWords) : [];
  return [
    ...found,
    ...long.map(({ line, words: count, sentence }) => `${file}:${line}: ${count} words: ${sentence}`),
  ];
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !noText.test(file) && allowed[file] === undefined);
const findings = files.flatMap(findingsIn);
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
  console.error(
    `${findings.length} places: tools/vocabulary.ts has the words of this project; a sentence has at most ${maxWords} words`,
  );
  process.exitCode = 1;
}
