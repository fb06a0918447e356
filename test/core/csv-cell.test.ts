/** Cells of a CSV that a spreadsheet would split once more. */
import { withoutInnerFormula } from '../../core/csv-cell.ts';

test.each([
  ['a;=1+1', "a;'=1+1"],
  ['a\n=1+1', "a\n'=1+1"],
  ['a;"=1+1', 'a;\'"=1+1'],
  ['a\t @x', "a\t' @x"],
  ['a;＝1', "a;'＝1"],
  [' =1', "' =1"],
  ['""=1', '\'""=1'],
  ['\t=1', "\t'=1"],
  ['=1', '=1'], // who writes the file sees that one
  ['a=b', 'a=b'],
  ['a; b', 'a; b'],
  [-1, -1],
])('%j becomes %j', (cell, text) => {
  expect(withoutInnerFormula(cell)).toBe(text);
});
