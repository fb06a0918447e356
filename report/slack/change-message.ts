/** A step of a change of a volume as a Slack message, with the buttons that it has at that step. */
import type { Button, KnownBlock } from '@slack/types';
import type { ChangeMessage } from '../../core/schemas/change-message.ts';
import { isPlainId } from '../change.ts';
import { cut } from '../marks.ts';
import { changeLines, changeTitle } from '../wording/changes.ts';
import { button } from './finding-message.ts';
import { buttons, escapeMrkdwn, headerBlock, packedLines, type SlackMessage } from './message.ts';

const maxTextCharacters = 300;

function buttonsOf({ step, change, approvalsNeeded }: ChangeMessage): Button[] {
  const { id, fingerprint, approvals } = change;
  // An id that was cut would be that of another change.
  if (!isPlainId(id) || !isPlainId(fingerprint)) return [];
  if (step === 'made') return [button('Undo', buttons.undoChange, { value: id })];
  if (step !== 'proposed' || approvals.length >= approvalsNeeded) return [];
  return [
    button('Approve', buttons.approveChange, { value: `${id} ${fingerprint}` }),
    button('Reject', buttons.rejectChange, { value: id }),
  ];
}

/** @param hasButtons whether somebody hears them. */
export function slackChange(message: ChangeMessage, hasButtons: boolean): SlackMessage {
  const title = changeTitle(message.change, message);
  const lines = changeLines(message.change, message).map(
    ({ label, text }) => `*${label}*  ${escapeMrkdwn(text)}`,
  );
  const elements = hasButtons ? buttonsOf(message) : [];
  const actions: KnownBlock[] = elements.length === 0 ? [] : [{ type: 'actions', elements }];
  return {
    text: cut(escapeMrkdwn(title), maxTextCharacters),
    blocks: [headerBlock(title), ...packedLines(lines).blocks, ...actions],
    unfurl_links: false,
  };
}
