/** What goes wrong around `stripewise mcp`: archives that are broken, calls that come together, clients that cancel or leave. */
import { mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { compareLayouts } from '../../cli/mcp/sizing-tools.ts';
import { Source } from '../../cli/mcp/source.ts';
import { describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { session, startServer } from './mcp-session.ts';
import { calm, calmQueue, full, vol } from './one-volume.ts';
import { collectingIo } from './run-cli.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const startSeconds = Date.parse('2026-11-17T00:00:00Z') / 1_000;
const archive = (): string => join(directory.path, 'archive');

/** Two days of minutes: at 14:00 ten of them are at 3,000 IOPS. */
async function written(): Promise<{ archive: string; volumes: string[] }> {
  rmSync(archive(), { recursive: true, force: true });
  const isFull = (minute: number): boolean => minute % 1_440 >= 840 && minute % 1_440 < 850;
  await writeArchive(
    archive(),
    { account: '111122223333', region: 'us-east-1' },
    [
      {
        id: vol,
        epochSeconds: Array.from({ length: 2_880 }, (_, i) => startSeconds + 60 * i),
        metrics: {
          VolumeReadOps: (minute) => (isFull(minute) ? full : calm),
          VolumeWriteOps: () => 0,
          VolumeReadBytes: (minute) => 16_384 * (isFull(minute) ? full : calm),
          VolumeWriteBytes: () => 0,
          VolumeQueueLength: (minute) => (isFull(minute) ? 20 : calmQueue),
        },
      },
    ],
    { fromSeconds: startSeconds, endSeconds: startSeconds + 172_800 },
  );
  return {
    archive: archive(),
    volumes: [directory.write('volumes.json', describeVolumes({ Tags: [{ Key: 'Name', Value: 'orders' }] }))],
  };
}

const filesBelow = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && one.name.endsWith(end))
    .map((one) => join(one.parentPath, one.name))
    .sort();

describe('an archive that is broken is a line of the tool, and the server lives on', () => {
  const breakages: [name: string, breakIt: () => void, said: RegExp][] = [
    [
      'an empty directory',
      () => {
        rmSync(archive(), { recursive: true });
        mkdirSync(archive());
      },
      /^(explain|list_findings|history): .*(no|nothing)/,
    ],
    [
      'no directory',
      () => rmSync(archive(), { recursive: true }),
      /^(explain|list_findings|history): .*there is no/,
    ],
    [
      'a file in its place',
      () => {
        rmSync(archive(), { recursive: true });
        directory.write('archive', 'text');
      },
      /^(explain|list_findings|history): /,
    ],
  ];
  test.each(breakages)('%s', async (_, breakIt, said) => {
    const { call, text, textOf, log, leave } = await session(await written());
    breakIt();
    for (const [tool, args] of [
      ['explain', { resource: vol }],
      ['list_findings', {}],
      ['history', { volumeId: vol }],
    ] as const) {
      const result = await call(tool, args);
      expect([tool, result.isError]).toEqual([tool, true]);
      expect(textOf(result)).toMatch(said);
      expect(textOf(result).split('\n')).toHaveLength(1);
      expect(textOf(result)).not.toContain('error of stripewise');
    }
    expect(await text('limits', { type: 'gp3', sizeGiB: 100 })).toContain('8.00 USD a month');
    rmSync(archive(), { recursive: true, force: true });
    await written();
    expect((await call('history', { volumeId: vol })).structuredContent).toMatchObject({
      minutesWithPoints: 2_880,
    });
    expect(log).toEqual([]);
    await leave();
  });

  test('a file that was cut, and one that is not there any more: the rest is answered, and what is missing is said', async () => {
    const { call, text, textOf, leave } = await session(await written());
    const [first] = filesBelow(archive(), '.parquet');
    truncateSync(first as string, 100);
    expect((await call('history', { volumeId: vol })).structuredContent).toMatchObject({ unreadFiles: 1 });
    expect(await text('history', { volumeId: vol })).toMatch(/1 file could not be read: what they hold is/);
    const explained = await call('explain', { resource: vol });
    expect(explained.isError).toBeUndefined();
    expect(explained.structuredContent?.['notRead']).toHaveLength(1);
    expect(textOf(explained)).toMatch(/^Not read: .*history\/metrics\//m);
    expect(await text('list_findings')).toMatch(/^Not read: .*history\/metrics\//m);
    rmSync(first as string);
    expect((await call('history', { volumeId: vol })).structuredContent).toMatchObject({ unreadFiles: 1 });
    await leave();
  });
});

test('twenty calls at once, of several tools: each gets the answer to its own question', async () => {
  const { call, leave } = await session(await written());
  const limits = Array.from({ length: 10 }, (_, i) => call('limits', { type: 'gp3', sizeGiB: 100 + i }));
  const moments = Array.from({ length: 10 }, (_, i) =>
    call(i % 2 === 0 ? 'explain' : 'history', {
      ...(i % 2 === 0
        ? { resource: 'orders', at: `2026-11-${17 + ((i / 2) % 2)}T14:0${i % 5}Z` }
        : { volumeId: vol, from: `2026-11-${17 + (((i - 1) / 2) % 2)}` }),
    }),
  );
  expect((await Promise.all(limits)).map(({ structuredContent }) => structuredContent?.['sizeGiB'])).toEqual(
    limits.map((_, i) => 100 + i),
  );
  const answers = await Promise.all(moments);
  for (const [i, { structuredContent }] of answers.entries()) {
    const days = i % 2 === 0 ? (i / 2) % 2 : ((i - 1) / 2) % 2;
    expect(structuredContent).toMatchObject(
      i % 2 === 0
        ? { volumes: [{ at: { time: `2026-11-${17 + days}T14:0${i % 5}:00Z`, iops: 3_000 } }] }
        : { window: { start: `2026-11-${17 + days}T00:00:00Z` } },
    );
  }
  await leave();
});

const initialize: JSONRPCMessage = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const callOf = (id: number, name: string, args: object): JSONRPCMessage => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: { ...args } },
});
const cancelled = (requestId: number): JSONRPCMessage => ({
  ...{ jsonrpc: '2.0', method: 'notifications/cancelled' },
  params: { requestId, reason: 'the person asked something else' },
});

test('calls that are cancelled have no answer and leave no log; the others have theirs', async () => {
  const { stdin, stdout, log, ended } = startServer(await written());
  let out = '';
  stdout.on('data', (chunk) => {
    out += chunk;
  });
  const frames = [
    initialize,
    ...[1, 2, 3].map((id) => callOf(id, 'explain', { resource: 'orders', at: '14:00' })),
    ...[1, 2].map(cancelled),
    callOf(4, 'limits', { type: 'gp3', sizeGiB: 100 }),
    cancelled(99), // nothing of this name
  ];
  stdin.write(`${frames.map((one) => JSON.stringify(one)).join('\n')}\n`);
  while (!out.includes('"id":3')) await new Promise((done) => setTimeout(done, 10));
  stdin.end();
  expect(await ended).toBe(0);
  const ids = out.trimEnd().split('\n');
  expect(ids.map((line) => JSON.parse(line).id).toSorted()).toEqual([0, 3, 4]);
  expect(log).toEqual([]);
});

test('a client that leaves in the middle of calls: the server ends well, and nothing of a tool is logged', async () => {
  const { stdin, stdout, log, ended } = startServer(await written());
  stdout.resume();
  const calls = Array.from({ length: 20 }, (_, i) =>
    callOf(i + 1, 'explain', { resource: 'orders', at: `2026-11-17T${10 + (i % 10)}:00Z` }),
  );
  stdin.write(`${[initialize, ...calls].map((one) => JSON.stringify(one)).join('\n')}\n`);
  await new Promise((done) => setImmediate(done));
  stdin.end();
  stdout.destroy();
  expect(await ended).toBe(0);
  expect(log).toEqual([]);
});

test('a steady load is compared while another call has its turn', async () => {
  const io = collectingIo([], []);
  const source = new Source({ maxUsd: 1 }, io);
  const { signal } = new AbortController();
  let end = (): void => {};
  const other = source.inTurn(signal, () => new Promise<void>((resolve) => (end = resolve)));
  const asked = { layouts: ['gp3:100'], load: { iops: 100 } };
  const { document } = await compareLayouts.run(asked, { source, io, signal });
  expect(document).toMatchObject({ layouts: [{ throttledMinutes: 0 }], cost: null });
  end();
  await other;
});
