/** A resource that changes in a Terraform plan, and what it names. Source: documentation of the provider aws 6, read 2026-11-28. */
import {
  type PlannedAction,
  type PlannedBase,
  type PlannedResource,
  type ResourceReference,
  setValue,
} from '../../core/check/planned.ts';
import { addressText, askedText } from './asked.ts';
import { blocksAt, expressionAt, type View, valueAt } from './terraform-view.ts';

/** A resource that changes: what shall be, and what stands. */
export interface Changed {
  base: PlannedBase;
  action: PlannedAction;
  /** What shall be; of a deletion, what was. */
  after: View;
  before: View | null;
  /** `["a"]`, `[0]` or ''. */
  key: string;
}

export type ReadResource = (changed: Changed) => PlannedResource[];

export const idOf = (view: View | null, name: string, isId: (text: string) => boolean): string | null => {
  if (view === null) return null;
  const text = setValue(askedText(valueAt(view, name)));
  return text !== null && isId(text) ? text : null;
};

export const standingId = ({ before, after }: Changed, isId: (text: string) => boolean): string | null =>
  idOf(before, 'id', isId) ?? idOf(after, 'id', isId);

export function reference(
  { key }: Changed,
  view: View,
  names: readonly string[],
  types: readonly string[],
): ResourceReference {
  for (const name of names) {
    const address = view.configuration.referredTo(expressionAt(view, name), view.module, key, types);
    const id = setValue(askedText(valueAt(view, name)));
    if (address !== null || id !== null)
      return { address: address === null ? null : addressText(address), id };
  }
  return { address: null, id: null };
}

export const templateTypes = ['aws_launch_template'];

/** The version of a launch template that a block names is a number, and none that the plan refers to. */
export function isPinnedIn(block: View | null): boolean {
  if (block === null) return false;
  const version = setValue(askedText(valueAt(block, 'version')));
  const refersTo = JSON.stringify(expressionAt(block, 'version') ?? null);
  return version !== null && /^\d+$/.test(version) && !/latest_version|default_version/.test(refersTo);
}

/** The block launch_template of an instance or a group. */
export function templateReference(changed: Changed, view: View): ResourceReference | null {
  const { blocks, more } = blocksAt(view, 'launch_template');
  const [block] = blocks;
  if (block === undefined) return more === null ? null : { address: null, id: null };
  return reference(changed, block, ['id', 'name'], templateTypes);
}
