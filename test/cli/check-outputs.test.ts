/** What `check --output` writes over, and what of that never: what is read, or may be. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { checkFormats } from '../../cli/check-outputs.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { terraformPlan, volumeChange } from '../fixtures/terraform-plan.ts';
import { expectOneLine } from './expect-one-line.ts';
import { session } from './mcp-session.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const path = (name: string): string => join(directory.path, name);
const plan = terraformPlan(volumeChange('logs', null, { size: 500, type: 'gp2' }));
const named = directory.write('plan.json', plan);

/** Nothing of it is written: neither over what is there nor beside it. */
async function expectRefused(argv: string[], file: string): Promise<void> {
  const [before, beside] = [readFileSync(file, 'utf8'), readdirSync(directory.path, { recursive: true })];
  const sarif = path('not-made.sarif');
  await expectOneLine(
    ['check', ...argv, '--output', `sarif=${sarif}`, '--output', `json=${file}`],
    /--output json \S+: a file is there that is no output of this command: remove it, or give another path$/,
  );
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(readdirSync(directory.path, { recursive: true })).toEqual(beside);
}

test('a plan two levels below the directory that is read', async () => {
  await expectRefused([path('infra')], directory.write('infra/sub/deep/plan.json', plan));
});

test('the template of a nested stack beside the one that is named', async () => {
  const nested = directory.write('stacks/nested.yaml', 'Resources: {}\n');
  const template = directory.write('stacks/template.json', {
    Resources: {
      Inner: { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL: './nested.yaml' } },
    },
  });
  await expectRefused([template], nested);
});

test('a file of the archive, also through a linked directory', async () => {
  const file = directory.write('archive/day/part.json', '[]');
  symlinkSync(path('archive'), path('linked'));
  const volumes = directory.write('volumes.json', { Volumes: [] });
  const measured = ['--volumes', volumes, '--archive', path('archive')];
  await expectRefused([named, ...measured], file);
  await expectRefused([named, ...measured], path('linked/day/part.json'));
});

test('a file that has nothing to do with it', async () => {
  await expectRefused([named], directory.write('README.md', '# Mine\n'));
});

test.each(checkFormats)(
  '%s: an earlier output is written over, also below the directory that is read',
  async (format) => {
    directory.write(`again-${format}/plan.json`, plan);
    const file = path(`again-${format}/out.${format}`);
    const run = () => runCli('check', path(`again-${format}`), '--output', `${format}=${file}`);
    expect((await run()).code).toBe(0);
    const first = readFileSync(file, 'utf8');
    directory.write(`again-${format}/more.json`, plan);
    expect((await run()).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toBe(first);
  },
);

test('an empty file is written over: who posts a comment made it empty before', async () => {
  const file = directory.write('empty.md', '');
  expect((await runCli('check', named, '--output', `markdown=${file}`)).code).toBe(0);
  expect(statSync(file).size).toBeGreaterThan(0);
});

test('two outputs that are one file through a linked directory', async () => {
  mkdirSync(path('there'));
  symlinkSync(path('there'), path('also-there'));
  await expectOneLine(
    ['check', named, '--output', `json=${path('there/a')}`, '--output', `sarif=${path('also-there/a')}`],
    /name the same file: give each its own$/,
  );
  expect(readdirSync(path('there'))).toEqual([]);
});

describe('a directory', () => {
  const right = /: no plan, template or manifest in it; give what/;

  test('without anything that is read is refused, alone and beside others; with --pass-over it is none of ours', async () => {
    mkdirSync(path('nothing'));
    directory.write('prose/README.md', '# Mine\n');
    directory.write('prose/package.json', '{"name": "mine"}');
    directory.write('one/plan.json', plan);
    for (const empty of [path('nothing'), path('prose')]) {
      await expectOneLine(['check', empty], right);
      await expectOneLine(['check', path('one'), empty], right);
      expect((await runCli('check', empty, '--pass-over')).code).toBe(0);
    }
  });

  test('of nothing is said by the assistant too, instead of no findings', async () => {
    mkdirSync(path('nothing-either'));
    const { text, leave } = await session({ check: [path('nothing-either')] });
    expect(await text('check')).toMatch(/no plan, template or manifest in it/);
    await leave();
  });

  test('with a template of other things alone is read', async () => {
    directory.write('topics/template.json', { Resources: { Topic: { Type: 'AWS::SNS::Topic' } } });
    expect((await runCli('check', path('topics'))).code).toBe(0);
    expect((await runCli('check', named, path('topics'))).code).toBe(0);
  });

  test('with broken files alone ends with 3, and the comment says what was not read', async () => {
    directory.write('broken/a.yaml', 'Resources: [');
    const { code, out } = await runCli('check', path('broken'), '--format', 'markdown', '--min-usd', '5');
    expect(code).toBe(3);
    expect(out).toContain('**Not read, whole or in part: 1 file.**');
    expect(out).toContain('- Not read: ');
  });

  test('a broken file that is named is bad input', async () => {
    await expectOneLine(['check', directory.write('broken-one.yaml', 'Resources: [')], /not valid YAML/);
  });
});
