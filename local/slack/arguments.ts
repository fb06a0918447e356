/**
 * The arguments of a call of the Web API: a form, as @slack/web-api sends it, with JSON in what is no text; or JSON. Source:
 * Slack, "Using the Slack Web API", read 2026-11-23.
 */
import { z } from 'zod';
import { jsonOrNull } from '../../core/json.ts';
import { SlackRefusal } from './refused.ts';

type Arguments = Record<string, unknown>;

/** In a form these are JSON, and what Slack says to what is none. */
const documents: Record<string, string> = {
  blocks: 'invalid_blocks_format',
  metadata: 'invalid_metadata_format',
  files: 'invalid_arguments',
};

function ofForm(text: string): Arguments {
  const args: Arguments = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (!Object.hasOwn(documents, name)) args[name] = value;
    else {
      const parsed = jsonOrNull(value);
      if (parsed === null) throw new SlackRefusal(documents[name] ?? '', `${name} is not JSON`);
      args[name] = parsed;
    }
  }
  return args;
}

function ofJson(text: string): Arguments {
  const parsed = jsonOrNull(text);
  if (parsed === null) throw new SlackRefusal('invalid_json', 'the body is not JSON');
  const args = z.record(z.string(), z.unknown()).safeParse(parsed);
  if (!args.success) throw new SlackRefusal('json_not_object', 'the body is JSON, and no object');
  return args.data;
}

/** @throws SlackRefusal */
export function argumentsOf(contentType: string, text: string): Arguments {
  if (contentType === '' && text === '') return {};
  if (/^application\/json\s*(;|$)/i.test(contentType)) return ofJson(text);
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) return ofForm(text);
  throw new SlackRefusal('invalid_post_type', `the content type is "${contentType}"`);
}

/** In a form everything is text. */
export const flag = z.preprocess(
  (value) =>
    typeof value === 'string' ? ({ true: true, 1: true, false: false, 0: false }[value] ?? value) : value,
  z.boolean(),
);
export const count = z.preprocess(
  (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
  z.int().min(0),
);

/** @throws SlackRefusal invalid_arguments, or what is said of one of them. */
export function checked<T>(schema: z.ZodType<T>, args: unknown, errors: Record<string, string> = {}): T {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0] ?? '');
  throw new SlackRefusal(errors[name] ?? 'invalid_arguments', z.prettifyError(parsed.error));
}
