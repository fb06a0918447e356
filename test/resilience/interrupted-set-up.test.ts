/**
 * What is done once before anything runs (npm's packages, the Python packages), and a test run with servers of its own,
 * ended in the midst of it: nothing is left, and the next run repairs what was half done.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAllOf, leftOf, portsOf, processesOf } from './marked-processes.ts';
import { type Outcome, printOutcomes, unexpected } from './outcome-table.ts';
import { type StartedCommand, startCommand } from './started-command.ts';

const root = join(__dirname, '../..');
const place = mkdtempSync(join(tmpdir(), 'stripewise-local-'));
afterAll(() => {
  endAllOf(place);
  rmSync(place, { recursive: true, force: true });
});

const some = (pattern: RegExp) => (): boolean =>
  processesOf(place).some(({ command }) => pattern.test(command));

interface Interruption {
  what: string;
  whom: string;
  start(): StartedCommand;
  moment: RegExp;
  /** The command that was started, or a process of it. */
  victim?: RegExp;
}

/** Started, ended with SIGKILL at that moment. */
async function kill({ what, whom, start, moment, victim }: Interruption): Promise<Outcome> {
  const command = start();
  await command.reaches(what, some(moment));
  const processes = processesOf(place);
  const found = victim && processes.find((one) => victim.test(one.command));
  process.kill(found?.pid ?? command.pid, 'SIGKILL');
  const code = await command.ended;
  const { left, within } = await leftOf(place, portsOf(processes));
  return {
    what: [what, whom],
    expected: '137, nothing left',
    seen: `${code}, ${left === '' ? `nothing left of ${processes.length} within ${within}` : `left: ${left}`}`,
    asExpected: code === 137 && left === '' && processes.length > 1,
  };
}

async function runAgain(what: string, command: StartedCommand, isWhole: () => boolean): Promise<Outcome> {
  const code = await command.ended;
  const whole = isWhole();
  return {
    what: [what, 'nothing: run again'],
    expected: '0, whole',
    seen: `${code}, ${whole ? 'whole' : `not whole: ${command.output().slice(-300)}`}`,
    asExpected: code === 0 && whole,
  };
}

/** A checkout with nothing installed, and an npm that unpacks half a package before it waits for its registry. */
function checkoutToInstall(): { start(npm: 'slow' | 'quick'): StartedCommand; has(name: string): boolean } {
  const checkout = join(place, 'checkout');
  mkdirSync(join(checkout, 'local'), { recursive: true });
  const ofInstalling = ['package.json', 'package-lock.json', '.npmrc', 'tools/run.mjs'];
  for (const name of [...ofInstalling, 'local/watchdog.mjs', 'local/venv.cjs'])
    cpSync(join(root, name), join(checkout, name));
  // Of packages that this npm does not install.
  writeFileSync(
    join(checkout, 'tools/build-generated.mjs'),
    'export const buildGenerated = () => undefined;',
  );
  writeFileSync(join(checkout, 'tools/hello.mjs'), "console.log('hello');");
  const bin = (npm: string): string => join(place, npm);
  const write = (npm: string, script: string): void => {
    mkdirSync(bin(npm));
    writeFileSync(join(bin(npm), 'npm'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin(npm), 'npm'), 0o755);
  };
  // Node is one of the packages, and `npm run` takes it where it is.
  const shipped = join(checkout, 'node_modules/shipped');
  const ship = `mkdir -p ${shipped}; cp ${process.execPath} ${shipped}/node`;
  write('slow', `${ship}; mkdir -p node_modules/half; sleep 600`);
  write('quick', `${ship}; mkdir -p node_modules/whole`);
  return {
    start: (npm) =>
      startCommand(
        [npm === 'slow' ? process.execPath : `${shipped}/node`, 'tools/run.mjs', 'tools/hello.mjs'],
        {
          directory: place,
          cwd: checkout,
          env: { PATH: `${bin(npm)}:${process.env['PATH']}` },
        },
      ),
    has: (name) => existsSync(join(checkout, 'node_modules', name)),
  };
}

test('an installation of npm packages that was killed is made anew', async () => {
  const { start, has } = checkoutToInstall();
  const outcomes = [
    await kill({
      what: 'npm install runs',
      whom: 'tools/run.mjs',
      start: () => start('slow'),
      moment: /sleep 600/,
    }),
  ];
  expect(has('half')).toBe(true);
  const again = start('quick');
  outcomes.push(
    await runAgain(
      'npm packages',
      again,
      () => has('whole') && !has('half') && !has('.stripewise-installing') && /hello/.test(again.output()),
    ),
  );
  printOutcomes('npm packages, interrupted', ['while', 'SIGKILL to'], outcomes);
  expect(unexpected(outcomes)).toEqual([]);
});

test('a virtual environment that was killed while it was made is made anew', async () => {
  const checkout = join(place, 'python');
  mkdirSync(join(checkout, 'local'), { recursive: true });
  cpSync(join(root, 'local/make_venv.py'), join(checkout, 'local/make_venv.py'));
  // Making the environment itself takes seconds, and no package index is asked.
  writeFileSync(join(checkout, 'local/requirements.txt'), '# none\n');
  const script = join(place, 'ensure.mjs');
  writeFileSync(
    script,
    `import { ensurePython } from ${JSON.stringify(join(root, 'local/python.ts'))};
     console.log(await ensurePython({ root: ${JSON.stringify(checkout)}, say: console.log }));`,
  );
  const start = (): StartedCommand =>
    startCommand([process.execPath, script], { directory: place, cwd: checkout });
  const outcomes = [
    await kill({ what: 'the venv is made', whom: 'its owner', start, moment: /-m ensurepip/ }),
  ];
  outcomes.push(
    await runAgain('Python packages', start(), () => existsSync(join(checkout, '.local-aws/venv/installed'))),
  );
  printOutcomes('Python packages, interrupted', ['while', 'SIGKILL to'], outcomes);
  expect(unexpected(outcomes)).toEqual([]);
});

test.each([
  ['jest itself', ['--runInBand', 'test/local/ec2-server']],
  [
    'jest, whose workers run the tests',
    ['--maxWorkers=2', 'test/local/ec2-server', 'test/local/slack-server'],
  ],
])('a test run that was killed leaves no server: %s', async (whom, args) => {
  const outcomes = [
    await kill({
      what: 'tests run',
      whom,
      start: () => startCommand(['npm', 'test', '--', ...args], { directory: place, cwd: root }),
      moment: /local\/ec2\/serve\.py/,
      victim: /^\S+ \S+jest\/bin\/jest\.js /,
    }),
  ];
  printOutcomes('a test run, interrupted', ['while', 'SIGKILL to'], outcomes);
  expect(unexpected(outcomes)).toEqual([]);
});
