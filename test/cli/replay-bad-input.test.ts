/** What cannot be replayed is one line: the file, the field, why, and what would be right. */
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { csvOf, gp3Layout, readRow, replayOf, seriesHeader, timeAt } from './replay-files.ts';

const directory = temporaryDirectory();
const csv = csvOf([readRow(0, 10), readRow(1, 10)]);
const { iops: _, ...withoutIops } = gp3Layout;
const { volumeType: _type, ...withoutType } = gp3Layout;

describe('layouts', () => {
  test.each([
    [
      'a field is missing',
      withoutIops,
      /layout\.json: iops is not as expected: it is missing, and gp3 .*; give the IOPS of each member/,
    ],
    [
      'a field too many',
      { ...gp3Layout, iop: 1 },
      /layout\.json: .*"iop" is no field of a layout; leave it out; expected the layout/,
    ],
    [
      'text',
      { ...gp3Layout, sizeGiB: 'large' },
      /sizeGiB is not as expected: "large" cannot be; give the GiB of each member/,
    ],
    [
      'a kind',
      { ...gp3Layout, kind: 'raid6' },
      /kind is not as expected: "raid6" cannot be; give one of single, stripe, raid10, raid5/,
    ],
    [
      'a type',
      { ...gp3Layout, volumeType: 'gp9' },
      /volumeType is not as expected: "gp9" cannot be; give one of gp2, gp3/,
    ],
    ['members', { ...gp3Layout, members: 2 }, /members is not as expected: single is one volume; give 1/],
    ['a stripe', { ...gp3Layout, kind: 'stripe' }, /stripe has 2 volumes or more, not 1; give so many/],
    [
      'RAID10',
      { ...gp3Layout, kind: 'raid10', members: 5 },
      /an even number of volumes, not 5; give 4, 6, 8/,
    ],
    [
      'too many IOPS',
      { ...gp3Layout, iops: 90_000 },
      /layout\.json: IOPS 90,000 is not allowed: gp3 has 3,000 to/,
    ],
    ['too few', { ...gp3Layout, iops: 100 }, /IOPS 100 is not allowed: gp3 has 3,000 to 80,000 IOPS$/],
    [
      'no size',
      { ...gp3Layout, sizeGiB: 0 },
      /layout\.json: size \(GiB\) 0 is not allowed: gp3 has 1 to 65,536/,
    ],
    ['a list', [gp3Layout], /layout\.json: the document is not as expected: it is a list; give one layout/],
    ['no layout', { layout: 'gp3' }, /layout\.json: the document is not as expected: it is no layout/],
    [
      'no kind',
      { ...gp3Layout, kind: undefined },
      /kind is not as expected: it is missing; give one of single/,
    ],
    ['type', { ...withoutType, type: 'gp3' }, /"type" is called "volumeType" in a layout; rename it/],
    [
      'a whole plan',
      { need: {}, options: [{ layout: gp3Layout }] },
      /it is a whole plan; take the layout of one option: jq '\.options\[0\]\.layout' plan\.json > layout\.json/,
    ],
  ])('%s', async (_name, layout, line) => {
    await expectOneLine([...replayOf(directory, csv, layout), '--json'], line);
  });

  test('what an Outpost does not have', async () => {
    const args = replayOf(directory, csv, { ...gp3Layout, iops: 20_000 });
    await expectOneLine(
      [...args, '--deployment', 'outposts'],
      /IOPS 20,000 is not allowed: gp3 on Outposts has/,
    );
  });

  test('no JSON, no file', async () => {
    const [, , series] = replayOf(directory, csv) as [string, string, string];
    const layout = directory.write('broken.json', '{"kind":');
    await expectOneLine(['replay', '--series', series, '--layout', layout], /broken\.json: not whole JSON/);
    await expectOneLine(['replay', '--series', series, '--layout', '/nowhere.json'], /there is no such file/);
  });
});

describe('series', () => {
  test.each([
    ['no rows', csvOf([]), /load\.csv: shows no period; give at least two rows/],
    ['one row', csvOf([readRow(0, 10)]), /load\.csv: shows no period; give at least two rows with different/],
    ['one timestamp', csvOf([readRow(0, 10), readRow(0, 20)]), /shows no period/],
    [
      'another header',
      csvOf(['2026,1'], 'time,reads'),
      /its header is "time,reads"; expected timestamp,read_/,
    ],
    [
      'semicolons',
      csvOf([readRow(0, 10), readRow(1, 10)], seriesHeader).replaceAll(',', ';'),
      /load\.csv: separated by ;: save it with commas, and decimals with a point; expected timestamp,/,
    ],
    ['text', csvOf([readRow(0, 10), `${timeAt(1)},many,0,0,0`]), /line 3: read_ops "many" is not a number/],
    ['a negative', csvOf([readRow(0, 10), `${timeAt(1)},-1,0,0,0`]), /line 3: read_ops "-1" is negative/],
    [
      'a sum that overflows',
      csvOf([readRow(0, 10), `${timeAt(1)},1e308,0,0,0`]),
      /line 3: read_ops "1e308" is more than 1,000,000,000,000,000; give the sum over the period/,
    ],
    [
      'beyond all reason',
      csvOf([readRow(0, 10), `${timeAt(1)},1e14,0,0,0`]),
      /load\.csv: the row of 2026-11-20T00:01:00Z makes 1\.67e\+12 IOPS .* give sums that make 1,000,000,000,000/,
    ],
  ])('%s', async (_name, text, line) => {
    await expectOneLine([...replayOf(directory, text), '--json'], line);
  });
});

describe('options', () => {
  test.each([
    [
      ['--instance-type', 'm5.3xlarge'],
      /"m5.3xlarge" is not in the catalog of us-east-1: of m5 there are .*m5.2xlarge/,
    ],
    [['--instance-type', 'x'], /"x" is not in the catalog of us-east-1: give one like m7i.2xlarge/],
    [
      ['--instance-type', 't1.micro'],
      /"t1.micro" cannot be replayed: EC2 tells no EBS limits of t1.micro; give another/,
    ],
    [['--start-balance-percent', '101'], /balance 101 % cannot be: give 0 to 100/],
    [['--start-balance-percent', '-1'], /--start-balance-percent "-1" cannot be negative: give percent/],
    [['--chunk-kib', '3'], /--chunk-kib "3" cannot be 3: give a power of two from 4 to 4096/],
    [['--stripe-efficiency', '0'], /--stripe-efficiency "0" cannot be 0: give a number above 0, up to 1/],
    [['--deployment', 'moon'], /--deployment "moon" is not known: give one of region, outposts/],
    [['--region', 'mars'], /--region "mars" is not a Region: give one like us-east-1/],
  ])('%j', async (options, line) => {
    await expectOneLine([...replayOf(directory, csv), ...options, '--json'], line);
  });

  test('more volumes than the instance takes', async () => {
    const args = replayOf(directory, csv, { ...gp3Layout, kind: 'stripe', members: 40 });
    await expectOneLine(
      [...args, '--instance-type', 'm5.large'],
      /40 volumes cannot be attached to m5.large: it takes 26 beside its root volume; give fewer members/,
    );
  });

  test('both files are needed', async () => {
    await expectOneLine(['replay', '--layout', 'x'], /required option '--series <file>' not specified/);
    await expectOneLine(['replay', '--series', 'x'], /required option '--layout <layout>' not specified/);
  });
});
