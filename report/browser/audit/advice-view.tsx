/** What can be done about a finding: options side by side, and the steps of each. */

import { inert } from '../../../core/inert.ts';
import type { Advice, Finding } from '../../../core/schemas/finding.ts';
import { resourceIdOf } from '../../../core/schemas/finding-kinds.ts';
import { minutes, usdDelta } from '../shared/format.ts';
import { TableGround } from '../shared/table-ground.tsx';
import { Text } from '../shared/text.tsx';
import { kindTitle } from './kind-title.ts';
import { layoutWords } from './layout-words.ts';
import { Steps } from './steps.tsx';

/** What it buys, in words that fit into a cell. */
function becomes({ layout, instanceType }: Advice): string | null {
  if (layout !== undefined) return layoutWords(layout);
  return instanceType ?? null;
}

function Unknown({ text }: { text: string }) {
  return <span class="unknown">{text}</span>;
}

function Price({ delta, because }: { delta: number | null; because: unknown }) {
  if (delta !== null) return <>{usdDelta(delta)}</>;
  return <Unknown text={typeof because === 'string' ? 'price unknown' : 'no price'} />;
}

const hasReplay = ({ throttledMinutesAfter }: Advice): boolean => throttledMinutesAfter !== null;

const nameOf = ({ kind, resource }: Finding): string =>
  `${kindTitle(kind)} on ${inert(resourceIdOf(resource))}`;

function Options({ finding }: { finding: Finding }) {
  const { advice, evidence } = finding;
  const because = evidence['priceUnknownBecause'];
  return (
    <TableGround label={`Options for ${nameOf(finding)}`}>
      <table class="options">
        <caption class="unseen">Options, the advised one first</caption>
        <thead>
          <tr>
            <th scope="col">Option</th>
            <th scope="col">It becomes</th>
            <th scope="col" class="number">
              USD a month
            </th>
            <th scope="col" class="number">
              Held back now
            </th>
            <th scope="col" class="number">
              Held back after, by replay
            </th>
          </tr>
        </thead>
        <tbody>
          {advice.map((one, i) => (
            <tr key={`${i} ${one.action}`}>
              <th scope="row">
                {i + 1}. <Text value={one.action} />
              </th>
              <td>
                <Text value={becomes(one) ?? 'nothing to provision'} most={200} />
              </td>
              <td class="number">
                <Price delta={one.monthlyUsdDelta} because={because} />
              </td>
              <td class="number">
                {one.throttledMinutesBefore === null ? (
                  <Unknown text="not counted" />
                ) : (
                  minutes(one.throttledMinutesBefore)
                )}
              </td>
              <td class="number">
                {hasReplay(one) ? minutes(one.throttledMinutesAfter) : <Unknown text="not replayed" />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableGround>
  );
}

export function AdviceView({ finding }: { finding: Finding }) {
  const { advice } = finding;
  return (
    <>
      <h4>What can be done</h4>
      {advice.length === 0 ? (
        <p class="empty">Nothing is advised for it.</p>
      ) : (
        <>
          <Options finding={finding} />
          {advice.map((one, i) => (
            <Steps key={`${i} ${one.action}`} advice={one} number={i + 1} />
          ))}
        </>
      )}
    </>
  );
}
