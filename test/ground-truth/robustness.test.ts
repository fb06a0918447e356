/**
 * A small grid of what `npm run bench -- robustness` measures whole: every level of every rule that AWS does not document, and
 * the pairs that were worst. Unknown is allowed there, false is not.
 */
import { join } from 'node:path';
import { type Outcome, outcomeOf, pairsOfLevels, singleLevels } from '../robustness.ts';
import { readScenarios } from '../scenarios/scenario-file.ts';

const scenarios = readScenarios(join(process.cwd(), 'test', 'scenarios')).filter((_, i) => i % 6 === 0);
const size = { scenarios, healthyVolumes: 25, isSecondDay: false, isWithFleet: false, demandOfEach: 0 };

const shareOf = (minutes: number, { throttledMinutes }: Outcome): number => minutes / throttledMinutes;

/** The delay alone changes no minute that an audit of a day has. */
const levels = singleLevels.filter(({ rules }) => rules.delaySeconds === undefined);

test.each(levels)('$name', async (level) => {
  const outcome = await outcomeOf(level, size);
  const { right, unknown, throttledMinutes } = outcome;
  expect(throttledMinutes).toBeGreaterThan(400);
  expect(outcome.falseVolumes).toBe(0);
  const isWithoutChecks = level.rules.check === null;
  expect(shareOf(right, outcome)).toBeGreaterThanOrEqual(isWithoutChecks ? 0.85 : 0.95);
  if (isWithoutChecks) expect(shareOf(throttledMinutes - right - unknown, outcome)).toBeLessThanOrEqual(0.01);
});

test.each(pairsOfLevels().filter((_, i) => i % 20 === 7))('$name', async (level) => {
  const outcome = await outcomeOf(level, size);
  expect(outcome.falseVolumes).toBe(0);
  const { right, unknown, throttledMinutes } = outcome;
  expect(shareOf(right + unknown, outcome)).toBeGreaterThanOrEqual(0.95);
  expect(throttledMinutes).toBeGreaterThan(400);
});
