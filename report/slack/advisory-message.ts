/** An advisory as a Slack message (Block Kit), within Slack's limits: what does not fit is counted, never refused. */
import type { KnownBlock } from '@slack/types';
import type { Advisory } from '../../core/schemas/advisory.ts';
import {
  byResource,
  findingText,
  headline,
  resourceText,
  runLines,
  type ToldResource,
} from '../advisory-text.ts';

/**
 * Slack's limits: 50 blocks, 150 characters in a header, 3,000 in a section (documented), about 13,200 in all
 * (observed, undocumented). Ours are below them.
 */
const most = { resources: 40, header: 150, section: 2_900, total: 11_500, text: 300 } as const;

export interface SlackMessage {
  /** For notifications and for readers without blocks. */
  text: string;
  blocks: KnownBlock[];
}

const icons = {
  critical: ':red_circle:',
  warning: ':large_yellow_circle:',
  info: ':large_blue_circle:',
} as const;

/** Slack's own escaping: without it `<!channel>` in a Name tag would call everybody. */
export const escapeMrkdwn = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // A zero-width space keeps characters of the account from formatting what follows.
    .replaceAll(/[*_~`]/g, (mark) => `${mark}\u200b`);

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/&[a-z]*$/, '')}…`;

function sectionText(resource: ToldResource): string {
  const lines = resource.findings.flatMap((finding) => {
    const { severity, kind, what, advice } = findingText(finding);
    return [
      `${icons[severity]} *${kind}* (${severity}): ${escapeMrkdwn(what)}`,
      ...advice.map((line) => `→ ${escapeMrkdwn(line)}`),
    ];
  });
  return cut([`*${escapeMrkdwn(resourceText(resource))}*`, ...lines].join('\n'), most.section);
}

export function advisoryMessage(advisory: Advisory): SlackMessage {
  const title = headline(advisory);
  const footer = cut(escapeMrkdwn(runLines(advisory).join('\n')), most.section);
  const resources = byResource(advisory.told);
  const sections: string[] = [];
  let total = title.length + footer.length;
  for (const resource of resources) {
    const text = sectionText(resource);
    if (sections.length >= most.resources || total + text.length > most.total) break;
    total += text.length;
    sections.push(text);
  }
  const left = resources.slice(sections.length).reduce((count, { findings }) => count + findings.length, 0);
  const more = left + advisory.notShown;
  const moreBlock: KnownBlock[] =
    more === 0
      ? []
      : [
          {
            type: 'section',
            text: { type: 'mrkdwn', text: `… and ${more} more, less urgent: see the run.` },
          },
        ];
  return {
    text: cut(escapeMrkdwn(title), most.text),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(title, most.header) } },
      ...sections.map((text): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } })),
      ...moreBlock,
      { type: 'context', elements: [{ type: 'mrkdwn', text: footer }] },
    ],
  };
}
