/** What can be done about a finding: options side by side, and the steps of each. */

import { sanitize } from '../../../core/sanitize.ts';
import type { Finding, Recommendation } from '../../../core/schemas/finding.ts';
import { instanceTypeOf, layoutOf } from '../../../core/schemas/finding-kinds.ts';
import { fixText } from '../../wording/recommendation.ts';
import { kindTitle } from '../../wording/words.ts';
import { minutes, usdDelta } from '../shared/format.ts';
import { TableGround } from '../shared/table-ground.tsx';
import { Text } from '../shared/text.tsx';
import { layoutWords } from './layout-words.ts';
import { Steps } from './steps.tsx';

/** What it buys, in words that fit into a cell. */
function becomes(one: Recommendation): string | null {
  const layout = layoutOf(one);
  return layout === null ? instanceTypeOf(one) : layoutWords(layout);
}

function Unknown({ text }: { text: string }) {
  return <span class="unknown">{text}</span>;
}

function Price({ delta, reason }: { delta: number | null; reason: Recommendation['priceUnknownReason'] }) {
  if (delta !== null) return <>{usdDelta(delta)}</>;
  return <Unknown text={reason === null ? 'no price' : 'price unknown'} />;
}

const hasReplay = ({ effect }: Recommendation): boolean => effect.method === 'simulated';

const nameOf = ({ kind, resource }: Finding): string => `${kindTitle(kind)} on ${sanitize(resource.id)}`;

function Options({ finding }: { finding: Finding }) {
  const { recommendations } = finding;
  return (
    <TableGround label={`Options for ${nameOf(finding)}`}>
      <table class="options">
        <caption class="unseen">Options, the recommended one first</caption>
        <thead>
          <tr>
            <th scope="col">Option</th>
            <th scope="col">It becomes</th>
            <th scope="col" class="number">
              USD a month
            </th>
            <th scope="col" class="number">
              Throttled without the change
            </th>
            <th scope="col" class="number">
              Throttled with the change (simulated)
            </th>
          </tr>
        </thead>
        <tbody>
          {recommendations.map((one, i) => (
            <tr key={`${i} ${one.purpose}`}>
              <th scope="row">
                {i + 1}. <Text value={fixText(one)} />
              </th>
              <td data-head="It becomes">
                <Text value={becomes(one) ?? 'nothing to provision'} most={200} />
              </td>
              <td class="number" data-head="USD a month">
                <Price delta={one.monthlyUsdDelta} reason={one.priceUnknownReason} />
              </td>
              <td class="number" data-head="Throttled without the change">
                {one.effect.throttledMinutesBefore === null ? (
                  <Unknown text="not counted" />
                ) : (
                  minutes(one.effect.throttledMinutesBefore)
                )}
              </td>
              <td class="number" data-head="Throttled with the change (simulated)">
                {hasReplay(one) ? (
                  minutes(one.effect.throttledMinutesAfter ?? 0)
                ) : (
                  <Unknown text="not simulated" />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableGround>
  );
}

export function RecommendationView({ finding }: { finding: Finding }) {
  const { recommendations } = finding;
  return (
    <>
      <h4>What can be done</h4>
      {recommendations.length === 0 ? (
        <p class="empty">Nothing is recommended for it.</p>
      ) : (
        <>
          <Options finding={finding} />
          {recommendations.map((one, i) => (
            <Steps key={`${i} ${one.purpose}`} recommendation={one} number={i + 1} />
          ))}
        </>
      )}
    </>
  );
}
