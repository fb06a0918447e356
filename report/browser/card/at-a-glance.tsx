/** Every test of every run with its letters. */
import type { GradedTestAnswer } from '../../../core/schemas/grade-answer.ts';
import { Text } from '../shared/text.tsx';
import { msText, wholeText } from './figures.ts';
import { type GlanceRow, glanceOf, type NumberedTest } from './glance.ts';
import { Letter } from './letter.tsx';
import { WideTable } from './wide-table.tsx';

function Letters({ test, reason }: { test: NumberedTest; reason: number | null }) {
  const { grade, scalingGrade } = test;
  return (
    <span class="letters">
      {grade === null ? (
        <span class="no-letter">
          no letter <a href={`#why-${reason}`}>({reason})</a>
        </span>
      ) : (
        <Letter letter={grade} of="latency" />
      )}
      {scalingGrade === null ? null : <Letter letter={scalingGrade} of="scaling" />}
    </span>
  );
}

const TestCell = ({ test, reason }: { test: NumberedTest; reason: number | null }) => (
  <td>
    <Letters test={test} reason={reason} />
    <a class="figures-link" href={`#test-${test.number}`}>
      {test.error === null ? (
        <>
          <span>{wholeText(test.iops)} IOPS,</span> <span>95 % in {msText(test.latencyMs.p95)}</span>
        </>
      ) : (
        'it failed: what it did'
      )}
    </a>
  </td>
);

const Row = ({ row, reasonOf }: { row: GlanceRow; reasonOf: (test: GradedTestAnswer) => number | null }) => (
  <tr>
    <th scope="row">
      <Text value={row.name} most={120} />
      <small>{row.load}</small>
    </th>
    {row.tests.map((test, index) =>
      test === null ? (
        <td key={index} class="faint">
          not in this run
        </td>
      ) : (
        <TestCell key={test.number} test={test} reason={reasonOf(test)} />
      ),
    )}
  </tr>
);

export function AtAGlance({ tests }: { tests: readonly GradedTestAnswer[] }) {
  if (tests.length === 0) return <p>Nothing was measured.</p>;
  const { runs, rows, reasons, reasonNumber } = glanceOf(tests);
  return (
    <>
      <p>
        A+ is the best letter and D the worst: <b>latency</b> is what 95 % of the operations took at most,{' '}
        <b>scaling</b> how that grows with more users, which is graded where a load was measured with both
        numbers of users. <a href="#scale">What a letter means</a>.
      </p>
      <WideTable caption={runs.length === 1 ? 'Tests of one run' : `Tests of ${runs.length} runs`}>
        <thead>
          <tr>
            <th scope="col">Test</th>
            {runs.map((run) => (
              <th key={run} scope="col">
                <Text value={run} most={60} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={index} row={row} reasonOf={reasonNumber} />
          ))}
        </tbody>
      </WideTable>
      {reasons.length === 0 ? null : (
        <>
          <h3>Why some have no letter</h3>
          <ol class="reasons">
            {reasons.map((reason, index) => (
              <li key={reason} id={`why-${index + 1}`}>
                <Text value={reason} most={1_000} />
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}
