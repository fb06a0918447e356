import { demandFromAwr } from '../../../core/demand/awr-report.ts';
import { databaseDemand } from '../../../core/demand/database-demand.ts';
import { BadInput } from '../../../core/errors.ts';

/** The shape of the section in a text report, with invented figures. */
const report = `
Instance Activity Stats              DB/Inst: ORCL/orcl  Snaps: 2340-2341
-> Ordered by statistic name

Statistic                                     Total     per Second     per Trans
-------------------------------- ------------------ -------------- -------------
physical read bytes                 108,977,635,328   30,264,123.1     272,103.4
physical read total IO requests          13,302,934        3,694.5          33.2
physical read total bytes           110,000,000,000   30,547,000.0     274,000.0
physical write total IO requests          4,014,822        1,115.0          10.0
redo size                             8,110,222,336    2,252,310.3      20,250.6
redo writes                                 918,400          255.1           2.3
`;

test('the rates per second are read, not the totals', () => {
  expect(demandFromAwr(report)).toEqual({ reads: 3_694.5, writes: 1_115, redoWrites: 255.1 });
  expect(databaseDemand(demandFromAwr(report)).requiredIops).toBeCloseTo(5_064.6, 6); // 3,694.5 + 1,115 + 255.1
});

test('a report without one of the lines says which', () => {
  expect(() => demandFromAwr(report.replace('redo writes ', 'redo wastage'))).toThrow(
    /no line "redo writes"/,
  );
});

test.each([
  ['a figure that did not fit its column', '13,302,934        #######          33.2'],
  ['figures of another language', '13.302.934        3.694,5          33,2'],
  ['a decimal comma', '13302934          342,9          33,2'],
  ['two columns', '13,302,934        3,694.5'],
  ['a compare-periods report', '3,694.5        400.1          16.7'],
])('%s is not guessed', (_what, figures) => {
  const other = report.replace('13,302,934        3,694.5          33.2', figures);
  expect(() => demandFromAwr(other)).toThrow(/is not readable: expected Total, per Second and per Trans/);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('a rate of %d is refused', (reads) => {
  expect(() => databaseDemand({ reads, writes: 0, redoWrites: 0 })).toThrow(BadInput);
});
