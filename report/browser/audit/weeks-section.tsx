/** The fleet by ISO week, where its audits keep an archive. */
import { isoWeek } from '../../../core/archive/iso-week.ts';
import type { FleetSpan } from '../../../core/schemas/fleet-days.ts';
import { findingsOfWeek, throttledOfWeek, usdOfWeek } from '../../wording/fleet-weeks.ts';
import { TableGround } from '../shared/table-ground.tsx';

const columns = [
  { head: 'Throttled minutes', of: throttledOfWeek },
  { head: 'USD a month', of: usdOfWeek },
  { head: 'Findings', of: findingsOfWeek },
];

export function WeeksSection({ weeks }: { weeks: readonly FleetSpan[] }) {
  return (
    <section id="weeks" tabIndex={-1} aria-labelledby="weeks-heading">
      <h2 id="weeks-heading">Fleet by week</h2>
      <p class="lead">
        Throttled minutes are of all volumes that were evaluated. Cost and findings are of the last audit in
        the week.
      </p>
      <TableGround label="Fleet by week">
        <table>
          <caption class="unseen">Fleet by week</caption>
          <thead>
            <tr>
              <th scope="col">Week</th>
              {columns.map(({ head }) => (
                <th key={head} scope="col" class="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.toReversed().map((week) => (
              <tr key={week.from}>
                <th scope="row">
                  {isoWeek(week.from)}, {week.from} to {week.to}
                </th>
                {columns.map(({ head, of }) => (
                  <td key={head} data-head={head} class="number">
                    {of(week) ?? <span class="unknown">unknown</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableGround>
    </section>
  );
}
