/** npm run lab -- up|run|scenario NAME|down: the EBS lab by hand. All that it prints is emulated. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import Table from 'cli-table3';
import { Command, InvalidArgumentError, Option } from 'commander';
import { IllegalConfiguration } from '../core/errors.ts';
import { type VolumeType, volumeLimits, volumeTypes } from '../core/limits/volume-limits.ts';
import { LabUnavailable } from '../local/lab/image.ts';
import { Lab, labDirectory } from '../local/lab/lab.ts';
import { HostGone } from '../local/lab/line-socket.ts';
import { recordedHosts } from '../local/lab/recordings/plan.ts';
import { type HostRecording, recordHost } from '../local/lab/recordings/record.ts';
import { writeRecordings } from '../local/lab/recordings/write.ts';
import { scenarios } from '../local/lab/scenarios/index.ts';
import { disksOf } from '../local/lab/scenarios/layouts.ts';
import { isWithin, type Scenario, tried, withinPercent } from '../local/lab/scenarios/scenario.ts';
import { throttleOf } from '../local/lab/throttle.ts';
import type { Disk } from '../local/lab/vm.ts';
import { endRunning } from '../local/running.ts';

const root = join(import.meta.dirname, '..');
/** Of the lab that is left running. */
const byHand = 'by-hand';
const say = (line: string): void => console.error(line);
const shown = (path: string): string => relative(process.cwd(), path) || '.';

const above0 = (text: string): number => {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
};

interface UpOptions {
  volumes: number;
  type: VolumeType;
  sizeGib: number;
  iops?: number;
  throughputMibps?: number;
  rateScale: number;
  timeScale: number;
}

async function up(options: UpOptions): Promise<void> {
  const { volumes, type, sizeGib, iops, throughputMibps, rateScale, timeScale } = options;
  const limits = volumeLimits({
    ...{ volumeType: type, sizeGiB: sizeGib, deployment: 'region' },
    iops,
    throughputMiBps: throughputMibps,
  });
  const throttle = throttleOf(limits, { rate: rateScale, time: timeScale });
  const disks = disksOf(Array.from({ length: volumes }, () => throttle));
  const lab = await Lab.start({ root, name: byHand, disks, say });
  lab.vm.leave();
  console.log(
    `The lab is up, with ${volumes} emulated ${type} of ${sizeGib} GiB (disks of ${disks[0]?.sizeMiB} MiB):`,
  );
  for (const { volumeId } of disks) console.log(`  ${volumeId}`);
  const members = disks.map(({ volumeId }) => volumeId).join(',');
  console.log('Try:');
  console.log('  npm run -s lab -- run describe-stripes');
  console.log(
    `  npm run -s lab -- run build-stripe --parameter name=data members=${members} layout=${volumes > 1 ? 'stripe' : 'single'} fileSystems=data=/srv/data:100`,
  );
  console.log('  npm run -s lab -- down');
}

const pair = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return { ...before, [name]: value };
};

interface RunOptions {
  parameter?: Record<string, string>;
  spliced?: true;
}

async function run(document: string, { parameter = {}, spliced }: RunOptions): Promise<void> {
  const lab = await Lab.connect(root, byHand);
  const ended = await lab.run(document, parameter, { passing: spliced ? 'spliced' : 'environment' });
  lab.vm.leave();
  process.stdout.write(ended.stdout);
  process.stderr.write(ended.stderr);
  process.exitCode = ended.exitCode ?? 1;
}

async function tryScenario(scenario: Scenario): Promise<boolean> {
  console.log(`\n${scenario.name} (emulated): ${scenario.purpose}`);
  const lab = await Lab.start({ root, name: `scenario-${scenario.name}`, disks: [], say });
  try {
    const { columns, rows, ratios, raw } = await tried(scenario, lab, (line) => say(`  ${line}`));
    const table = new Table({ head: [...columns], style: { head: [], border: [] } });
    table.push(...rows.map((row) => [...row]));
    console.log(table.toString());
    for (const ratio of ratios) {
      const { name, measured, expected, reason } = ratio;
      const status = isWithin(ratio) ? '' : `  NOT within ${withinPercent} %`;
      console.log(`  ${name}: ${measured.toFixed(3)}, expected ${expected.toFixed(3)} (${reason})${status}`);
    }
    const directory = join(labDirectory(root), 'results');
    mkdirSync(directory, { recursive: true });
    const file = join(directory, `${scenario.name}.json`);
    writeFileSync(
      file,
      `${JSON.stringify({ emulated: true, scenario: scenario.name, ratios, raw }, null, 1)}\n`,
    );
    console.log(`  raw results: ${shown(file)}`);
    return ratios.every(isWithin);
  } finally {
    await lab.stop();
  }
}

async function tryScenarios(name: string): Promise<void> {
  const chosen = scenarios.filter((scenario) => name === 'all' || scenario.name === name);
  for (const scenario of chosen) if (!(await tryScenario(scenario))) process.exitCode = 1;
}

interface RecordOptions {
  seconds: number;
  only?: string[];
  out: string;
}

async function record({ seconds, only, out }: RecordOptions): Promise<void> {
  const hosts = recordedHosts.filter(({ name }) => only?.includes(name) ?? true);
  const recordings: HostRecording[] = [];
  for (const host of hosts) {
    const start = (disks: readonly Disk[]) => Lab.start({ root, name: `record-${host.name}`, disks, say });
    recordings.push(await recordHost(host, seconds, start, say));
    // What an hour made is not lost with the next one.
    writeRecordings(recordings, resolve(out));
  }
  console.log(`Recorded (emulated): ${shown(resolve(out))}`);
}

const program = new Command('lab').description(
  'A Linux with emulated EBS volumes, on which the SSM documents run. Needs root and QEMU on Linux; a machine of Debian gets what is missing.',
);
program
  .command('up')
  .description('start it, and leave it running')
  .option('--volumes <number>', 'how many', above0, 4)
  .addOption(new Option('--type <type>', 'of the volumes').choices([...volumeTypes]).default('gp3'))
  .option('--size-gib <number>', 'what their limits follow from', above0, 100)
  .option('--iops <number>', 'provisioned', above0)
  .option('--throughput-mibps <number>', 'provisioned', above0)
  .option('--rate-scale <factor>', 'of every rate: the emulator ends near 40,000 IOPS', above0, 0.1)
  .option('--time-scale <factor>', 'of the time that credits last', above0, 1)
  .action(up);
program
  .command('run')
  .description('run a document on it')
  .argument('<document>')
  .option('--parameter <name=value...>', 'as many as it has', pair)
  .option('--spliced', 'pass parameters as agents before 3.3.2746.0 do')
  .action(run);
program
  .command('scenario')
  .description('try a published claim in a lab of its own; exits with 1 where a ratio is not as expected')
  .argument('<name>', `one of ${scenarios.map(({ name }) => name).join(', ')}, or all`, (name) => {
    if (name === 'all' || scenarios.some((one) => one.name === name)) return name;
    throw new InvalidArgumentError(`There is none of this name.`);
  })
  .action(tryScenarios);
program
  .command('record')
  .description('record loads of real programs, throttled and not: about two hours for all')
  .option(
    '--seconds <number>',
    'of each of the two; a straggler is reported from ten minutes on',
    above0,
    720,
  )
  .option('--only <host...>', `of ${recordedHosts.map(({ name }) => name).join(', ')}`)
  .requiredOption('--out <directory>', 'what is in it is replaced')
  .action(record);
program
  .command('down')
  .description('end the one that was left running')
  .action(async () => {
    const wasUp = await endRunning(join(labDirectory(root), byHand));
    console.log(wasUp ? 'The lab is down.' : 'No lab was running.');
  });
program.addHelpText(
  'after',
  '\nExamples:\n  npm run -s lab -- up --volumes 6 --iops 6000\n  npm run -s lab -- run describe-stripes\n  npm run -s lab -- scenario linear-against-stripe\n  npm run -s lab -- down',
);
await program.parseAsync().catch((error: Error) => {
  const isNotified = error instanceof LabUnavailable || error instanceof IllegalConfiguration;
  console.error(
    `lab: ${error instanceof HostGone ? `${error.message}: start one by \`npm run lab -- up\`` : error.message}`,
  );
  process.exitCode = isNotified ? 2 : 4;
});
// What was left running is not waited for.
process.exit();
