/** `stripewise mcp` as a server: what it lists, what it refuses, and how it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildSync } from 'esbuild';
import { aResult } from '../fixtures/findings.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { aWholeFinding } from '../fixtures/whole-findings.ts';
import { session, startServer } from './mcp-session.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const savedAudit = (): string => directory.write('audit.json', aResult([aWholeFinding()]));
const anArchive = () => ({
  archive: directory.path,
  volumes: [directory.write('volumes.json', { Volumes: [] })],
});
const withoutSource = ['plan', 'compare_layouts', 'burst', 'limits'];

test('without a source there are the tools that need none; a saved audit adds findings, an archive history', async () => {
  const namesOf = async (options: object): Promise<string[]> => {
    const { tools, leave } = await session(options);
    await leave();
    return tools.map(({ name }) => name);
  };
  expect(await namesOf({})).toEqual(withoutSource);
  expect(await namesOf({ audit: savedAudit() })).toEqual(['explain', 'list_findings', ...withoutSource]);
  expect(await namesOf(anArchive())).toEqual(['explain', 'list_findings', ...withoutSource, 'history']);
});

test('each tool says that it reads, and of the account that it asks the outside world', async () => {
  const { tools, leave } = await session({ ...anArchive(), check: [directory.path] });
  await leave();
  expect(tools).toHaveLength(8);
  for (const { title, description, annotations, outputSchema } of tools) {
    expect(annotations).toEqual({
      ...{ title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(outputSchema?.type).toBe('object');
    expect(description?.length).toBeGreaterThan(20);
  }
  const live = await session({ region: ['us-east-1'] });
  await live.leave();
  expect(live.tools.filter(({ annotations }) => annotations?.openWorldHint).map(({ name }) => name)).toEqual([
    'explain',
    'list_findings',
    'compare_layouts',
  ]);
});

test.each([
  ['plan', { iops: 'many' }, 'plan: iops: it is of another type, and should be a number'],
  ['plan', {}, 'plan: nothing is asked for: give iops, throughputMiBps and capacityGiB, or some of them'],
  [
    'limits',
    { type: 'gp3', sizeGiB: 100, sql: 'x' },
    'limits: there is an argument that it does not have: it takes type, sizeGiB, iops, throughputMiBps, region',
  ],
  ['limits', { type: 'gp3' }, 'limits: sizeGiB: it is missing, and should be a number'],
  [
    'limits',
    { type: 'gp3', sizeGiB: 1e300 },
    'limits: sizeGiB: it is too large, and should be at most 1000000000',
  ],
  [
    'burst',
    { type: 'gp2', sizeGiB: 100, throughputMiBps: 3 },
    'burst: throughputMiBps does not spend the credits of gp2: give the rate as iops',
  ],
  [
    'compare_layouts',
    { layouts: ['/etc/passwd'], load: { iops: 1 } },
    'compare_layouts: layouts.0: give a layout like gp3:500:6000:250 or 4xgp3:250',
  ],
  [
    'compare_layouts',
    { layouts: ['gp3:500'], load: {} },
    'compare_layouts: load needs iops or throughputMiBps, or the volumeId of a volume that was read',
  ],
  [
    'compare_layouts',
    { layouts: ['gp3:500'], load: { volumeId: 'vol-0123456789abcdef0' } },
    'compare_layouts: there are no minutes of volumes here: give a steady load, or start with --archive',
  ],
])('%s with %j is refused in one line', async (name, args, line) => {
  const { call, textOf, leave } = await session();
  const result = await call(name, args);
  expect({ isError: result.isError, text: textOf(result) }).toEqual({ isError: true, text: line });
  expect(await leave()).toBe(0);
});

test('the sentences of a plan name its arguments, and a command that a person runs as it is written', async () => {
  const { call, textOf, leave } = await session();
  const text = textOf(await call('plan', { iops: 4_000, capacityGiB: 100, region: 'eu-west-3' }));
  expect(text).toContain('Nearest: access sequential with ioSizeKiB 64 or more');
  expect(text).toContain('instanceType checks one, vcpus and memoryGiB choose the cheapest');
  expect(text).toContain('`catalog refresh --region eu-west-3` reads them');
  await leave();
});

test('a tool that is not there is an error of the protocol, which names those that are', async () => {
  const { call, leave } = await session();
  await expect(call('delete_volume', { id: 'vol-1' })).rejects.toThrow(
    /there is no such tool: call one of plan, compare_layouts, burst, limits$/,
  );
  await leave();
});

test.each([
  ['list_findings', 'needs --volumes with --metrics, --archive or --audit at the start of the server'],
  ['explain', 'needs --volumes with --metrics, --archive or --audit at the start of the server'],
  ['history', 'needs --archive with --volumes at the start of the server'],
  ['check', 'needs --check at the start of the server'],
])('%s without what it reads says what the server has to be started with', async (name, needs) => {
  const { call, leave } = await session();
  await expect(call(name)).rejects.toThrow(`${name} ${needs}`);
  await leave();
});

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

/** All messages that come out until the server ends. */
async function answersTo(
  text: string,
): Promise<{ messages: { id?: number }[]; log: string[]; code: number }> {
  const { stdin, stdout, log, ended } = startServer();
  let out = '';
  stdout.on('data', (chunk) => {
    out += chunk;
  });
  stdin.end(text);
  const code = await ended;
  const messages = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { messages, log, code };
}

test('malformed frames are logged in a line each and change nothing for those after them', async () => {
  const frames = [
    '{',
    'nonsense',
    '[]',
    '{"jsonrpc":"1.0"}',
    '\u0000\u001b[2J',
    JSON.stringify({ ...ping, id: {} }),
  ];
  const { messages, log, code } = await answersTo(
    [initialize, ...frames, ping]
      .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
      .join('\n')
      .concat('\n'),
  );
  expect(messages.map(({ id }) => id)).toEqual([1, 2]);
  expect(log).toHaveLength(frames.length);
  expect(new Set(log)).toEqual(
    new Set(['stripewise mcp: a line that is no message of JSON-RPC 2.0 was left out']),
  );
  expect(code).toBe(0);
});

test.each([
  [
    'tools/call',
    { name: 'limits', arguments: null },
    'params.arguments: it is of another type, and should be an object',
  ],
  [
    'tools/call',
    { name: 'limits', arguments: [1] },
    'params.arguments: it is of another type, and should be an object',
  ],
  ['tools/call', { arguments: {} }, 'params.name: it is missing, and should be a string'],
  ['tools/call', undefined, 'params: it is missing, and should be an object'],
  ['tools/list', { cursor: 5 }, 'params.cursor: it is of another type, and should be a string'],
])(
  '%s with %j is refused by the protocol in one line, and what follows is answered',
  async (method, params, line) => {
    const frames = [initialize, { jsonrpc: '2.0', id: 9, method, params }, ping];
    const { messages, log, code } = await answersTo(
      `${frames.map((one) => JSON.stringify(one)).join('\n')}\n`,
    );
    expect(messages).toContainEqual({ jsonrpc: '2.0', id: 9, error: { code: -32_602, message: line } });
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 9]);
    expect([log, code]).toEqual([[], 0]);
  },
);

test('a frame without an end is not kept: beyond a megabyte the session ends as failed', async () => {
  const { stdin, log, ended } = startServer();
  for (let i = 0; i < 20; i++) stdin.write('x'.repeat(65_536));
  expect(await ended).toBe(4);
  expect(log.join('\n')).toMatch(/exceeded maximum size of 1048576 bytes/);
});

test('what was asked before the client left is answered, and then the server ends', async () => {
  const limits = { name: 'limits', arguments: { type: 'gp3', sizeGiB: 500 } };
  const { messages, code } = await answersTo(
    `${[initialize, { jsonrpc: '2.0', id: 3, method: 'tools/call', params: limits }].map((one) => JSON.stringify(one)).join('\n')}\n`,
  );
  expect(messages.map(({ id }) => id)).toEqual([1, 3]);
  expect(JSON.stringify(messages[1])).toContain('"monthlyUsd":40'); // 500 GiB x 0.08 USD
  expect(code).toBe(0);
});

test('where nobody reads its answers any more it ends, as a command in a pipe does', async () => {
  const { stdout, ended } = startServer();
  stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(await ended).toBe(0);
});

test('ten thousand calls in a row leave no more behind than a thousand', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const { call, leave, log, printed } = await session();
  const megabytes = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const callTimes = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await call('burst', { type: 'gp2', sizeGiB: 100 + (i % 400) });
  };
  await callTimes(1_000);
  const after1000 = megabytes();
  await callTimes(9_000);
  expect(megabytes() - after1000).toBeLessThan(8);
  expect([...log, ...printed]).toEqual([]);
  await leave();
});

test('of the SDK the stdio server alone is loaded: nothing that serves or asks over HTTP', () => {
  const { metafile } = buildSync({
    ...{
      entryPoints: [join(__dirname, '../../cli/mcp/serve.ts')],
      bundle: true,
      write: false,
      metafile: true,
    },
    ...{ platform: 'node', format: 'esm', outdir: '/nowhere', splitting: true, logLevel: 'error' },
  });
  const outputs = Object.values(metafile.outputs);
  const inputs = outputs.flatMap((one) => Object.keys(one.inputs));
  expect(inputs.some((path) => path.includes('@modelcontextprotocol/sdk/dist/esm/server/stdio.js'))).toBe(
    true,
  );
  const ofHttp = /node_modules\/(?:express|hono|@hono|cors|jose|eventsource|raw-body|express-rate-limit)\b/;
  expect(inputs.filter((path) => ofHttp.test(path))).toEqual([]);
});

const bin = join(__dirname, '../../bin/stripewise.ts');

test('as a process: standard input ends, and it is gone with exit code 0; standard output had messages alone', async () => {
  const child = spawn(process.execPath, [bin, 'mcp'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(`${JSON.stringify(initialize)}\nnonsense\n`);
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(out.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(out).result.serverInfo).toEqual({ name: 'stripewise', version: '0.1.0' });
  expect(err).toMatch(/^stripewise mcp: .*\n$/);
});

test.each([
  [['--audit', 'a.json', '--archive', 'b'], /--audit is a whole result, and --archive is given too/],
  [['--volumes', 'v.json'], /files need --volumes and --metrics/],
  [['--archive', 'a'], /--archive holds metrics alone: give --volumes/],
  [
    ['--archive', 's3://a-bucket/b', '--volumes', 'v.json'],
    /--archive in S3 reads AWS: give --profile or --region too/,
  ],
  [
    ['--volumes', 'v', '--metrics', 'm', '--profile', 'p'],
    /--profile and --region read the account: leave them out/,
  ],
  [['--audit', '/nowhere.json'], /\/nowhere\.json/],
  [['--max-usd', '-1'], /--max-usd "-1" cannot be negative/],
])('%j is refused before it serves, in one line', async (options, line) => {
  const { code, out, err } = await runCli('mcp', ...options);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(line);
  expect(err.split('\n')).toHaveLength(1);
});

test('of infrastructure code that is not there one line says so at the start', async () => {
  for (const path of [`${directory.path}/nofile`, '']) {
    const { code, out, err } = await runCli('mcp', '--check', path);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(
      `--check ${path === '' ? '""' : path}: there is no such file or directory; give the path of one`,
    );
    expect(err.trim().split('\n')).toHaveLength(1);
  }
});

test('limits names the deployment where it is not the usual one', async () => {
  const { text, leave } = await session();
  expect((await text('limits', { type: 'gp2', sizeGiB: 100 })).split('\n')[0]).toBe('gp2, 100 GiB');
  await leave();
  const first = async (...more: string[]): Promise<string | undefined> =>
    (await runCli('limits', '--type', 'gp2', '--size-gib', '100', ...more)).out.split('\n')[0];
  expect(await first()).toBe('gp2, 100 GiB');
  expect(await first('--deployment', 'outposts')).toBe('gp2, 100 GiB, on Outposts');
});
