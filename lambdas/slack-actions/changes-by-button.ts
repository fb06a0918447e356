/** What a button of a change does: the function that decides is asked, and what it answers is said. */

import { Unreadable } from '../../core/errors.ts';
import { type ChangesRequest, changesDecisionSchema } from '../../core/schemas/changes-answers.ts';
import { escapeCode, escapeMrkdwn } from '../../report/slack/message.ts';
import { ownerPatch } from '../../report/steps/owner-patch.ts';
import { changeLines, changeRefusedText } from '../../report/wording/changes.ts';
import { shortText } from '../../report/wording/words.ts';

export type DecisionRequest = Extract<ChangesRequest, { do: 'propose' | 'approve' | 'reject' | 'undo' }>;

/** Each gives what to say, formatted for Slack. `by` is a person, such as `slack:U0123456789`. */
export interface ChangesByButton {
  propose(findingId: string, by: string): Promise<string>;
  approve(id: string, fingerprint: string, by: string): Promise<string>;
  reject(id: string, by: string): Promise<string>;
  undo(id: string, by: string): Promise<string>;
}

const doneWords: Readonly<Record<DecisionRequest['do'], string>> = {
  ...{ propose: 'requested this', approve: 'approved this', reject: 'rejected this' },
  undo: 'asked to undo this',
};

/** A message of Slack has room for so much. */
const maxPatchCharacters = 2_500;

/** @param person as a request that Slack signed names them. */
function said(request: DecisionRequest, person: string, answer: unknown): string {
  const decided = changesDecisionSchema.safeParse(answer).data;
  if (decided === undefined) throw new Unreadable('the answer of decide-change is none that is known here');
  if ('change' in decided) {
    const { change, approvalsNeeded } = decided;
    const which = request.do === 'propose' ? ` It is change ${shortText(change.id, 60)}.` : '';
    const next = changeLines(change, { approvalsNeeded }).find(
      ({ label }) => label === 'Next' || label === 'Result',
    );
    const after = `${which}${next === undefined ? '' : ` ${next.text}`}`;
    return `<@${person}> ${doneWords[request.do]}.${escapeMrkdwn(after)}`;
  }
  if (decided.refused !== 'owned') return escapeMrkdwn(changeRefusedText(decided));
  const { says, patch } = ownerPatch(decided.owner, decided.plan);
  const code = patch === null || patch.length > maxPatchCharacters ? '' : `\n${escapeCode(patch)}`;
  return `${escapeMrkdwn(says)}${code}`;
}

/** @param decide asks the function that decides, and waits for its answer. */
export function changesByButton(
  decide: (request: DecisionRequest & { by: string }) => Promise<unknown>,
): ChangesByButton {
  const ask = async (request: DecisionRequest, by: string): Promise<string> =>
    said(request, by.replace(/^slack:/, ''), await decide({ by, ...request }));
  return {
    propose: (findingId, by) => ask({ do: 'propose', findingId }, by),
    approve: (id, fingerprint, by) => ask({ do: 'approve', id, fingerprint }, by),
    reject: (id, by) => ask({ do: 'reject', id }, by),
    undo: (id, by) => ask({ do: 'undo', id }, by),
  };
}
