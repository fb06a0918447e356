/** One test several times: its mean, and where the true one is. */
import type { Repeated } from '../../../core/schemas/grade-answer.ts';
import { Text } from '../shared/text.tsx';
import { intervalText, msText, wholeText } from './figures.ts';
import { loadOf } from './glance.ts';
import { WideTable } from './wide-table.tsx';

export const RepeatsTable = ({ repeats }: { repeats: readonly Repeated[] }) => (
  <WideTable caption="Repeats: the mean, and where the true one is with 95 % confidence (Student’s t)">
    <thead>
      <tr>
        <th scope="col">Test</th>
        <th scope="col" class="number">
          Runs
        </th>
        <th scope="col" class="number">
          IOPS
        </th>
        <th scope="col" class="number">
          with 95 % confidence
        </th>
        <th scope="col" class="number">
          95 % within
        </th>
        <th scope="col" class="number">
          with 95 % confidence
        </th>
      </tr>
    </thead>
    <tbody>
      {repeats.map((one, index) => (
        <tr key={index}>
          <th scope="row">
            <Text value={one.name} most={120} />
            <small>{loadOf({ ...one, ioDepth: null })}</small>
          </th>
          <td class="number">{one.runs}</td>
          <td class="number">{wholeText(one.iops.mean)}</td>
          <td class="number">{intervalText(one.iops, wholeText)}</td>
          <td class="number">{msText(one.p95Ms?.mean ?? null)}</td>
          <td class="number">{one.p95Ms === null ? 'not in every run' : intervalText(one.p95Ms, msText)}</td>
        </tr>
      ))}
    </tbody>
  </WideTable>
);
