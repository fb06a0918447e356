/** The catalog that comes with stripewise: generated, see tools/generate-catalog.ts. */
import type { InstanceTypes } from './instance-type.ts';
import instanceTypes from './instance-types.json' with { type: 'json' };
import { overrides, withOverrides } from './overrides.ts';

/** Every type by its name; the first call takes some milliseconds, the others none. */
export class InstanceCatalog {
  readonly asOf: string;
  readonly source: string;
  readonly types: InstanceTypes['types'];
  private readonly byName: ReadonlyMap<string, InstanceTypes['types'][number]>;

  constructor({ asOf, source, types }: InstanceTypes) {
    this.asOf = asOf;
    this.source = source;
    this.types = types;
    this.byName = new Map(types.map((row) => [row.instanceType, row]));
  }

  /** Undefined: no such type is known. */
  get(instanceType: string): InstanceTypes['types'][number] | undefined {
    return this.byName.get(instanceType);
  }
}

let builtIn: InstanceCatalog | undefined;

export function builtInCatalog(): InstanceCatalog {
  builtIn ??= new InstanceCatalog(withOverrides(instanceTypes, overrides));
  return builtIn;
}
