/** The published scale, so that a reader sees what a letter means. */
import { figure } from '../../../core/figures.ts';
import {
  allLetters,
  growthBounds,
  type LatencyScale,
  latencyScales,
  scalingScales,
} from '../../../core/report-card/scale.ts';
import type { GradedTestAnswer } from '../../../core/schemas/grade-answer.ts';
import { accessWords, blockText, loadText } from '../../wording/report-card.ts';
import { Letter } from './letter.tsx';
import { WideTable } from './wide-table.tsx';

const LetterHeads = () => (
  <>
    {allLetters.map((letter) => (
      <th key={letter} scope="col" class="number">
        <Letter letter={letter} />
      </th>
    ))}
  </>
);

/** Seven bounds, and from the last one on the worst letter. */
const Bounds = ({ bounds, below, from }: { bounds: readonly number[]; below: string; from: string }) => (
  <>
    {bounds.map((bound) => (
      <td key={bound} class="number">
        {below} {figure(bound)}
      </td>
    ))}
    <td class="number">
      {from} {figure(bounds.at(-1) as number)}
    </td>
  </>
);

const LatencyTable = () => (
  <WideTable caption="Latency: the 95th percentile of what an operation took, in milliseconds; a value on a bound has the worse letter">
    <thead>
      <tr>
        <th scope="col">Load</th>
        <th scope="col" class="number">
          Users
        </th>
        <LetterHeads />
      </tr>
    </thead>
    <tbody>
      {latencyScales.map((scale) => (
        <tr key={`${scale.access} ${scale.blockKiB}`}>
          <th scope="row">{loadText(scale)}</th>
          <td class="number">{scale.users}</td>
          <Bounds bounds={scale.boundsMs} below="below" from="from" />
        </tr>
      ))}
    </tbody>
  </WideTable>
);

const blocksText = (blocksKiB: readonly number[]): string =>
  blocksKiB.length === 1
    ? blockText(blocksKiB[0] as number)
    : `${blocksKiB.slice(0, -1).join(', ')} and ${blockText(blocksKiB.at(-1) as number)}`;

const ScalingTable = () => (
  <>
    <WideTable caption="Scaling: how much of what more users could cost they do; a value on a bound has the better letter">
      <thead>
        <tr>
          <LetterHeads />
        </tr>
      </thead>
      <tbody>
        <tr>
          <Bounds bounds={growthBounds} below="up to" from="above" />
        </tr>
      </tbody>
    </WideTable>
    <p>
      Growth is ((95th percentile with more users / that at the base) − 1) / factor. It is 0 where waiting
      stays as it is, and about 1 where it grows as users do.
    </p>
    <WideTable caption="Loads whose growth is graded">
      <thead>
        <tr>
          <th scope="col">Load</th>
          <th scope="col" class="number">
            Base users
          </th>
          <th scope="col" class="number">
            More users
          </th>
          <th scope="col" class="number">
            Factor
          </th>
        </tr>
      </thead>
      <tbody>
        {scalingScales.map(({ access, blocksKiB, baseUsers, higherUsers, factor }) => (
          <tr key={access}>
            <th scope="row">
              {blocksText(blocksKiB)} {accessWords[access]}
            </th>
            <td class="number">{baseUsers}</td>
            <td class="number">{higherUsers}</td>
            <td class="number">{factor}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  </>
);

export const ScaleTables = () => (
  <>
    <LatencyTable />
    <ScalingTable />
    <p class="faint">
      Source: “IO characteristics of Elastic Block Storage (EBS) in AWS: grades are out”, and its author’s
      grade.r. The scale is older than gp3 and io2. A D says that something is slow; an A+ does not say that
      it is as fast as it should be.
    </p>
  </>
);

function scaleOf({ grade, access, blockKiB, users }: GradedTestAnswer): LatencyScale | undefined {
  if (grade === null) return undefined;
  return latencyScales.find(
    (scale) => scale.access === access && scale.blockKiB === blockKiB && scale.users === users,
  );
}

/** Where a graded test stands on its scale; nothing where it has none. */
export function Ruler({ test }: { test: GradedTestAnswer }) {
  const scale = scaleOf(test);
  if (scale === undefined) return null;
  const bounds = scale.boundsMs;
  return (
    <ol
      class="ruler"
      aria-label={`The scale for ${loadText(scale)} at ${scale.users} users, 95th percentile`}
    >
      {allLetters.map((letter, index) => (
        <li key={letter} class={letter === test.grade ? 'is-this' : ''} aria-current={letter === test.grade}>
          <Letter letter={letter} />
          <span>
            {index < bounds.length ? `below ${bounds[index]} ms` : `from ${bounds[bounds.length - 1]} ms`}
          </span>
        </li>
      ))}
    </ol>
  );
}
