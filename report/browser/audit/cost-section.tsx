/** What the audit itself cost. */

import type { AuditResult, PassCost } from '../../../core/schemas/audit-result.ts';
import { count, usd, whole } from '../shared/format.ts';
import { TableGround } from '../shared/table-ground.tsx';

const passWords: Record<PassCost['pass'], string> = {
  coarse: 'Coarse: a few metrics of all volumes',
  'second-look': 'Second look: what clears more of them',
  fine: 'Fine: all other metrics of the suspects',
};

const heads = ['Volumes', 'Instances', 'Metrics', 'Calls', 'Cost'];

function Passes({ passes, cost }: { passes: readonly PassCost[]; cost: AuditResult['cost'] }) {
  return (
    <TableGround label="Cost by pass">
      <table>
        <caption class="unseen">Cost by pass</caption>
        <thead>
          <tr>
            <th scope="col">Pass</th>
            {heads.map((head) => (
              <th key={head} scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {passes.map(({ pass, volumes, instances, metricsRequested, apiCalls, usd: spent }) => (
            <tr key={pass}>
              <th scope="row">{passWords[pass]}</th>
              {[volumes, instances, metricsRequested, apiCalls].map((figure, i) => (
                <td key={heads[i]} data-head={heads[i]} class="number">
                  {whole(figure)}
                </td>
              ))}
              <td class="number" data-head="Cost">
                {usd(spent)}
              </td>
            </tr>
          ))}
          <tr class="sum">
            <th scope="row">All</th>
            <td />
            <td />
            <td class="number" data-head="Metrics">
              {whole(cost.metricsRequested)}
            </td>
            <td class="number" data-head="Calls">
              {whole(cost.apiCalls)}
            </td>
            <td class="number" data-head="Cost">
              {usd(cost.usd)}
            </td>
          </tr>
        </tbody>
      </table>
    </TableGround>
  );
}

export function CostSection({ result: { cost } }: { result: AuditResult }) {
  return (
    <section id="cost" tabIndex={-1} aria-labelledby="cost-heading">
      <h2 id="cost-heading">Cost of the audit</h2>
      {cost.apiCalls === 0 ? (
        <p class="lead">Nothing: it was made from files, no metric was read from CloudWatch.</p>
      ) : (
        <p class="lead">
          Reading took {count(cost.apiCalls, 'call')} for {count(cost.metricsRequested, 'metric')}:{' '}
          {usd(cost.usd)} at list prices.
        </p>
      )}
      {cost.passes === undefined ? null : <Passes passes={cost.passes} cost={cost} />}
    </section>
  );
}
