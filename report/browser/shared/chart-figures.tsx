/** The figures of a chart as a table, made when somebody asks for it. */

import { useMemo, useState } from 'preact/hooks';
import { figure } from '../../../core/figures.ts';
import type { Chart } from '../../charts/chart.ts';
import { TableGround } from './table-ground.tsx';
import { Text } from './text.tsx';

const rowsAtOnce = 100;

function Cell({ value, head }: { value: string | number | null; head: string | undefined }) {
  if (value === null)
    return (
      <td class="unknown" data-head={head}>
        not known
      </td>
    );
  if (typeof value === 'number')
    return (
      <td class="number" data-head={head}>
        {figure(value, 3)}
      </td>
    );
  return (
    <td data-head={head}>
      <Text value={value} />
    </td>
  );
}

function Figures({ chart }: { chart: Chart }) {
  const { head, rows } = useMemo(() => chart.table(), [chart]);
  const [shown, setShown] = useState(rowsAtOnce);
  const left = rows.length - shown;
  return (
    <>
      <TableGround label={`Figures: ${chart.title}`} isLow>
        <table>
          <caption class="unseen">{chart.title}</caption>
          <thead>
            <tr>
              {head.map((text) => (
                <th key={text} scope="col">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, i) => (
              <tr key={i}>
                {row.map((value, column) => (
                  <Cell key={head[column]} head={head[column]} value={value} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableGround>
      {left > 0 ? (
        <button type="button" class="button no-print" onClick={() => setShown(rows.length)}>
          Show {figure(left)} more rows
        </button>
      ) : null}
    </>
  );
}

export function ChartFigures({ chart }: { chart: Chart }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="figures" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Figures of this chart</summary>
      {isOpen ? <Figures chart={chart} /> : null}
    </details>
  );
}
