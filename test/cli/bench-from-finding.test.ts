/** `bench plan --from-finding` of files: from an audit to the campaign that proves one of its findings. */
import { readFileSync } from 'node:fs';
import { benchRequestSchema } from '../../core/benchmark/campaign/request.ts';
import { day, getMetricData, load, type MetricReply } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { auditedFiles, auditedVolume } from './finding-files.ts';
import { calm, calmQueue, full, instance, minutes, vol } from './one-volume.ts';
import { loadWith, stripedAccount, stripedHost } from './striped-account.ts';

const directory = temporaryDirectory();

/** Ten minutes at the 3,000 IOPS that it has, 8 in flight. */
const tenMinutes = (more: Record<string, (number | undefined)[]> = {}): MetricReply[] =>
  load(vol, day(calm, minutes(100, 110, full)), {
    VolumeQueueLength: day(calmQueue, minutes(100, 110, 8)),
    ...more,
  });
const gp2 = { VolumeType: 'gp2', Size: 100, Iops: 300, Throughput: undefined };
/** Twenty minutes at the 300 IOPS that are left without credits. */
const withoutCredits = load(vol, day(600, minutes(200, 220, 18_000)), {
  BurstBalance: day(100, minutes(200, 220, 0)),
  VolumeQueueLength: day(0.01, minutes(200, 220, 4)),
});

describe('a throttled volume', () => {
  test('is measured with the load of the minutes in which it was throttled, as it is and as recommended', async () => {
    const third = 60_000;
    // Of 180,000 operations a minute 60,000 were writes.
    const files = await auditedVolume(
      directory,
      {},
      tenMinutes({
        VolumeReadOps: day(calm, minutes(100, 110, full - third)),
        VolumeWriteOps: day(0, minutes(100, 110, third)),
        VolumeReadBytes: day(calm * 16_384, minutes(100, 110, (full - third) * 16_384)),
        VolumeWriteBytes: day(0, minutes(100, 110, third * 16_384)),
      }),
    );
    const { request, validates, cells, notes } = await files.plan('throttled-volume-iops');
    expect(request).toMatchObject({
      layouts: [
        {
          name: 'current',
          kind: 'single',
          volumeType: 'gp3',
          sizeGiB: 100,
          iops: 3_000,
          throughputMiBps: 125,
        },
        // 8 in flight at 1 ms want 8,000 at most: sized for twice the 3,000 that were served.
        {
          name: 'recommended',
          kind: 'single',
          volumeType: 'gp3',
          sizeGiB: 100,
          iops: 6_000,
          throughputMiBps: 125,
        },
      ],
      instanceTypes: ['m5.12xlarge'],
      work: {
        kind: 'load',
        seconds: 300,
        load: { access: 'randrw', blockKiB: 16, readPercent: 67, users: 8, ioDepth: 1, iops: 6_000 },
      },
      prepare: 'nothing',
      findingId: files.finding('throttled-volume-iops').id,
    });
    expect(validates?.observed).toMatchObject({
      ...{ during: 'throttled', minutes: 10, servedIops: 3_000, demandIops: 6_000, ioKiB: 16 },
      ...{ underWay: 8, underWayBy: 'queue-length' },
    });
    expect(cells.map(({ id }) => id)).toEqual(['current-m5-12xlarge', 'recommended-m5-12xlarge']);
    expect(notes).toContainEqual({ code: 'access-assumed', access: 'random' });
  });

  test('is reported in words, with both configurations and the price', async () => {
    const files = await auditedVolume(directory, {}, tenMinutes());
    const { out, code } = await files.text('throttled-volume-iops', '--repeats', '3');
    expect(code).toBe(0);
    expect(out).toContain(
      'In its 10 throttled minutes: 16 KiB random I/O, 100 % reads; 3,000 IOPS served, demand 6,000 IOPS; 8 in flight (by its queue length).',
    );
    expect(out).toContain('present: gp3, 100 GiB, 3,000 IOPS, 125 MiB/s, on m5.12xlarge');
    expect(out).toContain('recommended: gp3, 100 GiB, 6,000 IOPS, 125 MiB/s, on m5.12xlarge');
    expect(out).toContain('6,000 IOPS at most, for 300 seconds, 3 times.');
    expect(out).toMatch(/2 hosts in us-east-1, 4 at once: .* USD by list prices/);
    expect(out).toContain('note: One load is repeated on new volumes of a host of their own.');
  });

  test('writes the request for `bench start`', async () => {
    const files = await auditedVolume(directory, {}, tenMinutes());
    const path = directory.write('request.json', '');
    await files.text('throttled-volume-iops', '--out', path, '--seconds', '60');
    expect(benchRequestSchema.parse(JSON.parse(readFileSync(path, 'utf8')))).toMatchObject({
      work: { kind: 'load', seconds: 60 },
      findingId: files.finding('throttled-volume-iops').id,
    });
  });

  test('where only AWS’s check tells, as many as go are measured, and what is not known is said', async () => {
    const files = await auditedVolume(
      directory,
      {},
      load(vol, day(calm, minutes(100, 110, 2_900 * 60)), {
        VolumeIOPSExceededCheck: day(0, minutes(100, 110, 1)),
      }),
    );
    const { request, validates, notes } = await files.plan('throttled-volume-iops');
    expect(request.work).toMatchObject({ load: { users: 16, ioDepth: 1 } });
    expect(request.work).not.toHaveProperty('load.iops');
    expect(validates?.observed).toMatchObject({ servedIops: 2_900, demandIops: null, underWay: null });
    const reason = { code: 'hidden-by-averages' };
    expect(validates?.observed.demandUnknownReason).toEqual(reason);
    expect(notes).toContainEqual({ code: 'demand-unknown', reason });
    expect(notes).toContainEqual({ code: 'in-flight-unknown', taken: 16 });
  });

  test('on an instance that is not on Nitro the nearest that is stands in, and a note says so', async () => {
    // 3,000 of m4.4xlarge's 16,000 IOPS
    const files = await auditedVolume(directory, {}, tenMinutes(), 'm4.4xlarge');
    const { request, notes } = await files.plan('throttled-volume-iops');
    const [type] = request.instanceTypes;
    expect(type).not.toBe('m4.4xlarge');
    expect(notes).toContainEqual({ code: 'host-not-nitro', from: 'm4.4xlarge', to: type });
  });
});

test('a gp2 without credits is measured without them: they are spent first', async () => {
  const files = await auditedVolume(directory, gp2, withoutCredits);
  const { request, cells } = await files.plan('credits-exhausted');
  expect(request).toMatchObject({
    prepare: 'drain-credits',
    layouts: [
      { volumeType: 'gp2', sizeGiB: 100 },
      { volumeType: 'gp3', sizeGiB: 100 },
    ],
    // 4 in flight on what was 300 a second
    work: { load: { users: 4, readPercent: 100 } },
  });
  expect(request.layouts[0]).not.toHaveProperty('iops');
  // 5.4 M / (3,000 - 300) are 2,000 s of draining, a third of which the gp3 does not have.
  const [current, recommended] = cells.map(({ hours }) => hours * 3_600) as [number, number];
  expect(current - recommended).toBeGreaterThan(1_900);
});

test('a saving is measured with the busiest time of its load', async () => {
  const files = await auditedVolume(
    directory,
    { Size: 100, Iops: 16_000, Throughput: 250 },
    load(vol, day(calm, minutes(600, 660, 480_000))), // 8,000 IOPS for an hour
  );
  const { request, validates } = await files.plan('over-provisioned');
  expect(request.layouts).toMatchObject([
    { iops: 16_000, throughputMiBps: 250 },
    { iops: 10_000, throughputMiBps: 157 },
  ]);
  // A twentieth of 1,440 are 72 minutes; 12 of them have 100 IOPS, which is below half of the most.
  expect(validates?.observed).toMatchObject({
    during: 'busiest',
    minutes: 60,
    servedIops: 8_000,
    demandIops: 8_000,
  });
  expect(request.work).toMatchObject({ load: { iops: 8_000 } });
});

test('a stripe is measured as one, its members as they are and all changed alike', async () => {
  const account = stripedAccount(directory, { load: loadWith(13_000) });
  const files = await auditedFiles(directory, account.files(), [
    '--hosts',
    directory.write(`${account.instanceId}.json`, stripedHost(account.volumeIds)),
  ]);
  const { request, validates } = await files.plan('throttled-volume-iops');
  const [current, recommended] = request.layouts;
  expect(current).toMatchObject({ kind: 'stripe', members: 3, volumeType: 'gp3', iops: 3_000, chunkKiB: 64 });
  expect(recommended).toMatchObject({ kind: 'stripe', members: 3, volumeType: 'gp3', chunkKiB: 64 });
  expect(recommended?.iops).toBeGreaterThan(4_000); // 13,000 / 3
  expect(validates?.current.layout).toEqual(current);
  // Three times 3,000.
  expect(validates?.observed.servedIops).toBeGreaterThan(8_900);
  expect(validates?.observed.servedIops).toBeLessThan(9_100);
});

test('a throttled instance is measured against the type that is recommended, with the same volume', async () => {
  // 18,750 IOPS are all that m5.large has at its best.
  const files = await auditedVolume(
    directory,
    { Iops: 20_000, Size: 500 },
    [
      ...load(vol, day(calm, minutes(100, 110, 18_750 * 60)), {
        VolumeQueueLength: day(calmQueue, minutes(100, 110, 50)),
      }),
      { label: `${instance} InstanceEBSIOPSExceededCheck`, values: day(0, minutes(100, 110, 1)) },
    ],
    'm5.large',
  );
  const { request, cells } = await files.plan('throttled-instance-iops');
  expect(request.layouts).toMatchObject([{ name: 'volumes', iops: 20_000 }]);
  expect(request.instanceTypes).toHaveLength(2);
  expect(request.instanceTypes[0]).toBe('m5.large');
  expect(cells).toHaveLength(2);
});

describe('what cannot be benchmarked is one line', () => {
  test('a volume that nobody uses', async () => {
    const idle = await auditedVolume(directory, { Size: 250 }, load(vol, day(0, minutes(0, 700, 1))));
    await idle.refused('idle', /\(idle on vol-0123456789abcdef0\) cannot be benchmarked: nothing used it/);
    const unattached = await auditedVolume(directory, { State: 'available', Attachments: [] }, []);
    await unattached.refused('unattached', /cannot be benchmarked: it is attached to nothing/);
  });

  test('recommendation without another configuration', async () => {
    // 6,000 of its own 6,000 IOPS, which are all that m4.xlarge does
    const files = await auditedVolume(
      directory,
      { Iops: 6_000 },
      load(vol, day(calm, minutes(100, 110, 360_000)), {
        VolumeQueueLength: day(calmQueue, minutes(100, 110, 12)),
      }),
      'm4.xlarge',
    );
    await files.refused('throttled-volume', /no other configuration is recommended/);
  });
});

describe('bad input is one line', () => {
  test.each([
    [['--layouts', 'gp3:100'], /a finding says what is measured: leave out --layouts/],
    [['--iops', '5'], /leave out --iops/],
  ])('%j beside a finding', async (options, line) => {
    await expectOneLine(['bench', 'plan', '--from-finding', '0123456789abcdef', ...options], line);
  });

  test('files of a finding without one, and a finding with half of its files', async () => {
    await expectOneLine(
      ['bench', 'plan', '--audit', 'a.json', '--layouts', 'gp3:100'],
      /--audit is for --from-finding/,
    );
    await expectOneLine(
      ['bench', 'plan', '--from-finding', '0123456789abcdef', '--audit', 'a.json'],
      /needs --audit .*, --volumes and --metrics/,
    );
  });

  test('a finding that the audit does not have, and a file that is no audit', async () => {
    const files = await auditedVolume(directory, {}, tenMinutes());
    const argv = files.argv('throttled-volume-iops');
    const other = argv.map((one, i) => (i === 3 ? 'ffffffffffffffff' : one));
    await expectOneLine(
      other,
      /has no finding ffffffffffffffff: it has [0-9a-f]{16} \(throttled-volume-iops on/,
    );
    const noAudit = argv.map((one, i) => (i === 5 ? directory.write('no-audit.json', '{}') : one));
    await expectOneLine(noAudit, /no-audit\.json: runId: .* give what `audit --json` wrote/);
  });

  test('files of another time, in which the finding is not', async () => {
    const files = await auditedVolume(directory, {}, tenMinutes());
    const argv = files.argv('throttled-volume-iops');
    directory.write('metrics.json', getMetricData(...load(vol, day(calm))));
    await expectOneLine(argv, /is not found again in the same time: .* audit again/);
  });
});
