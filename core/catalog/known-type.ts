/** An instance type that somebody names. */
import { BadInput } from '../errors.ts';
import { familyOf, type InstanceType } from './instance-type.ts';
import type { RegionCatalog } from './region-catalog.ts';

/** @throws BadInput, with the sizes of its family where there are some, where the Region's catalog has no such type. */
export function knownType(instanceType: string, { instanceTypes, region }: RegionCatalog): InstanceType {
  const type = instanceTypes.get(instanceType);
  if (type !== undefined) return type;
  const family = familyOf(instanceType);
  const sizes = instanceTypes.types.filter((other) => familyOf(other.instanceType) === family);
  const hint =
    sizes.length > 0
      ? `of ${family} there are ${sizes.map((other) => other.instanceType).join(', ')}`
      : 'give one like m7i.2xlarge';
  throw new BadInput(`instance type "${instanceType}" is not in the catalog of ${region}: ${hint}`);
}
