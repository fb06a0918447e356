/** An advisory as a Slack message (Block Kit), within Slack's limits: what does not fit is counted, never refused. */
import type { KnownBlock } from '@slack/types';
import type { Advisory } from '../../core/schemas/advisory.ts';
import { addressOrNull } from '../address.ts';
import {
  byResource,
  findingText,
  headline,
  resourceText,
  runLines,
  type ToldResource,
} from '../advisory-text.ts';
import { iconOf } from './icons.ts';

/**
 * Slack's limits: 50 blocks, 150 characters in a header, 3,000 in a section (documented), about 13,200 in all
 * (observed, undocumented). Ours are below them. The address of a link counts: what is told goes before links, and some
 * room is kept for these.
 */
const most = {
  ...{ resources: 40, header: 150, section: 2_900, total: 11_500, text: 300, title: 600 },
  ...{ linkedSection: 3_000, linkedTotal: 12_500 },
} as const;

export interface SlackMessage {
  /** For notifications and for readers without blocks. */
  text: string;
  blocks: KnownBlock[];
  /** Slack would open each link to show what is behind it. */
  unfurl_links?: false;
}

/** `:name:` would become an emoji, such as one of our own icons; within a name a zero-width space prevents it. */
const withoutEmoji = (text: string): string => text.replaceAll(/:(?=[a-z0-9_+'-]+:)/gi, ':\u200b');

/** What Slack formats with, and how it looks: there is no escape for these. */
const lookAlikes: Record<string, string> = { '*': '∗', _: '＿', '~': '∼', '`': 'ˋ' };

/**
 * Slack's own escaping: without it `<!channel>` in a Name tag would call everybody. Marks become look-alikes: a zero-width
 * space beside them is what people put there to format a part of a word. `_` within a word formats nothing: it stays.
 */
export const escapeMrkdwn = (text: string): string =>
  withoutEmoji(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // At the beginning of a line this would be a quotation.
    .replaceAll(/^&gt;/gm, '\u200b&gt;')
    .replaceAll(/(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])|[*~`]/g, (mark) => lookAlikes[mark] ?? '');

/** Never within a character or one of Slack's escapes. */
export const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .replace(/&[a-z]*$/, '')}…`;

/** A header is plain text, which has no escapes: what could be read as a mention or an escape becomes a look-alike. */
export const headerText = (text: string): string =>
  cut(withoutEmoji(text).replaceAll('&', '＆').replaceAll('<', '‹').replaceAll('>', '›'), most.header);

/** Characters of a text that lead somewhere, where there is room for the address. */
interface Linkable {
  from: number;
  to: number;
  url: string | null;
}

interface Section {
  text: string;
  /** Findings of the resource that have no place in it. */
  left: number;
  linkable: Linkable[];
}

/** The title leads to the first finding, and each further finding has its own link. */
function sectionOf(resource: ToldResource): Section {
  const title = cut(escapeMrkdwn(resourceText(resource)), most.title);
  let text = `*${title}*`;
  const linkable: Linkable[] = [{ from: 1, to: 1 + title.length, url: resource.findings[0].url }];
  for (const [index, finding] of resource.findings.entries()) {
    const { severity, kind, what, advice, proof } = findingText(finding);
    const icon = `\n${iconOf(finding)} *`;
    const more = [
      `${icon}${kind}* (${severity}): ${escapeMrkdwn(what)}`,
      ...advice.map((line) => `→ ${escapeMrkdwn(line)}`),
      ...(proof === null ? [] : [`⇒ ${escapeMrkdwn(proof)}`]),
    ].join('\n');
    if (index > 0 && text.length + more.length > most.section) {
      return { text: cut(text, most.section), left: resource.findings.length - index, linkable };
    }
    const from = text.length + icon.length;
    if (index > 0) linkable.push({ from, to: from + kind.length, url: finding.url });
    text += more;
  }
  return { text: cut(text, most.section), left: 0, linkable };
}

const linkMarks = '<|>'.length;

/** With the links for which there is room, the first ones. */
function linked({ text, linkable }: Section, room: number): string {
  const limit = Math.min(text.length + room, most.linkedSection);
  let length = text.length;
  const chosen: { from: number; to: number; url: string }[] = [];
  for (const { from, to, url: given } of linkable) {
    const url = addressOrNull(given);
    // Not of what was cut off.
    if (url === null || to >= text.length || length + url.length + linkMarks > limit) continue;
    length += url.length + linkMarks;
    chosen.push({ from, to, url });
  }
  return chosen.reduceRight(
    (all, { from, to, url }) => `${all.slice(0, from)}<${url}|${all.slice(from, to)}>${all.slice(to)}`,
    text,
  );
}

export function advisoryMessage(advisory: Advisory): SlackMessage {
  const title = headline(advisory);
  const footer = cut(escapeMrkdwn(runLines(advisory).join('\n')), most.section);
  const resources = byResource(advisory.told);
  const sections: Section[] = [];
  const reportUrl = addressOrNull(advisory.run?.reportUrl ?? null);
  const open = reportUrl === null ? '' : `*<${reportUrl}|Open the report>*`;
  let total = title.length + footer.length;
  for (const resource of resources) {
    const section = sectionOf(resource);
    if (sections.length >= most.resources || total + section.text.length > most.total) break;
    total += section.text.length;
    sections.push(section);
  }
  total += open.length;
  const texts = sections.map((section) => {
    const text = linked(section, most.linkedTotal - total);
    total += text.length - section.text.length;
    return text;
  });
  const without = resources
    .slice(sections.length)
    .reduce((count, { findings }) => count + findings.length, 0);
  const more = sections.reduce((count, { left }) => count + left, without + advisory.notShown);
  const rest = more === 0 ? '' : `… and ${more} more, less urgent: see the run.`;
  return {
    text: cut(escapeMrkdwn(title), most.text),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: headerText(title) } },
      ...[...texts, rest, open]
        .filter((text) => text !== '')
        .map((text): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', verbatim: true, text } })),
      { type: 'context', elements: [{ type: 'mrkdwn', verbatim: true, text: footer }] },
    ],
    unfurl_links: false,
  };
}
