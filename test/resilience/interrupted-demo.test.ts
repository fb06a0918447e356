/**
 * The demo ended in the midst of it, in every way that a person, a CI or the kernel does it: nothing of it is left, its
 * exit code is the documented one (docs/contribute/testing.md), and it can be run again in the same place.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAllOf, leftOf, type MarkedProcess, portsOf, processesOf } from './marked-processes.ts';
import { type Outcome, printOutcomes, unexpected } from './outcome-table.ts';
import { type StartedCommand, startCommand } from './started-command.ts';

const root = join(__dirname, '../..');
const newPlace = (): string => mkdtempSync(join(tmpdir(), 'stripewise-local-'));
const places = [newPlace(), newPlace()];
afterAll(() => {
  for (const place of places) {
    endAllOf(place);
    rmSync(place, { recursive: true, force: true });
  }
});

interface Seen {
  processes: MarkedProcess[];
  output: string;
}
const some = ({ processes }: Seen, pattern: RegExp): boolean =>
  processes.some(({ command }) => pattern.test(command));

/** A moment of the demo, and how it is recognised; the parts that take longest first. */
const moments = {
  'the second audit runs': ({ output }: Seen) => output.includes('Running the audit again'),
  'the audit runs': (seen: Seen) => seen.output.includes('Read each target') && some(seen, /_worker\.js$/),
  'cdk deploy runs': (seen: Seen) => some(seen, cdkDeploy),
  'cdk synth runs the app': ({ processes }: Seen) =>
    processes.some(({ environment }) => environment.includes('CDK_OUTDIR=')),
  'cdk bootstrap runs': (seen: Seen) => some(seen, /aws-cdk\/bin\/cdk bootstrap /),
  'the servers start': (seen: Seen) =>
    some(seen, /^\S+(node|python) .*\/local\/\w+\/(launch\.py|serve\.(py|ts))/),
};
const cdkDeploy = /^\S+ \S+aws-cdk\/bin\/cdk deploy /;
const demoItself = /^\S+ \S+tools\/demo\.ts /;

type Whom = 'all, as Ctrl-C' | 'all, as a closed terminal' | 'npm alone' | 'the demo' | 'cdk deploy';
interface Row {
  moment: keyof typeof moments;
  signal: NodeJS.Signals;
  whom: Whom;
  exitCode: number;
  /** What it says of itself on one line, where it can. */
  says?: RegExp;
}

const rows: Row[] = [
  {
    moment: 'the second audit runs',
    signal: 'SIGTERM',
    whom: 'npm alone',
    exitCode: 143,
    says: /ended by SIGTERM/,
  },
  { moment: 'the audit runs', signal: 'SIGKILL', whom: 'the demo', exitCode: 137 },
  {
    moment: 'cdk deploy runs',
    signal: 'SIGKILL',
    whom: 'cdk deploy',
    exitCode: 4,
    says: /cdk deploy did not come to its end: it was ended by SIGKILL; the logs are in /,
  },
  { moment: 'cdk bootstrap runs', signal: 'SIGKILL', whom: 'npm alone', exitCode: 137 },
  {
    moment: 'cdk synth runs the app',
    signal: 'SIGINT',
    whom: 'all, as Ctrl-C',
    exitCode: 130,
    says: /ended by SIGINT/,
  },
  {
    moment: 'the servers start',
    signal: 'SIGINT',
    whom: 'all, as Ctrl-C',
    exitCode: 130,
    says: /ended by SIGINT/,
  },
  {
    moment: 'the servers start',
    signal: 'SIGTERM',
    whom: 'npm alone',
    exitCode: 143,
    says: /ended by SIGTERM/,
  },
  {
    moment: 'the servers start',
    signal: 'SIGTERM',
    whom: 'the demo',
    exitCode: 143,
    says: /ended by SIGTERM/,
  },
  { moment: 'the servers start', signal: 'SIGHUP', whom: 'all, as a closed terminal', exitCode: 129 },
  { moment: 'the servers start', signal: 'SIGKILL', whom: 'the demo', exitCode: 137 },
  { moment: 'the servers start', signal: 'SIGKILL', whom: 'npm alone', exitCode: 137 },
];

const startDemo = (directory: string, ...options: string[]): StartedCommand =>
  startCommand(['npm', 'run', 'demo', '--', '--directory', directory, ...options], { directory, cwd: root });

/** What the signal goes to; a negative number is a whole group. */
async function toSignal(whom: Whom, demo: StartedCommand, look: () => Seen): Promise<number> {
  if (whom === 'npm alone') return demo.pid;
  if (whom !== 'the demo' && whom !== 'cdk deploy') return -demo.pid;
  const pattern = whom === 'the demo' ? demoItself : cdkDeploy;
  let found: MarkedProcess[] = [];
  // For a moment a child that is just being started looks like its parent.
  await demo.reaches(`one process is ${whom}`, () => {
    found = look().processes.filter(({ command }) => pattern.test(command));
    return found.length === 1;
  });
  return (found[0] as MarkedProcess).pid;
}

/** npm, tools/run.mjs, the demo and its watchdog at least: finding nothing afterwards must mean something. */
const minSeen = 4;

async function interrupt({ moment, signal, whom, exitCode, says }: Row, directory: string): Promise<Outcome> {
  const demo = startDemo(directory);
  const look = (): Seen => ({ processes: processesOf(directory), output: demo.output() });
  await demo.reaches(moment, () => moments[moment](look()));
  const { processes } = look();
  process.kill(await toSignal(whom, demo, look), signal);
  const code = await demo.ended;
  const { left, within } = await leftOf(directory, portsOf(processes));
  const said = demo
    .output()
    .split('\n')
    .filter((line) => line.startsWith('demo: '));
  const saidIt = says === undefined || (said.length === 1 && says.test(said[0] ?? ''));
  const notified = saidIt ? '' : `, said ${JSON.stringify(said)}`;
  return {
    what: [moment, signal, whom],
    expected: `${exitCode}, nothing left`,
    seen: `${code}, ${left === '' ? `nothing left of ${processes.length} within ${within}` : `left: ${left}`}${notified}`,
    asExpected: code === exitCode && left === '' && saidIt && processes.length >= minSeen,
  };
}

async function runAgain(directory: string): Promise<Outcome[]> {
  const demo = startDemo(directory, '--keep');
  const code = await demo.ended;
  const kept = processesOf(directory);
  const servers = new Set(portsOf(kept)).size;
  const succeeded = /SUCCEEDED: \d+ findings, 0 of them notified/.test(demo.output());
  const stopping = startDemo(directory, '--stop');
  const stopped = await stopping.ended;
  const { left, within } = await leftOf(directory, portsOf(kept));
  return [
    {
      what: ['after all that', '', 'run with --keep'],
      expected: '0, both audits, 6 servers stay',
      seen: `${code}, ${succeeded ? 'both audits' : demo.output().slice(-200)}, ${servers} servers stay`,
      asExpected: code === 0 && succeeded && servers === 6,
    },
    {
      what: ['they are kept', '', 'run with --stop'],
      expected: '0, nothing left',
      seen: `${stopped}, ${left === '' ? `nothing left of ${kept.length} within ${within}` : `left: ${left}`}`,
      asExpected: stopped === 0 && left === '' && /is stopped/.test(stopping.output()),
    },
  ];
}

test('the demo, interrupted at any point, leaves no process and can be run again', async () => {
  const waiting = [...rows];
  const outcomes: Outcome[] = [];
  // Two at a time, each in its place: neither may end the other.
  await Promise.all(
    places.map(async (place) => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift())
        outcomes.push(await interrupt(row, place));
    }),
  );
  outcomes.push(...(await runAgain(places[0] as string)));
  printOutcomes('the demo interrupted', ['while', 'signal', 'to'], outcomes);
  expect(unexpected(outcomes)).toEqual([]);
  // On two cores with much other work, eight minutes were seen.
}, 2_400_000);
