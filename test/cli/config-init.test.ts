/** `stripewise config init`: what is asked, and the file that it writes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { configAnswerSchema } from '../../core/schemas/config-answer.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, person, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
let files = 0;
const newFile = (): string => join(directory.path, `${files++}.yaml`);
const read = (file: string): unknown => parse(readFileSync(file, 'utf8'));
/** `config check` takes it. */
const explained = async (file: string) => configAnswerSchema.parse(await cliJson('config', 'check', file));

afterEach(() => {
  person.answers = null;
  person.questions = [];
});

/** With a person who types these. */
function asked(answers: string[], ...argv: string[]) {
  person.answers = answers;
  return runCli('config', 'init', ...argv);
}

test('what is answered stands in the file, which passes `config check`', async () => {
  const file = newFile();
  const answers = ['us-east-1, eu-central-1', '12', 'teams', 'dba@example.com', 'ops@example.com', 'null'];
  expect(await asked(answers, '--out', file)).toEqual({
    code: 0,
    out: `Written: ${file}. Next: stripewise config check ${file}`,
    err: '',
  });
  expect(read(file)).toEqual({
    regions: ['us-east-1', 'eu-central-1'],
    audit: { everyHours: 12 },
    channels: { teams: { kind: 'teams' } },
    notifications: { emails: ['dba@example.com'] },
    alarms: { emails: ['ops@example.com'] },
    budget: { apiUsdPerMonth: null },
  });
  expect((await explained(file)).channels.map(({ name }) => name)).toContain('teams');
});

test('an empty answer is the default, which the question shows', async () => {
  const file = newFile();
  expect(await asked(['', '', '', '', '', ''], '--out', file)).toMatchObject({ code: 0, err: '' });
  expect(person.questions[1]).toBe('Hours between two audits, 1 to 48 [24]: ');
  expect(read(file)).toEqual({
    regions: [],
    audit: { everyHours: 24 },
    channels: { slack: { kind: 'slack-webhook' } },
    notifications: { emails: [] },
    alarms: { emails: [] },
    budget: { apiUsdPerMonth: 50 },
  });
});

test('an answer that cannot be used is asked again, with what would be right', async () => {
  const file = newFile();
  const { code, err } = await asked(
    ['here', 'us-east-1', '49', '48', 'pigeon', 'none', 'dba', '', '', '-1', '5'],
    '--out',
    file,
  );
  expect(code).toBe(0);
  expect(err.split('\n')).toEqual([
    '--regions: is "here": give a Region like us-east-1',
    '--every-hours: is 49: give 48 or less',
    '--channel "pigeon" is not known: give one of slack-webhook, teams, amazon-q, sns, eventbridge, none',
    '--emails: is "dba": give an e-mail address',
    '--budget-usd-per-month: is -1: give more than 0 USD, or null for no bound',
  ]);
  expect(read(file)).toMatchObject({
    audit: { everyHours: 48 },
    channels: {},
    budget: { apiUsdPerMonth: 5 },
  });
});

test('what an option says is not asked', async () => {
  const file = newFile();
  await asked(['', '', '', ''], '--out', file, '--regions', 'us-west-2', '--channel', 'sns');
  expect(person.questions).toHaveLength(4);
  expect(read(file)).toMatchObject({ regions: ['us-west-2'], channels: { sns: { kind: 'sns' } } });
});

describe('--yes asks nobody', () => {
  test('options, and defaults for the rest', async () => {
    const file = newFile();
    const { code } = await runCli(
      'config',
      'init',
      '--yes',
      '--out',
      file,
      '--regions',
      'us-east-1',
      '--channel',
      'none',
    );
    expect({ code, asked: person.questions }).toEqual({ code: 0, asked: [] });
    expect(read(file)).toMatchObject({ regions: ['us-east-1'], audit: { everyHours: 24 }, channels: {} });
    await explained(file);
  });

  test.each([
    [['--every-hours', '0'], /--every-hours: is 0: give 1 or more/],
    [['--every-hours', 'often'], /--every-hours: is "often": give a number/],
    [['--regions', 'us-east-1,moon'], /--regions: is "moon": give a Region like us-east-1/],
  ])('%j is refused in one line, and nothing is written', async (options, line) => {
    const file = newFile();
    await expectOneLine(['config', 'init', '--yes', '--out', file, ...options], line);
    expect(existsSync(file)).toBe(false);
  });
});

test('a file that is there is not overwritten, and nothing is asked', async () => {
  const file = directory.write('mine.yaml', 'regions: [us-east-1]\n');
  const { code, err } = await asked([], '--out', file);
  expect({ code, err, asked: person.questions }).toEqual({
    code: 2,
    err: `stripewise: ${file} is there already, and is not overwritten: edit it, or give another --out`,
    asked: [],
  });
  expect(read(file)).toEqual({ regions: ['us-east-1'] });
});

test('who ends it leaves no file', async () => {
  const file = newFile();
  expect(await asked(['us-east-1'], '--out', file)).toMatchObject({
    code: 2,
    err: 'stripewise: config init was ended before all was answered: nothing is written',
  });
  expect(existsSync(file)).toBe(false);
});

test('without a terminal it says what to give instead', async () => {
  await expectOneLine(['config', 'init', '--out', newFile()], /standard input is no terminal: give --yes/);
});
