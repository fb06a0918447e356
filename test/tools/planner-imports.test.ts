/** The rule that keeps Node out of the planner, held against small trees of files: a page that needed Node would not start. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const root = join(__dirname, '../..');
const directory = temporaryDirectory();
const rule = 'planner-knows-no-node';

/** Where the planner reaches `last` through a file of others. */
function tree(last: string): string {
  const place = mkdtempSync(join(directory.path, 'tree-'));
  const name = place.slice(directory.path.length + 1);
  const files = {
    'planner/main.ts':
      "import { answer } from '../adapters/files/answer.ts';\nexport const shown = answer;\n",
    'adapters/files/answer.ts': "import { last } from './last.ts';\nexport const answer = last;\n",
    'adapters/files/last.ts': last,
    'adapters/files/beside.ts':
      "import { readFileSync } from 'node:fs';\nexport const read = readFileSync;\n",
    'package.json': '{ "type": "module" }',
  };
  for (const [path, text] of Object.entries(files)) directory.write(`${name}/${path}`, text);
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json'])
    cpSync(join(root, file), join(place, file));
  return place;
}

/** What is printed of it. */
function cruised(place: string): string {
  const script = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [script, '--config', '.dependency-cruiser.mjs', 'planner', 'adapters'];
  return spawnSync(process.execPath, args, { cwd: place, encoding: 'utf8' }).stdout;
}

test.each([
  ['node:fs', "import { readFileSync } from 'node:fs';\nexport const last = readFileSync;\n"],
  ['crypto without its prefix', "import { createHash } from 'crypto';\nexport const last = createHash;\n"],
  ['another module that imports it', "import { read } from './beside.ts';\nexport const last = read;\n"],
])('an import of %s, two files away, is found', (_, last) => {
  expect(cruised(tree(last))).toContain(`${rule}: planner/main.ts`);
});

test('without one nothing is found, also where a file beside has one', () => {
  expect(cruised(tree('export const last = 1;\n'))).toContain('no dependency violations found');
});

test('lint holds it against what stands here', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['lint']).toMatch(/depcruise --config \.dependency-cruiser\.mjs .*\bplanner\b/);
});
