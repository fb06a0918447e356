/** A Slack message as plain text for a terminal. Its text came over HTTP, so all of it is sanitized. */
import { sanitize } from '../../report/terminal/text.ts';
import { parseMessage, type SlackBlock } from './message.ts';

const ruleWidth = 60;

/** Slack escapes these three and no others. */
export const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt);/g, (_, name: string) => (name === 'amp' ? '&' : name === 'lt' ? '<' : '>'));

/** <url|text> as text, <url> as the address, <!here> and <@U1> as mentions. */
const withoutMarks = (mrkdwn: string): string =>
  mrkdwn.replace(/<([^<>|]+)(?:\|([^<>]*))?>/g, (_, target: string, label: string | undefined) => {
    const mark = target[0] ?? '';
    if (mark === '!' || mark === '@') return `@${label ?? target.slice(1)}`;
    if (mark === '#') return `#${label ?? target.slice(1)}`;
    return label === undefined || label === '' ? target : label;
  });

const lines = (text: string): string[] =>
  unescaped(text)
    .split('\n')
    .map((line) => sanitize(line, Number.POSITIVE_INFINITY));

const textLines = ({ type, text }: { type: string; text: string }): string[] =>
  lines(type === 'mrkdwn' ? withoutMarks(text) : text);

const imageLine = (altText: string): string[] => lines(`[image: ${altText}]`);

const buttonLines = ({ text, url }: { text: { text: string }; url?: string | undefined }): string[] =>
  lines(url === undefined ? `[${text.text}]` : `[${text.text}] ${url}`);

function blockLines(block: SlackBlock): string[] {
  switch (block.type) {
    case 'header': {
      const header = textLines(block.text);
      return [...header, '='.repeat(Math.min(ruleWidth, Math.max(...header.map((line) => line.length))))];
    }
    case 'section': {
      const accessory = block.accessory;
      const beside =
        accessory === undefined
          ? []
          : accessory.type === 'button'
            ? buttonLines(accessory)
            : imageLine(accessory.alt_text);
      const fields = (block.fields ?? []).flatMap((field) => textLines(field));
      return [...(block.text === undefined ? [] : textLines(block.text)), ...fields, ...beside];
    }
    case 'divider':
      return ['-'.repeat(ruleWidth)];
    case 'context':
      return block.elements
        .flatMap((element) => (element.type === 'image' ? imageLine(element.alt_text) : textLines(element)))
        .map((line) => `  ${line}`);
    case 'actions':
      return block.elements.flatMap((element) => buttonLines(element));
    case 'image':
      return [...(block.title === undefined ? [] : textLines(block.title)), ...imageLine(block.alt_text)];
  }
}

/** What a reader of the channel sees: the blocks, or the text where there are none. Throws on what Slack would refuse. */
export function messageAsText(message: unknown): string {
  const parsed = parseMessage(message);
  if (!parsed.ok) throw new Error(`${parsed.refusal.error}: ${parsed.refusal.reason}`);
  const { text = '', blocks } = parsed.message;
  if (blocks === undefined) return textLines({ type: 'mrkdwn', text }).join('\n');
  return blocks.map((block) => blockLines(block).join('\n')).join('\n\n');
}
