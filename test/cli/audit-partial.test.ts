/** What is missing is listed, and the run is partial where it could have been read. */
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const vol = 'vol-0123456789abcdef0';
const goodVolumes = directory.write('good/volumes.json', describeVolumes({}));

describe('what is missing is unknown, not an error', () => {
  const run = async (volumes: object, metrics: object, instances: object = describeInstances({})) =>
    await runCli(
      'audit',
      '--json',
      ...['--volumes', directory.write('v.json', volumes)],
      ...['--metrics', directory.write('m.json', metrics)],
      ...['--instances', directory.write('i.json', instances)],
    );

  test('a volume without metrics is unknown, with the reason, and the audit partial (3)', async () => {
    const { code, out } = await run(describeVolumes({}), getMetricData());
    expect(JSON.parse(out).coverage).toMatchObject({
      volumes: 1,
      evaluated: 0,
      unknown: [{ volumeId: vol, reason: { code: 'no-operations' } }],
    });
    expect(code).toBe(3);
  });

  const partial = (format: string) =>
    runCli(
      'audit',
      ...['--volumes', goodVolumes, '--metrics', directory.write('none.json', getMetricData())],
      ...['--instances', directory.write('i.json', describeInstances({})), '--format', format],
    );

  test.each([
    ['table', 'Listed above under "Unknown, and why".'],
    ['json', 'Listed in coverage.unknown.'],
    ['csv', 'Listed by --format json in coverage.unknown.'],
    ['markdown', 'Listed by --format json in coverage.unknown.'],
  ])('as %s the last line says why it is 3, and where that is listed', async (format, where) => {
    const { code, out, err } = await partial(format);
    expect(code).toBe(3);
    expect(err).toBe(`stripewise: Partial, exit code 3. 1 volume unknown (${vol}). ${where}`);
    expect(out).not.toContain('exit code 3');
    if (format === 'table') expect(out).toContain('\nUnknown, and why:\n');
  });

  test('the last line stands behind what was written', async () => {
    const { err } = await runCli(
      'audit',
      ...['--volumes', goodVolumes, '--metrics', directory.write('none.json', getMetricData())],
      ...['--html', `${directory.path}/report.html`],
    );
    expect(err.split('\n').map((line) => line.slice(0, 25))).toEqual([
      expect.stringMatching(/^wrote /),
      'stripewise: Partial, exit',
    ]);
  });

  test('a run that is whole has no such line', async () => {
    const { code, err } = await run(describeVolumes({}), getMetricData(...load(vol, day(60))));
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  test('a stopped instance is named as the reason; there was nothing to read, so the run is not partial', async () => {
    const stopped = describeInstances({ State: { Code: 80, Name: 'stopped' } });
    const { code, out } = await run(describeVolumes({}), getMetricData(), stopped);
    const [unknown] = JSON.parse(out).coverage.unknown;
    expect(unknown).toMatchObject({
      nothingToRead: true,
      reason: { code: 'instance-stopped', instanceId: 'i-0123456789abcdef0' },
    });
    expect(code).toBe(0);
  });

  test('a Region whose prices are not known is named, once: silence is no thrift', async () => {
    const { out } = await run(
      describeVolumes({ AvailabilityZone: 'mars-east-1a' }),
      getMetricData(...load(vol, day(60))),
    );
    expect(JSON.parse(out).notices).toEqual([{ code: 'ebs-prices-unknown', region: 'mars-east-1' }]);
  });

  const whole = getMetricData(...load(vol, day(60))) as { MetricDataResults: object[] };
  test.each([
    [
      'PartialData without a page that completes it',
      { MetricDataResults: whole.MetricDataResults.map((one) => ({ ...one, StatusCode: 'PartialData' })) },
    ],
    ['a message', { ...whole, Messages: [{ Code: 'InternalError', Value: 'try later' }] }],
    ['a NextToken', { ...whole, NextToken: 'abc' }],
  ])('%s: the run is partial, and what is missing is listed', async (_what, reply) => {
    const { code, out } = await run(describeVolumes({}), reply);
    expect(JSON.parse(out).coverage.incomplete.length).toBeGreaterThan(0);
    expect(code).toBe(3);
  });

  test('PartialData that a later page completes is whole', async () => {
    const results = whole.MetricDataResults;
    const pages = [...results.map((one) => ({ ...one, StatusCode: 'PartialData' })), ...results];
    expect((await run(describeVolumes({}), { MetricDataResults: pages })).code).toBe(0);
  });

  test('ten minutes of a day are too little to call a volume healthy', async () => {
    const other = { VolumeId: 'vol-0bbbbbbbbbbbbbbbb' };
    const metrics = getMetricData(...load(vol, day(60).slice(0, 10)), ...load(other.VolumeId, day(60)));
    const { code, out } = await run(describeVolumes({}, other), metrics);
    expect(JSON.parse(out).coverage.unknown).toMatchObject([
      { volumeId: vol, reason: { code: 'too-few-minutes', knownMinutes: 10, windowMinutes: 1_440 } },
    ]);
    expect(code).toBe(3);
  });

  test.each([
    [{ VolumeType: 'gp9' }, { code: 'volume-type-unknown', volumeType: 'gp9' }],
    [{ State: 'creating' }, { code: 'volume-state', state: 'creating' }],
    [
      { VolumeType: 'io1', Iops: 900_000, Throughput: undefined },
      { code: 'configuration-refused', reason: expect.stringContaining('IOPS 900,000') },
    ],
  ])('%j is unknown', async (volume, reason) => {
    const { code, out } = await run(describeVolumes(volume), getMetricData(...load(vol, day(60))));
    expect(JSON.parse(out).coverage.unknown[0].reason).toEqual(reason);
    expect(code).toBe(3);
  });

  test('metrics without a volume: one line names it, and the audit is partial', async () => {
    const other = 'vol-0aaaaaaaaaaaaaaaa';
    const { code, out, err } = await run(
      describeVolumes({}),
      getMetricData(...load(vol, day(60)), ...load(other, day(60))),
    );
    expect(err.split('\n')).toEqual([
      `stripewise: metrics of ${other}, but it is in no --volumes or --instances file: it was not evaluated`,
      `stripewise: Partial, exit code 3. Metrics of 1 resource that no inventory has (${other}).`,
    ]);
    expect(JSON.parse(out).coverage).toMatchObject({
      volumes: 1,
      evaluated: 1,
      metricsWithoutResource: [other],
    });
    expect(code).toBe(3);
  });

  test('3 goes before 1: a partial audit with a critical finding', async () => {
    const metrics = getMetricData(...load(vol, day(60), { VolumeStalledIOCheck: day(1) }));
    const complete = [
      'audit',
      '--volumes',
      goodVolumes,
      '--metrics',
      directory.write('stalled.json', metrics),
      '--fail-on',
      'critical',
    ];
    expect((await runCli(...complete)).code).toBe(1);
    const partial = directory.write(
      'partial.json',
      describeVolumes({}, { VolumeId: 'vol-0bbbbbbbbbbbbbbbb' }),
    );
    expect((await runCli(...complete.map((word) => (word === goodVolumes ? partial : word)))).code).toBe(3);
  });

  test('an empty inventory is complete', async () => {
    const { code, out } = await run(describeVolumes(), getMetricData());
    expect(JSON.parse(out)).toMatchObject({
      window: null,
      coverage: { volumes: 0, evaluated: 0 },
      findings: [],
    });
    expect(code).toBe(0);
  });
});
