/** `plan` for people, and what it says to a line that it cannot use. */
import { expectOneLine } from './expect-one-line.ts';
import { runCli } from './run-cli.ts';

const text = async (line: string): Promise<string> => {
  const { code, out, err } = await runCli('plan', ...line.split(' '));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};

const asked = '--iops 15000 --throughput-mibps 625 --capacity-gib 1000';

describe('the text', () => {
  test('need, table, reasons, refusals and the next step', async () => {
    const out = await text(asked);
    expect(out).toMatch(
      /^Needed: 15,000 IOPS and 625 MiB\/s, 1,000 GiB; random, 16 KiB an I\/O, 70 % reads\n/,
    );
    expect(out).toMatch(/│ stripe of 5 gp3 │ 200 GiB .* │ 15,000 IOPS .* │ 80\.00 USD /);
    expect(out).toMatch(/Why 1, stripe of 5 gp3:\n {2}- the cheapest of 16 layouts/);
    expect(out).toMatch(
      /Refused:\n {2}- st1, sc1: HDD is for large sequential I\/O.* Nearest: --access sequential/,
    );
    expect(out).toMatch(/\nNext: --steps cli/);
  });

  test.each([
    asked,
    `${asked} --vcpus 16 --memory-gib 128`,
    '--iops 6000 --capacity-gib 500 --current gp2:500 --vcpus 16',
    '--iops 8000 --capacity-gib 1000 --kinds raid10,raid5',
    `${asked} --region eu-west-3 --arch arm64`,
  ])('no line of the table is above 140 characters: %s', async (line) => {
    const rows = (await text(line)).split('\n').filter((one) => /^[│├┌└]/.test(one));
    expect(rows.length).toBeGreaterThan(5);
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(140);
  });

  test('the table of volumes alone fits into 100 columns', async () => {
    const rows = (await text(asked)).split('\n').filter((one) => one.startsWith('│'));
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  test('against what stands today', async () => {
    const out = await text('--iops 6000 --capacity-gib 500 --current gp2:500');
    expect(out).toMatch(
      /Today: one gp2 of 500 GiB, baseline 1,500 IOPS and 250 MiB\/s \(bursts above it, on credits\), 50\.00 USD a month\. It loses data with 0\.2 % a year\. Its volumes are not enough\./,
    );
    expect(out).toMatch(/-10\.00 USD/); // 40.00 - 50.00
  });

  test('a price that is not known is not a number', async () => {
    const out = await text(`${asked} --region eu-west-3`);
    expect(out).toMatch(/│ unknown /);
    expect(out).not.toMatch(/NaN|null|undefined/);
  });

  test.each([
    ['cli', /aws ec2 create-volume .*--volume-type gp3 --size 200 --iops 3000 --throughput 125/],
    ['cdk', /new CfnVolume\(.*\n.*\n.*volumeType: 'gp3',\n.*size: 200,/],
    ['terraform', /resource "aws_ebs_volume"/],
  ])('--steps %s prints them', async (form, step) => {
    expect(await text(`${asked} --steps ${form}`)).toMatch(step);
    expect(await text(asked)).not.toMatch(step);
  });

  test('--help shows examples', async () => {
    expect(await text('--help')).toMatch(/Examples:\n {2}stripewise plan --iops /);
  });

  test('--option explains another one', async () => {
    expect(await text(`${asked} --option 2`)).toMatch(
      /Why 2, stripe of 4 gp3:\n {2}- 20\.12 USD a month more/,
    );
  });
});

describe('a line that cannot be used', () => {
  const iops = ['--iops', '100'];
  test.each([
    [[], /nothing is asked for: give --iops, --throughput-mibps and --capacity-gib, or some of them/],
    [['--iops', '0'], /--iops "0" cannot be 0: give IOPS, more than 0/],
    [['--iops', 'many'], /--iops "many" is not a number: give IOPS/],
    [['--throughput-mibps', '-1'], /--throughput-mibps "-1" cannot be negative: give MiB\/s/],
    [['--capacity-gib', ''], /--capacity-gib "" is not a number: give GiB/],
    [[...iops, '--io-size-kib', '0'], /--io-size-kib "0" cannot be 0: give KiB/],
    [[...iops, '--access', 'mixed'], /--access "mixed" is not known: give one of random, sequential/],
    [[...iops, '--read-share', '70'], /--read-share "70" cannot be 70: give a number from 0 to 1/],
    [[...iops, '--types', 'gp3,gp9'], /--types "gp9" is not known: give one of gp2, gp3/],
    [
      [...iops, '--kinds', 'raid6'],
      /--kinds "raid6" is not known: give one of single, stripe, raid10, raid5/,
    ],
    [[...iops, '--max-members', '0'], /--max-members "0" cannot be 0: give a whole number from 1 to 127/],
    [[...iops, '--max-members', '128'], /--max-members "128" cannot be 128/],
    [[...iops, '--max-members', '2.5'], /--max-members "2.5" cannot be 2.5: give a whole number/],
    [[...iops, '--deployment', 'moon'], /--deployment "moon" is not known: give one of region, outposts/],
    [
      [...iops, '--max-annual-failure-rate', '2'],
      /--max-annual-failure-rate "2" cannot be 2: give a number from 0/,
    ],
    [
      [...iops, '--stripe-efficiency', '0'],
      /--stripe-efficiency "0" cannot be 0: give a number above 0, up to 1/,
    ],
    [[...iops, '--chunk-kib', '3'], /--chunk-kib "3" cannot be 3: give a power of two from 4 to 4096/],
    [[...iops, '--chunk-kib', '48'], /give a power of two/],
    [
      [...iops, '--instance-type', 'm5.3xlarge'],
      /"m5.3xlarge" is not in the catalog of us-east-1: of m5 there are .*m5.2xlarge/,
    ],
    [[...iops, '--instance-type', 'x'], /"x" is not in the catalog of us-east-1: give one like m7i.2xlarge/],
    [
      [...iops, '--instance-type', 'm5.large', '--vcpus', '4'],
      /--instance-type names the instance, --vcpus, --memory-gib and --arch choose one: give either/,
    ],
    [[...iops, '--instance-type', 'm5.large', '--arch', 'arm64'], /give either/],
    [[...iops, '--vcpus', '-2'], /--vcpus "-2" cannot be negative: give vCPU/],
    [[...iops, '--memory-gib', 'x'], /--memory-gib "x" is not a number: give GiB/],
    [[...iops, '--arch', 'arm'], /--arch "arm" is not known: give one of x86_64, arm64/],
    [[...iops, '--top', '0'], /--top "0" cannot be 0: give a whole number from 1/],
    [[...iops, '--option', '40'], /--option "40" is not there: give 1 to \d+/],
    [[...iops, '--option', '0'], /--option "0" cannot be 0/],
    [[...iops, '--steps', 'pulumi'], /--steps "pulumi" is not known: give one of cli, cdk, terraform/],
    [[...iops, '--region', 'mars'], /--region "mars" is not a Region: give one like us-east-1/],
    [
      [...iops, '--current', '500'],
      /--current "500" is not a layout: give \[raid10:\|raid5:\|linear:\]\[Nx\]TYPE:GIB/,
    ],
    [[...iops, '--current', 'gp9:500'], /--current "gp9:500" is not a layout/],
    [[...iops, '--current', '0xgp3:500'], /--current "0xgp3:500" has 0 volumes: give 1 to 127/],
    [[...iops, '--current', 'gp3:0'], /size \(GiB\) 0 is not allowed/],
    [[...iops, '--current', 'gp3:10:90000'], /IOPS 90,000 is not allowed: gp3 10 GiB has 3,000 to 5,000/],
    [[...iops, '--current', 'io2:10'], /io2 needs provisioned IOPS/],
    [
      [...iops, '--volume-ids', 'vol-0123456789abcdef0'],
      /--volume-ids are those of the --current layout: give both/,
    ],
    [
      [...iops, '--current', 'gp2:5', '--volume-ids', 'vol-1'],
      /--volume-ids "vol-1" is not a volume id: give ids like/,
    ],
    [
      [...iops, '--current', 'gp2:5', '--volume-ids', 'vol-0123456789abcdef0', 'vol-0123456789abcdef1'],
      /--volume-ids names 2 volumes, --current "gp2:5" has 1: give as many/,
    ],
    [
      [...iops, '--current', '2xgp2:5', '--volume-ids', 'vol-0123456789abcdef0', 'vol-0123456789abcdef0'],
      /--volume-ids names vol-0123456789abcdef0 twice: give each volume once/,
    ],
    [[...iops, '--current', 'raid10:3xgp3:5'], /"raid10:3xgp3:5": raid10 has 4 volumes or more, not 3/],
    [[...iops, '--current', '99999999999xgp3:10'], /is not a layout: give/],
    [
      [...iops, '--current', 'gp3:5', '--current-built-with', 'lvm'],
      /--current-built-with is what joins several volumes: --current has one/,
    ],
    [[...iops, '--io-size-kib', '1e308'], /--io-size-kib "1e308" cannot be 1e\+308: give KiB, 0.5 or more/],
    [[...iops, '--iop', '1'], /unknown option '--iop'/],
  ])('%j', async (options, line) => {
    await expectOneLine(['plan', ...options, '--json'], line);
  });
});

describe('as people type it', () => {
  const jsonOf = async (...options: string[]) => JSON.parse((await runCli('plan', ...options, '--json')).out);

  test('numbers as they are printed, lists with commas or spaces', async () => {
    const answer = await jsonOf('--iops', '15,000', '--capacity-gib', '1,000', '--types', 'gp3', 'io2,gp3');
    expect(answer.need).toMatchObject({ iops: 15_000, capacityGiB: 1_000 });
  });

  test('a present RAID10, and a stripe of LVM that grows where it stands', async () => {
    const raid = await jsonOf('--iops', '100', '--current', 'raid10:4xgp3:250');
    expect(raid.current).toMatchObject({ layout: { kind: 'raid10', members: 4 }, capacityGiB: 500 });
    const grown = await jsonOf(
      ...['--iops', '12000', '--capacity-gib', '2000', '--kinds', 'stripe'],
      ...['--current', '4xgp3:250', '--current-built-with', 'lvm'],
    );
    expect(grown.options[0]).toMatchObject({
      layout: { members: 4, sizeGiB: 500 },
      steps: { inPlace: true },
    });
  });
});
