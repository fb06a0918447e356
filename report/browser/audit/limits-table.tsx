/** What a volume or a stripe can do now, beside what it could do as recommended. */

import { sanitize } from '../../../core/sanitize.ts';
import type { Finding, Recommendation } from '../../../core/schemas/finding.ts';
import { layoutOf } from '../../../core/schemas/finding-kinds.ts';
import { kindTitle } from '../../wording/words.ts';
import { iops, mibps } from '../shared/format.ts';
import { TableGround } from '../shared/table-ground.tsx';
import { layoutWords } from './layout-words.ts';
import type { Lookup } from './lookup.ts';

interface Row {
  what: string;
  iops: string;
  mibps: string;
}

function currentRows(finding: Finding, lookup: Lookup): Row[] {
  const limits = lookup.limitsOf(finding);
  if (limits === null) return [];
  const { baselineIops, burstIops, baselineMiBps, burstMiBps } = limits;
  const isMore = burstIops > baselineIops || burstMiBps > baselineMiBps;
  return [
    { what: 'Now, baseline', iops: iops(baselineIops), mibps: mibps(baselineMiBps) },
    ...(isMore ? [{ what: 'Now, burst', iops: iops(burstIops), mibps: mibps(burstMiBps) }] : []),
  ];
}

/** In place of a volume, or of each member of a stripe. */
function recommendedRows(recommendation: readonly Recommendation[], replaced: number): Row[] {
  return recommendation.flatMap((one, i) => {
    const layout = layoutOf(one);
    if (layout === null) return [];
    const times = layout.members * replaced;
    const what = `Option ${i + 1}: ${replaced > 1 ? `${replaced} volumes, each ` : ''}${layoutWords(layout)}`;
    return [{ what, iops: iops(layout.iops * times), mibps: mibps(layout.throughputMiBps * times) }];
  });
}

export function LimitsTable({ finding, lookup }: { finding: Finding; lookup: Lookup }) {
  const replaced = lookup.stripeOf(finding)?.volumeIds.length ?? 1;
  const current = currentRows(finding, lookup);
  const recommended = recommendedRows(finding.recommendations, replaced);
  if (current.length === 0 || recommended.length === 0) return null;
  return (
    <>
      <h4>Limits, now and as recommended</h4>
      <TableGround label={`Limits of ${sanitize(finding.resource.id)}: ${kindTitle(finding.kind)}`}>
        <table>
          <caption class="unseen">Limits, now and as recommended</caption>
          <thead>
            <tr>
              <th scope="col">Layout</th>
              <th scope="col" class="number">
                IOPS
              </th>
              <th scope="col" class="number">
                Throughput
              </th>
            </tr>
          </thead>
          <tbody>
            {[...current, ...recommended].map((row) => (
              <tr key={row.what}>
                <th scope="row">{row.what}</th>
                <td class="number" data-head="IOPS">
                  {row.iops}
                </td>
                <td class="number" data-head="Throughput">
                  {row.mibps}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableGround>
    </>
  );
}
