/** The planner's burst against the command line, and against a model of its own. */
import fc from 'fast-check';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import type { BurstAnswer } from '../../core/schemas/answers.ts';
import { type BurstModel, burstModel } from '../../planner/burst/burst-model.ts';
import { type BurstState, burstFields } from '../../planner/burst/burst-state.ts';
import { usualState } from '../../planner/fragment.ts';
import { dayAnswer } from '../../report/wording/burst.ts';
import { cliJson } from '../cli/run-cli.ts';

const usual = usualState(burstFields);

function modelOf(part: Partial<BurstState>): BurstModel {
  const model = burstModel({ ...usual, ...part }, builtInRegionCatalog);
  if ('problem' in model) throw new Error(model.problem);
  return model;
}

const steadyDay = (rate: number): number[] => new Array<number>(24).fill(rate);
const office = (peak: number, night: number): number[] =>
  Array.from({ length: 24 }, (_, hour) => (hour >= 9 && hour < 17 ? peak : night));

test('a steady rate has the numbers of `stripewise burst --json`', async () => {
  const volume = fc.oneof(
    fc.record({ of: fc.constant('gp2' as const), sizeGiB: fc.integer({ min: 1, max: 16_384 }) }),
    fc.record({
      of: fc.constantFrom('st1' as const, 'sc1' as const),
      sizeGiB: fc.integer({ min: 125, max: 16_384 }),
    }),
  );
  const asked = fc.record({
    volume,
    balancePercent: fc.integer({ min: 0, max: 100 }),
    rate: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000 })),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ volume: { of, sizeGiB }, balancePercent, rate }) => {
      const option = of === 'gp2' ? '--iops' : '--throughput-mibps';
      const expected = await cliJson<BurstAnswer>(
        ...['burst', '--type', of, '--size-gib', `${sizeGiB}`],
        ...['--balance-percent', `${balancePercent}`, option, `${rate}`],
      );
      const model = modelOf({ of, sizeGiB, balancePercent, load: 'steady', iops: rate, mibps: rate });
      expect(model.answer).toEqual(expected);
      // The chart is empty when the figures say so: the replay goes on for a day at least.
      const { secondsToEmpty } = expected;
      if (secondsToEmpty !== null && secondsToEmpty < 86_400)
        expect(model.replayed.secondsToEmpty).toBeCloseTo(secondsToEmpty, 3);
      if (secondsToEmpty === null) expect(model.replayed.secondsToEmpty).toBeNull();
    }),
    { numRuns: 60, seed: 35 },
  );
});

test('an instance: the bucket of bytes of m5.large lasts 30 min at its maximum', () => {
  const model = modelOf({
    of: 'instance',
    instanceType: 'm5.large',
    load: 'steady',
    iops: 1_000,
    mibps: 566.25,
  });
  expect(model.kind).toBe('instance');
  if (model.kind !== 'instance') return;
  expect(model.answer.bytes.secondsToEmpty).toBeCloseTo(1_800, 6); // (max - base) x 1,800 / (max - base)
  expect(model.answer.io.secondsToEmpty).toBeNull(); // 1,000 < 3,600 IOPS
  expect(model.replayed.secondsToEmpty).toBeCloseTo(1_800, 6);
});

test('of an instance that is asked for more than its maximum IOPS, bytes pass at the same share', () => {
  // 37,500 of 18,750 IOPS: half of 400 MiB/s passes, 200 - 77.5 a second are spent of (566.25 - 77.5) x 1,800.
  const model = modelOf({
    of: 'instance',
    instanceType: 'm5.large',
    load: 'steady',
    iops: 37_500,
    mibps: 400,
  });
  if (model.kind !== 'instance') throw new Error('an instance was asked for');
  const { baseline, maximum, secondsToEmpty } = model.answer.bytes;
  expect(secondsToEmpty).toBeCloseTo(((maximum - baseline) * 1_800) / (200 - baseline), 6);
  expect(model.notes).toEqual([expect.stringContaining('its maximum is 18,750 IOPS')]);
});

test('the gp3 beside it has the peak of the day, at least today’s size, and a price', () => {
  const model = modelOf({ sizeGiB: 100, iopsByHour: office(4_000, 60) });
  if (model.kind !== 'volume' || 'obstacle' in model.gp3) throw new Error('a gp3 has 4,000 IOPS');
  expect(model.gp3.layout).toMatchObject({ sizeGiB: 100, iops: 4_000, throughputMiBps: 125 }); // 4,000 x 16 KiB = 62.5
  // 100 x 0.08 + 1,000 x 0.005 = 13.00; gp2 100 x 0.10 = 10.00
  expect(model.gp3.monthlyUsd).toMatchObject({ known: true, value: { total: expect.closeTo(13, 9) } });
  expect(model.gp3.todayMonthlyUsd).toMatchObject({ known: true, value: { total: expect.closeTo(10, 9) } });
});

test('in a Region without prices they are not known, and the gp3 is the same', () => {
  const model = modelOf({ region: 'eu-central-1' });
  if (model.kind !== 'volume' || 'obstacle' in model.gp3) throw new Error('a gp3 has 3,000 IOPS');
  expect(model.gp3.layout.iops).toBe(3_000);
  expect(model.gp3.monthlyUsd).toEqual({
    known: false,
    reason: { code: 'no-ebs-prices', region: 'eu-central-1' },
  });
});

test('a load above every gp3 says what the most is', () => {
  const model = modelOf({ iopsByHour: steadyDay(90_000) });
  if (model.kind !== 'volume') throw new Error('a volume was asked for');
  expect(model.gp3).toEqual({ obstacle: { limit: 'iops', asked: 90_000, atMost: 80_000 } });
});

test('the other type carries the load with its baseline, and is no smaller', () => {
  const model = modelOf({
    of: 'instance',
    instanceType: 'm5.large',
    load: 'steady',
    iops: 8_000,
    mibps: 100,
  });
  if (model.kind !== 'instance') throw new Error('an instance was asked for');
  const { isTodayEnough, other } = model.instead;
  expect(isTodayEnough).toBe(false); // 3,600 IOPS all the time
  expect(other?.type.ebs?.baselineIops).toBeGreaterThanOrEqual(8_000);
  expect(other?.type.vcpus).toBeGreaterThanOrEqual(2);
  expect(other?.monthlyUsd.known).toBe(true);
});

test.each<[string, Partial<BurstState>, string]>([
  ['no load', { iopsByHour: steadyDay(0) }, 'No load is asked for'],
  ['more than the maximum', { iopsByHour: steadyDay(3_500) }, '3,500 IOPS are more than it ever does'],
  ['nothing left', { balancePercent: 0 }, 'The balance is 0: it has its baseline of 300 IOPS'],
  [
    'gp2 of 1,000 GiB',
    { sizeGiB: 1_000 },
    'It has no burst: from 1,000 GiB on a gp2 has a baseline of 3,000 IOPS',
  ],
  ['the largest st1', { of: 'st1', sizeGiB: 16_384 }, 'its 500 MiB/s are its baseline and its maximum'],
  ['large I/O on gp2', { ioSizeKiB: 256 }, 'that limit comes before its credits'], // 600 x 0.25 = 150 > 128
  ['a type without credits', { of: 'instance', instanceType: 'm5.24xlarge' }, 'm5.24xlarge has no credits'],
])('%s is said in one line', (_, part, line) => {
  expect(modelOf(part).notes).toEqual([expect.stringContaining(line)]);
});

test('the largest sc1 still bursts: 12 MiB/s per TiB are 192 of 250', () => {
  const model = modelOf({ of: 'sc1', sizeGiB: 16_384, load: 'steady', mibps: 250 });
  expect(model.answer).toMatchObject({ baselineMiBps: 192, burstMiBps: 250 });
});

test.each<[Partial<BurstState>, string]>([
  [{ of: 'st1', sizeGiB: 100 }, 'st1 has 125 to 16,384 GiB'],
  [{ of: 'instance', instanceType: 'm5.nano' }, 'instance type "m5.nano" is not in the catalog'],
])('what does not exist is one line: %j', (part, line) => {
  expect(burstModel({ ...usual, ...part }, builtInRegionCatalog)).toEqual({
    problem: expect.stringContaining(line),
  });
});

test('what a day spends and the next day brings back lasts; what runs out is throttled every day', () => {
  // 100 GiB: 300 IOPS. 4 h at 500 spend 200 x 14,400 = 2,880,000 of 5,400,000 credits: 46.7 % are left, and full by morning.
  const evening = (peak: number): number[] => [
    ...new Array<number>(20).fill(0),
    ...new Array<number>(4).fill(peak),
  ];
  const lasts = dayAnswer(
    modelOf({ of: 'gp2', sizeGiB: 100, load: 'day', iopsByHour: evening(500) }).replayed,
  );
  expect(lasts).toMatchObject({ headline: 'Sustained: the credits last', isSustained: true });
  expect(lasts.lines[0]).toMatch(/ends with 46\.7 %/);
  // At 1,200 they would take 900 x 14,400 = 12,960,000.
  const runsOut = dayAnswer(
    modelOf({ of: 'gp2', sizeGiB: 100, load: 'day', iopsByHour: evening(1_200) }).replayed,
  );
  expect(runsOut).toMatchObject({ headline: 'The credits run out: throttled every day', isSustained: false });
});
