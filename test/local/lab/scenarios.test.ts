import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenarios } from '../../../local/lab/scenarios/index.ts';
import { isWithin } from '../../../local/lab/scenarios/scenario.ts';

const lab = join(__dirname, '../../lab');

test('every scenario is tried by the tests of the lab', () => {
  const files = readdirSync(lab).filter((name) => name.startsWith('scenarios-of-'));
  const text = files.map((name) => readFileSync(join(lab, name), 'utf8')).join('');
  expect(scenarios.map(({ name }) => name).filter((name) => !text.includes(`'${name}'`))).toEqual([]);
});

test.each([
  [0.91, true],
  [1.09, true],
  [0.89, false],
  [1.11, false],
  [Number.NaN, false],
])('a ratio of %d where 1 is expected: within 10 %% is %s', (measured, is) => {
  expect(isWithin({ name: '', measured, expected: 1, because: '' })).toBe(is);
});
