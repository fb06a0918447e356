/** What is larger than one answer of `stripewise mcp`: each part is bounded, and the cursor leads through all of it once. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { aFinding, anEvaluation, aResult, onVolume } from '../fixtures/findings.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { aWholeFinding } from '../fixtures/whole-findings.ts';
import { session } from './mcp-session.ts';
import { calm, calmQueue, full, instance, vol } from './one-volume.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
type Session = Awaited<ReturnType<typeof session>>;

const longName = 'a name of an account as long as names may be '.repeat(6).slice(0, 255);
const volumeId = (i: number): string => `vol-${(0x10_00_00_00 + i).toString(16)}`;

/** Every part of a list: each is bounded, and where more follows it says how to ask for less. */
async function parts({ call, textOf }: Session, tool: string, args: object): Promise<CallToolResult[]> {
  const all: CallToolResult[] = [];
  let cursor: string | null = null;
  do {
    const result = await call(tool, { ...args, ...(cursor === null ? {} : { cursor }) });
    expect([result.isError, Buffer.byteLength(JSON.stringify(result)) < 40_000]).toEqual([undefined, true]);
    const page = result.structuredContent?.['page'] as { nextCursor: string | null };
    if (page.nextCursor !== null)
      expect(textOf(result)).toContain(`More: cursor ${page.nextCursor}. Or ask a narrower question: `);
    cursor = page.nextCursor;
    all.push(result);
  } while (cursor !== null);
  return all;
}

const listed = <T>(results: readonly CallToolResult[], name: string): T[] =>
  results.flatMap(({ structuredContent }) => structuredContent?.[name] as T[]);

test('1,500 findings: none is lost, none comes twice', async () => {
  const findings = Array.from({ length: 1_500 }, (_, i) =>
    aFinding({ ...aWholeFinding(), id: `finding-${i}`, resource: onVolume(volumeId(i), { name: longName }) }),
  );
  const client = await session({ audit: directory.write('audit.json', aResult(findings)) });
  const all = await parts(client, 'list_findings', { limit: 20 });
  const ids = listed<{ id: string }>(all, 'findings').map(({ id }) => id);
  expect(ids.toSorted()).toEqual(findings.map(({ id }) => id).toSorted());
  // The narrower question that is offered has an answer.
  expect((await parts(client, 'list_findings', { resource: volumeId(1_499) })).length).toBe(1);
  await client.leave();
});

test('an instance with 60 volumes of a saved audit, each with a finding: volumes in parts, findings in the first alone', async () => {
  const volumes = Array.from({ length: 60 }, (_, i) =>
    anEvaluation({ volumeId: volumeId(i), name: longName, instanceFindings: ['of-instance'] }),
  );
  const findings = [
    aFinding({
      ...aWholeFinding({ kind: 'throttled-instance-iops' }),
      id: 'of-instance',
      resource: { ...onVolume(instance, { name: longName }), type: 'instance' },
    }),
    ...volumes.map((volume, i) =>
      aFinding({ ...aWholeFinding(), id: `finding-${i}`, resource: onVolume(volume.volumeId) }),
    ),
  ];
  const client = await session({
    audit: directory.write('instance.json', aResult(findings, { volumes })),
  });
  const all = await parts(client, 'explain', { resource: volumeId(7) });
  expect(listed<{ volumeId: string }>(all, 'volumes').map((one) => one.volumeId)).toEqual([volumeId(7)]);
  await client.leave();
});

test('12 volumes of an instance that throttle every hour: the heaviest spans of each, the rest counted', async () => {
  const ids = Array.from({ length: 12 }, (_, i) => volumeId(i));
  const hourly = (value: number): Record<number, number> =>
    Object.fromEntries(Array.from({ length: 24 }, (_, i) => [60 * i, value]));
  const client = await session({
    volumes: [
      directory.write(
        'volumes.json',
        describeVolumes(...ids.map((VolumeId) => ({ VolumeId, Tags: [{ Key: 'Name', Value: longName }] }))),
      ),
    ],
    instances: [directory.write('instances.json', describeInstances({ InstanceType: 'm6i.32xlarge' }))],
    metrics: [
      directory.write(
        'metrics.json',
        getMetricData(
          ...ids.flatMap((id) =>
            load(id, day(calm, hourly(full)), { VolumeQueueLength: day(calmQueue, hourly(20)) }),
          ),
        ),
      ),
    ],
  });
  const all = await parts(client, 'explain', { resource: instance });
  const volumes = listed<{ volumeId: string; spans: object[]; spansLeft: number }>(all, 'volumes');
  expect(volumes.map((one) => one.volumeId).toSorted()).toEqual(ids);
  // 24 minutes, an hour from one another.
  expect(volumes.map(({ spans, spansLeft }) => [spans.length, spansLeft])).toEqual(ids.map(() => [12, 12]));
  const findings = all.map((one) => listed([one], 'findings').length);
  expect(findings).toEqual([5, ...all.slice(1).map(() => 0)]);
  expect(all.map((one) => client.textOf(one).includes('No finding on it.'))).toEqual(all.map(() => false));
  await client.leave();
});

test('455 days of a volume, a month or less at a time', async () => {
  const start = Date.parse('2025-08-01T00:00:00Z') / 1_000;
  const archive = `${directory.path}/archive`;
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      {
        id: vol,
        epochSeconds: Array.from({ length: 455 }, (_, i) => start + 86_400 * i),
        metrics: { VolumeReadOps: (minute) => 60 * (1 + minute / 1_440), VolumeReadBytes: () => 60 * 16_384 },
      },
    ],
    { fromSeconds: start, endSeconds: start + 455 * 86_400 },
  );
  const client = await session({
    archive,
    volumes: [directory.write('one.json', describeVolumes())],
  });
  const days = listed<{ day: string }>(await parts(client, 'history', { volumeId: vol, limit: 31 }), 'days');
  expect(days).toHaveLength(455);
  expect(new Set(days.map((one) => one.day)).size).toBe(455);
  expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2025-08-01', '2026-10-29']);
  await client.leave();
});

test('1,000 findings of a template; of one severity alone there are fewer', async () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `Volume${i}${'A'.repeat(50)}`);
  const properties = { AvailabilityZone: 'us-east-1a', VolumeType: 'gp3', Size: 1, Iops: 16_000 };
  const template = directory.write('template.json', {
    AWSTemplateFormatVersion: '2010-09-09',
    Resources: Object.fromEntries(
      names.map((name) => [name, { Type: 'AWS::EC2::Volume', Properties: properties }]),
    ),
  });
  const client = await session({ check: [template] });
  const all = await parts(client, 'check', { limit: 20 });
  const addresses = listed<{ address: string }>(all, 'findings').map(({ address }) => address);
  expect(addresses.toSorted()).toEqual(names.map((name) => `[untrusted: ${name}]`).toSorted());
  expect((await client.call('check', { severity: 'info' })).structuredContent).toMatchObject({
    findings: [],
    page: { total: 0 },
  });
  await client.leave();
});

test('steps longer than an answer are not cut: they are left out, and the note says how a person sees them', async () => {
  const client = await session();
  const asked = { iops: 200_000, capacityGiB: 20_000, kinds: ['raid10'], maxMembers: 24, top: 1 };
  const one = { current: 'raid10:24xgp3:500', steps: 'cli' };
  const { structuredContent } = await client.call('plan', { ...asked, ...one });
  const { steps, notes } = structuredContent as { steps: string[] | null; notes: string[] };
  expect(steps).toBeNull();
  expect(notes.at(-1)).toMatch(
    /^The steps are longer than an answer may be\. .*`stripewise plan --steps cli`/,
  );
  await client.leave();
});
