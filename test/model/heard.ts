/** What a channel was given, as who reads it understands it. */
import type { ChannelKind } from '../../core/config/config.ts';
import type { Change } from '../../core/schemas/changes.ts';

/** What is said of a finding: the state that it names, by the mark that the finding carries, and whether that is over. */
export interface Named {
  findingId: string;
  version: number;
  isOver: boolean;
  severity: string;
}

export interface Heard {
  named: Named[];
  /** Findings that are said to be there, without their names. */
  counted: number;
  hasLink: boolean;
  /** How many findings are open, in a digest; null: it is none. */
  digestOf: number | null;
}

const digest = (open: number): Heard => ({ named: [], counted: 0, hasLink: true, digestOf: open });

/** What a finding carries in the name of its resource, which every channel shows. */
export const markOf = (findingId: string, version: number): string => `${findingId} v${version}`;
const mark = /([0-9a-f]{16}) v(\d+)/;
const marked = (text: string): Pick<Named, 'findingId' | 'version'> => {
  const [, findingId = '', version = ''] = mark.exec(text) ?? [];
  return { findingId, version: Number(version) };
};

interface NotifiedJson {
  change: Change;
  severity: string;
  resource: { name: string };
}
const ofJson = ({ change, severity, resource }: NotifiedJson): Named => ({
  ...marked(resource.name),
  ...{ severity, isOver: change === 'resolved' },
});

/** What a finding is marked with; of what is over nobody says how urgent it was. */
const icons: Readonly<Record<string, string>> = {
  ...{ red_circle: 'critical', large_yellow_circle: 'warning', large_blue_circle: 'info' },
  white_check_mark: '',
};

const openCounts = /^stripewise: ((?:[\d,]+ (?:critical|warnings?|info)(?:, )?)+) open\./;

/** How many are open, where the headline is that of a digest. */
function openIn(headline: string): number | null {
  if (headline.startsWith('stripewise: no finding is open')) return 0;
  const [, counts] = openCounts.exec(headline) ?? [];
  if (counts === undefined) return null;
  return counts.split(', ').reduce((sum, count) => sum + Number.parseInt(count.replaceAll(',', ''), 10), 0);
}

interface SlackBlocks {
  blocks: { text?: { text: string } }[];
}

function ofSlack(message: SlackBlocks): Heard {
  const lines = message.blocks.flatMap(({ text }) => text?.text.split('\n') ?? []);
  const open = openIn(lines[0] ?? '');
  if (open !== null) return digest(open);
  const named = lines.flatMap((line) => {
    const [, icon = ''] = /^:(\w+): \*/.exec(line) ?? [];
    const severity = icons[icon];
    return severity === undefined || !mark.test(line)
      ? []
      : [{ ...marked(line), severity, isOver: icon === 'white_check_mark' }];
  });
  const counted = lines.map((line) => Number(/and ([\d,]+) more/.exec(line)?.[1]?.replaceAll(',', '') ?? 0));
  return {
    named,
    counted: counted.reduce((sum, one) => sum + one, 0),
    hasLink: JSON.stringify(message).includes('https://'),
    digestOf: null,
  };
}

const openOf = ({ open }: { open: Record<string, number> }): number =>
  Object.values(open).reduce((sum, one) => sum + one, 0);

/** @param payload a message of Slack, the JSON of a topic, or entries for a bus. */
export function heardIn(kind: ChannelKind, payload: unknown): Heard {
  if (kind === 'eventbridge') {
    const details = (payload as { detail: string }[]).map(({ detail }) => JSON.parse(detail));
    if (details[0]?.open !== undefined) return digest(openOf(details[0]));
    const findings = details.filter(({ finding }) => finding !== undefined);
    return {
      named: findings.map(({ change, finding }) => ofJson({ ...finding, change })),
      // An event for each finding is promised: what is counted there is not heard.
      ...{ counted: 0, hasLink: true, digestOf: null },
    };
  }
  if (kind === 'sns') {
    if ('open' in (payload as object)) return digest(openOf(payload as Parameters<typeof openOf>[0]));
    const {
      notified = [],
      notShown = 0,
      reportUrl = null,
    } = payload as { notified?: NotifiedJson[]; notShown?: number; reportUrl?: string | null };
    return {
      ...{ named: notified.map(ofJson), counted: notShown },
      ...{ hasLink: reportUrl !== null, digestOf: null },
    };
  }
  return ofSlack(payload as SlackBlocks);
}
