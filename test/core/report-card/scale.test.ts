/** The published letters, at and around every bound. */
import {
  growthOf,
  latencyBoundOf,
  latencyGrade,
  latencyScales,
  scalingGrade,
  scalingScales,
} from '../../../core/report-card/scale.ts';

const letters = ['A+', 'A', 'A-', 'B', 'B-', 'C', 'C-', 'D'];

/** As published: upper bounds in ms of A+ to C-. */
const published = [
  { access: 'randread', blockKiB: 8, users: 16, bounds: [2, 4, 6, 8, 10, 12, 14] },
  { access: 'read', blockKiB: 1024, users: 1, bounds: [12, 14, 16, 18, 20, 22, 24] },
  { access: 'write', blockKiB: 1, users: 4, bounds: [0.2, 0.5, 1, 1.5, 2, 2.5, 3] },
  { access: 'write', blockKiB: 128, users: 4, bounds: [2, 4, 6, 8, 10, 12, 14] },
];
const rows = published.flatMap((load) => load.bounds.map((bound, index) => ({ ...load, bound, index })));

test('loads that have a scale are those four', () => {
  expect(latencyScales.map(({ access, blockKiB, users }) => [access, blockKiB, users])).toEqual(
    published.map(({ access, blockKiB, users }) => [access, blockKiB, users]),
  );
});

test.each(rows)('$blockKiB KiB $access at $users: around $bound ms', ({ access, blockKiB, bound, index }) => {
  const scale = latencyScales.find((one) => one.access === access && one.blockKiB === blockKiB);
  if (scale === undefined) throw new Error('no scale');
  const grade = (ms: number): string => latencyGrade(ms, scale);
  expect(grade(bound * (1 - 1e-9))).toBe(letters[index]);
  // On a bound: the worse one.
  expect(grade(bound)).toBe(letters[index + 1]);
  expect(grade(bound * (1 + 1e-9))).toBe(letters[index + 1]);
});

test('nothing is left ungraded: from nothing to an hour', () => {
  for (const scale of latencyScales) {
    expect(latencyGrade(0, scale)).toBe('A+');
    expect(latencyGrade(3.6e6, scale)).toBe('D');
  }
});

test('a letter has its bound; the worst begins at the last one', () => {
  const [random] = latencyScales as [(typeof latencyScales)[number]];
  expect(latencyBoundOf('B', random)).toEqual({ side: 'below', boundMs: 8 });
  expect(latencyBoundOf('D', random)).toEqual({ side: 'from', boundMs: 14 });
});

test.each([0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.9].map((bound, index) => ({ bound, index })))(
  'growth around $bound',
  ({ bound, index }) => {
    expect(scalingGrade(bound - 1e-9)).toBe(letters[index]);
    // On a bound: the better one.
    expect(scalingGrade(bound)).toBe(letters[index]);
    expect(scalingGrade(bound + 1e-9)).toBe(letters[index + 1]);
  },
);

test.each([
  // (2 / 1 - 1) / 2
  { access: 'randread', base: 1, higher: 2, growth: 0.5 },
  // (9 / 1 - 1) / 8
  { access: 'read', base: 1, higher: 9, growth: 1 },
  // (3 / 2 - 1) / 4
  { access: 'write', base: 2, higher: 3, growth: 0.125 },
  // It became faster.
  { access: 'write', base: 2, higher: 1, growth: -0.125 },
])('$access from $base to $higher ms grows by $growth', ({ access, base, higher, growth }) => {
  const scale = scalingScales.find((one) => one.access === access);
  if (scale === undefined) throw new Error('no scale');
  expect(growthOf(base, higher, scale)).toBeCloseTo(growth, 12);
});
