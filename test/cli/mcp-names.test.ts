/** What the tools of `stripewise mcp` are called, and how they call things: arguments of a tool, options of the server's start, nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inToolWords, toolPhrases } from '../../report/wording/assistant-names.ts';
import { findingLines, labelledLine } from '../../report/wording/finding-lines.ts';
import { describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { samples } from '../report/wording/samples.ts';
import { session } from './mcp-session.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const everySource = () => ({
  archive: directory.path,
  volumes: [directory.write('volumes.json', describeVolumes())],
  check: [
    directory.write('template.json', {
      AWSTemplateFormatVersion: '2010-09-09',
      Parameters: { Size: { Type: 'Number' } },
      Resources: {
        Data: {
          Type: 'AWS::EC2::Volume',
          Properties: { VolumeType: 'gp3', Size: 1, Iops: 16_000, AvailabilityZone: { Ref: 'Zone' } },
        },
        Old: {
          Type: 'AWS::EC2::Volume',
          Properties: { VolumeType: 'gp2', Size: 500, AvailabilityZone: { Ref: 'Zone' } },
        },
        Other: {
          Type: 'AWS::EC2::Volume',
          Properties: { VolumeType: 'gp3', Size: { Ref: 'Size' }, AvailabilityZone: { Ref: 'Zone' } },
        },
      },
    }),
  ],
});

/** Options in a text, but for those of commands that it cites for a person to run. */
const optionsIn = (text: string): string[] => text.replaceAll(/`[^`]*`/g, '').match(/--[a-z][a-z-]*/g) ?? [];

const startOptions = async (): Promise<Set<string>> =>
  new Set(optionsIn((await runCli('mcp', '--help')).out));

test('no sentence names an option that the server does not have', async () => {
  const own = await startOptions();
  expect(own.has('--archive')).toBe(true);
  expect(own.has('--load')).toBe(false);
  const { tools, call, text, textOf, leave } = await session(everySource());
  const ofFindings = samples.flatMap(({ finding }) =>
    findingLines(finding)
      .map((line) => inToolWords(labelledLine(line)))
      // Commands stand in them for a person, as steps do.
      .filter((line) => !line.includes('aws ')),
  );
  const said = [
    JSON.stringify(tools),
    ...ofFindings,
    textOf(await call('check')),
    await text('check', { load: 'database', region: 'us-east-1' }),
    await text('check', { load: 'heavy' }),
    await text('check', { region: 'nowhere' }),
    await text('explain', { resource: 'nobody' }),
    await text('explain', { resource: 'tag:team' }),
    await text('list_findings', { cursor: '5' }),
    await text('history', { volumeId: 'vol-0123456789abcdef0' }),
    await text('plan', {}),
    await text('plan', { iops: 1, instanceType: 'm5.large', vcpus: 2 }),
    await text('plan', { iops: 1, keepCurrent: true }),
    await text('plan', { iops: 1, volumeIds: ['vol-0123456789abcdef0'] }),
    await text('plan', { iops: 1, current: 'gp3:1:99999' }),
    await text('plan', { iops: 1, current: '2xgp3:10', volumeIds: ['vol-0123456789abcdef0'] }),
    await text('plan', { iops: 1, instanceType: 'm99.large' }),
    await text('plan', { iops: 900_000, capacityGiB: 10, types: ['gp2', 'io1'], kinds: ['single'] }),
    await text('burst', { type: 'st1', sizeGiB: 500, iops: 5 }),
    await text('limits', { type: 'gp3', sizeGiB: 10, iops: 90_000 }),
    await text('limits', { type: 'gp3', sizeGiB: 10, region: 'eu-south-2' }),
    await text('compare_layouts', { layouts: ['3xraid10:gp3:10'], load: { iops: 1 } }),
    await text('compare_layouts', { layouts: ['raid10:3xgp3:10'], load: { iops: 1 } }),
    await text('compare_layouts', {
      ...{ layouts: ['gp3:10'], load: { iops: 1 }, instanceType: 'm99.large' },
    }),
  ];
  for (const one of said) expect(optionsIn(one).filter((option) => !own.has(option))).toEqual([]);
  await leave();
});

test('the cure is said by the names of the tool', async () => {
  const { text, leave } = await session(everySource());
  expect(await text('check')).toContain(
    'Burst credits are not checked: load (general, batch, database) adds them.',
  );
  expect(await text('check')).toMatch(/by the prices of us-east-1\. Give region\./);
  expect(await text('check')).toContain('Cost      Unknown: its Region is not known; give region.');
  expect(await text('check', { region: 'us-east-1' })).not.toMatch(/Give region/);
  expect(await text('plan', { iops: 1, volumeIds: ['vol-0123456789abcdef0'] })).toBe(
    'plan: volumeIds are those of the current layout: give both',
  );
  expect(await text('limits', { type: 'gp9', sizeGiB: 1 })).toBe(
    'limits: type: give one of gp2, gp3, io1, io2, st1, sc1, standard',
  );
  expect(await text('plan', { iops: 1, chunkKiB: 100 })).toBe('plan: chunkKiB: give a power of two');
  await leave();
});

test('each phrase that is put into other words is one that is said', () => {
  const files = [
    ...['report/wording/check.ts', 'report/wording/check-finding.ts'],
    ...['report/wording/recommendation.ts', 'cli/audit-archive.ts'],
  ];
  const said = files.map((path) => readFileSync(join(__dirname, '../..', path), 'utf8')).join('\n');
  for (const [ofCommand, ofServer] of toolPhrases) {
    expect([ofCommand, said.includes(ofCommand)]).toEqual([ofCommand, true]);
    expect(ofServer).not.toContain('--');
  }
});

// The schemas are read by every session of an assistant, whatever it asks.

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const schemasIn = (value: Json): { [key: string]: Json }[] => {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(schemasIn)];
};

test('all tools together are below 24,000 bytes: at 3.2 a token, 7,500 tokens', async () => {
  const { tools, leave } = await session(everySource());
  expect(tools).toHaveLength(8);
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(24_000);
  await leave();
});

test('a type of a schema is one type: not every client takes a list of them', async () => {
  const { tools, leave } = await session(everySource());
  const all = schemasIn(tools as unknown as Json); // they came as JSON
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter(({ type }) => Array.isArray(type))).toEqual([]);
  expect(all.filter(({ $ref }) => $ref !== undefined)).toEqual([]);
  await leave();
});
