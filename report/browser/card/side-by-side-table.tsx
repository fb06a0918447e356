/** Layouts side by side: the same test in several runs. */
import type { Compared, GradeAnswer } from '../../../core/schemas/grade-answer.ts';
import { usd } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';
import { msText, timesText, wholeText } from './figures.ts';
import { loadOf } from './glance.ts';
import { Letter } from './letter.tsx';
import { type SideBySide, sideBySide } from './side-by-side.ts';
import { WideTable } from './wide-table.tsx';

const Grade = ({ letter }: { letter: string | null }) =>
  letter === null ? <span class="faint">none</span> : <Letter letter={letter} />;

const RunCells = ({ one, isFirst, withPrice }: { one: SideBySide; isFirst: boolean; withPrice: boolean }) => (
  <>
    <td>
      <Text value={one.run} most={60} />
    </td>
    <td class="number">
      {wholeText(one.iops)}
      {one.isMost ? <small>most</small> : null}
    </td>
    <td class="number">{isFirst ? 'the first' : timesText(one.timesFirst)}</td>
    <td class="number">{msText(one.p95Ms)}</td>
    <td>
      <Grade letter={one.grade} />
    </td>
    <td>
      <Grade letter={one.scalingGrade} />
    </td>
    {withPrice ? <td class="number">{usd(one.usdPer1000Iops)}</td> : null}
  </>
);

function Rows({ compared, runs, withPrice }: { compared: Compared; runs: SideBySide[]; withPrice: boolean }) {
  return (
    <tbody>
      {runs.map((one, index) => (
        <tr key={one.run}>
          {index === 0 ? (
            <th scope="rowgroup" rowSpan={runs.length}>
              <Text value={compared.name} most={120} />
              <small>{loadOf({ ...compared, ioDepth: null })}</small>
            </th>
          ) : null}
          <RunCells one={one} isFirst={index === 0} withPrice={withPrice} />
        </tr>
      ))}
    </tbody>
  );
}

export function SideBySideTable({ grades: { comparison, tests } }: { grades: GradeAnswer }) {
  const withPrice = tests.some(({ usdPer1000Iops }) => usdPer1000Iops !== null);
  return (
    <>
      <WideTable caption="The same test in several runs">
        <thead>
          <tr>
            <th scope="col">Test</th>
            <th scope="col">Run</th>
            <th scope="col" class="number">
              IOPS
            </th>
            <th scope="col" class="number">
              Against the first
            </th>
            <th scope="col" class="number">
              95 % within
            </th>
            <th scope="col">Latency</th>
            <th scope="col">Scaling</th>
            {withPrice ? (
              <th scope="col" class="number">
                A month per 1,000 IOPS
              </th>
            ) : null}
          </tr>
        </thead>
        {comparison.map((compared, index) => (
          <Rows key={index} compared={compared} runs={sideBySide(compared, tests)} withPrice={withPrice} />
        ))}
      </WideTable>
      {withPrice ? null : (
        <p class="faint">What 1,000 IOPS cost is not known: nobody said what the volumes cost a month.</p>
      )}
    </>
  );
}
