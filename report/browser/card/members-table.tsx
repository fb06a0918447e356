/** What each disk below a test did: who carried how much, who was waited for, who was at a limit. */
import { limitNames } from '../../../core/report-card/exceeded-checks.ts';
import type { GradedTestAnswer } from '../../../core/schemas/grade-answer.ts';
import { limitWords } from '../../wording/report-card.ts';
import { Text } from '../shared/text.tsx';
import { msText, percentText, wholeText } from './figures.ts';
import { WideTable } from './wide-table.tsx';

type Member = GradedTestAnswer['members'][number];

const MemberRow = ({ member }: { member: Member }) => {
  const { volumeId, device, iops, share, waitMs, exceeded, isSlow } = member;
  return (
    <tr>
      <th scope="row" class="one-line">
        <Text value={volumeId ?? device} most={60} />
        {volumeId === null ? (
          <small>volume not known</small>
        ) : (
          <small>
            <Text value={device} most={60} />
          </small>
        )}
      </th>
      <td class="number">{wholeText(iops)}</td>
      <td class="number">
        {percentText(share)}
        <span class="share" aria-hidden="true">
          <span style={{ width: `${100 * Math.min(1, share)}%` }} />
        </span>
      </td>
      <td class="number">
        {msText(waitMs)}
        {isSlow ? <small class="is-trouble">slower than the others</small> : null}
      </td>
      {limitNames.map((name) => (
        <td key={name} class="number">
          {exceeded === null ? 'unknown' : percentText(exceeded[name] ?? null)}
        </td>
      ))}
    </tr>
  );
};

interface MembersTableProps {
  members: readonly Member[];
  /** Ids of the test's title. */
  within: string;
}

export const MembersTable = ({ members, within }: MembersTableProps) => (
  <WideTable caption="Members: what each disk below it did" within={within}>
    <thead>
      <tr>
        <th scope="col">Volume</th>
        <th scope="col" class="number">
          IOPS
        </th>
        <th scope="col" class="number">
          Share of operations
        </th>
        <th scope="col" class="number">
          An operation waits
        </th>
        {limitNames.map((name) => (
          <th key={name} scope="col" class="number">
            Time at {limitWords[name]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {members.map((member) => (
        <MemberRow key={member.device} member={member} />
      ))}
    </tbody>
  </WideTable>
);
