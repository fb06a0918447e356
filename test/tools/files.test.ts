/** What a reader can count on: a file of the product fits its name, and no file is too long to be read at once. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const maxLines = 500;
/** Made by `npm run generate:profiles`. */
const generated = ['ssm-documents/run-fio/profiles.sh'];

test(`no file of the product has more than ${maxLines} lines`, () => {
  const folders = ['adapters', 'bin', 'cli', 'core', 'lambdas', 'lib', 'report', 'ssm-documents'];
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => /\.(ts|tsx|mjs|sh|css)$/.test(file) && !generated.includes(file));
  expect(files.length).toBeGreaterThan(400);
  const linesOf = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  expect(files.filter((file) => linesOf(file) > maxLines)).toEqual([]);
});
