/** What is said of a refusal, and what it is said from. */
import type { Market } from '../catalogue/market.ts';
import type { PricedInstance } from './instance-choice.ts';
import type { Need } from './need.ts';
import type { Constraints, Found, Refusal } from './search.ts';

export interface Refused {
  what: string;
  because: string;
  nearest: string;
}

export interface RefusedOf {
  need: Need;
  constraints: Constraints;
  market: Market;
  found: Found;
  /** Null: no instance is part of the plan. */
  allowed: readonly PricedInstance[] | null;
}

/** Words before the number of members. */
export const kindNames = {
  single: 'one',
  stripe: 'a stripe of',
  raid10: 'RAID10 of',
  raid5: 'RAID5 of',
} as const;

/** "a stripe of 2 to 4 gp3", "one gp3". */
export function whatText(refusals: readonly Refusal[]): string {
  const { kind, volumeType } = (refusals[0] as Refusal).shape;
  if (kind === 'single') return `one ${volumeType}`;
  const counts = refusals.map(({ shape }) => shape.members);
  const [first, last] = [Math.min(...counts), Math.max(...counts)];
  const range = first === last ? `${first}` : `${first} to ${last}`;
  return `${kindNames[kind]} ${range} ${volumeType}`;
}
