/** An advisory as a Slack message (Block Kit), within Slack's limits: what does not fit is counted, never refused. */
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
import { cut } from '../marks.ts';
import { iconOf } from './icons.ts';
import {
  contextBlock,
  escapeMrkdwn,
  headerBlock,
  openLink,
  type SlackMessage,
  sectionBlock,
} from './message.ts';

/**
 * Slack's limits: 50 blocks, 3,000 in a section (documented), about 13,200 in all
 * (observed, undocumented). Ours are below them. The address of a link counts: what is told goes before links, and some
 * room is kept for these.
 */
const most = {
  ...{ resources: 40, section: 2_900, total: 11_500, text: 300, title: 600 },
  ...{ linkedSection: 3_000, linkedTotal: 12_500 },
} as const;

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
  const reportUrl = addressOrNull(advisory.reportUrl);
  const open = openLink(reportUrl);
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
      headerBlock(title),
      ...[...texts, rest, open].filter((text) => text !== '').map(sectionBlock),
      contextBlock(footer),
    ],
    unfurl_links: false,
  };
}
