/** Dockerfile: each of its steps as a command in an empty folder. Nothing here runs Docker: what its engine makes of it is not tested. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { build, describeEachCommand } from './run-form.ts';

const root = join(__dirname, '../..');
const directory = temporaryDirectory();
/** Stands for the root of the image. */
const image = join(directory.path, 'image');

interface Step {
  keyword: string;
  value: string;
}

/** @throws at a line that is no step. */
const stepsOf = (text: string): Step[] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const { keyword, value } = /^(?<keyword>[A-Z]+) (?<value>.+)$/.exec(line)?.groups ?? {};
      if (keyword === undefined || value === undefined) throw new Error(`no step of a Dockerfile: ${line}`);
      return { keyword, value };
    });

const steps = stepsOf(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const stepOf = (keyword: string): string =>
  steps.find((step) => step.keyword === keyword)?.value ?? `no ${keyword}`;

/** What reaches the builder: all that `.dockerignore` does not leave out. Its last line that fits counts. */
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
function reachesBuilder(path: string): boolean {
  const fits = (pattern: string): boolean =>
    pattern === '*' || path === pattern || path.startsWith(`${pattern}/`);
  const last = ignored.findLast((line) => fits(line.replace(/^!/, '')));
  return last?.startsWith('!') ?? true;
}

beforeAll(() => {
  build('build');
  mkdirSync(image);
  for (const { keyword, value } of steps) {
    if (keyword === 'COPY') {
      const [from = '', to = ''] = value.split(' ');
      cpSync(join(root, from), join(image, to), {
        recursive: true,
        filter: (path) => path === join(root, from) || reachesBuilder(path.slice(root.length + 1)),
      });
    } else if (keyword === 'WORKDIR') mkdirSync(join(image, value), { recursive: true });
  }
});

test('the steps, in this order: nothing is installed or fetched but the base', () => {
  expect(steps.map(({ keyword }) => keyword)).toEqual([
    ...['FROM', 'COPY', 'WORKDIR', 'USER', 'ENV', 'ENTRYPOINT', 'CMD'],
  ]);
  expect(stepOf('FROM')).toBe('node:24-slim');
});

test('it runs as a user that is not root', () => {
  expect(stepOf('USER')).toBe('node');
});

test('of the checkout the built package alone is in it', () => {
  expect(readdirSync(image).sort()).toEqual(['opt', 'work']);
  const built = readdirSync(join(image, 'opt/stripewise'));
  expect(built).toEqual(expect.arrayContaining(['package.json', 'stripewise', 'stripewise.js', 'LICENSE']));
  expect(['single', 'cloudformation'].filter((name) => built.includes(name))).toEqual([]);
  expect(['node_modules', 'package.json', '.git', 'dist/single/stripewise'].filter(reachesBuilder)).toEqual(
    [],
  );
});

describe('its entry point, on this Node 24', () => {
  describeEachCommand(() => {
    const [node, script, ...rest] = JSON.parse(stepOf('ENTRYPOINT')) as string[];
    expect([node, rest]).toEqual(['node', []]);
    const path = join(image, script ?? '');
    expect(existsSync(path)).toBe(true);
    return [process.execPath, path];
  });
});
