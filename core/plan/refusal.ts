/** What a refusal is made from, and which layouts it is about. */
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import type { RefusedShapes } from '../schemas/plan-refused.ts';
import type { PricedInstance } from './instance-choice.ts';
import type { Need } from './layout.ts';
import type { Constraints, Found, Refusal } from './search.ts';

export interface RefusedOf {
  need: Need;
  constraints: Constraints;
  regionCatalog: RegionCatalog;
  found: Found;
  /** Null: no instance is part of the plan. */
  allowed: readonly PricedInstance[] | null;
}

/** Of refusals of one kind and type: from how many members to how many. */
export function shapesOf(refusals: readonly Refusal[]): RefusedShapes {
  const { kind, volumeType } = (refusals[0] as Refusal).shape;
  const counts = refusals.map(({ shape }) => shape.members);
  return { kind, volumeType, fewest: Math.min(...counts), most: Math.max(...counts) };
}
