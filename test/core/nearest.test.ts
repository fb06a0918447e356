/** The word that somebody may have meant. */
import { nearest } from '../../core/nearest.ts';

const words = ['everyHours', 'lookbackDays', 'passes', 'minSeverity', 'slack-webhook'];

test.each([
  ['everyhours', 'everyHours'],
  ['evryHours', 'everyHours'],
  ['every', 'everyHours'],
  ['evry', 'everyHours'],
  ['lookbackdays', 'lookbackDays'],
  ['lokbackDay', 'lookbackDays'],
  ['pases', 'passes'],
  ['psases', 'passes'],
  ['severity', 'minSeverity'],
  ['slack', 'slack-webhook'],
  ['bandwidth', null],
  ['', null],
  ['x'.repeat(61), null],
])('%s: %s', (word, meant) => {
  expect(nearest(word, words)).toBe(meant);
});

test('of two that are as near the first', () => {
  expect(nearest('cat', ['car', 'cap'])).toBe('car');
});
