/** What cannot be used is one clear line (what, why, what would be right) and exit code 2; nothing is half done. */
import { day, describeInstances, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const vol = 'vol-0123456789abcdef0';
const goodVolumes = directory.write('good/volumes.json', describeVolumes({}));
const goodMetrics = directory.write('good/metrics.json', getMetricData(...load(vol, day(60))));
const header = 'timestamp,read_ops,write_ops,read_bytes,write_bytes,idle_seconds';

function expectOneLine(argv: string[], line: RegExp): void {
  const { code, out, err } = runCli(...argv);
  expect(err).toMatch(line);
  expect(err.split('\n')).toHaveLength(1);
  expect(err).toMatch(/^stripewise: /);
  expect(out).toBe('');
  expect(code).toBe(2);
}

describe('options', () => {
  test.each([
    [['limits', '--type', 'gp9', '--size-gib', '100'], /--type "gp9" is not known: give one of gp2, gp3/],
    [['limits', '--type', 'GP3', '--size-gib', '100'], /did you mean gp3\?/],
    [
      ['limits', '--type', 'gp3', '--size-gib', '70000'],
      /size \(GiB\) 70,000 is not allowed: gp3 has 1 to 65,536 GiB/,
    ],
    [
      ['limits', '--type', 'gp3', '--size-gib', '-5'],
      /--size-gib "-5" cannot be negative: give a size in GiB, more than 0/,
    ],
    [['limits', '--type', 'gp3', '--size-gib', 'big'], /--size-gib "big" is not a number/],
    [['limits', '--type', 'gp3', '--size-gib', ''], /--size-gib "" is not a number/],
    [['limits', '--type', 'gp3', '--size-gib', '100', '--iops', '1e999'], /is not a number/],
    [['limits', '--type', 'gp3', '--size-gib', '100', '--deployment', 'moon'], /one of region, outposts/],
    [['limits', '--type', 'gp3'], /--size-gib/],
    [['limits', '--type', 'gp3', '--size-gib', '100', '--size', '4'], /unknown option '--size'/],
    [['burst', '--type', 'gp3', '--size-gib', '100'], /one of gp2, st1, sc1/],
    [['burst', '--type', 'gp2', '--size-gib', '100', '--balance-percent', '101'], /give 0 to 100/],
    [['burst', '--type', 'st1', '--size-gib', '500', '--iops', '100'], /give the rate as --throughput-mibps/],
    [['demand', '--reads', '5'], /give --reads, --writes and --redo-writes/],
    [['demand', '--reads', '5', '--awr', 'x'], /leave out --reads/],
    [['demand', '--reads', '-5', '--writes', '1', '--redo-writes', '1'], /--reads "-5" cannot be negative/],
    [['audit'], /--volumes and --metrics/],
    [['audit', '--volumes', goodVolumes], /--volumes and --metrics/],
    [
      ['audit', '--volumes', goodVolumes, '--metrics', goodMetrics, '--fail-on', 'bad'],
      /critical, warning, info/,
    ],
    [['audit', 'queries', '--volumes', goodVolumes, '--period-seconds', '7'], /give 60 or 300/],
    [
      ['audit', 'queries', '--volumes', goodVolumes, '--period-seconds', '60', '--lookback-days', '16'],
      /15 days/,
    ],
    [['schema', 'nothing'], /finding, audit/],
    [['bogus'], /unknown command/],
  ])('%j', expectOneLine);
});

describe('files of the AWS CLI', () => {
  const audit = (volumes: string, metrics = goodMetrics): string[] => [
    'audit',
    '--volumes',
    volumes,
    '--metrics',
    metrics,
  ];

  test('a file that is not there', () => {
    expectOneLine(
      audit('/nowhere/volumes.json'),
      /\/nowhere\/volumes.json: cannot be read: there is no such file/,
    );
  });

  test('a directory where a file belongs', () => {
    expectOneLine(audit(directory.path), /it is a directory/);
  });

  test('truncated JSON', () => {
    const whole = JSON.stringify(getMetricData(...load(vol, day(60))));
    const cut = directory.write('cut.json', whole.slice(0, whole.length / 2));
    expectOneLine(audit(goodVolumes, cut), /cut.json: not whole JSON .*expected the whole of/);
  });

  test('the wrong document', () => {
    expectOneLine(audit(goodMetrics), /Volumes is not as expected.*describe-volumes/);
    expectOneLine(audit(goodVolumes, goodVolumes), /MetricDataResults is not as expected.*get-metric-data/);
  });

  test('text where a number belongs, in a volume and in a metric', () => {
    const volumes = directory.write('text-size.json', describeVolumes({ Size: '100' }));
    expectOneLine(audit(volumes), /Volumes\[0\].Size is not as expected: .*number/);
    const point = { Timestamps: ['2026-11-18T00:00:00Z'], Values: ['many'] };
    const reply = { MetricDataResults: [{ Id: 'm0', Label: `${vol} VolumeReadOps`, ...point }] };
    expectOneLine(audit(goodVolumes, directory.write('text-value.json', reply)), /Values\[0\].*number/);
  });

  test('a negative value', () => {
    const reply = getMetricData({ label: `${vol} VolumeReadOps`, values: [5, -5] });
    expectOneLine(
      audit(goodVolumes, directory.write('negative.json', reply)),
      /MetricDataResults\[0\].Values\[1\]/,
    );
  });

  test('as many timestamps as values, and readable ones', () => {
    const label = `${vol} VolumeReadOps`;
    const one = {
      MetricDataResults: [{ Id: 'm0', Label: label, Timestamps: ['2026-11-18T00:00:00Z'], Values: [1, 2] }],
    };
    expectOneLine(audit(goodVolumes, directory.write('uneven.json', one)), /1 timestamps and 2 values/);
    const two = { MetricDataResults: [{ Id: 'm0', Label: label, Timestamps: ['yesterday'], Values: [1] }] };
    expectOneLine(
      audit(goodVolumes, directory.write('when.json', two)),
      /timestamp "yesterday"; expected ISO 8601/,
    );
  });

  test('labels that are not ours', () => {
    const reply = getMetricData({ label: 'CPUUtilization', values: [1] });
    expectOneLine(
      audit(goodVolumes, directory.write('labels.json', reply)),
      /no label reads "<resource id> <MetricName>"/,
    );
  });

  test('the same volume twice', () => {
    expectOneLine(
      ['audit', '--volumes', goodVolumes, goodVolumes, '--metrics', goodMetrics],
      /described twice/,
    );
  });

  test('half an inventory', () => {
    const cut = { ...describeVolumes({}), NextToken: 'abc' };
    expectOneLine(
      audit(directory.write('half.json', cut)),
      /NextToken.*there is a NextToken, so volumes or instances are missing/,
    );
  });

  test('text of a file that would move the cursor is shown and not done, on one line', () => {
    const volumes = directory.write('hostile.json', describeVolumes({ AvailabilityZone: '\u001b[2Jx\ny' }));
    expectOneLine(audit(volumes), /"\\u\{1b\}\[2Jx\\u\{a\}y" is not an Availability Zone/);
  });

  test('a byte order mark, as some shells write it, is no error', () => {
    const marked = directory.write('marked.json', `\uFEFF${JSON.stringify(describeVolumes({}))}`);
    expect(runCli(...audit(marked)).code).toBe(0);
  });

  test('an Availability Zone that is none', () => {
    const volumes = directory.write('zone.json', describeVolumes({ AvailabilityZone: 'mars' }));
    expectOneLine(audit(volumes), /"mars" is not an Availability Zone/);
  });
});

describe('what is missing is unknown, not an error', () => {
  const run = (volumes: object, metrics: object, instances: object = describeInstances({})) =>
    runCli(
      'audit',
      '--json',
      ...['--volumes', directory.write('v.json', volumes)],
      ...['--metrics', directory.write('m.json', metrics)],
      ...['--instances', directory.write('i.json', instances)],
    );

  test('a volume without metrics is unknown, with the reason, and the audit partial (3)', () => {
    const { code, out } = run(describeVolumes({}), getMetricData());
    expect(JSON.parse(out).coverage).toMatchObject({
      volumes: 1,
      judged: 0,
      unknown: [{ volumeId: vol, because: expect.stringContaining('no datapoints') }],
    });
    expect(code).toBe(3);
  });

  test('a stopped instance is named as the reason; there was nothing to read, so the run is not partial', () => {
    const stopped = describeInstances({ State: { Code: 80, Name: 'stopped' } });
    const { code, out } = run(describeVolumes({}), getMetricData(), stopped);
    const [unknown] = JSON.parse(out).coverage.unknown;
    expect(unknown).toMatchObject({
      nothingToRead: true,
      because: expect.stringMatching(/i-0123456789abcdef0 is stopped/),
    });
    expect(code).toBe(0);
  });

  const whole = getMetricData(...load(vol, day(60))) as { MetricDataResults: object[] };
  test.each([
    [
      'PartialData without a page that completes it',
      { MetricDataResults: whole.MetricDataResults.map((one) => ({ ...one, StatusCode: 'PartialData' })) },
    ],
    ['a message', { ...whole, Messages: [{ Code: 'InternalError', Value: 'try later' }] }],
    ['a NextToken', { ...whole, NextToken: 'abc' }],
  ])('%s: the run is partial, and what is missing is listed', (_what, reply) => {
    const { code, out } = run(describeVolumes({}), reply);
    expect(JSON.parse(out).coverage.incomplete.length).toBeGreaterThan(0);
    expect(code).toBe(3);
  });

  test('PartialData that a later page completes is whole', () => {
    const results = whole.MetricDataResults;
    const pages = [...results.map((one) => ({ ...one, StatusCode: 'PartialData' })), ...results];
    expect(run(describeVolumes({}), { MetricDataResults: pages }).code).toBe(0);
  });

  test('ten minutes of a day are too little to call a volume healthy', () => {
    const other = { VolumeId: 'vol-0bbbbbbbbbbbbbbbb' };
    const metrics = getMetricData(...load(vol, day(60).slice(0, 10)), ...load(other.VolumeId, day(60)));
    const { code, out } = run(describeVolumes({}, other), metrics);
    expect(JSON.parse(out).coverage.unknown).toMatchObject([
      { volumeId: vol, because: expect.stringContaining('only 10 of 1440 minutes') },
    ]);
    expect(code).toBe(3);
  });

  test.each([
    [{ VolumeType: 'gp9' }, /type "gp9" is not known here/],
    [{ State: 'creating' }, /its state is "creating"/],
    [
      { VolumeType: 'io1', Iops: 900_000, Throughput: undefined },
      /configuration is not one we know: IOPS 900,000/,
    ],
  ])('%j is unknown', (volume, because) => {
    const { code, out } = run(describeVolumes(volume), getMetricData(...load(vol, day(60))));
    expect(JSON.parse(out).coverage.unknown[0].because).toMatch(because);
    expect(code).toBe(3);
  });

  test('metrics without a volume: one line names it, and the audit is partial', () => {
    const other = 'vol-0aaaaaaaaaaaaaaaa';
    const { code, out, err } = run(
      describeVolumes({}),
      getMetricData(...load(vol, day(60)), ...load(other, day(60))),
    );
    expect(err).toBe(
      `stripewise: metrics of ${other}, but it is in no --volumes or --instances file: it was not judged`,
    );
    expect(JSON.parse(out).coverage).toMatchObject({
      volumes: 1,
      judged: 1,
      metricsWithoutResource: [other],
    });
    expect(code).toBe(3);
  });

  test('3 goes before 1: a partial audit with a critical finding', () => {
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
    expect(runCli(...complete).code).toBe(1);
    const partial = directory.write(
      'partial.json',
      describeVolumes({}, { VolumeId: 'vol-0bbbbbbbbbbbbbbbb' }),
    );
    expect(runCli(...complete.map((word) => (word === goodVolumes ? partial : word))).code).toBe(3);
  });

  test('an empty inventory is complete', () => {
    const { code, out } = run(describeVolumes(), getMetricData());
    expect(JSON.parse(out)).toMatchObject({
      window: null,
      coverage: { volumes: 0, judged: 0 },
      findings: [],
    });
    expect(code).toBe(0);
  });
});

describe('recorded series', () => {
  const recorded = (csv: string, volume: object = {}): string[] => {
    directory.write('recorded/s.csv', csv);
    directory.write('recorded/volumes.json', {
      volumes: [{ volumeId: 'db', series: 's.csv', volumeType: 'gp3', sizeGiB: 100, ...volume }],
    });
    return ['audit', '--recorded', `${directory.path}/recorded`];
  };
  const row = (minute: number, rest = '60,0,983040,0,59'): string =>
    `2026-11-18T00:${String(minute).padStart(2, '0')}:00Z,${rest}`;
  const csv = (...rows: string[]): string => [header, ...rows].join('\n');

  test.each([
    ['a wrong header', 'time,reads\n1,2', /its header is "time,reads"; expected timestamp,read_ops/],
    ['an empty file', '', /its header is ""/],
    [
      'text where a number belongs',
      csv(row(0), row(1, 'many,0,0,0,0')),
      /line 3: read_ops "many" is not a number/,
    ],
    ['a negative', csv(row(0), row(1, '1,-1,0,0,0')), /line 3: write_ops "-1" is negative/],
    ['an empty field', csv(row(0), row(1, '1,,0,0,0')), /line 3: write_ops "" is not a number/],
    ['a short row', csv(row(0), '2026-11-18T00:01:00Z,1'), /not CSV of one width: .*line 3/],
    [
      'a timestamp without zone',
      csv('2026-11-18 00:00:00,1,1,1,1,1', row(1)),
      /line 2: timestamp .* is not ISO 8601 in UTC/,
    ],
    ['one row alone', csv(row(0)), /shows no period/],
  ])('%s', (_what, content, line) => {
    expectOneLine(recorded(content), line);
  });

  test('a volume type that is not known is unknown', () => {
    const { code, out } = runCli(...recorded(csv(row(0), row(1)), { volumeType: 'gp9' }), '--json');
    expect(code).toBe(3);
    expect(JSON.parse(out).coverage.unknown[0].because).toMatch(/gp9/);
  });

  test('a series that leaves the directory is refused', () => {
    expectOneLine(recorded(csv(row(0), row(1)), { series: '../s.csv' }), /volumes\[0\].series/);
  });

  test('a directory without a description, and none at all', () => {
    directory.write('bare/s.csv', csv(row(0)));
    expectOneLine(
      ['audit', '--recorded', `${directory.path}/bare`],
      /volumes.json: cannot be read: there is no such/,
    );
    expectOneLine(['audit', '--recorded', '/nowhere'], /not a directory/);
  });
});
