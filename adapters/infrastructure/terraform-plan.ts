/**
 * What `terraform show -json PLAN` prints: format 1.x, also of OpenTofu.
 * Source: Terraform, "JSON Output Format", read 2026-11-28. Sensitive values are not kept, whatever they are.
 */
import {
  idsOf,
  type PlannedAction,
  type PlannedBase,
  type PlannedResource,
  type ReplaceReason,
  type ResourceReference,
  setValue,
} from '../../core/check/planned.ts';
import { BadInput } from '../../core/errors.ts';
import { isRegionName, regionOfZone } from '../../core/ids.ts';
import { sanitize } from '../../core/sanitize.ts';
import { addressText, askedText, ignoredRulesOf } from './asked.ts';
import { isRecord, type JsonRecord, listOf, memberOf, recordOf, stringOf, within } from './json-values.ts';
import { addResource, type Reading } from './reading.ts';
import type { Changed } from './terraform-changed.ts';
import { Configuration } from './terraform-configuration.ts';
import { terraformTypes } from './terraform-resources.ts';
import { pathText, tagsAt, type View, valueAt } from './terraform-view.ts';

/** Whether a document is of Terraform: a plan, or a state. */
export const isOfTerraform = (document: JsonRecord): boolean =>
  Object.hasOwn(document, 'format_version') &&
  ['planned_values', 'resource_changes', 'values', 'prior_state', 'configuration'].some((name) =>
    Object.hasOwn(document, name),
  );

const right = 'expected what `terraform show -json PLAN` prints, of format 1.x (Terraform 1.1 and newer)';

/** Terraform writes these of each, also of data sources. */
const isChangeOfResource = (one: unknown): boolean =>
  stringOf(memberOf(one, 'address')) !== null &&
  stringOf(memberOf(one, 'type')) !== null &&
  isRecord(memberOf(one, 'change'));

/** @throws BadInput where it is a state, or of another major version. */
function requirePlan(document: JsonRecord, file: string): void {
  const version = document['format_version'];
  if (typeof version !== 'string' || !/^1\.\d{1,4}$/.test(version)) {
    const shown = typeof version === 'string' ? `"${sanitize(version, 20)}"` : 'no text';
    throw new BadInput(`${file}: format_version is ${shown}, which is not read; ${right}`);
  }
  const isState = ['planned_values', 'resource_changes'].every((name) => !Object.hasOwn(document, name));
  if (isState && Object.hasOwn(document, 'values'))
    throw new BadInput(`${file}: it is a state and no plan; ${right}`);
  const changes = document['resource_changes'];
  if (changes !== undefined && changes !== null && !Array.isArray(changes))
    throw new BadInput(`${file}: resource_changes is no list; ${right}`);
  const odd = listOf(changes).filter((one) => !isChangeOfResource(one)).length;
  if (odd > 0)
    throw new BadInput(`${file}: ${odd} of resource_changes ${odd === 1 ? 'is' : 'are'} no change; ${right}`);
  for (const name of ['planned_values', 'prior_state'])
    if (document[name] !== undefined && document[name] !== null && !isRecord(document[name]))
      throw new BadInput(`${file}: ${name} is no object; ${right}`);
  if (document['errored'] === true)
    throw new BadInput(
      `${file}: Terraform could not finish this plan ("errored"); plan again, and give the whole one`,
    );
}

/** One resource, of `resource_changes`, or of values where it has no change. */
interface Written {
  address: string;
  module: string;
  type: string;
  name: string;
  key: string;
  /** What is left of it, to be deleted, after it was replaced. */
  isDeposed: boolean;
  action: PlannedAction;
  /** Of Terraform's `action_reason`. */
  reason: string | null;
  change: JsonRecord;
}

const replaceReasons = new Map<string, ReplaceReason>([
  ['replace_because_tainted', 'tainted'],
  ['replace_by_request', 'requested'],
]);

const actionsByText = new Map<string, PlannedAction>([
  ['no-op', 'none'],
  ['read', 'none'],
  // Terraform no longer looks after it, and it stays as it is.
  ['forget', 'none'],
  ['create', 'create'],
  ['update', 'update'],
  ['delete', 'delete'],
  ['delete,create', 'replace'],
  ['create,delete', 'replace'],
  ['create,forget', 'create'],
]);

function keyOf(index: unknown): string {
  if (typeof index === 'number') return `[${index}]`;
  return typeof index === 'string' ? `[${JSON.stringify(index)}]` : '';
}

function writtenOf(one: unknown, module: unknown, action: PlannedAction, change: JsonRecord): Written | null {
  const [address, type] = [stringOf(memberOf(one, 'address')), stringOf(memberOf(one, 'type'))];
  if (address === null || type === null || memberOf(one, 'mode') === 'data') return null;
  const deposed = stringOf(memberOf(one, 'deposed'));
  return {
    address: deposed === null ? address : `${address} (deposed ${deposed})`,
    module: stringOf(module) ?? '',
    type,
    name: stringOf(memberOf(one, 'name')) ?? '',
    key: keyOf(memberOf(one, 'index')),
    ...{ isDeposed: deposed !== null, action, reason: stringOf(memberOf(one, 'action_reason')), change },
  };
}

function changesIn(document: JsonRecord): Written[] {
  return listOf(document['resource_changes']).flatMap((one) => {
    const change = recordOf(memberOf(one, 'change'));
    const action = actionsByText.get(listOf(change['actions']).join(',')) ?? 'none';
    return writtenOf(one, memberOf(one, 'module_address'), action, change) ?? [];
  });
}

/** What a module and those within it have, without recursion: who wrote the file chose how deep it goes. */
function* resourcesBelow(root: unknown): Generator<{ resource: unknown; module: unknown }> {
  const open = [root];
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    for (const resource of listOf(memberOf(module, 'resources')))
      yield { resource, module: memberOf(module, 'address') };
    for (const child of listOf(memberOf(module, 'child_modules'))) open.push(child);
  }
}

/** Resources that stand, and that a plan of some of them (`-target`) leaves out. */
function* standingIn(document: JsonRecord): Generator<Written> {
  const roots = [
    within(document, 'planned_values', 'root_module'),
    within(document, 'prior_state', 'values', 'root_module'),
  ];
  for (const root of roots) {
    for (const { resource, module } of resourcesBelow(root)) {
      const values = memberOf(resource, 'values') ?? {};
      const sensitive = memberOf(resource, 'sensitive_values') ?? {};
      const change = {
        before: values,
        before_sensitive: sensitive,
        after: values,
        after_sensitive: sensitive,
      };
      const written = writtenOf(resource, module, 'none', change);
      if (written !== null) yield written;
    }
  }
}

function resourcesIn(document: JsonRecord): Written[] {
  const changes = changesIn(document);
  const seen = new Set(changes.map(({ address }) => address));
  for (const one of listOf(document['resource_changes'])) {
    const moved = stringOf(memberOf(one, 'previous_address'));
    if (moved !== null) seen.add(moved);
  }
  for (const written of standingIn(document)) {
    if (seen.has(written.address)) continue;
    seen.add(written.address);
    changes.push(written);
  }
  return changes;
}

/** Regions of the values themselves first: the provider may have it from the environment. */
function regionOf(after: View, configured: unknown): string | null {
  const said = setValue(askedText(valueAt(after, 'region')));
  const zone = setValue(askedText(valueAt(after, 'availability_zone')));
  const arn = setValue(askedText(valueAt(after, 'arn')))?.split(':')[3];
  const all = [said, zone === null ? null : regionOfZone(zone), arn, configured];
  return all.find((one): one is string => typeof one === 'string' && isRegionName(one)) ?? null;
}

function changedOf(written: Written, configuration: Configuration, file: string): Changed {
  const { change, action, module, type, name } = written;
  const resource = configuration.resourceAt(module, type, name);
  const shared = { configuration, module, forEach: memberOf(resource, 'for_each_expression') };
  const before: View | null = isRecord(change['before'])
    ? {
        ...shared,
        values: change['before'],
        unknownMask: undefined,
        sensitiveMask: change['before_sensitive'],
        // What was set then is not in the plan.
        expressions: null,
      }
    : null;
  const after: View = {
    ...shared,
    values: change['after'],
    unknownMask: change['after_unknown'],
    sensitiveMask: change['after_sensitive'],
    expressions: memberOf(resource, 'expressions') ?? null,
  };
  const shown = action === 'delete' && before !== null ? before : after;
  const tags = tagsAt(shown, 'tags_all', 'tags');
  const base: PlannedBase = {
    address: addressText(written.address),
    source: 'terraform-plan',
    type: sanitize(type),
    scope: file,
    ...{ file, line: null, action, tags },
    replacedFor: listOf(change['replace_paths']).map(pathText),
    replaceReason: replaceReasons.get(written.reason ?? '') ?? null,
    region: regionOf(shown, configuration.regionOf(resource)),
    ignoredRules: ignoredRulesOf(tags),
  };
  return { base, action, after: shown, before, key: written.key };
}

/** By id or name, where the other is in the plan too; a name that several of them have names none. */
function linked(reading: Reading, from: number): void {
  const byId = new Map<string, string | null>();
  for (const one of reading.resources.slice(from)) {
    for (const id of idsOf(one)) {
      const key = `${one.kind}\n${id}`;
      byId.set(key, byId.has(key) ? null : one.address);
    }
  }
  const link = <T extends ResourceReference | null>(to: T, kind: PlannedResource['kind']): T =>
    to === null || to.address !== null || to.id === null
      ? to
      : { ...to, address: byId.get(`${kind}\n${to.id}`) ?? null };
  for (let at = from; at < reading.resources.length; at++) {
    const one = reading.resources[at];
    if (one?.kind === 'attachment')
      reading.resources[at] = {
        ...one,
        volume: link(one.volume, 'volume'),
        instance: link(one.instance, 'instance'),
      };
    if (one?.kind === 'instance')
      reading.resources[at] = { ...one, launchTemplate: link(one.launchTemplate, 'launch-template') };
    if (one?.kind === 'auto-scaling-group')
      reading.resources[at] = { ...one, launchTemplate: link(one.launchTemplate, 'launch-template') };
  }
}

/** Adds the resources of a plan. @throws BadInput where it is no plan of format 1.x. */
export function readTerraformPlan(document: JsonRecord, file: string, reading: Reading): void {
  requirePlan(document, file);
  const configuration = new Configuration(document);
  const written = resourcesIn(document);
  for (const { address, module, type, name, key, isDeposed } of written) {
    if (terraformTypes.has(type) && !isDeposed)
      configuration.addInstance(module, name, { address, type, key });
  }
  const from = reading.resources.length;
  for (const one of written) {
    const read = terraformTypes.get(one.type);
    const planned = read === undefined ? null : read(changedOf(one, configuration, file));
    addResource(reading, one.type, planned);
  }
  linked(reading, from);
}

/** What `terraform plan -json` prints: a line for each event, and no plan. */
export const isEventStream = (document: JsonRecord): boolean => Object.hasOwn(document, '@level');
