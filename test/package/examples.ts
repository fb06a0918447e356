/** A small example of each command, with the files that it reads: what every form of the command line must do. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvOf, gp3Layout, readRow } from '../cli/replay-files.ts';
import { aResult } from '../fixtures/findings.ts';
import { fio3 } from '../fixtures/fio-output.ts';
import type { TemporaryDirectory } from '../fixtures/temporary-directory.ts';
import { terraformPlan, volumeChange } from '../fixtures/terraform-plan.ts';
import { aWholeFinding } from '../fixtures/whole-findings.ts';

export interface Example {
  /** As they are typed, without the program. */
  words: string[];
  /** What standard output has. */
  out: RegExp;
  /** Exit code; 0 where it is not said. */
  code?: number;
  /** What standard error has where it is refused; nothing where it is not said. */
  err?: RegExp;
  /** What it reads on standard input; without it nothing. */
  input?: string;
  /** Files that it writes, and how they begin. */
  writes?: Record<string, RegExp>;
}

const example = (line: string, out: RegExp, more: Omit<Example, 'words' | 'out'> = {}): Example => ({
  ...more,
  words: line.split(' '),
  out,
});

const recorded = '--volumes volumes.json --instances instances.json --metrics metrics.json';
const recordedVolume = 'vol-0000000000eb50000';
const page = /^<!doctype html>/i;
const png = /^\x89PNG/;
const refused = (out: RegExp, code = 2) => ({ out, code });

/** A client that asks for the tools, and leaves. */
const asksForTools = [
  {
    ...{ id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'example', version: '1' },
    },
  },
  { id: 2, method: 'tools/call', params: { name: 'burst', arguments: { type: 'gp2', sizeGiB: 500 } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

/** They run in this order: some read what others wrote. */
export const examples: readonly Example[] = [
  example('--version', /^0\.1\.0$/),
  example('limits --type gp3 --size-gib 500', /3,000/),
  example('burst --type gp2 --size-gib 500', /gp2/),
  example('mcp', /"serverInfo".*\n.*baseline 1,500 IOPS, burst 3,000 IOPS/, { input: asksForTools }),
  example('demand --reads 3200 --writes 1100 --redo-writes 260', /4,560/),
  example('plan --iops 15000 --throughput-mibps 625 --capacity-gib 1000', /gp3/),
  example(
    'plan --iops 6000 --capacity-gib 500 --current gp2:500 --kinds single --steps cli',
    /aws ec2 modify-volume/,
  ),
  example('plan --iops 20000 --capacity-gib 500 --instance-type m5.2xlarge', /m5\.2xlarge/),
  example('check plan.json', /Set gp3 500 GiB/),
  example('check plan.json --format sarif', /"version": "2\.1\.0"/),
  example('check plan.json --output junit=stripewise.xml', /Set gp3 500 GiB/),
  example('replay --series load.csv --layout layout.json', /throttled/i),
  example('grade card.json --html card.html --chart card.png', /randread/, {
    writes: { 'card.html': page, 'card.png': png },
  }),
  // Of ten volumes the recording has too few minutes of four: exit code 3.
  example(`audit ${recorded} --html audit.html --chart audit.png`, /vol-/, {
    code: 3,
    writes: { 'audit.html': page, 'audit.png': png },
  }),
  example(`audit ${recorded} --json`, /"findings"/, { code: 3 }),
  example(`audit ${recorded} --save minutes`, /vol-/, { code: 3 }),
  example(`history volume ${recordedVolume} --archive minutes`, /7 minutes \(100 %\)/),
  // Seven minutes are no trend.
  example(`history trend ${recordedVolume} --archive minutes --volumes volumes.json`, /a trend needs 30/),
  example(
    `history heat-map ${recordedVolume} --archive minutes --html year.html --chart year.png`,
    /2026-11-22/,
    { writes: { 'year.html': page, 'year.png': png } },
  ),
  example(
    `history compare ${recordedVolume} --archive minutes --period 2026-11-22T08:03Z/2026-11-22T08:06Z --with 2026-11-22T08:00Z/2026-11-22T08:03Z`,
    /period +2026-11-22 08:03 to 2026-11-22 08:06 UTC: 3 of 3 minutes/,
  ),
  // DuckDB is beside none of these forms.
  ...['fleet', 'top', 'sql SELECT'].map((words) =>
    example(`history ${words} --archive minutes`, /^$/, {
      code: 2,
      err: /^stripewise: this command asks DuckDB, which is not installed beside stripewise: run npm install @duckdb\/node-api@\S+ there; .*\n$/,
    }),
  ),
  example('audit --recorded recorded', /volume/i),
  example('audit queries --volumes volumes.json --instances instances.json --out queries', /queries/),
  example('compare before.json after.json', /./),
  example(
    'bench plan --layouts gp3:100 6xgp3:100 --instance-types m6i.2xlarge --work report-card --out request.json',
    /USD/,
    { writes: { 'request.json': /^\{/ } },
  ),
  example('catalog show', /us-east-1/),
  example('config init --yes --channel none', /^Written: stripewise\.yaml/, {
    writes: { 'stripewise.yaml': /^# / },
  }),
  example('config check', /^stripewise\.yaml is good\./),
  example('schema audit', /json-schema\.org/),
  example('completion bash', /complete -o default/),
  example('help', /Commands:/),
];

/** Without credentials they end in one line; until then each has loaded the SDK. */
export const withoutAccount: readonly Example[] = [
  { words: ['audit', '--region', 'us-east-1'], ...refused(/^$/) },
  ...['volume vol-0123456789abcdef0', 'top', 'sql SELECT'].map((words) => ({
    words: ['history', ...words.split(' '), '--archive', 's3://a-bucket/prefix'],
    ...refused(/^$/),
  })),
  { words: ['report', 'list', '--region', 'us-east-1'], ...refused(/^$/) },
  { words: ['report', 'open', '--region', 'us-east-1'], ...refused(/^$/) },
  { words: ['catalog', 'refresh', '--region', 'us-east-1'], ...refused(/^$/) },
  { words: ['bench', 'status', '--region', 'us-east-1'], ...refused(/^$/) },
  { words: ['bench', 'start', 'request.json', '--region', 'us-east-1'], ...refused(/^$/) },
  { words: ['bench', 'report', 'a-campaign', '--region', 'us-east-1'], ...refused(/^$/) },
  ...[
    ...['list', 'show c-1', 'request 0123456789abcdef', 'approve c-1 --yes'],
    ...['reject c-1', 'undo c-1', 'stop', 'go'],
  ].map((words) => ({
    words: ['changes', ...words.split(' '), '--region', 'us-east-1'],
    ...refused(/^$/),
  })),
  { words: ['doctor', '--region', 'us-east-1'], ...refused(/trouble +credentials/, 1) },
];

const recordings = join(__dirname, '../recordings/lab');
const minutes = Array.from({ length: 120 }, (_, minute) => minute);

/** Writes what the examples read. */
export function writeInputs(directory: TemporaryDirectory): void {
  for (const [name, file] of [
    ['volumes.json', 'describe-volumes.json'],
    ['instances.json', 'describe-instances.json'],
    ['metrics.json', 'get-metric-data.json'],
  ] as const)
    copyFileSync(join(recordings, file), join(directory.path, name));
  directory.write('load.csv', csvOf(minutes.map((minute) => readRow(minute, 4_000))));
  directory.write('plan.json', terraformPlan(volumeChange('logs', null, { size: 500, type: 'gp2' })));
  directory.write('layout.json', gp3Layout);
  directory.write(
    'card.json',
    fio3(
      ...[16, 32].map((users) => ({
        name: `randread-8k-${users}`,
        read: { operations: 60_000, seconds: 60, blockKiB: 8, meanMs: 2, p95Ms: users / 4 },
        options: { rw: 'randread', bs: '8k', numjobs: `${users}` },
      })),
    ),
  );
  const window = { start: '2026-11-17T00:00:00Z', end: '2026-11-18T00:00:00Z' };
  directory.write('before.json', aResult([aWholeFinding()], { runId: 'before', window }));
  directory.write('after.json', aResult([], { runId: 'after' }));
  directory.write('recorded/load.csv', csvOf(minutes.map((minute) => readRow(minute, 1_000))));
  directory.write('recorded/volumes.json', {
    volumes: [{ volumeId: 'db', series: 'load.csv', volumeType: 'gp3', sizeGiB: 100 }],
  });
}

/** Enough to recognize what kind of file it is. */
export const beginningOf = (file: string): string => readFileSync(file).subarray(0, 16).toString('latin1');
