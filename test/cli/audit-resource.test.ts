/** `audit --resource`: one volume, instance or stripe in full, with when it was throttled; by id, ARN, Name tag or tag. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { calm, calmQueue, full, instance, minutes, vol } from './one-volume.ts';
import { runCli } from './run-cli.ts';
import { loadWith, stripedAccount, stripedHost } from './striped-account.ts';

const directory = temporaryDirectory();
const [quiet, silent] = ['vol-0123456789abcdef1', 'vol-0123456789abcdef2'];
const otherInstance = 'i-0123456789abcdef9';

/** `vol` at its 3,000 IOPS from 14:00 to 14:10; `quiet` beside it; of `silent`, elsewhere, nothing is known. */
const fleet = (): string[] => [
  '--volumes',
  directory.write(
    'volumes.json',
    describeVolumes(
      { Tags: [{ Key: 'Name', Value: 'orders' }] },
      { VolumeId: quiet },
      { VolumeId: silent, Attachments: [{ InstanceId: otherInstance, State: 'attached' }] },
    ),
  ),
  '--instances',
  directory.write('instances.json', describeInstances({}, { InstanceId: otherInstance })),
  '--metrics',
  directory.write(
    'metrics.json',
    getMetricData(
      ...load(vol, day(calm, minutes(840, 850, full)), {
        VolumeQueueLength: day(calmQueue, minutes(840, 850, 20)),
        VolumeIOPSExceededCheck: day(0, minutes(840, 850, 1)),
        VolumeThroughputExceededCheck: day(0),
      }),
      ...load(quiet, day(calm)),
    ),
  ),
];
const named = (VolumeId: string) => ({ VolumeId, Tags: [{ Key: 'Name', Value: 'twin' }] });
const audited = (...options: string[]) => runCli('audit', ...fleet(), ...options);
const linesOf = async (...ids: string[]): Promise<string[]> =>
  (await audited('--resource', ...ids)).out.split('\n');

test('why is this volume slow at 14:00: what it is, when, by what, what it did and wanted, and the finding', async () => {
  const { code, out, err } = await audited('--resource', vol);
  expect({ code, err }).toEqual({ code: 0, err: '' }); // of the volume that nobody knows nothing was asked
  const lines = out.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    `${vol} "orders", gp3 of 100 GiB in us-east-1: with findings`,
    '  can do    3,000 IOPS and 125 MiB/s',
    '  seen      1,440 minutes; at most 3,000 IOPS on average over a period',
  ]);
  expect(lines[3]?.trim().split(/ {2,}/)).toEqual([
    ...['when (UTC)', 'throttled by', 'how sure', 'minutes', 'served at most', 'demand at most'],
  ]);
  expect(lines[4]?.trim().split(/ {2,}/)).toEqual([
    ...['2026-11-18 14:00 to 14:10', 'volume-iops', 'high', '10 of 10', '3,000 IOPS, 47 MiB/s'],
    // What its queue would drive is too far from that to size for.
    '3,000 IOPS or more, 47 MiB/s or more',
  ]);
  expect(out).toContain('Problem   Throttled at its maximum of 3,000 IOPS.');
  expect(out).toContain('Figures from 2026-11-18T00:00:00Z to 2026-11-19T00:00:00Z.');
  expect(out).not.toContain(quiet);
  expect(out).not.toContain(silent);
});

test('a healthy one says so', async () => {
  expect(await linesOf(quiet)).toEqual(
    expect.arrayContaining([
      `${quiet}, gp3 of 100 GiB in us-east-1: healthy`,
      '  throttled in no minute',
      'No findings.',
    ]),
  );
});

test('one of which nothing is known is not called healthy: exit 3, and no finding is promised to be none', async () => {
  const { code, out, err } = await audited('--resource', silent);
  expect(code).toBe(3);
  expect(err).toBe(
    `stripewise: Partial, exit code 3. 1 volume unknown (${silent}). Listed above with each volume.`,
  );
  expect(out).toMatch(/: unknown: no datapoints of its operations/);
  expect(out).toContain('No findings on what could be evaluated.');
  expect(out).not.toContain('throttled in no minute');
});

test('an instance: what it is, that it was evaluated, all its volumes', async () => {
  const { out } = await audited('--resource', instance);
  expect(out).toContain(`${instance}, m6i.large in us-east-1: `);
  for (const id of [vol, quiet]) expect(out).toContain(`${id}`);
  expect(out).not.toContain(silent);
});

test('a stripe: its members, and that they are one', async () => {
  const account = stripedAccount(directory, { load: loadWith(13_000) });
  const { out: json } = await runCli('audit', ...account.files(), '--json');
  const [stripe] = auditResultSchema.parse(JSON.parse(json)).stripes;
  const { out, code } = await runCli('audit', ...account.files(), '--resource', stripe?.stripeId ?? '');
  expect(code).toBe(0);
  for (const id of account.volumeIds) expect(out).toMatch(new RegExp(`^${id}.*GiB in us-east-1: `, 'm'));
  expect(out).toContain('1 stripe: 1 inferred');
  expect(out).toContain('throttled-volume-iops');
});

test('--json has the same, and its counts', async () => {
  const { out } = await audited('--resource', vol, '--json');
  const { volumes, coverage } = auditResultSchema.parse(JSON.parse(out));
  expect(volumes.map(({ volumeId }) => volumeId)).toEqual([vol]);
  expect(coverage).toMatchObject({ volumes: 1, evaluated: 1, metricsWithoutResource: [] });
});

test('--fail-on is about what is asked for, not about its neighbour', async () => {
  expect((await audited('--resource', vol, '--fail-on', 'info')).code).toBe(1);
  expect((await audited('--resource', quiet, '--fail-on', 'info')).code).toBe(0);
});

test('--minutes writes the rows of its neighbours too: they may be what throttled it', async () => {
  const path = join(directory.path, 'minutes.csv');
  await audited('--resource', quiet, '--minutes', path);
  const rows = readFileSync(path, 'utf8').trim().split('\n').slice(1);
  expect(rows.map((row) => row.split(',')[1])).toEqual(Array<string>(10).fill(vol));
});

test('what one metric of another lacks does not make it partial; what its own lacks does', async () => {
  const cut = [...fleet()];
  const reply = JSON.parse(readFileSync(cut.at(-1) as string, 'utf8'));
  for (const one of reply.MetricDataResults) if (one.Label.startsWith(quiet)) one.StatusCode = 'PartialData';
  cut[cut.length - 1] = directory.write('cut.json', reply);
  expect((await runCli('audit', ...cut, '--resource', silent)).out).not.toContain('PartialData');
  const { code, out } = await runCli('audit', ...cut, '--resource', quiet);
  expect(code).toBe(3);
  expect(out).toContain(`VolumeReadOps of ${quiet} came as PartialData`);
});

test('the host evidence of an instance that nobody described counts as in the whole', async () => {
  const account = stripedAccount(directory, { load: loadWith(13_000) });
  const files = account.files();
  const without = files.filter((_, i) => ![i, i - 1].some((at) => files[at] === '--instances'));
  const hosts = ['--hosts', directory.write(`${account.instanceId}.json`, stripedHost(account.volumeIds))];
  const stripeId = `${account.instanceId}/data/data`;
  const { out, code } = await runCli('audit', ...without, ...hosts, '--resource', stripeId);
  expect(code).toBe(0);
  expect(out).toContain(`${stripeId} (by the host)`);
});

test('of hosts that were not asked for nothing is said; of one that is nowhere it is', async () => {
  const host = (id: string) => directory.write(`${id}.json`, stripedHost([vol, quiet]));
  const hosts = ['--hosts', host(otherInstance), host('i-0fedcba9876543210')];
  const { out } = await audited('--resource', vol, ...hosts);
  expect(out).toContain('Host i-0fedcba9876543210 is no instance of this audit');
  expect(out).not.toContain(`Host ${otherInstance} is no`);
});

test('of a recording the notes of its own series, and no window of all', async () => {
  const series = ['timestamp,read_ops,write_ops,read_bytes,write_bytes'];
  for (let i = 0; i < 30; i++) series.push(`2026-11-18T00:${String(i).padStart(2, '0')}:00Z,60,0,983040,0`);
  const recordings = join(directory.path, 'recordings');
  mkdirSync(recordings, { recursive: true });
  const described = (volumeId: string) => ({
    ...{
      volumeId,
      series: 'a.csv',
      volumeType: 'gp3',
      sizeGiB: 100,
      assumptions: [`${volumeId} as assumed`],
    },
  });
  writeFileSync(join(recordings, 'a.csv'), `${series.join('\n')}\n`);
  writeFileSync(
    join(recordings, 'volumes.json'),
    JSON.stringify({ volumes: [described('rec-a'), described('rec-b')] }),
  );
  const { out, err } = await runCli('audit', '--recorded', recordings, '--resource', 'rec-b');
  expect(err).toBe('');
  expect(out).toContain('rec-b as assumed');
  expect(out).not.toContain('rec-a');
  expect(out).not.toContain('Figures from');
});

test('an instance without a volume is found: nothing is told to be healthy', async () => {
  const { out, code } = await runCli(
    'audit',
    ...['--volumes', directory.write('volumes.json', describeVolumes())],
    ...['--instances', directory.write('instances.json', describeInstances({}))],
    ...['--metrics', directory.write('metrics.json', getMetricData(...load(vol, day(calm))))],
    ...['--resource', instance, 'vol-0fedcba9876543210'],
  );
  expect(code).toBe(3);
  expect(out).toContain('No volume of it was evaluated.');
  expect(out).not.toContain('No findings.');
});

test('an id that is nowhere: one line, exit 2, and no file of minutes', async () => {
  const path = join(directory.path, 'none.csv');
  await expectOneLine(
    ['audit', ...fleet(), '--resource', 'vol-0fedcba9876543210', '--minutes', path],
    /--resource vol-0fedcba9876543210: there is no such volume, instance or stripe/,
  );
  expect(existsSync(path)).toBe(false);
});

test('a stripe that is none, on an instance that is there', async () => {
  await expectOneLine(
    ['audit', ...fleet(), '--resource', `${instance}/typo`],
    /typo: there is no such volume/,
  );
});

test('an empty id', async () => {
  await expectOneLine(
    ['audit', ...fleet(), '--resource', vol, ''],
    /--resource is empty: give an id, an ARN, a Name tag, tag:KEY=VALUE, claim:NAMESPACE\/NAME or namespace:NAME$/,
  );
});

test('one that is nowhere beside one that is there: that one is reported, the other is named, exit 3', async () => {
  const { code, out, err } = await audited('--resource', vol, 'i-0fedcba9876543210/data\u001b[31m');
  expect(code).toBe(3);
  expect(out).toContain('2026-11-18 14:00 to 14:10');
  expect(err.split('\n')).toEqual([
    'stripewise: --resource i-0fedcba9876543210/data\\u{1b}[31m: not found in what could be read',
    'stripewise: Partial, exit code 3. Not found: --resource (i-0fedcba9876543210/data\\u{1b}[31m).',
  ]);
});

test.each([
  ['its Name tag', 'orders'],
  ['its ARN', `arn:aws:ec2:us-east-1:111122223333:volume/${vol}`],
  ['a tag', 'tag:Name=orders'],
])('%s means the same as its id', async (_, selector) => {
  const linesBy = async (by: string): Promise<string[]> =>
    (await audited('--resource', by, '--minutes', join(directory.path, 'minutes.csv'))).out.split('\n');
  expect(await linesBy(selector)).toEqual(await linesBy(vol));
});

test('findings say the tag that was asked for', async () => {
  const { out } = await audited('--resource', 'tag:Name=orders', '--json');
  const { findings } = auditResultSchema.parse(JSON.parse(out));
  expect(findings.map(({ resource }) => resource.tags)).toEqual([{ Name: 'orders' }]);
});

test.each([
  [
    'no-such-name',
    /^stripewise: --resource no-such-name: there is no such volume, instance or stripe in what was read/,
  ],
  [
    'tag:team=none',
    /^stripewise: --resource tag:team=none: no volume or instance has this tag in what was read/,
  ],
  [
    `arn:aws:ec2:eu-west-1:111122223333:volume/${vol}`,
    /^stripewise: --resource arn:aws:ec2:eu-west-1:\S+: there is no such volume or instance of that Region/,
  ],
  ['tag:team', /^stripewise: --resource tag:team: a tag is asked for as tag:KEY=VALUE/],
])('%s: one line', async (selector, line) => {
  await expectOneLine(['audit', ...fleet(), '--resource', selector], line);
});

test('a Name that two have: one line with their ids', async () => {
  const twins = ['--volumes', directory.write('twins.json', describeVolumes(named(vol), named(quiet)))];
  await expectOneLine(
    ['audit', ...twins, ...fleet().slice(2), '--resource', 'twin'],
    new RegExp(
      `--resource twin: 2 resources have this Name tag \\(${vol}, ${quiet}\\): give an id, or tag:Name=twin`,
    ),
  );
});

test('the old name of the option is not known', async () => {
  await expectOneLine(['audit', ...fleet(), '--only', vol], /unknown option '--only'/);
});
