/** One file for who has no Node: the same commands, without a PATH, and away from the checkout. */
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { build, describeEachCommand, runTool } from './run-form.ts';

const root = join(__dirname, '../..');
const folder = temporaryDirectory().path;
const file = join(folder, 'stripewise');

beforeAll(() => {
  build('build-single');
  copyFileSync(join(root, 'dist/single/stripewise'), file);
});

const { path } = describeEachCommand(() => [file]);

test('DuckDB is used where it is installed beside the file', () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'node_modules/@duckdb'), join(folder, 'node_modules/@duckdb'));
  const query = 'SELECT count(DISTINCT resource_id) AS volumes FROM minutes';
  expect(runTool(file, ['history', 'sql', query, '--archive', 'minutes'], path)).toMatch(/ 14 /);
});
