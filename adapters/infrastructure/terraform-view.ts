/** One block of a resource in a plan: its values, with what is sensitive or known after the apply left out. */
import type { UnknownFigure } from '../../core/check/planned.ts';
import type { Tags } from '../../core/inventory.ts';
import { known } from '../../core/known.ts';
import { sanitize } from '../../core/sanitize.ts';
import { unknownFigure, type Value } from './asked.ts';
import { isRecord, listOf, memberOf } from './json-values.ts';
import type { Configuration } from './terraform-configuration.ts';

export interface View {
  values: unknown;
  /** true, or an object or list with true where it holds. */
  unknownMask: unknown;
  sensitiveMask: unknown;
  /** Null where the configuration does not say what is set, as for a dynamic block. */
  expressions: unknown;
  configuration: Configuration;
  module: string;
  /** What `each` of the resource comes from. */
  forEach: unknown;
}

export const expressionAt = (view: View, name: string): unknown => memberOf(view.expressions, name);

/** Whether the configuration says that it is not set. */
export const isNotSet = (view: View, name: string): boolean =>
  isRecord(view.expressions) &&
  view.configuration.setsNothing(view.expressions[name], view.module, view.forEach);

/** A sensitive value is not looked at; the provider's '' is not set. */
export function valueAt(view: View, name: string): Value {
  if (view.sensitiveMask === true || isMarked(memberOf(view.sensitiveMask, name)))
    return unknownFigure('sensitive');
  if (view.unknownMask === true || memberOf(view.unknownMask, name) === true)
    return isNotSet(view, name) ? known(null) : unknownFigure('known-after-apply');
  return known(memberOf(view.values, name));
}

/** Anything in it. */
const isMarked = (mask: unknown): boolean =>
  mask === true ||
  (Array.isArray(mask) && mask.some(isMarked)) ||
  (isRecord(mask) && Object.values(mask).some(isMarked));

export interface Blocks {
  blocks: View[];
  /** Why there may be more than these. */
  more: UnknownFigure | null;
}

/** The blocks of a name, one for each that is written; a provider writes some as an object. */
export function blocksAt(view: View, name: string): Blocks {
  const [unknownMask, sensitiveMask] = [memberOf(view.unknownMask, name), memberOf(view.sensitiveMask, name)];
  if (view.sensitiveMask === true || sensitiveMask === true)
    return { blocks: [], more: { code: 'sensitive', detail: name } };
  if (view.unknownMask === true || unknownMask === true) {
    const more: UnknownFigure = { code: 'known-after-apply', detail: name };
    return { blocks: [], more: isNotSet(view, name) ? null : more };
  }
  const written = memberOf(view.values, name);
  const all = isRecord(written) ? [written] : listOf(written);
  const expressions = expressionAt(view, name);
  const maskAt = (mask: unknown, index: number): unknown => (Array.isArray(mask) ? mask[index] : mask);
  const blocks = all.map((values, index) => ({
    ...view,
    values,
    unknownMask: maskAt(unknownMask, index),
    sensitiveMask: maskAt(sensitiveMask, index),
    expressions: expressionsOf(expressions, index, all.length),
  }));
  return { blocks, more: null };
}

/** Of a list that was made in an order of the provider's, none can be told apart. */
function expressionsOf(expressions: unknown, index: number, count: number): unknown {
  if (isRecord(expressions)) return expressions;
  const all = listOf(expressions);
  return all.length === count ? all[index] : null;
}

export const firstBlock = (view: View, name: string): View | null => blocksAt(view, name).blocks[0] ?? null;

/** A value inside the first block of a name; why not, where the block is not known. */
export function inBlock(view: View, block: string, name: string): Value {
  const { blocks, more } = blocksAt(view, block);
  const [first] = blocks;
  if (first !== undefined) return valueAt(first, name);
  return more === null ? known(null) : { known: false, reason: more };
}

/** Tags and annotations with a known value that is not sensitive: what is sensitive under one of the names is under each. */
export function tagsAt(view: View, ...names: readonly string[]): Tags {
  const sensitive = names.map((name) => memberOf(view.sensitiveMask, name));
  if (view.sensitiveMask === true || sensitive.includes(true)) return {};
  const isSensitive = (key: string): boolean => sensitive.some((mask) => isMarked(memberOf(mask, key)));
  for (const name of names) {
    const written = memberOf(view.values, name);
    if (memberOf(view.unknownMask, name) === true || !isRecord(written)) continue;
    const kept = Object.entries(written).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' && !isSensitive(key) ? [[key, value]] : [],
    );
    return Object.fromEntries(kept);
  }
  return {};
}

const longestIndex = 128;

/** root_block_device[0].volume_type */
export const pathText = (path: unknown): string =>
  listOf(path)
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${sanitize(String(part), longestIndex)}`))
    .join('')
    .replace(/^\./, '');
