/** Which tags of a resource the configuration asks about, and whether it has them. */
import type { Tags } from '../inventory.ts';
import type { Config } from './config.ts';

/** A value or several by key; `*` is any value. */
export type TagFilter = Readonly<Record<string, string | readonly string[]>>;

/** What is kept of tags, and which exclude a volume. */
export interface KeptTags {
  keys: readonly string[];
  /** One of them is enough. */
  exclude: TagFilter;
}
/** Nothing is kept, nothing is excluded. */
export const noTags: KeptTags = { keys: [], exclude: {} };

const isOneOf = (value: string, demand: string | readonly string[]): boolean =>
  typeof demand === 'string' ? demand === '*' || demand === value : demand.some((one) => isOneOf(value, one));

/** A tag that is not there has no value, whatever is wanted of it. */
const has = (tags: Tags, key: string, demand: string | readonly string[]): boolean => {
  const value = Object.hasOwn(tags, key) ? tags[key] : undefined;
  return value !== undefined && isOneOf(value, demand);
};

/** As exclusions ask: one of them is enough. */
export const hasAnyTag = (tags: Tags, demand: TagFilter): boolean =>
  Object.entries(demand).some(([key, values]) => has(tags, key, values));

/** As routes ask: all of them. */
export const hasAllTags = (tags: Tags, demand: TagFilter): boolean =>
  Object.entries(demand).every(([key, values]) => has(tags, key, values));

/** The keys that exclusions and routes name: nothing else of a resource's tags is kept. */
export const keptTagKeys = ({ exclude, routes }: Pick<Config, 'exclude' | 'routes'>): string[] =>
  [...new Set([exclude.tags, ...(routes ?? []).map(({ tags = {} }) => tags)].flatMap(Object.keys))].sort();
