/** Findings as a table of Markdown: fit for an issue, and nothing of an account formats, links, mentions or closes. */
import fc from 'fast-check';
import { findingsMarkdown } from '../../../report/terminal/findings-markdown.ts';
import { aFinding, aResult, findingsOnVolumes, onVolume } from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';
import { markdownComplaints } from './markdown-complaints.ts';

const linesOf = (findings: ReturnType<typeof aFinding>[], top = 10): string[] =>
  findingsMarkdown(aResult(findings), findings, top);

const gap = '\u200b';

test('the headline, a row for each of the first, how many more', () => {
  const finding = aFinding({ evidence: { throttledMinutesPeak24h: 12 } });
  // of the three one is on the same volume
  expect(linesOf([finding, ...findingsOnVolumes(3)], 1)).toEqual([
    '**stripewise: 4 warnings. 3 volumes, 1 Region.**',
    '',
    '| Severity | Resource | Problem | Fix |',
    '| --- | --- | --- | --- |',
    '| warning | vol-1 "db" gp3 100 GiB us-east-1 | throttled at its maximum of 3,000 IOPS, ended, 12 throttled min | gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month. |',
    '',
    '... and 3 more findings',
  ]);
});

test('without findings the headline alone; without a recommendation an empty cell', () => {
  expect(linesOf([])).toHaveLength(1);
  expect(linesOf([aFinding({ recommendations: [] })])[4]).toMatch(/ended \| {2}\|$/);
});

test.each([
  ['a cell of its own', 'a | b', 'a ｜ b'],
  ['a row of its own', 'a\n| b', 'a＼u{a}｜ b'],
  ['a mention', '@everybody', '＠everybody'],
  ['an issue that it closes', 'fixes #12, closes GH-12', `fixes #${gap}12, closes GH${gap}-12`],
  ['a merge request', '!12', `!${gap}12`],
  ['a picture', '![x](https://evil.example)', `!${gap}［x］(https:${gap}//evil.example)`],
  ['mathematics', '$x$', `$${gap}x$`],
  ['HTML', '<img src=x>', '‹img src=x›'],
])('%s', (_, name, said) => {
  const [, , , , row] = linesOf([aFinding({ resource: onVolume('vol-1', { name }) })]);
  expect(row).toContain(`| vol-1 "${said}`);
});

test('whatever stands in the account', () => {
  fc.assert(
    fc.property(untrustedText, untrustedText, (id, name) => {
      const finding = aFinding({ resource: onVolume(id, { name, region: name }) });
      expect(markdownComplaints(linesOf([finding, finding]), 2)).toEqual([]);
    }),
  );
});
