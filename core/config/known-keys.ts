/** The keys of the configuration, by its schema: for a hint at the one that was meant, and for who documents them. */
import { z } from 'zod';
import { configSchema } from './config.ts';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  const?: unknown;
}

/** What a place in the file may be: of a choice each. */
const choicesOf = (schema: JsonSchema): JsonSchema[] => {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return choices.length === 0 ? [schema] : choices.flatMap(choicesOf);
};

const childrenOf = ({ properties, additionalProperties, items }: JsonSchema): [string, JsonSchema][] => [
  ...Object.entries(properties ?? {}),
  ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as [string, JsonSchema]] : []),
  ...(items === undefined ? [] : [['[]', items] as [string, JsonSchema]]),
];

const rootSchema = (): JsonSchema => z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchema;

const into = (schemas: readonly JsonSchema[], key: PropertyKey): JsonSchema[] =>
  schemas.flatMap(choicesOf).flatMap(({ properties, additionalProperties, items }) => {
    if (typeof key === 'number') return items === undefined ? [] : [items];
    const own = properties?.[String(key)];
    if (own !== undefined) return [own];
    return typeof additionalProperties === 'object' ? [additionalProperties] : [];
  });

/** @param kind of the channel, where the place is one: each kind has keys of its own. */
export function keysAt(path: readonly PropertyKey[], kind?: unknown): string[] {
  const here = path.reduce<JsonSchema[]>(into, [rootSchema()]).flatMap(choicesOf);
  const ofKind = here.filter(({ properties }) => properties?.['kind']?.const === kind);
  const named = (ofKind.length > 0 ? ofKind : here).flatMap(({ properties }) =>
    Object.keys(properties ?? {}),
  );
  return [...new Set(named)];
}

/** Every key of the file as a path: `audit.everyHours`, `channels.*.kind`, `routes[].to`. */
export function allKeys(): string[] {
  const below = (schema: JsonSchema, path: string): string[] =>
    choicesOf(schema).flatMap((choice) =>
      childrenOf(choice).flatMap(([key, child]) => {
        const at = key === '[]' ? `${path}[]` : `${path}${path === '' ? '' : '.'}${key}`;
        return [...(key === '[]' || key === '*' ? [] : [at]), ...below(child, at)];
      }),
    );
  return [...new Set(below(rootSchema(), ''))];
}
