/** Documents of somebody else, looked into without trust: what is not there, or is something else, is undefined or empty. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const none: JsonRecord = {};

/** Empty where it is no object. */
export const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : none);

/** Empty where it is no list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A member of its own: `constructor` and its like are none. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A member of a member. */
export const within = (value: unknown, ...names: readonly string[]): unknown => names.reduce(memberOf, value);

/** Null where it is no text, or an empty one. */
export const stringOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
