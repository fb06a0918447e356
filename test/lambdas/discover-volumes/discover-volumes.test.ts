/** What a Region has; what could not be read of it is said with its consequence, never passed over. */
import { noHosts } from '../../../core/benchmark/campaign/benchmark-hosts.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { AccessDenied, Throttled } from '../../../core/errors.ts';
import { type DiscoverFrom, discoverVolumes } from '../../../lambdas/discover-volumes/discover-volumes.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

const plan = { startEpochSeconds: 0, endEpochSeconds: 86_400, periodSeconds: 300 };
const checks = {
  'vol-1': [
    { metric: 'VolumeStalledIOCheck', instanceId: 'i-1' },
    { metric: 'VolumeIOPSExceededCheck', instanceId: 'i-1' },
    { metric: 'VolumeThroughputExceededCheck', instanceId: 'i-1' },
  ],
} as const;

const from = (others: Partial<DiscoverFrom> = {}): DiscoverFrom => ({
  describeVolumes: async () => [aVolume()],
  describeInstances: async () => ({ instances: [anInstance()], attachedVolumeIds: ['vol-1'] }),
  listPublishedChecks: async () => ({ 'vol-1': [...checks['vol-1']] }),
  benchmarkHosts: async () => noHosts,
  now: () => new Date(86_400_000),
  archive: null,
  ...others,
});
const failing = (error: Error) => async (): Promise<never> => {
  throw error;
};

test('volumes, instances and how their checks are published, in one batch', async () => {
  expect(await discoverVolumes(from(), plan, defaultThresholds)).toEqual({
    batches: [{ volumes: [aVolume()], instances: [anInstance()], published: checks }],
    volumes: 1,
    excludedIds: [],
    benchmarkIds: [],
    incomplete: [],
  });
});

test('to be read in two passes, batches hold as many volumes as the first pass reads few metrics of', async () => {
  const volumes = Array.from({ length: 200 }, (_, i) =>
    aVolume({ volumeId: `vol-${i}`, attachments: on(`i-${i}`) }),
  );
  const many = from({
    describeVolumes: async () => volumes,
    describeInstances: async () => ({ instances: [], attachedVolumeIds: [] }),
    listPublishedChecks: failing(new AccessDenied('cloudwatch:ListMetrics in us-east-1 failed')),
  });
  const twoWeeks = { startEpochSeconds: 0, endEpochSeconds: 14 * 86_400, periodSeconds: 60 };
  const batchesOf = async (when: typeof twoWeeks & { coarsePeriodSeconds?: number }) =>
    (await discoverVolumes(many, when, defaultThresholds)).batches.length;
  // 11 x 20,160 points a volume of 5,040,000 in a batch: 22; in two passes 20,160 + 2 x 4,032: 178
  expect(await batchesOf(twoWeeks)).toBe(Math.ceil(200 / 22));
  expect(await batchesOf({ ...twoWeeks, coarsePeriodSeconds: 300 })).toBe(2);
});

test.each([
  // 11 x 20,160 + 2 x 4,032 = 229,824 points a volume that is in trouble; 41,250 / 1.1 x 300 s = 11,250,000: 48 volumes
  { rate: 41_250, batches: 5 },
  // A third of that rate: 16 volumes
  { rate: 13_750, batches: 13 },
])(
  'at $rate points a second batches are read in five minutes, whoever is in trouble: $batches',
  async (row) => {
    const volumes = Array.from({ length: 200 }, (_, i) =>
      aVolume({ volumeId: `vol-${i}`, attachments: on(`i-${i}`) }),
    );
    const many = from({
      describeVolumes: async () => volumes,
      describeInstances: async () => ({ instances: [], attachedVolumeIds: [] }),
      listPublishedChecks: failing(new AccessDenied('cloudwatch:ListMetrics in us-east-1 failed')),
      now: () => new Date(14 * 86_400_000),
    });
    const plan = { startEpochSeconds: 0, endEpochSeconds: 14 * 86_400, periodSeconds: 60 };
    const passes = { ...plan, coarsePeriodSeconds: 300 };
    const rates = { recent: 1, older: row.rate };
    const { batches } = await discoverVolumes(many, passes, defaultThresholds, {}, rates);
    expect(batches).toHaveLength(row.batches);
  },
);

test('an empty Region has no batch, and neither its checks nor hosts of the benchmark are asked for', async () => {
  const empty = from({
    describeVolumes: async () => [],
    describeInstances: async () => ({ instances: [], attachedVolumeIds: [] }),
    listPublishedChecks: failing(new Error('asked for checks of no volumes')),
    benchmarkHosts: failing(new Error('asked for hosts of no volumes')),
  });
  expect(await discoverVolumes(empty, plan, defaultThresholds)).toEqual({
    ...{ batches: [], volumes: 0, excludedIds: [], benchmarkIds: [], incomplete: [] },
  });
});

test('where no volume is attached, checks are not asked for: that call is per Region, not per volume', async () => {
  const unattached = from({
    describeVolumes: async () => [aVolume({ state: 'available', attachments: [] })],
    listPublishedChecks: failing(new Error('asked for checks')),
  });
  expect(await discoverVolumes(unattached, plan, defaultThresholds)).toMatchObject({
    volumes: 1,
    incomplete: [],
  });
});

test('a check that is not listed beside others of its volume is asked for as it is expected', async () => {
  const listed = { 'vol-1': [{ metric: 'VolumeStalledIOCheck', instanceId: 'i-9' }] } as const;
  const lost = from({ listPublishedChecks: async () => ({ 'vol-1': [...listed['vol-1']] }) });
  const { batches } = await discoverVolumes(lost, plan, defaultThresholds);
  expect(batches[0]?.published?.['vol-1']).toEqual([
    { metric: 'VolumeStalledIOCheck', instanceId: 'i-9' },
    { metric: 'VolumeIOPSExceededCheck', instanceId: 'i-1' },
    { metric: 'VolumeThroughputExceededCheck', instanceId: 'i-1' },
  ]);
});

test('a volume without any check has none: Xen publishes none', async () => {
  const { batches } = await discoverVolumes(
    from({ listPublishedChecks: async () => ({}) }),
    plan,
    defaultThresholds,
  );
  expect(batches[0]?.published).toEqual({});
});

test('a window that begins more than two weeks ago asks for checks that CloudWatch no longer lists', async () => {
  const now = (day: number) => () => new Date(day * 86_400_000);
  const checksOf = async (day: number) =>
    (await discoverVolumes(from({ now: now(day) }), plan, defaultThresholds)).batches[0]?.published?.[
      'vol-1'
    ] ?? [];
  expect(await checksOf(14)).toEqual(checks['vol-1']); // the window begins on day 0
  const expected = (await checksOf(15)).map(({ metric, instanceId }) => `${metric} ${instanceId}`);
  expect(expected.sort()).toEqual([
    'VolumeIOPSExceededCheck i-1',
    'VolumeStalledIOCheck i-1',
    'VolumeThroughputExceededCheck i-1',
  ]);
});

test('instances that may not be described: volumes are still there, and the consequence is said', async () => {
  const error = new AccessDenied('ec2:DescribeInstances in us-east-1 failed: UnauthorizedOperation: No.');
  const { batches, incomplete } = await discoverVolumes(
    from({ describeInstances: failing(error) }),
    plan,
    defaultThresholds,
  );
  expect(batches).toEqual([{ volumes: [aVolume()], instances: [], published: checks }]);
  expect(incomplete).toEqual([{ code: 'instances-not-read', reason: error.message }]);
});

test('checks that may not be listed are asked for as expected, and that is said', async () => {
  const error = new Throttled('cloudwatch:ListMetrics in us-east-1 failed: Throttling: Rate exceeded');
  const { batches, incomplete } = await discoverVolumes(
    from({ listPublishedChecks: failing(error) }),
    plan,
    defaultThresholds,
  );
  expect(batches).toEqual([{ volumes: [aVolume()], instances: [anInstance()], published: null }]);
  expect(incomplete).toEqual([{ code: 'checks-not-listed', reason: error.message }]);
});

test('volumes that may not be described are a failure of the Region', async () => {
  const error = new AccessDenied('ec2:DescribeVolumes in us-east-1 failed: UnauthorizedOperation: No.');
  await expect(
    discoverVolumes(from({ describeVolumes: failing(error) }), plan, defaultThresholds),
  ).rejects.toBe(error);
});

test.each(['describeInstances', 'listPublishedChecks'] as const)(
  'a mistake in %s is thrown on, not passed off as a missing permission',
  async (read) => {
    const mistake = new TypeError('x is not a function');
    await expect(discoverVolumes(from({ [read]: failing(mistake) }), plan, defaultThresholds)).rejects.toBe(
      mistake,
    );
  },
);

test('an excluded volume is in no batch and is not called missing, though its instance names it', async () => {
  const scratch = aVolume({ volumeId: 'vol-2', tags: { environment: 'test' } });
  const both = from({
    describeVolumes: async (ids) => (ids === undefined ? [aVolume(), scratch] : []),
    describeInstances: async () => ({ instances: [anInstance()], attachedVolumeIds: ['vol-1', 'vol-2'] }),
  });
  const found = await discoverVolumes(both, plan, defaultThresholds, { environment: ['test', 'sandbox'] });
  expect(found).toMatchObject({ volumes: 1, excludedIds: ['vol-2'], incomplete: [] });
  expect(found.batches).toEqual([
    { volumes: [aVolume()], instances: [anInstance({ excludedVolumes: 1 })], published: checks },
  ]);
});

test('a Region whose volumes are all excluded has nothing to evaluate, not even their instances', async () => {
  const found = await discoverVolumes(
    from({ describeVolumes: async () => [aVolume({ tags: { environment: 'test' } })] }),
    plan,
    defaultThresholds,
    { environment: '*' },
  );
  expect(found).toEqual({
    ...{ batches: [], volumes: 0, excludedIds: ['vol-1'], benchmarkIds: [], incomplete: [] },
  });
});

describe('hosts of the benchmark', () => {
  const host = anInstance({ instanceId: 'i-bench' });
  const root = aVolume({ volumeId: 'vol-root', attachments: on('i-bench') });
  const withHost = (others: Partial<DiscoverFrom> = {}): DiscoverFrom =>
    from({
      describeVolumes: async () => [aVolume(), root],
      describeInstances: async () => ({
        instances: [anInstance(), host],
        attachedVolumeIds: ['vol-1', 'vol-root'],
      }),
      ...others,
    });

  test('are in no batch, whatever is attached to them, and counted apart from what the configuration excludes', async () => {
    const benchmarkHosts = async () => ({ instanceIds: new Set(['i-bench']), volumeIds: new Set<string>() });
    expect(await discoverVolumes(withHost({ benchmarkHosts }), plan, defaultThresholds)).toEqual({
      batches: [{ volumes: [aVolume()], instances: [anInstance()], published: checks }],
      ...{ volumes: 1, excludedIds: [], benchmarkIds: ['vol-root'], incomplete: [] },
    });
  });

  test('that cannot be read are said to be, and everything is audited', async () => {
    const error = new AccessDenied('s3:ListBucket of campaign-hosts/us-east-1/ failed');
    const found = await discoverVolumes(
      withHost({ benchmarkHosts: failing(error) }),
      plan,
      defaultThresholds,
    );
    expect(found).toMatchObject({ volumes: 2, benchmarkIds: [] });
    expect(found.incomplete).toEqual([{ code: 'benchmark-hosts-not-read', reason: error.message }]);
  });
});
