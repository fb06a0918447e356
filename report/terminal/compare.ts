/** Two runs beside each other, for a terminal: what changed, then the figures of both, then the findings that changed. */
import Table from 'cli-table3';
import type { ComparedFinding, RunComparison } from '../../core/schemas/run-comparison.ts';
import {
  changeTexts,
  comparedFigures,
  comparedLines,
  comparedRunText,
  comparisonHeadline,
  figureText,
  noteLines,
} from '../wording/run-comparison.ts';
import { hanging, plural, widthOf, withoutTrailingSpaces } from './text.ts';

const maxFindings = 50;
const style = { head: [], border: [], compact: true };

function figuresTable(comparison: RunComparison): string {
  const table = new Table({ head: ['', 'before', 'after', 'change'], style });
  table.push(
    ...comparedFigures(comparison).map(({ what, before, after, change }) => [what, before, after, change]),
  );
  return withoutTrailingSpaces(table.toString());
}

const figureLines = (comparison: RunComparison): string[] =>
  comparedFigures(comparison).map((one) => `${one.what}: ${figureText(one)}`);

/** As lines where the table is wider than the terminal. */
function figures(comparison: RunComparison, columns: number): string[] {
  const table = figuresTable(comparison);
  return table.split('\n').some((line) => line.length > columns) ? figureLines(comparison) : [table];
}

/** The longest of them and two spaces: below it the text of each line begins. */
const changeWidth = Math.max(...Object.values(changeTexts).map(({ length }) => length)) + 2;

const blockOf = (one: ComparedFinding, columns: number): string[] =>
  comparedLines(one).flatMap((text, i) =>
    hanging(`${(i === 0 ? changeTexts[one.change] : '').padEnd(changeWidth)}${text}`, columns, changeWidth),
  );

/**
 * All lines of a comparison. Of findings those that are not ongoing are listed.
 * @param terminalColumns null: it is no terminal.
 */
export function comparisonText(comparison: RunComparison, terminalColumns: number | null = null): string[] {
  const columns = widthOf(terminalColumns);
  const changed = comparison.findings.filter(({ change }) => change !== 'ongoing');
  const left = changed.length - maxFindings;
  const notes = noteLines(comparison);
  return [
    comparisonHeadline(comparison),
    `before  ${comparedRunText(comparison.before)}`,
    `after   ${comparedRunText(comparison.after)}`,
    '',
    ...figures(comparison, columns),
    ...(changed.length === 0 ? [] : ['']),
    ...changed.slice(0, maxFindings).flatMap((one) => blockOf(one, columns)),
    ...(left > 0 ? [`... and ${plural(left, 'more finding')} (--json has them all)`] : []),
    ...(notes.length === 0 ? [] : ['', ...notes]),
  ];
}
