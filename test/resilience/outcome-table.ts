/** The table that a test of faults prints: what was done to the service, what should have come of it, what did. */
import Table from 'cli-table3';

export interface Outcome {
  /** What was done, a cell each: call and fault, say. */
  what: readonly string[];
  expected: string;
  /** What was seen, with the reason that the run gave. */
  seen: string;
  asExpected: boolean;
}

const widthOfReason = 90;

/** Prints every row, also where a test fails: past the reporter, which would put a stack trace beside each. */
export function printOutcomes(title: string, heads: readonly string[], outcomes: readonly Outcome[]): void {
  const table = new Table({
    head: [...heads, 'expected', 'seen', ''],
    style: { head: [], border: [], compact: true },
  });
  for (const { what, expected, seen, asExpected } of outcomes) {
    const short = seen.length > widthOfReason ? `${seen.slice(0, widthOfReason - 1)}…` : seen;
    table.push([...what, expected, short, asExpected ? 'ok' : 'NOT AS EXPECTED']);
  }
  const wrong = outcomes.filter(({ asExpected }) => !asExpected).length;
  process.stdout.write(
    `\n${title}: ${outcomes.length} rows, ${wrong} not as expected\n${table.toString()}\n`,
  );
}

const progressEvery = 10;

/** Brings one row after the other about, says on standard error how far that is, and prints the table. */
export async function outcomesOf<Row>(
  title: string,
  heads: readonly string[],
  rows: readonly Row[],
  outcomeOf: (row: Row) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const start = Date.now();
  for (const row of rows) {
    outcomes.push(await outcomeOf(row));
    if (outcomes.length % progressEvery === 0 || outcomes.length === rows.length) {
      const seconds = Math.round((Date.now() - start) / 1000);
      process.stderr.write(`${title}: ${outcomes.length} of ${rows.length} rows, ${seconds} s\n`);
    }
  }
  printOutcomes(title, heads, outcomes);
  return outcomes;
}

/** For one assertion at the end: the rows that did not come out as expected, whole. */
export const unexpected = (outcomes: readonly Outcome[]): string[] =>
  outcomes
    .filter(({ asExpected }) => !asExpected)
    .map(({ what, expected, seen }) => `${what.join(' / ')}: expected ${expected}, saw ${seen}`);
