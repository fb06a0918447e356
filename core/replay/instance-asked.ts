/** The instance that a replay is asked for, by its type. */
import { dataVolumesAtMost, type EbsFigures, ebsFiguresOf } from '../catalog/instance-types.ts';
import { knownType, type RegionCatalog } from '../catalog/region-catalog.ts';
import { BadInput, IllegalConfiguration } from '../errors.ts';

/**
 * What the type can do with EBS.
 * @throws BadInput where it is not known, or EC2 does not tell its limits; IllegalConfiguration where it does not take so
 * many volumes.
 */
export function instanceFigures(
  instanceType: string,
  members: number,
  regionCatalog: RegionCatalog,
): EbsFigures {
  const type = knownType(instanceType, regionCatalog);
  const figures = ebsFiguresOf(type);
  if (!figures.known)
    throw new BadInput(
      `instance type "${instanceType}" cannot be replayed: EC2 tells no EBS limits of ${instanceType}; give another, or leave it out`,
    );
  const atMost = dataVolumesAtMost(type);
  if (atMost.known && atMost.value < members)
    throw new IllegalConfiguration(
      `${members} volumes cannot be attached to ${instanceType}: it takes ${atMost.value} beside its root volume; give fewer members or another type`,
    );
  return figures.value;
}
