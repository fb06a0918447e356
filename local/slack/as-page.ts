/** A Slack message as a small HTML page, for a picture of it. It says itself that it is no picture of Slack. */
import { light } from '../../report/charts/palette.ts';
import { unescaped } from './as-text.ts';
import { parseMessage, type SlackBlock } from './message.ts';

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const emojis: Readonly<Record<string, string>> = {
  red_circle: 'critical',
  large_yellow_circle: 'warning',
  large_blue_circle: 'info',
  white_check_mark: 'over',
};

/** A mark of ours is a dot of its color; a link is its text; bold is bold. */
function mrkdwnHtml(text: string): string {
  const parts = text.split(/(<[^<>]+>|:[a-z_]+:|\*)/);
  let isBold = false;
  const html = parts.map((part) => {
    if (part === '*') {
      isBold = !isBold;
      return isBold ? '<b>' : '</b>';
    }
    const name = emojis[part.replaceAll(':', '')];
    if (name !== undefined && part.startsWith(':')) return `<i class="${name}"></i>`;
    const [, target = '', label = target] = /^<([^<>|]+)(?:\|([^<>]*))?>$/.exec(part) ?? [];
    return target === '' ? escaped(unescaped(part)) : `<u>${escaped(unescaped(label))}</u>`;
  });
  return `${html.join('')}${isBold ? '</b>' : ''}`.replaceAll('\n', '<br>');
}

const textHtml = ({ type, text }: { type: string; text: string }): string =>
  type === 'mrkdwn' ? mrkdwnHtml(text) : escaped(text).replaceAll('\n', '<br>');

function blockHtml(block: SlackBlock): string {
  switch (block.type) {
    case 'header':
      return `<h1>${textHtml(block.text)}</h1>`;
    case 'section':
      return [...(block.text === undefined ? [] : [block.text]), ...(block.fields ?? [])]
        .map((text) => `<p>${textHtml(text)}</p>`)
        .join('');
    case 'divider':
      return '<hr>';
    case 'context':
      return block.elements
        .map(
          (element) =>
            `<small>${escaped('alt_text' in element ? element.alt_text : '')}${'text' in element ? textHtml(element) : ''}</small>`,
        )
        .join('');
    case 'actions':
      return `<p>${block.elements.map(({ text }) => `<span>${escaped(text.text)}</span>`).join(' ')}</p>`;
    case 'image':
      return `<small>${escaped(block.alt_text)}</small>`;
  }
}

const style = `
  body { margin: 0; padding: 20px 24px; background: ${light.background}; color: ${light.ink}; font: 400 15px/1.46 system-ui, "Noto Sans", sans-serif; }
  main { border-left: 4px solid ${light.grid}; padding-left: 16px; }
  h1 { font-size: 18px; line-height: 1.35; margin: 0 0 8px; }
  p { margin: 0 0 8px; }
  u { color: ${light.series[0]}; text-decoration: none; }
  i { display: inline-block; width: 11px; height: 11px; border-radius: 50%; margin-right: 3px; background: ${light.faint}; }
  i.critical { background: #d8322a; } i.warning { background: #e0a400; } i.info { background: #2f7fc1; }
  span { border: 1px solid ${light.grid}; border-radius: 4px; padding: 3px 10px; }
  small, footer { color: ${light.faint}; font-size: 12px; }
  footer { margin-top: 12px; }`;

/**
 * @param label where it comes from, below it.
 * @throws Error on what Slack would refuse.
 */
export function messageAsPage(message: unknown, label: string): string {
  const parsed = parseMessage(message);
  if (!parsed.ok) throw new Error(`${parsed.refusal.error}: ${parsed.refusal.reason}`);
  const { text = '', blocks } = parsed.message;
  const body = blocks === undefined ? `<p>${mrkdwnHtml(text)}</p>` : blocks.map(blockHtml).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Slack message</title>
<style>${style}
</style>
<main>
${body}
</main>
<footer>${escaped(label)}</footer>
</html>
`;
}
