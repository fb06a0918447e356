/**
 * Presses a button of a message as Slack tells an app of it. Sources: Slack, "block_actions payloads" and "Verifying requests
 * from Slack", read 2026-11-23. The signature is computed here: what is tested must not sign its own questions.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { msPerSecond } from '../../core/units.ts';
import { responsePath } from './response-urls.ts';
import { localBot } from './server.ts';

export interface PressedButton {
  /** Of the app. */
  url: string;
  signingSecret: string;
  actionId: string;
  value: string;
  /** The id of a user. */
  user: string;
  /** The user's workspace or Enterprise organization, the bot's own by default: another in a shared channel; null: Slack does not say. */
  userTeamId?: string | null;
  /** The id of the Enterprise organization that the app is installed in as a whole: then the payload has no workspace of its own. */
  enterpriseId?: string;
  messageTs: string;
  /** Of a message in a thread. */
  threadTs?: string;
  channel: string;
  /** Of the local Slack, which takes what is said to `response_url`. */
  slackUrl?: string;
  nowEpochSeconds?: number;
  /** Signed and sent so long ago. */
  ageSeconds?: number;
  /** Signed with another secret, with none, or with the right one over another body. */
  forge?: 'other-secret' | 'unsigned' | 'other-body';
}

/** Exactly what was sent: sent again, it is a replay. */
export interface SentPress {
  url: string;
  headers: Record<string, string>;
  body: string;
  responseUrl: string;
}

export interface PressReply extends SentPress {
  status: number;
  answer: string;
}

function payloadOf(press: PressedButton, responseUrl: string, nowEpochSeconds: number): object {
  const { actionId, value, user, messageTs, threadTs, channel } = press;
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const { userTeamId = localBot.teamId, enterpriseId } = press;
  return {
    type: 'block_actions',
    user: {
      ...{ id: user, username: 'somebody', name: 'somebody' },
      ...(userTeamId === null ? {} : { team_id: userTeamId }),
    },
    api_app_id: 'A0LOCAL0001',
    token: 'deprecated',
    container: {
      ...{ type: 'message', message_ts: messageTs, channel_id: channel, is_ephemeral: false },
      ...thread,
    },
    trigger_id: `${nowEpochSeconds}.1.${randomBytes(16).toString('hex')}`,
    team: enterpriseId === undefined ? { id: localBot.teamId, domain: 'local' } : null,
    enterprise: enterpriseId === undefined ? null : { id: enterpriseId, name: 'Local' },
    is_enterprise_install: enterpriseId !== undefined,
    channel: { id: channel, name: 'storage' },
    message: { type: 'message', bot_id: 'B0LOCAL0001', ts: messageTs, text: 'a finding', ...thread },
    state: { values: {} },
    response_url: responseUrl,
    actions: [
      {
        ...{ type: 'button', block_id: 'b1', action_id: actionId, value },
        text: { type: 'plain_text', text: 'Press', emoji: true },
        action_ts: `${nowEpochSeconds}.000100`,
      },
    ],
  };
}

const sign = (secret: string, timestamp: number, body: string): string =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;

function signatureOf(
  { signingSecret, forge }: PressedButton,
  timestamp: number,
  body: string,
): string | null {
  if (forge === 'unsigned') return null;
  if (forge === 'other-secret') return sign(`${signingSecret}x`, timestamp, body);
  return sign(signingSecret, timestamp, forge === 'other-body' ? `${body}x` : body);
}

/** The request, before it is sent. */
function signedPress(press: PressedButton): SentPress {
  const nowEpochSeconds = press.nowEpochSeconds ?? Math.floor(Date.now() / msPerSecond);
  const timestamp = nowEpochSeconds - (press.ageSeconds ?? 0);
  const path = responsePath(press.channel, press.messageTs, randomBytes(12).toString('hex'));
  const responseUrl = `${press.slackUrl ?? 'https://hooks.slack.com'}${path}`;
  const payload = JSON.stringify(payloadOf(press, responseUrl, timestamp));
  const body = new URLSearchParams({ payload }).toString();
  const signature = signatureOf(press, timestamp, body);
  return {
    url: press.url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...(signature === null
        ? {}
        : { 'x-slack-request-timestamp': `${timestamp}`, 'x-slack-signature': signature }),
    },
    body,
    responseUrl,
  };
}

export async function sendPress(sent: SentPress): Promise<PressReply> {
  const reply = await fetch(sent.url, { method: 'POST', headers: sent.headers, body: sent.body });
  return { ...sent, status: reply.status, answer: await reply.text() };
}

/** What is returned can be sent again, byte by byte: `sendPress`. */
export const pressButton = (press: PressedButton): Promise<PressReply> => sendPress(signedPress(press));
