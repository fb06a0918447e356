/** What is wrong with a message for a bot, whatever an account holds: a few words each, none where all is well. */
import { parseMessage } from '../../../local/slack/message.ts';
import type { SlackMessage } from '../../../report/slack/message.ts';
import { ourAddress } from '../../fixtures/untrusted-notification.ts';
import { complaintsIf, restless } from '../../untrusted/complaints.ts';

interface Parts {
  mrkdwn: string[];
  plain: string[];
  urls: string[];
}

function partsOf({ text, blocks }: SlackMessage): Parts {
  const parts: Parts = { mrkdwn: [text], plain: [], urls: [] };
  JSON.stringify(blocks, (_, value: { type?: string; text?: unknown; url?: unknown }) => {
    if (value?.type === 'mrkdwn') parts.mrkdwn.push(String(value.text));
    if (value?.type === 'plain_text') parts.plain.push(String(value.text));
    if (typeof value?.url === 'string') parts.urls.push(value.url);
    return value;
  });
  return parts;
}

const link = /<([^<>|]*)\|([^<>]*)>/g;

/** Without what is ours: links, the icon and the bold resource of a finding, bold labels. */
const withoutOurs = (mrkdwn: string): string =>
  mrkdwn
    .replaceAll(link, '$2')
    .replaceAll(
      /^:(?:red_circle|large_yellow_circle|large_blue_circle|white_check_mark): \*([^*\n]*)\*/gm,
      '$1',
    )
    .replaceAll(
      /^\*(Problem|Evidence|Fix|Effect|Cost|Or|Benchmark|Volume|Change|Why|Size|Approval|Undo|Compared|Result|Refusal|Next)\*/gm,
      '$1',
    )
    .replaceAll('*Open report*', 'Open report');

const entity = /&(?:amp|lt|gt);/g;

/** https://docs.slack.dev/messaging/formatting-message-text: what makes text more than text. */
export function messageComplaints(message: SlackMessage): string[] {
  const { mrkdwn, plain, urls } = partsOf(message);
  const links = [...mrkdwn.flatMap((text) => [...text.matchAll(link)].map(([, url = '']) => url)), ...urls];
  const foreign = mrkdwn.map(withoutOurs);
  const some = (texts: readonly string[], pattern: RegExp): boolean =>
    texts.some((text) => new RegExp(pattern).test(text));
  const sent = Buffer.from(JSON.stringify(message), 'utf8').toString('utf8');
  const parsed = parseMessage(
    JSON.parse(sent, (key, value: unknown) => (key === 'metadata' ? undefined : value)),
  );
  const seen = [...mrkdwn, ...plain];
  return complaintsIf(
    [!parsed.ok, parsed.ok ? '' : `refused: ${parsed.refusal.error}: ${parsed.refusal.reason}`],
    [links.some((url) => !url.startsWith(ourAddress)), 'a link that is not ours'],
    [some([...foreign, ...plain], /[<>]/), 'a mention or a link'],
    [some(plain, entity), 'an escape where there are none'],
    [
      some(
        mrkdwn.map((text) => text.replaceAll(entity, '').replaceAll(link, '')),
        /&/,
      ),
      'half an escape',
    ],
    // An underscore within a word is one.
    [some(foreign, /[*~`]|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])/), 'formatting'],
    [some(foreign, /^(?:&gt;){1,3}/m), 'a quotation'],
    [some([...foreign, ...plain], /:[a-z0-9_+'-]+:/i), 'an emoji'],
    [
      some(
        seen.map((text) => text.replaceAll(/[\n\u200b]/g, '')),
        restless,
      ),
      'a character that hides or turns',
    ],
    [!seen.every((text) => text.isWellFormed()), 'half a character'],
  );
}

/** All that a message says. */
export const wholeText = (message: SlackMessage): string => {
  const { mrkdwn, plain } = partsOf(message);
  return [...plain, ...mrkdwn].join('\n');
};
