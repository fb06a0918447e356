/** More questions in plain words, whose tools and arguments follow from what `stripewise mcp` lists, and whose answers from its texts alone. */
import { planViewSchema } from '../../core/schemas/assistant-answers.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { session } from './mcp-session.ts';
import { calm, calmQueue, full, vol } from './one-volume.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const unattached = 'vol-0123456789abcdef1';
const week = 7 * 1_440;

/** `vol` was calm in spring; last week it was at its 3,000 IOPS for an hour a day. `unattached` is 1,000 GiB of gp3. */
async function sources() {
  const archive = `${directory.path}/archive`;
  for (const [from, fullMinutes] of [
    ['2026-04-06', 0],
    ['2026-11-09', 60],
  ] as const) {
    const start = Date.parse(`${from}T00:00:00Z`) / 1_000;
    const isFull = (minute: number): boolean => minute % 1_440 >= 840 && minute % 1_440 < 840 + fullMinutes;
    await writeArchive(
      archive,
      { account: '111122223333', region: 'us-east-1' },
      [
        {
          id: vol,
          epochSeconds: Array.from({ length: week }, (_, i) => start + 60 * i),
          metrics: {
            VolumeReadOps: (minute) => (isFull(minute) ? full : calm),
            VolumeWriteOps: () => 0,
            VolumeReadBytes: (minute) => 16_384 * (isFull(minute) ? full : calm),
            VolumeWriteBytes: () => 0,
            VolumeQueueLength: (minute) => (isFull(minute) ? 20 : calmQueue),
          },
          status: (minute) => (isFull(minute) ? 'throttled' : 'not-throttled'),
        },
      ],
      { fromSeconds: start, endSeconds: start + 60 * week },
    );
  }
  return {
    archive,
    volumes: [
      directory.write(
        'volumes.json',
        describeVolumes(
          { Tags: [{ Key: 'Name', Value: 'orders' }] },
          { VolumeId: unattached, Size: 1_000, State: 'available', Attachments: [] },
        ),
      ),
    ],
    instances: [directory.write('instances.json', describeInstances({}))],
  };
}

let asked: Awaited<ReturnType<typeof session>>;
beforeAll(async () => {
  asked = await session(await sources());
});
afterAll(() => asked.leave());

test('"which volumes waste money?": sorted by savings, the unattached one first with its 80 USD', async () => {
  const said = await asked.text('list_findings', { sort: 'savings' });
  const [totals, first, ...lines] = said.split('\n');
  expect(totals).toContain('Up to 80.00 USD a month to save. 2 volumes');
  expect(first).toBe(`warning: ${unattached} us-east-1`);
  expect(lines[0]).toBe('Problem   Attached to no instance.');
  expect(said).toContain('Cost      -80.00 USD a month.'); // 1,000 GiB x 0.08 USD
});

test('"would a stripe help orders?": its load never throttles two volumes, at the same price', async () => {
  const said = await asked.text('compare_layouts', {
    layouts: ['gp3:100', '2xgp3:50'],
    load: { volumeId: vol },
  });
  expect(said).toMatch(/^gp3:100: throttled [\d,]+ min, mostly at its IOPS/m);
  expect(said).toContain('2xgp3:50: never throttled (simulated), 8.00 USD a month.');
});

test('"how long does the burst of a 100 GiB gp2 last?": 33 minutes', async () => {
  // 5,400,000 credits, spent at 3,000 IOPS and earned at 300: 5,400,000 / 2,700 = 2,000 s.
  expect(await asked.text('burst', { type: 'gp2', sizeGiB: 100 })).toContain('lasts 33 min 20 s (2,000 s)');
});

test('"was it slower last week than in spring?": throttled 420 minutes, not 0; at 3,000 IOPS, not 100', async () => {
  const of = (from: string, to: string): Promise<string> =>
    asked.text('history', { volumeId: vol, from, to });
  const lastWeek = await of('2026-11-09', '2026-11-15');
  expect(lastWeek).toContain('Throttled 420 min.'); // 7 x 60
  expect(lastWeek).toContain('Peaks: 3,000 IOPS at 2026-11-09 14:00');
  const spring = await of('2026-04-06', '2026-04-12');
  expect(spring).toContain('Throttled 0 min.');
  expect(spring).toContain('Peaks: 100 IOPS at 2026-04-06 00:00');
});

test('"can m5.large carry two gp3 with 16,000 IOPS?": no, and by which limit', async () => {
  const plan = await asked.text('plan', {
    ...{ iops: 32_000, capacityGiB: 1_000, current: '2xgp3:500:16000', instanceType: 'm5.large' },
  });
  expect(plan).toContain('Today: 3,600 IOPS and 77.5 MiB/s, 210.00 USD a month: not enough.');
  expect(plan).toContain('32,000 IOPS are asked: its EBS baseline is 3,600, its maximum 18,750.');
  const compared = await asked.text('compare_layouts', {
    layouts: ['2xgp3:500:16000'],
    load: { iops: 32_000, minutes: 120 },
    instanceType: 'm5.large',
  });
  expect(compared).toMatch(/throttled 120 min, mostly .*instance/);
});

test('"what does the change cost?": the difference to what stands is in the text', async () => {
  const said = await asked.text('plan', {
    ...{ iops: 6_000, capacityGiB: 100, current: 'gp3:100', kinds: ['single'], types: ['gp3'], top: 1 },
  });
  expect(said).toContain('Against today: +15.00 USD a month.'); // 3,000 IOPS more at 0.005
});

describe('"what would 40,000 IOPS cost?"', () => {
  const need = { iops: 40_000, capacityGiB: 100 };
  const planOf = async (own: object) =>
    planViewSchema.parse((await asked.call('plan', { ...need, ...own })).structuredContent);

  test.each([1, 2, 3, 5])('top %d is as many options at most, and one volume is always said', async (top) => {
    const { options, cheapestSingle } = await planOf({ top });
    expect(options.length).toBeLessThanOrEqual(top);
    expect(cheapestSingle?.layout).toMatchObject({
      kind: 'single',
      members: 1,
      volumeType: 'gp3',
      iops: 40_000,
    });
    const text = await asked.text('plan', { ...need, top });
    expect(text.match(/\(the cheapest single volume\)|^The cheapest single volume:/gm)).toHaveLength(1);
  });

  test('without single volumes among what is asked none is said', async () => {
    const { options, cheapestSingle } = await planOf({ kinds: ['stripe'] });
    expect(options.length).toBeGreaterThan(0);
    expect(cheapestSingle).toBeNull();
    expect(await asked.text('plan', { ...need, kinds: ['stripe'] })).not.toMatch(
      /\(the cheapest single volume\)|^The cheapest single volume:/m,
    );
  });
});
