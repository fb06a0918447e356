/** What is wrong at a place of the configuration, in a line: what stands there, and what would be right. */
import type { z } from 'zod';
import { nearest } from '../nearest.ts';
import { keysAt } from './known-keys.ts';

export interface Problem {
  /** Where in the file. */
  path: readonly PropertyKey[];
  text: string;
  /** The key that is wrong, in the section at `path`. */
  key?: string;
}

/** `routes[0].to`. */
export const placeText = (path: readonly PropertyKey[]): string =>
  path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    whole,
  );
}

/** Short words alone: a secret may stand where it should not. */
const isHarmless = (text: string): boolean => /^[\w.:-]{1,24}$/.test(text);

function shown(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  return typeof value === 'string' && isHarmless(value) ? `"${value}"` : null;
}

function kindText(value: unknown): string {
  if (value === undefined) return 'is missing';
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'is empty';
  if (Array.isArray(value)) return 'is a list';
  return typeof value === 'object' ? 'is a section' : `is ${shown(value) ?? 'not right'}`;
}

const listed = (words: readonly unknown[]): string => `one of ${words.join(', ')}`;

/** One of these; with the one that was meant, where it is like one. */
function oneOf(value: unknown, words: readonly unknown[]): string {
  const names = words.filter((word) => typeof word === 'string');
  const meant = typeof value === 'string' ? nearest(value, names) : null;
  return `${meant === null ? '' : `did you mean ${meant}? `}give ${listed(words)}`;
}

const secretKeys = /url|webhook|token|secret|password|signing/i;

function unknownKey(key: string, path: readonly PropertyKey[], whole: unknown): string {
  const { kind } = (valueAt(whole, path) ?? {}) as { kind?: unknown };
  const known = keysAt(path, kind);
  const name = isHarmless(key) ? `"${key}"` : 'a key';
  if (path[0] === 'channels' && secretKeys.test(key))
    return `${name} is not known here: no secret stands in this file; one secret has them for all channels (output ChannelSecrets)`;
  const meant = nearest(key, known);
  return `${name} is not known here: ${meant === null ? `give ${listed(known)}` : `did you mean ${meant}?`}`;
}

const typeTexts: Partial<Record<string, string>> = {
  object: 'a section (name: value), {} for its defaults',
  array: 'a list, like [one, two]',
  number: 'a number',
  int: 'a whole number',
  string: 'text, in quotes',
  boolean: 'true or false',
};

type Issue = z.core.$ZodIssue;

function boundText(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const isSmall = issue.code === 'too_small';
  const bound = isSmall ? issue.minimum : issue.maximum;
  if (isSmall && bound === 1 && issue.origin === 'string') return 'some text';
  if (isSmall && bound === 1 && issue.origin === 'array') return 'one or more';
  const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' entries' : '';
  if (issue.inclusive === false) return isSmall ? `more than ${bound}${unit}` : `less than ${bound}${unit}`;
  return `${bound}${unit} or ${isSmall ? 'more' : issue.origin === 'number' ? 'less' : 'fewer'}`;
}

/** Messages of zod itself; all others are of the schema and say what would be right. */
const ofZod = /^(Invalid|Too|Unrecognized)\b/;

function rightText(issue: Issue, value: unknown): string {
  if (!ofZod.test(issue.message)) {
    return issue.message.includes('give ') ? issue.message : `give ${issue.message}`;
  }
  switch (issue.code) {
    case 'invalid_type':
      return `give ${typeTexts[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return oneOf(value, issue.values);
    case 'too_small':
    case 'too_big':
      return `give ${boundText(issue)}`;
    case 'invalid_key':
      return `give ${issue.issues[0]?.message ?? 'another name'}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? oneOf(value, issue.options) : issue.message;
    default:
      return issue.message;
  }
}

/** @param whole the file as it was read. */
export function problemOf(issue: Issue, whole: unknown): Problem {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return { path, key, text: unknownKey(key, path, whole) };
  }
  const value = valueAt(whole, path);
  const right = rightText(issue, value);
  if (issue.code === 'invalid_key') return { path, text: `is no name: ${right}` };
  // What two keys do to each other is said whole.
  if (issue.code === 'custom' && typeof value === 'object') return { path, text: right };
  return { path, text: `${kindText(value)}: ${right}` };
}
