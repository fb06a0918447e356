/**
 * The configuration beside the values of a plan: what is set at all, and what refers to what. A plan writes null both for what is
 * not set and for what is known after the apply; and a reference to a volume that is not made yet has no id.
 * Source: Terraform, "JSON Output Format", configuration representation, read 2026-11-28.
 */
import { isRecord, type JsonRecord, listOf, memberOf, recordOf, within } from './json-values.ts';

interface ModuleStep {
  name: string;
  /** `["a"]`, `[0]`, or '' for the only one. */
  key: string;
}

/** A call is within a call at most so often; a reference is followed at most so far. */
const deepest = 40;

const moduleStep = /module\.([^.[\]]+)(\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?(?:\.|$)/y;

/** `module.a["x"].module.b` in its steps; what is no such address has none. */
function moduleSteps(address: string): ModuleStep[] {
  const steps: ModuleStep[] = [];
  moduleStep.lastIndex = 0;
  for (
    let found = moduleStep.exec(address);
    found !== null && steps.length < deepest;
    found = moduleStep.exec(address)
  )
    steps.push({ name: found[1] as string, key: found[2] ?? '' });
  return steps;
}

const addressOf = (steps: readonly ModuleStep[]): string =>
  steps.map(({ name, key }) => `module.${name}${key}`).join('.');

const inModule = (steps: readonly ModuleStep[], address: string): string =>
  steps.length === 0 ? address : `${addressOf(steps)}.${address}`;

/** A resource of the plan that others may refer to. */
export interface Instance {
  address: string;
  type: string;
  /** `["a"]`, `[0]` or ''. */
  key: string;
}

const referencesOf = (expression: unknown): string[] =>
  listOf(memberOf(expression, 'references')).filter((one): one is string => typeof one === 'string');

const referenceForm = /^([^.[\]]+)\.([^.[\]]+)(\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?(?:\.([^.[\]]+))?/;

export class Configuration {
  private readonly root: unknown;
  private readonly providers: unknown;
  private readonly variables: unknown;
  /** By module and resource without its key. */
  private readonly instances = new Map<string, Instance[]>();
  /** Of each module that was asked for, by type and name. */
  private readonly resources = new Map<unknown, Map<string, unknown>>();

  constructor(plan: JsonRecord) {
    this.root = within(plan, 'configuration', 'root_module');
    this.providers = within(plan, 'configuration', 'provider_config');
    this.variables = plan['variables'];
  }

  addInstance(module: string, name: string, instance: Instance): void {
    const base = inModule(moduleSteps(module), `${instance.type}.${name}`);
    const others = this.instances.get(base);
    if (others === undefined) this.instances.set(base, [instance]);
    else others.push(instance);
  }

  private moduleAt(steps: readonly ModuleStep[]): unknown {
    return steps.reduce<unknown>(
      (module, { name }) => within(module, 'module_calls', name, 'module'),
      this.root,
    );
  }

  /** How the resource stands in the configuration; undefined where the plan does not say it. */
  resourceAt(module: string, type: string, name: string): unknown {
    const { resources } = recordOf(this.moduleAt(moduleSteps(module)));
    let byName = this.resources.get(resources);
    if (byName === undefined) {
      byName = new Map(
        listOf(resources).map((one) => [`${memberOf(one, 'type')}.${memberOf(one, 'name')}`, one]),
      );
      this.resources.set(resources, byName);
    }
    return byName.get(`${type}.${name}`);
  }

  /** The Region of the provider of a resource, where its configuration says it. */
  regionOf(resource: unknown): unknown {
    const key = memberOf(resource, 'provider_config_key');
    const region = within(this.providers, typeof key === 'string' ? key : 'aws', 'expressions', 'region');
    const constant = memberOf(region, 'constant_value');
    if (constant !== undefined) return constant;
    const [name] = referencesOf(region);
    return name?.startsWith('var.') ? within(this.variables, name.slice('var.'.length), 'value') : undefined;
  }

  /**
   * Whether an expression sets nothing: it is not there, or it is null whatever happens.
   * @param forEach that of its resource, which `each` comes from.
   */
  setsNothing(expression: unknown, module: string, forEach: unknown): boolean {
    if (expression === undefined) return true;
    if (!isRecord(expression)) return false;
    if (Object.hasOwn(expression, 'constant_value')) return expression['constant_value'] === null;
    const references = referencesOf(expression);
    if (references.length === 0) return Object.keys(expression).length === 0;
    // Without a value, and nothing in it that is known after the apply alone: its value is null.
    return !references.some((one) => this.mayBeUnknown(one, moduleSteps(module), forEach, 0));
  }

  private mayBeUnknown(
    reference: string,
    steps: readonly ModuleStep[],
    forEach: unknown,
    depth: number,
  ): boolean {
    if (depth > deepest) return true;
    const [head = '', name = ''] = reference.split(/[.[]/);
    if (['path', 'terraform', 'count'].includes(head)) return false;
    if (head === 'each') {
      const sources = referencesOf(forEach);
      return (
        forEach === undefined || sources.some((one) => this.mayBeUnknown(one, steps, undefined, depth + 1))
      );
    }
    if (head !== 'var') return true;
    const last = steps.at(-1);
    // Variables of the plan itself are always known.
    if (last === undefined) return false;
    const above = steps.slice(0, -1);
    const call = within(this.moduleAt(above), 'module_calls', last.name);
    const [given, forEachCall] = [within(call, 'expressions', name), memberOf(call, 'for_each_expression')];
    return referencesOf(given).some((one) => this.mayBeUnknown(one, above, forEachCall, depth + 1));
  }

  /**
   * The address of the one resource of the plan that an expression refers to; null where there is none, or no single one.
   * @param key of the resource that refers: `aws_ebs_volume.data[count.index]` is the one with the same.
   */
  referredTo(expression: unknown, module: string, key: string, types: readonly string[]): string | null {
    const found = this.follow(referencesOf(expression), moduleSteps(module), key, types, 0);
    const [only] = found;
    return found.size === 1 && only !== undefined ? only : null;
  }

  private follow(
    references: readonly string[],
    steps: readonly ModuleStep[],
    key: string,
    types: readonly string[],
    depth: number,
  ): Set<string> {
    const found = new Set<string>();
    if (depth > deepest) return found;
    for (const reference of references) {
      // Beside a reference are the shorter forms of it, which say less.
      const isShorter = references.some(
        (other) => other.startsWith(`${reference}.`) || other.startsWith(`${reference}[`),
      );
      if (isShorter) continue;
      for (const address of this.followOne(reference, steps, key, types, depth)) found.add(address);
    }
    return found;
  }

  private followOne(
    reference: string,
    steps: readonly ModuleStep[],
    key: string,
    types: readonly string[],
    depth: number,
  ): Iterable<string> {
    const [, head = '', name = '', index = '', attribute = ''] = referenceForm.exec(reference) ?? [];
    if (head === 'var') {
      const last = steps.at(-1);
      if (last === undefined) return [];
      const above = steps.slice(0, -1);
      const given = within(this.moduleAt(above), 'module_calls', last.name, 'expressions', name);
      return this.follow(referencesOf(given), above, last.key, types, depth + 1);
    }
    if (head === 'module') {
      const output = within(this.moduleAt([...steps, { name, key: '' }]), 'outputs', attribute, 'expression');
      const keys = index === '' ? ['', key] : [index];
      return new Set(
        keys.flatMap((one) => {
          const below = [...steps, { name, key: one }];
          return [...this.follow(referencesOf(output), below, key, types, depth + 1)];
        }),
      );
    }
    if (!types.includes(head)) return [];
    const instances = this.instances.get(inModule(steps, `${head}.${name}`)) ?? [];
    const wanted = index === '' ? key : index;
    const same = instances.filter((one) => one.key === wanted);
    return (same.length > 0 ? same : instances).map(({ address }) => address);
  }
}
