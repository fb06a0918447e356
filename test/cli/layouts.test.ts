/** One grammar for layouts: what `plan --current`, `replay --layout` and `bench plan --layouts` take and refuse alike. */
import type { BenchRequest } from '../../core/benchmark/campaign/request.ts';
import type { Layout } from '../../core/plan/layout.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { csvOf, gp3Layout, readRow } from './replay-files.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();

/** Ten minutes of reads of 16 KiB. */
const series = (iops: number): string =>
  directory.write(
    `load-${iops}.csv`,
    csvOf(Array.from({ length: 10 }, (_, minute) => readRow(minute, iops))),
  );

const ofPlan = (text: string): string[] => [
  'plan',
  '--iops',
  '100',
  '--capacity-gib',
  '10',
  '--current',
  text,
];
const ofReplay = (text: string): string[] => ['replay', '--series', series(100), '--layout', text];
const ofBench = (text: string): string[] => [
  ...['bench', 'plan', '--layouts', text, '--instance-types', 'm5.2xlarge', '--users', '4'],
];

async function taken(text: string): Promise<Layout[]> {
  const plan = await cliJson<{ current: { layout: Layout } }>(...ofPlan(text));
  const replay = await cliJson<{ configuration: { layout: Layout } }>(...ofReplay(text));
  return [plan.current.layout, replay.configuration.layout];
}

const layout = (
  kind: Layout['kind'],
  members: number,
  volumeType: Layout['volumeType'],
  figures: number[],
): Layout => {
  const [sizeGiB = 0, iops = 0, throughputMiBps = 0] = figures;
  return { kind, members, volumeType, sizeGiB, iops, throughputMiBps };
};

test.each<[string, Layout]>([
  ['gp2:500', layout('single', 1, 'gp2', [500, 1_500, 250])], // 3 x 500
  ['gp3:500', layout('single', 1, 'gp3', [500, 3_000, 125])],
  ['gp3:500:6000:250', layout('single', 1, 'gp3', [500, 6_000, 250])],
  ['1xgp3:500', layout('single', 1, 'gp3', [500, 3_000, 125])],
  ['4xgp3:250', layout('stripe', 4, 'gp3', [250, 3_000, 125])],
  ['2xio2:200:8000', layout('stripe', 2, 'io2', [200, 8_000, 2_000])], // 8,000 x 0.25
  ['raid10:4xgp3:250:3000:200', layout('raid10', 4, 'gp3', [250, 3_000, 200])],
  ['raid5:3xst1:1024', layout('raid5', 3, 'st1', [1_024, 40, 40])], // 40 MiB/s a TiB, 1 MiB an I/O
  ['linear:2xgp3:500', layout('linear', 2, 'gp3', [500, 3_000, 125])],
])('%s', async (text, expected) => {
  expect(await taken(text)).toEqual([expected, expected]);
  const { request } = await cliJson<{ request: BenchRequest }>(...ofBench(`mine=${text}`));
  const { kind, members, volumeType, sizeGiB } = expected;
  expect(request.layouts).toMatchObject([{ name: 'mine', kind, members, volumeType, sizeGiB }]);
});

test('a file: a layout, or an option of a plan, with the figures that its type derives', async () => {
  const plain = directory.write('one.json', JSON.stringify(gp3Layout));
  expect(await taken(plain)).toEqual([gp3Layout, gp3Layout]);
  const gp2 = layout('single', 1, 'gp2', [500, 1_500, 250]);
  const option = directory.write('option.json', JSON.stringify({ layout: gp2, deliveredIops: 1_500 }));
  expect(await taken(option)).toEqual([gp2, gp2]);
  const { request } = await cliJson<{ request: BenchRequest }>(...ofBench(`old=${option}`));
  expect(request.layouts).toMatchObject([{ name: 'old', kind: 'single', volumeType: 'gp2', sizeGiB: 500 }]);
  expect(request.layouts[0]?.iops).toBeUndefined(); // EC2 refuses it of a gp2
});

const commands = [
  ['plan', ofPlan, '--current'],
  ['replay', ofReplay, '--layout'],
  ['bench plan', ofBench, '--layouts'],
] as const;

describe.each(commands)('%s: one line', (_, of, option) => {
  test.each([
    ['500', 'is not a layout: give'],
    ['gp9:500', 'is not a layout: give'],
    ['raid6:4xgp3:5', 'is not a layout: give'],
    ['gp3:500:', 'is not a layout: give'],
    ['gp3:500:3000:125:9', 'is not a layout: give'],
    ['-1xgp3:500', 'is not a layout: give'],
    [`${'9'.repeat(60)}xgp3:10`, 'is not a layout: give'],
    [`gp3:${'1:'.repeat(99)}`, 'is not a layout: give'],
    ['0xgp3:500', 'has 0 volumes: give 1 to'],
    ['999xgp3:500', 'has 999 volumes: give 1 to'],
  ])('%s', async (text, says) => {
    await expectOneLine(of(text), new RegExp(`${option} "${text.slice(0, 40)}.*${says}`));
  });

  test('a file that is not there, and one that is no layout', async () => {
    await expectOneLine(of('/nowhere/layout.json'), /nowhere\/layout\.json: .*there is no such file/);
    const list = directory.write('list.json', '[]');
    await expectOneLine(of(list), /list\.json: .*give one layout/);
  });
});

test.each([
  ['raid10:3xgp3:5', /raid10 has 4 volumes or more/],
  ['raid10:5xgp3:5', /raid10 has an even number of volumes/],
  ['raid5:2xgp3:5', /raid5 has 3 volumes or more/],
  ['linear:gp3:5', /linear has 2 volumes or more/],
  ['single:2xgp3:5', /single is one volume/],
])('%s is refused by each of them', async (text, says) => {
  for (const [, line] of commands) await expectOneLine(line(text), says);
});

test('a gp2 has the IOPS of its size: others are refused, in a file too', async () => {
  for (const line of [ofPlan, ofReplay])
    await expectOneLine(line('gp2:500:3000'), /cannot be provisioned on gp2/);
  const file = directory.write('gp2.json', JSON.stringify(layout('single', 1, 'gp2', [500, 3_000, 250])));
  await expectOneLine(ofPlan(file), /gp2 of 500 GiB has 1500 iops, not 3000; leave it out/);
});

describe('linear: one volume after the other', () => {
  test('has one member’s performance at worst, the capacity of all, and is lost when one is', async () => {
    const { current } = await cliJson<{ current: object }>(...ofPlan('linear:4xgp3:250'));
    expect(current).toMatchObject({
      ...{ deliveredIops: 3_000, deliveredMiBps: 125, capacityGiB: 1_000, monthlyUsd: 80 },
      annualFailureRate: expect.closeTo(1 - 0.998 ** 4, 9),
    });
    const { out } = await runCli(...ofPlan('linear:4xgp3:250'));
    expect(out).toMatch(
      /linear layout of 4 gp3 of 250 GiB, baseline 3,000 IOPS .*at worst: of one of its volumes/,
    );
  });

  test('is replayed at one member’s limits, and a note says so', async () => {
    const of = (text: string) => ['replay', '--series', series(5_000), '--layout', text];
    const linear = await cliJson<{ throttledMinutes: number; notes: object[] }>(...of('linear:4xgp3:250'));
    const stripe = await cliJson<{ throttledMinutes: number; notes: object[] }>(...of('4xgp3:250'));
    expect(linear.throttledMinutes).toBe(10); // 5,000 of 3,000
    expect(stripe.throttledMinutes).toBe(0); // of 12,000
    expect(linear.notes).toContainEqual({ code: 'one-member-at-worst', members: 4 });
    expect(stripe.notes).not.toContainEqual(expect.objectContaining({ code: 'one-member-at-worst' }));
  });

  test('is never proposed', async () => {
    await expectOneLine([...ofPlan('linear:4xgp3:250'), '--kinds', 'linear'], /--kinds/);
    const { options } = await cliJson<{ options: { layout: Layout }[] }>(
      ...['plan', '--iops', '9000', '--current', 'linear:4xgp3:250', '--top', '100'],
    );
    expect(options.filter(({ layout: { kind } }) => kind === 'linear')).toMatchObject([
      { steps: { inPlace: true } }, // what stands, changed where it stands
    ]);
  });
});
