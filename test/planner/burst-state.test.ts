import fc from 'fast-check';
import {
  type BurstState,
  burstFields,
  hoursOf,
  hoursText,
  presetHours,
  withPeak,
} from '../../planner/burst/burst-state.ts';
import { drawnTo, stepOf } from '../../planner/burst/drawing.ts';
import { readState, usualState, writeState } from '../../planner/fragment.ts';

const usual = usualState(burstFields);

const throughAddress = (state: BurstState) => {
  const params = new URLSearchParams();
  writeState('burst', burstFields, state, params);
  return readState('burst', burstFields, new URLSearchParams(params.toString()));
};

test('what is asked comes back from the address', () => {
  const hours = (max: number) => fc.array(fc.integer({ min: 0, max }), { minLength: 24, maxLength: 24 });
  const asked = fc.record({
    of: fc.constantFrom('gp2' as const, 'st1' as const, 'sc1' as const, 'instance' as const),
    sizeGiB: fc.integer({ min: 1, max: 16_384 }),
    balancePercent: fc.integer({ min: 0, max: 1_000 }).map((tenths) => tenths / 10),
    load: fc.constantFrom('steady' as const, 'day' as const),
    ioSizeKiB: fc.option(fc.integer({ min: 1, max: 1_024 })),
    iopsByHour: hours(1_000_000),
    mibpsByHour: hours(1_000_000).map((all) => all.map((tenths) => tenths / 10)),
  });
  fc.assert(
    fc.property(asked, (part) => {
      const state = { ...usual, ...part };
      expect(throughAddress(state)).toEqual({ state, problems: [] });
    }),
    { seed: 35 },
  );
});

test('a day stands in the address as rates and how many hours they last', () => {
  const hours = [
    ...new Array<number>(9).fill(100),
    ...new Array<number>(8).fill(3_000),
    ...new Array<number>(7).fill(2.5),
  ];
  expect(hoursText(hours)).toBe('100x9_3000x8_2.5x7');
  expect(hoursOf('100x9_3000x8_2.5x7', 3_000)).toEqual(hours);
});

test.each([
  '',
  'NaN',
  '100x23',
  '100x25',
  '100x9_NaNx15',
  '-1x24',
  '1e3x24',
  '100x024',
  '3001x24',
  '100x24_',
  '100 x24',
])('no day: %j', (text) => {
  expect(hoursOf(text, 3_000)).toBeNull();
});

test.each([
  ['sizeGiB', 'NaN'],
  ['sizeGiB', '16385'],
  ['balancePercent', '100.1'],
  ['iops', '-1'],
  ['mibps', 'Infinity'],
  ['of', 'gp3'],
  ['load', ''],
  ['instanceType', 'm5.large"><script>'],
  ['region', 'us-east-1;'],
  ['iopsByHour', '100x23_NaN'],
  ['ioSizeKiB', '0'],
])('a link with %s=%s gives one line and the usual value', (key, text) => {
  const read = readState('burst', burstFields, new URLSearchParams([[`burst.${key}`, text]]));
  expect(read.state).toEqual(usual);
  expect(read.problems).toHaveLength(1);
});

test('office hours are the peak from 09:00 to 17:00 and a tenth of it else', () => {
  const hours = presetHours('office', 3_000, 10);
  expect(hours.filter((rate) => rate === 3_000)).toHaveLength(8);
  expect([hours[8], hours[9], hours[16], hours[17]]).toEqual([300, 3_000, 3_000, 300]);
});

test('another peak keeps the shape; of a day without load it is the peak all day', () => {
  expect(withPeak([0, 50, 100], 400, 10)).toEqual([0, 200, 400]);
  expect(withPeak([0, 0, 0], 400, 10)).toEqual([400, 400, 400]);
});

test('a fast pointer draws a line through the hours between', () => {
  const flat = [0, 0, 0, 0, 0];
  expect(drawnTo(flat, { hour: 0, rate: 0 }, { hour: 4, rate: 400 })).toEqual([0, 100, 200, 300, 400]);
  expect(drawnTo(flat, { hour: 4, rate: 100 }, { hour: 2, rate: 300 })).toEqual([0, 0, 300, 200, 0]);
  expect(drawnTo(flat, { hour: 2, rate: 10 }, { hour: 2, rate: 70 })).toEqual([0, 0, 70, 0, 0]);
});

test.each([
  [4_000, 100], // 40 steps of 100
  [30_000, 500],
  [800, 20],
  [1, 0.02],
])('up to %d it is drawn in steps of %d', (top, step) => {
  expect(stepOf(top)).toBe(step);
});
