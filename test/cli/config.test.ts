/** `stripewise config check`: is a file good, and what does it mean? */
import { configAnswerSchema } from '../../core/schemas/config-answer.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const here = process.cwd();
afterEach(() => process.chdir(here));

const whole = `
regions: [us-east-1]
exclude: { tags: { environment: test } }
thresholds: { throttledWarningMinutes: 10 }
budget: { apiUsdPerMonth: 5 }
channels:
  mail: { kind: sns, emails: [storage@example.com] }
  chat: { kind: teams, quietHours: { from: "22:00", to: "07:00", timeZone: Europe/Berlin } }
routes:
  - { to: [mail], minSeverity: critical }
`;

test('a good file is explained, exit 0', async () => {
  const file = directory.write('good.yaml', whole);
  const { code, out, err } = await runCli('config', 'check', file, '--volumes', '2000');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out.split('\n');
  expect(lines[0]).toBe(`${file} is good.`);
  for (const line of [
    '  Audit every 24 hours: us-east-1 without the excluded volumes, over 14 days, in two passes.',
    '  Excluded: volumes tagged environment = test.',
    '  throttledWarningMinutes 10 instead of 5',
    '        Quiet from 22:00 to 07:00 Europe/Berlin (today 21:00 to 06:00 UTC). Critical findings are sent all the same.',
    '  1. Critical findings go to mail. Also digests and alarms of the service.',
    'Estimated API cost of CloudWatch a month, for 2,000 volumes:',
    '  Of the budget of 5.00 USD a month audits take 2.86 USD. Monitoring keeps to the other 2.14 USD: where that is not enough, it polls less often.',
    'Warnings:',
    '  No route leads to the channel chat: nothing is sent to it.',
  ])
    expect(lines).toContain(line);
});

test('the default budget pays for 1,000 quiet volumes; with more it says that it bounds, and the way out', async () => {
  const file = directory.write('empty.yaml', '{}');
  const linesFor = async (volumes: string) =>
    (await runCli('config', 'check', file, '--volumes', volumes)).out.split('\n');
  const thousand = await linesFor('1000');
  expect(thousand).toContain(
    '  Of the budget of 50.00 USD a month audits take 1.43 USD. Monitoring keeps to the other 48.57 USD: where that is not enough, it polls less often.',
  );
  expect(thousand).toContain('  Total 45.52 USD.');
  expect(thousand.filter((line) => line.includes('bounds monitoring'))).toEqual([]);
  const many = await linesFor('5000'); // 7.15 + 220.45 = 227.60
  expect(many).toContain(
    '  The budget bounds monitoring: give budget.apiUsdPerMonth 228 or more, or null for no bound, to poll as usual.',
  );
  expect(many).toContain('  Total 50.00 USD.');
});

test('the same for a script', async () => {
  const file = directory.write('good.yaml', whole);
  const answer = configAnswerSchema.parse(await cliJson('config', 'check', file));
  expect(answer).toMatchObject({ file, cost: { volumes: 100 }, routes: [{ to: ['mail'] }] });
});

test('without a name it is stripewise.yaml here; without one the defaults are explained, and it says so', async () => {
  process.chdir(directory.path);
  const without = await runCli('config', 'check');
  expect(without).toMatchObject({ code: 0, err: '' });
  expect(without.out).toMatch(
    /^No configuration file here \(stripewise\.yaml\), so these are the defaults\.\n/,
  );
  expect(without.out).toContain('for 100 volumes as an example (--volumes):');
  expect(await cliJson('config', 'check')).toMatchObject({ file: null });
  directory.write('stripewise.yaml', 'audit: { everyHours: 6 }');
  const { out } = await runCli('config', 'check');
  expect(out).toMatch(/^stripewise\.yaml is good\.\n\nWhat runs:\n {2}Audit every 6 hours: /);
});

test.each([
  ['audit:\n  everyHours: 72\n', /^stripewise: \S+bad\.yaml:2: audit\.everyHours: is 72: give 48 or less$/],
  ['adit: {}\n', /^stripewise: \S+bad\.yaml:1: the file: "adit" is not known here: did you mean audit\?$/],
  ['a: [', /^stripewise: \S+bad\.yaml: .+ at line 1, column \d+$/],
  // What stands in a file cannot move the cursor of who reads it.
  ['"\\e[2Jx": 1\n', /^stripewise: \S+bad\.yaml:1: the file: a key is not known here: give one of /],
])('a bad file is one line, exit 2: %j', async (text, line) => {
  const run = await runCli('config', 'check', directory.write('bad.yaml', text));
  expect(run).toMatchObject({ code: 2, out: '' });
  expect(run.err).toMatch(line);
  expect(run.err).not.toContain('\n');
});

test('a file that is not there, and volumes that are none', async () => {
  expect(await runCli('config', 'check', 'none.yaml')).toEqual({
    code: 2,
    out: '',
    err: 'stripewise: none.yaml: cannot be read (ENOENT): give the path of a configuration file',
  });
  expect(await runCli('config', 'check', '--volumes', '0')).toEqual({
    code: 2,
    out: '',
    err: 'stripewise: --volumes "0" cannot be 0: give a whole number from 1 to 1000000',
  });
});

test('the help has examples, and the schema is among those that can be printed', async () => {
  expect((await runCli('config', 'check', '--help')).out).toContain(
    'stripewise config check stripewise.yaml --volumes 1000',
  );
  expect(JSON.parse((await runCli('schema', 'config')).out)).toHaveProperty('properties.routes');
});
