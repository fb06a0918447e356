/** The parts that every message to Slack is made of (Block Kit), and text in them that neither formats nor calls anybody. */

import type { ContextBlock, HeaderBlock, KnownBlock, SectionBlock } from '@slack/types';
import { isResolved } from '../../core/schemas/changes.ts';
import type { NotifiedFinding } from '../../core/schemas/notification.ts';
import { openReport } from '../address.ts';
import { cut, emojiColon, outerUnderscore, withLookAlikes, zeroWidthSpace } from '../marks.ts';

// What a finding is marked with in Slack.

const icons = {
  critical: ':red_circle:',
  warning: ':large_yellow_circle:',
  info: ':large_blue_circle:',
} as const;

export const iconOf = (finding: Pick<NotifiedFinding, 'severity' | 'change'>): string =>
  isResolved(finding) ? ':white_check_mark:' : icons[finding.severity];

/** What the buttons of findings and changes are called, to who draws them and to who obeys them. */
export const buttons = {
  mute: 'stripewise-mute',
  acknowledge: 'stripewise-acknowledge',
  open: 'stripewise-open',
  requestChange: 'stripewise_request_change',
  approveChange: 'stripewise_approve_change',
  rejectChange: 'stripewise_reject_change',
  undoChange: 'stripewise_undo_change',
} as const;

/** How long the button mutes. */
export const muteDays = 7;

// Lines in as few sections of a Slack message as they fit into; what has no place is counted.

/** Slack takes 3,000 characters in a section and about 13,200 in a message: four sections leave room for the rest. */
const most = { section: 2_900, sections: 4, line: 2_900 } as const;

export interface PackedLines {
  blocks: KnownBlock[];
  /** Lines in them, from the first on. */
  shown: number;
}

export function packedLines(lines: readonly string[], between = '\n'): PackedLines {
  const sections: string[] = [];
  let shown = 0;
  for (const whole of lines) {
    const line = cut(whole, most.line);
    const last = sections.at(-1);
    if (last !== undefined && last.length + between.length + line.length <= most.section) {
      sections[sections.length - 1] = `${last}${between}${line}`;
    } else if (sections.length < most.sections) sections.push(line);
    else break;
    shown++;
  }
  return { blocks: sections.map(sectionBlock), shown };
}

export interface SlackMessage {
  /** For notifications and for readers without blocks. */
  text: string;
  blocks: KnownBlock[];
  /** Slack would open each link to show what is behind it. */
  unfurl_links?: false;
}

/** Source: Slack's Block Kit reference, read 2026-11-23. */
const maxHeaderCharacters = 150;

const emojiColons = new RegExp(emojiColon, 'gi');
/** Within a name a zero-width space prevents an emoji. */
const withoutEmoji = (text: string): string => text.replaceAll(emojiColons, `:${zeroWidthSpace}`);

/** What Slack formats with: there is no escape for these. */
const formatting = new RegExp(`${outerUnderscore}|[*~\`]`, 'g');

/**
 * Slack's own escaping: without it `<!channel>` in a Name tag would call everybody. Marks become look-alikes: a zero-width
 * space beside them is what people put there to format a part of a word.
 */
export const escapeMrkdwn = (text: string): string =>
  withLookAlikes(
    withoutEmoji(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // At the beginning of a line this would be a quotation.
      .replaceAll(/^&gt;/gm, `${zeroWidthSpace}&gt;`),
    formatting,
  );

/** Text to copy: nothing in it formats. A quotation mark that would end the block becomes a look-alike. */
export const escapeCode = (text: string): string =>
  `\`\`\`\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('`', '\u02cb').trimEnd()}\n\`\`\``;

/** A header is plain text, which has no escapes: what could be read as a mention or an escape becomes an observation-alike. */
export const headerBlock = (title: string): HeaderBlock => ({
  type: 'header',
  text: {
    type: 'plain_text',
    text: cut(withLookAlikes(withoutEmoji(title), /[&<>]/g), maxHeaderCharacters),
  },
});

const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, verbatim: true, text });

/** @param text escaped already. */
export const sectionBlock = (text: string): SectionBlock => ({ type: 'section', text: mrkdwn(text) });

/** @param text escaped already. */
export const contextBlock = (text: string): ContextBlock => ({ type: 'context', elements: [mrkdwn(text)] });

/** Nothing where there is no address. */
export const openLink = (url: string | null): string => (url === null ? '' : `*<${url}|${openReport}>*`);
