/**
 * The custom notification of Amazon Q Developer in chat applications, with its limits. Source: AWS, "Custom notifications using
 * Amazon Q Developer in chat applications", read 2026-11-23. It writes to Slack and to Teams and nobody says to which: no text
 * here is formatted, and links are bare addresses.
 */
import { addressOrNull } from '../address.ts';
import { escapeMarkdown } from '../escape-markdown.ts';
import { cut } from '../marks.ts';

const most = { title: 250, description: 8_000, nextStep: 350, keyword: 75, summary: 250 } as const;
/** No limit of theirs: nobody reads on. */
const mostNextSteps = 5;

export interface AmazonQNotification {
  version: '1.0';
  source: 'custom';
  id: string;
  content: {
    textType: 'client-markdown';
    title: string;
    description: string;
    nextSteps?: string[];
    keywords?: string[];
  };
  metadata: {
    /** Notifications with the same one are a thread. */
    threadId: string;
    summary: string;
    eventType: string;
    relatedResources?: string[];
    additionalContext: Record<string, string>;
  };
}

export interface Said {
  id: string;
  threadId: string;
  eventType: string;
  title: string;
  /** Texts of an account in them are sanitized, and not escaped yet. */
  lines: readonly string[];
  link: string | null;
  nextSteps?: readonly string[];
  keywords?: readonly string[];
  relatedResources?: readonly string[];
  context?: Readonly<Record<string, string>>;
}

const plain = (text: string, mostCharacters: number): string => cut(escapeMarkdown(text), mostCharacters);

/** The first lines that have room in so many characters. */
export function fitting(lines: readonly string[], mostCharacters: number): string[] {
  let characters = 0;
  const over = lines.findIndex((line) => {
    characters += escapeMarkdown(line).length + 1;
    return characters > mostCharacters;
  });
  return lines.slice(0, over < 0 ? lines.length : over);
}

/** The lines, cut where they are too long, and the link in any case. */
function description(lines: readonly string[], link: string | null): string {
  const address = addressOrNull(link);
  const last = address === null ? '' : `\n${address}`;
  return `${cut(lines.map(escapeMarkdown).join('\n'), most.description - last.length)}${last}`;
}

export function amazonQNotification(said: Said): AmazonQNotification {
  const { id, threadId, eventType, title, lines, link } = said;
  const { nextSteps = [], keywords = [], relatedResources = [], context = {} } = said;
  const saying = (texts: readonly string[], mostCharacters: number): string[] =>
    texts.filter((text) => text !== '').map((text) => plain(text, mostCharacters));
  const steps = saying(nextSteps, most.nextStep).slice(0, mostNextSteps);
  const words = saying(keywords, most.keyword);
  return {
    version: '1.0',
    source: 'custom',
    id,
    content: {
      textType: 'client-markdown',
      title: plain(title, most.title),
      description: description(lines, link),
      ...(steps.length === 0 ? {} : { nextSteps: steps }),
      ...(words.length === 0 ? {} : { keywords: words }),
    },
    metadata: {
      ...{ threadId, summary: plain(title, most.summary), eventType },
      ...(relatedResources.length === 0 ? {} : { relatedResources: [...relatedResources] }),
      additionalContext: { ...context },
    },
  };
}
