/** What cannot be used is one clear line (what, why, what would be right) and exit code 2; nothing is half done. */
import { day, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const vol = 'vol-0123456789abcdef0';
const goodVolumes = directory.write('good/volumes.json', describeVolumes({}));
const goodMetrics = directory.write('good/metrics.json', getMetricData(...load(vol, day(60))));

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
    [['plan', '--keep-current'], /--keep-current keeps what the --current layout has: give both/],
    [['audit'], /--volumes and --metrics/],
    [['audit', '--volumes', goodVolumes], /--volumes and --metrics/],
    [
      ['audit', '--volumes', goodVolumes, '--metrics', goodMetrics, '--fail-on', 'bad'],
      /critical, warning, info/,
    ],
    [['audit', 'queries', '--volumes', goodVolumes, '--period-seconds', '7'], /ask for 60 or 300/],
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

  test('a file that is not there', async () => {
    await expectOneLine(
      audit('/nowhere/volumes.json'),
      /\/nowhere\/volumes.json: cannot be read: there is no such file/,
    );
  });

  test('a directory where a file belongs', async () => {
    await expectOneLine(audit(directory.path), /it is a directory/);
  });

  test('truncated JSON', async () => {
    const whole = JSON.stringify(getMetricData(...load(vol, day(60))));
    const cut = directory.write('cut.json', whole.slice(0, whole.length / 2));
    await expectOneLine(audit(goodVolumes, cut), /cut.json: not whole JSON .*expected the whole of/);
  });

  test('the wrong document', async () => {
    await expectOneLine(audit(goodMetrics), /Volumes is not as expected.*describe-volumes/);
    await expectOneLine(
      audit(goodVolumes, goodVolumes),
      /MetricDataResults is not as expected.*get-metric-data/,
    );
  });

  test('text where a number belongs, in a volume and in a metric', async () => {
    const volumes = directory.write('text-size.json', describeVolumes({ Size: '100' }));
    await expectOneLine(
      audit(volumes),
      /Volumes\[0\].Size is not as expected: it is of another type, and should be a number; expected/,
    );
    const point = { Timestamps: ['2026-11-18T00:00:00Z'], Values: ['many'] };
    const reply = { MetricDataResults: [{ Id: 'm0', Label: `${vol} VolumeReadOps`, ...point }] };
    await expectOneLine(audit(goodVolumes, directory.write('text-value.json', reply)), /Values\[0\].*number/);
  });

  test('a negative value', async () => {
    const reply = getMetricData({ label: `${vol} VolumeReadOps`, values: [5, -5] });
    await expectOneLine(
      audit(goodVolumes, directory.write('negative.json', reply)),
      /MetricDataResults\[0\].Values\[1\]/,
    );
  });

  test('as many timestamps as values, and readable ones', async () => {
    const label = `${vol} VolumeReadOps`;
    const one = {
      MetricDataResults: [{ Id: 'm0', Label: label, Timestamps: ['2026-11-18T00:00:00Z'], Values: [1, 2] }],
    };
    await expectOneLine(audit(goodVolumes, directory.write('uneven.json', one)), /1 timestamps and 2 values/);
    const two = { MetricDataResults: [{ Id: 'm0', Label: label, Timestamps: ['yesterday'], Values: [1] }] };
    await expectOneLine(
      audit(goodVolumes, directory.write('when.json', two)),
      /timestamp "yesterday"; expected ISO 8601/,
    );
  });

  test('labels that are not ours', async () => {
    const reply = getMetricData({ label: 'CPUUtilization', values: [1] });
    await expectOneLine(
      audit(goodVolumes, directory.write('labels.json', reply)),
      /no label reads "<resource id> <MetricName>"/,
    );
  });

  test('the same volume twice', async () => {
    await expectOneLine(
      ['audit', '--volumes', goodVolumes, goodVolumes, '--metrics', goodMetrics],
      /described twice/,
    );
  });

  test('half an inventory', async () => {
    const cut = { ...describeVolumes({}), NextToken: 'abc' };
    await expectOneLine(
      audit(directory.write('half.json', cut)),
      /NextToken.*there is a NextToken, so volumes or instances are missing/,
    );
  });

  test('text of a file that would move the cursor is shown and not done, on one line', async () => {
    const volumes = directory.write('untrusted.json', describeVolumes({ AvailabilityZone: '\u001b[2Jx\ny' }));
    await expectOneLine(audit(volumes), /"\\u\{1b\}\[2Jx\\u\{a\}y" is not an Availability Zone/);
  });

  test('a byte order mark, as some shells write it, is no error', async () => {
    const marked = directory.write('marked.json', `\uFEFF${JSON.stringify(describeVolumes({}))}`);
    expect((await runCli(...audit(marked))).code).toBe(0);
  });

  test('an Availability Zone that is none', async () => {
    const volumes = directory.write('zone.json', describeVolumes({ AvailabilityZone: 'mars' }));
    await expectOneLine(audit(volumes), /"mars" is not an Availability Zone/);
  });
});
