/** Lines in as few sections of a Slack message as they fit into; what has no place is counted. */
import type { KnownBlock } from '@slack/types';
import { cut } from '../marks.ts';
import { sectionBlock } from './message.ts';

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
