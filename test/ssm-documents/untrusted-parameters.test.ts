import { attemptsOn, documentNames } from './attempts.ts';

/** What no shell, no quote and no template gives a meaning to. */
const harmless = /^[A-Za-z0-9=/:,._%-]*$/;

const attempts = documentNames().flatMap(attemptsOn);
const byPattern = Object.entries(
  Object.groupBy(attempts, ({ document, parameter }) => `${document} ${parameter}`),
).map(([name, of = []]) => ({ name, of }));

test('every document but the one without parameters is attempted', () => {
  const attempted = new Set(attempts.map(({ document }) => document));
  expect(documentNames().filter((name) => !attempted.has(name))).toEqual(['describe-stripes']);
});

test.each(byPattern)('$name: at least 200 attempts, and none that means anything passes', ({ of }) => {
  expect(of.length).toBeGreaterThanOrEqual(200);
  expect(of.filter(({ value, passes }) => passes && !harmless.test(value))).toEqual([]);
});

test('what passes is little, and runs in the lab', () => {
  const passed = attempts.filter(({ passes }) => passes);
  expect(passed.length).toBeGreaterThan(50);
  expect(passed.length / attempts.length).toBeLessThan(0.05);
});
