/** How much goes on at one time, so that neither Lambda nor Step Functions refuses it. */
import { functionsAtOnce, targetsAtOnce } from '../../../core/audit/at-once.ts';
import { configSchema } from '../../../core/config/config.ts';

test.each([
  [1, 100], // 200 / 1 is more than 100
  [2, 100],
  [4, 50],
  [7, 28],
  [40, 5],
])(
  'with %i batches at once, %i targets are read at once: 200 batches in all, 100 targets at most',
  (batches, targets) => {
    expect(targetsAtOnce(batches)).toBe(targets);
  },
);

test('an organization takes up to 200 functions, one account as many as its batches', () => {
  const organization = { accounts: 'all', externalId: 'of-the-members' };
  expect(functionsAtOnce(configSchema.parse({}))).toBe(4);
  expect(functionsAtOnce(configSchema.parse({ organization }))).toBe(200); // 50 targets x 4
  expect(functionsAtOnce(configSchema.parse({ organization, audit: { batchesAtOnce: 7 } }))).toBe(196); // 28 x 7
  expect(functionsAtOnce(configSchema.parse({ organization, audit: { batchesAtOnce: 1 } }))).toBe(100);
});
