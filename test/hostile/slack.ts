/** The message that Slack gets of a run: taken, and nothing foreign in it calls, links, formats or hides. */

import { slackMessageOf } from '../../lambdas/post-to-slack/post-to-slack.ts';
import { parseMessage } from '../../local/slack/message.ts';
import type { SlackMessage } from '../../report/slack/advisory-message.ts';
import { complaintsIf, restless } from './complaints.ts';
import { type HostileRun, linksBegin } from './hostile-run.ts';

/** Links of ours become what they stand on. */
const withoutLinks = (mrkdwn: string): string =>
  mrkdwn.replaceAll(
    new RegExp(`<${linksBegin}runs/run-1/\\d{10}/[\\w-]{43}(?:#finding-[0-9a-f]{16})?\\|([^<>]*)>`, 'g'),
    '$1',
  );

/** What of a message is formatted text, and what is plain. */
function partsOf(message: SlackMessage): { mrkdwn: string[]; plain: string[] } {
  const parts = { mrkdwn: [message.text], plain: [] as string[] };
  JSON.stringify(message.blocks, (_, value: { type?: string; text?: unknown }) => {
    if (value?.type === 'mrkdwn') parts.mrkdwn.push(withoutLinks(String(value.text)));
    if (value?.type === 'plain_text') parts.plain.push(String(value.text));
    return value;
  });
  return parts;
}

/** Without what is ours: the bold first line of a section, the icon and the bold kind of a finding. */
const withoutOurs = (mrkdwn: string): string =>
  mrkdwn
    .replace(/^\*(.*)\*$/m, '$1')
    .replaceAll(/^:(?:red|large_yellow|large_blue)_circle: \*([a-z-]+)\*/gm, '$1');

const entity = /&(?:amp|lt|gt);/g;

/** https://docs.slack.dev/messaging/formatting-message-text: what makes text more than text. */
export function slackTextComplaints(message: SlackMessage): string[] {
  const { mrkdwn, plain } = partsOf(message);
  const all = [...mrkdwn, ...plain];
  const foreign = mrkdwn.map(withoutOurs);
  const some = (texts: readonly string[], pattern: RegExp): boolean =>
    texts.some((text) => new RegExp(pattern).test(text));
  return complaintsIf(
    [!parseMessage(JSON.parse(JSON.stringify(message))).ok, 'refused'],
    [some(all, /[<>]/), 'a mention or a link'],
    [
      some(
        mrkdwn.map((text) => text.replaceAll(entity, '')),
        /&/,
      ),
      'half an escape',
    ],
    [some(plain, /&(?:amp|lt|gt);/), 'an escape where there are none'],
    // An underscore within a word is one.
    [some(foreign, /[*~`]|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])/), 'formatting'],
    [some(foreign, /^(?:&gt;){1,3}/m), 'a quotation'],
    [some([...foreign, ...plain], /:[a-z0-9_+'-]+:/), 'an emoji'],
    [
      some(
        all.map((text) => text.replaceAll(/[\n\u200b]/g, '')),
        restless,
      ),
      'a character that hides or turns',
    ],
  );
}

export function slackComplaints({ published, result }: HostileRun): string[] {
  const [first] = published;
  const { default: text } = JSON.parse(first?.Message ?? '{}') as { default: string };
  const slack = slackMessageOf({ messageId: 'message', text });
  if (slack === null) return ['not an advisory'];
  const sections = slack.message.blocks.filter(({ type }) => type === 'section');
  return [
    ...slackTextComplaints(slack.message),
    ...complaintsIf(
      [published.length !== 1, 'not one message'],
      [sections.length < Math.min(result.findings.length, 3), 'findings are missing'],
      [!JSON.stringify(slack.message).includes('|Open the report>'), 'no link to the report'],
    ),
  ];
}
