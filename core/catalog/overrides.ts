/** Corrections of what EC2 tells, each with its reason and the day from which it must be looked at again. */
import type { InstanceType, InstanceTypes } from './instance-type.ts';

export interface Override {
  instanceType: string;
  set: Partial<Omit<InstanceType, 'instanceType'>>;
  reason: string;
  /** ISO date: the check of the catalog fails from then on. */
  recheckBy: string;
}

/** None is known to be needed (2026-11-21): where documentation and API differ, the API was right. */
export const overrides: readonly Override[] = [];

/** @throws where an override names a type that is not in the catalog: it is of no use any more. */
export function withOverrides(catalog: InstanceTypes, corrections: readonly Override[]): InstanceTypes {
  const byType = new Map(corrections.map((correction) => [correction.instanceType, correction]));
  const types = catalog.types.map((row) => ({ ...row, ...byType.get(row.instanceType)?.set }));
  const names = new Set(types.map(({ instanceType }) => instanceType));
  const stray = corrections.find(({ instanceType }) => !names.has(instanceType));
  if (stray !== undefined) throw new Error(`override of ${stray.instanceType}: the catalog has no such type`);
  return corrections.length === 0 ? catalog : { ...catalog, types };
}
