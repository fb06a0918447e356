/** What a tool of the server is: typed from both sides, and never longer than one answer may be. */
import { z } from 'zod';
import { issueText } from '../../adapters/files/text-file.ts';
import { BadInput } from '../../core/errors.ts';
import type { Page } from '../../core/schemas/assistant-answers.ts';
import type { toolWords } from '../../report/wording/assistant.ts';
import type { Io } from '../io.ts';
import type { Source } from './source.ts';

export interface ToolContext {
  source: Source;
  io: Io;
  /** Aborted where nobody waits for the answer any more. */
  signal: AbortSignal;
}

interface Answer<Output> {
  document: Output;
  /** The same for a person. */
  lines: string[];
}

export interface Tool {
  name: keyof typeof toolWords;
  input: z.ZodObject;
  output: z.ZodObject;
  isOffered(source: Source): boolean;
  /** Does it ask AWS? */
  readsAws(source: Source): boolean;
  run(args: unknown, context: ToolContext): Promise<Answer<object>>;
}

interface TypedTool<Input extends z.ZodObject, Output extends z.ZodObject>
  extends Pick<Tool, 'name' | 'isOffered' | 'readsAws'> {
  input: Input;
  output: Output;
  answer(args: z.infer<Input>, context: ToolContext): Promise<Answer<z.infer<Output>>>;
}

/** Long enough to be known again. */
const maxPath = 60;

const valueIssue = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value'
    ? `give ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`
    : issueText(issue);

/** What is wrong, and what would be right; what was given is not repeated. */
const argumentIssue = (issue: z.core.$ZodIssue, names: readonly string[]): string =>
  issue.code === 'unrecognized_keys'
    ? `there is an argument that it does not have${names.length === 0 ? '' : `: it takes ${names.join(', ')}`}`
    : valueIssue(issue);

/** Which argument is wrong, in one line. @param names those that the tool has. */
export function wrongArgument({ issues: [issue] }: z.ZodError, names: readonly string[] = []): string {
  if (issue === undefined) return 'its arguments cannot be used';
  const path = issue.path.map(String).join('.').slice(0, maxPath);
  return path === '' ? argumentIssue(issue, names) : `${path}: ${argumentIssue(issue, names)}`;
}

/** What comes in and what goes out passes its schema: the one as a line that says what is wrong, the other by leaving out what is no part of it. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>({
  answer,
  ...named
}: TypedTool<Input, Output>): Tool => ({
  ...named,
  run: async (args, context) => {
    const parsed = named.input.safeParse(args ?? {});
    if (!parsed.success) throw new BadInput(wrongArgument(parsed.error, Object.keys(named.input.shape)));
    const { document, lines } = await answer(parsed.data, context);
    return { document: named.output.parse(document), lines };
  },
});

/** A pattern, so that its schema says it to the assistant. */
export const volumeIdArgument = z
  .string()
  .regex(/^vol-[0-9a-f]{8,17}$/, 'give a volume id like vol-0123456789abcdef0');

export const regionArgument = z
  .string()
  .regex(/^[a-z]{2,4}(-[a-z]+)+-\d+$/, 'give a Region like us-east-1')
  .max(40);

export const cursorOption = z
  .string()
  .regex(/^\d{1,7}$/, 'give the nextCursor of the answer before')
  .optional();

/** Of 40 kB that an answer may have: document and text each have a part, and the frame around them. */
const usualListBytes = 15_000;

/** Where the part of a list begins. @throws BadInput where no answer gave such a cursor. */
function startOf(cursor: string | undefined, total: number): number {
  if (cursor === undefined) return 0;
  const start = Number(cursor);
  if (start < total) return start;
  throw new BadInput('cursor is not one that an answer gave: leave it out, and begin anew');
}

/** As many as were asked for and as have room, one at least. */
export function partOf<T>(
  all: readonly T[],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  maxListBytes = usualListBytes,
): { items: T[]; page: Page } {
  const start = startOf(cursor, all.length);
  const items: T[] = [];
  let bytes = 0;
  for (const one of all.slice(start, start + limit)) {
    bytes += Buffer.byteLength(JSON.stringify(one));
    if (bytes > maxListBytes && items.length > 0) break;
    items.push(one);
  }
  const next = start + items.length;
  return {
    items,
    page: { total: all.length, shown: items.length, nextCursor: next < all.length ? `${next}` : null },
  };
}
