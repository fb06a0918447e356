/** Findings as CSV: RFC 4180, a row each, and nothing in it that a spreadsheet reckons with. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { findingsCsv } from '../../../report/terminal/findings-csv.ts';
import { findingHead, findingRow } from '../../../report/wording/finding-row.ts';
import { aFinding, aRecommendation, onVolume } from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

test('a head and a row a finding; each ends with CR LF but the last', () => {
  const finding = aFinding({
    evidence: { throttledMinutesPeak24h: 12, throttledMinutesInWindow: 40 },
    recommendations: [aRecommendation({ monthlyUsdDelta: 5 }), aRecommendation({ monthlyUsdDelta: -2.5 })],
  });
  const row = [
    'warning,throttled-volume-iops,vol-1,db,111122223333,us-east-1,2026-11-19T14:00:00Z',
    '"throttled at its maximum of 3,000 IOPS, ended, 12 throttled min",12',
    '"gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month.",5,-2.5,finding-1,,,',
  ].join(',');
  expect(findingsCsv([finding, finding])).toBe(
    [
      'severity,kind,resource,name,account,Region,since,problem,throttled minutes in the peak 24 h,recommendation,"recommendation, USD a month","best saving, USD a month",finding id,cluster,namespace,claim',
      `${row}\r\n${row}\r`, // who prints it ends the line
    ].join('\r\n'),
  );
});

test('of no findings the head', () => {
  expect(findingsCsv([]).trim().split('\r\n')).toHaveLength(1);
});

test('what is not known is an empty cell, and never 0', () => {
  const finding = aFinding({ recommendations: [], firstSeen: null, resource: onVolume('vol-1') });
  const [head = [], row = []] = parse(`${findingsCsv([finding])}\n`) as string[][];
  const empty = head.filter((_, i) => row[i] === '');
  expect(empty).toEqual([
    ...['name', 'account', 'since', 'throttled minutes in the peak 24 h', 'recommendation'],
    ...['recommendation, USD a month', 'best saving, USD a month'],
    ...['cluster', 'namespace', 'claim'],
  ]);
});

test.each([
  ['=HYPERLINK("x")', '\'=HYPERLINK("x")'],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [' =1', "' =1"],
  ['a;=1', "a;'=1"],
  ['a\n=1', 'a\\u{a}=1'],
  ['a\r\nb', 'a\\u{d}\\u{a}b'],
  ['"a", b', '"a", b'],
])('a name of %j is text', (name, expected) => {
  const rows = parse(`${findingsCsv([aFinding({ resource: onVolume('vol-1', { name }) })])}\n`) as string[][];
  expect(rows).toHaveLength(2);
  expect(rows[1]?.[findingHead().indexOf('name')]).toBe(expected);
});

test('whatever stands in the account: one line a finding, and a number stays a number', () => {
  fc.assert(
    fc.property(untrustedText, untrustedText, (id, name) => {
      const finding = aFinding({
        resource: onVolume(id, { name, account: name, region: name }),
        recommendations: [aRecommendation({ monthlyUsdDelta: -3 })],
      });
      const text = findingsCsv([finding]);
      expect(text.replaceAll('\r\n', '').replace(/\r$/, '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      const rows = parse(text) as string[][];
      expect(rows.map(({ length }) => length)).toEqual([findingHead().length, findingHead().length]);
      expect(rows[1]?.slice(-6, -4)).toEqual(['-3', '-3']);
    }),
  );
});

test('its columns are those of the page: a cell for each head', () => {
  expect(findingRow(aFinding())).toHaveLength(findingHead().length);
});
