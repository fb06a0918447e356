/** Text of an account where mark-up has no escapes: what would format, link or mention becomes a look-alike. */
import fc from 'fast-check';
import { escapeMarkdown } from '../../report/escape-markdown.ts';
import { untrustedText } from '../fixtures/untrusted-text.ts';

const gap = '\u200b';

test.each([
  ['a mention', '<at>everybody</at> @here', '‹at›everybody‹/at› ＠here'],
  ['a link', '[click](https://evil.example)', `［click］(https:${gap}//evil.example)`],
  [
    'a bare address',
    'http://evil.example www.evil.example',
    `http:${gap}//evil.example www${gap}.evil.example`,
  ],
  ['the place of a run', 's3://bucket/runs/run-1/summary.json', 's3://bucket/runs/run-1/summary.json'],
  ['bold, code, struck out', '**a** `b` ~~c~~', "∗∗a∗∗ 'b' ∼∼c∼∼"],
  ['words with marks in them', 'db_data_1', 'db_data_1'],
  ['emphasis', '_a_', '＿a＿'],
  ['an emoji', ':red_circle:', `:${gap}red_circle:`],
  ['a time that a card computes', '{{DATE(2026-11-20, SHORT)}}', `{${gap}{DATE(2026-11-20, SHORT)}}`],
  ['a heading', '# a', `${gap}# a`],
  ['a list', '- a', `${gap}- a`],
  ['a numbered list', '1. a', `${gap}1. a`],
  ['a number', '3,000 IOPS', '3,000 IOPS'],
  ['a time', '2026-11-20 14:00 UTC', '2026-11-20 14:00 UTC'],
])('%s', (_, text, expected) => {
  expect(escapeMarkdown(text)).toBe(expected);
});

test('nothing is left of what marks up, whatever stands beside it', () => {
  fc.assert(
    fc.property(untrustedText, (text) => {
      expect(escapeMarkdown(text)).not.toMatch(/[<>&*~`[\]\\@|]|https?:\/\/|\{\{/);
    }),
  );
});
