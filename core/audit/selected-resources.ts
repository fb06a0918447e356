/**
 * Of a fleet some volumes, instances or stripes alone, as `--resource` names them: evaluated with what shares their instances,
 * told by themselves.
 */
import { hasAnyTag } from '../config/tags.ts';
import { BadInput } from '../errors.ts';
import { fewOf } from '../few.ts';
import { figure } from '../figures.ts';
import type { Instance, Tags, Volume } from '../inventory.ts';
import { isClaimName, isNamespace } from '../kubernetes.ts';
import type { FleetMetrics } from '../load/metrics.ts';
import { sanitize } from '../sanitize.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { type AnyEvidence, type Finding, instanceIdOf } from '../schemas/finding.ts';
import type { KubernetesVolume } from '../schemas/kubernetes-volume.ts';
import { type AuditInput, summaryOf, windowOver } from './audit.ts';
import { connectedGroups, type Group } from './batches.ts';

interface Fleet {
  volumes: readonly Volume[];
  instances: readonly Instance[];
}

const instanceIdsOf = (volume: Volume): string[] => volume.attachments.map(({ instanceId }) => instanceId);

/** Of volumes, of described instances, and of those that are known by their volumes only. */
export const resourceIdsOf = ({ volumes, instances }: Fleet): Set<string> =>
  new Set([
    ...volumes.flatMap((volume) => [volume.volumeId, ...instanceIdsOf(volume)]),
    ...instances.map(({ instanceId }) => instanceId),
  ]);

/** What a selector looks at. */
interface Selectable {
  id: string;
  name: string | null;
  region: string;
  /** Null where nobody told: an ARN's account is then believed. */
  account: string | null;
  tags: Tags;
  kubernetes?: KubernetesVolume | undefined;
}

function selectablesOf({ volumes, instances }: Fleet): Selectable[] {
  const described = new Set(instances.map(({ instanceId }) => instanceId));
  const undescribed = volumes.flatMap((volume) =>
    instanceIdsOf(volume)
      .filter((id) => !described.has(id))
      .map((id) => ({ id, name: null, region: volume.region, account: volume.account, tags: {} })),
  );
  return [
    ...volumes.map((volume) => ({ ...volume, id: volume.volumeId })),
    ...instances.map((instance) => ({ ...instance, id: instance.instanceId, tags: instance.tags ?? {} })),
    ...undescribed,
  ];
}

type Selector = { text: string } & (
  | { by: 'id-or-name' }
  | { by: 'arn'; id: string; region: string; account: string }
  | { by: 'tag'; key: string; value: string }
  | { by: 'claim'; namespace: string; claim: string }
  | { by: 'namespace'; namespace: string }
);

const forms = 'an id, an ARN, a Name tag, tag:KEY=VALUE, claim:NAMESPACE/NAME or namespace:NAME';

function arnSelector(text: string): Selector {
  const [, , service, region = '', account = '', ...rest] = text.split(':');
  const [, id] = /^(?:volume|instance)\/([^/]+)$/.exec(rest.join(':')) ?? [];
  if (service !== 'ec2' || region === '' || account === '' || id === undefined)
    throw new BadInput(
      `--resource ${sanitize(text)}: is the ARN of no volume or instance; one is like arn:aws:ec2:us-east-1:111122223333:volume/vol-0123456789abcdef0`,
    );
  return { text, by: 'arn', id, region, account };
}

function tagSelector(text: string): Selector {
  const [, key, value] = /^tag:([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw new BadInput(
      `--resource ${sanitize(text)}: a tag is asked for as tag:KEY=VALUE, like tag:team=orders (* is any value)`,
    );
  return { text, by: 'tag', key, value };
}

function claimSelector(text: string): Selector {
  const [, namespace = '', claim = ''] = /^claim:([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (!isNamespace(namespace) || !isClaimName(claim))
    throw new BadInput(
      `--resource ${sanitize(text)}: a claim of Kubernetes is asked for as claim:NAMESPACE/NAME, like claim:payments/orders-data`,
    );
  return { text, by: 'claim', namespace, claim };
}

function namespaceSelector(text: string): Selector {
  const namespace = text.slice('namespace:'.length);
  if (!isNamespace(namespace))
    throw new BadInput(
      `--resource ${sanitize(text)}: a namespace of Kubernetes is asked for as namespace:NAME, like namespace:payments`,
    );
  return { text, by: 'namespace', namespace };
}

/** @throws BadInput where it is none: a variable that is not set in a script asks for nothing. */
function selectorOf(text: string): Selector {
  if (text.trim() === '') throw new BadInput(`--resource is empty: give ${forms}`);
  if (text.startsWith('arn:')) return arnSelector(text);
  if (text.startsWith('claim:')) return claimSelector(text);
  if (text.startsWith('namespace:')) return namespaceSelector(text);
  return text.startsWith('tag:') ? tagSelector(text) : { text, by: 'id-or-name' };
}

/** Itself or, of an instance, a stripe: those are called after it; whether there is one is known when it was evaluated. */
const isCalled = (text: string, { id }: Selectable): boolean => text === id || text.startsWith(`${id}/`);

/** All of them are read in full, minute by minute. */
const maxByTag = 500;

/** What was asked for, out of a result; its counts are of that alone. */
export interface Picked {
  result: AuditResult;
  /** Those that were asked for, as far as they are described. */
  instances: Instance[];
}

/** Whether a finding is on one of these or names it, as an instance's does that says which volumes to move. */
function tellsOf(ids: ReadonlySet<string>, { resource, evidence }: Finding): boolean {
  const { members = [], volumes = [], alike = [] }: AnyEvidence = evidence;
  const named = [resource.id, instanceIdOf(resource), ...members, ...volumes, ...alike];
  return named.some((id) => id !== null && ids.has(id));
}

/** What of the fleet one selector means. */
interface Selected {
  selector: Selector;
  /** It is the id of a resource or, as far as is known before that is evaluated, of a stripe. */
  isId: boolean;
  /** Ids of what has the Name, the tag or the ARN. */
  ids: Set<string>;
}

function hasIt(selector: Selector, { id, name, region, account, tags, kubernetes }: Selectable): boolean {
  if (selector.by === 'namespace') return kubernetes?.namespace === selector.namespace;
  if (selector.by === 'claim')
    return kubernetes?.namespace === selector.namespace && kubernetes.claim === selector.claim;
  if (selector.by === 'tag') return hasAnyTag(tags, { [selector.key]: selector.value });
  if (selector.by === 'id-or-name') return name === selector.text;
  return (
    selector.id === id && selector.region === region && (account ?? selector.account) === selector.account
  );
}

/** @throws BadInput where more is meant than one name can mean, or than is read in full. */
function requireFew({ selector: { by, text }, isId, ids }: Selected): void {
  if (by === 'id-or-name' && !isId && ids.size > 1)
    throw new BadInput(
      `--resource ${sanitize(text)}: ${ids.size} resources have this Name tag (${sanitize(fewOf([...ids]), 300)}): give an id, or ${sanitize(`tag:Name=${text}`)} for all of them`,
    );
  if ((by === 'tag' || by === 'namespace') && ids.size > maxByTag)
    throw new BadInput(
      `--resource ${sanitize(text)}: more than ${figure(maxByTag, 0)} resources have this ${by}, too many to read each in full: ask for fewer; without --resource all are evaluated`,
    );
}

/** First `narrow` of each part of the fleet, then, of what was evaluated, `missing` and `pick`. */
export class SelectedResources {
  /** Keys of tags that have to be known of each resource. */
  readonly tagKeys: readonly string[];
  private readonly selected: readonly Selected[];
  private readonly volumes = new Map<string, Volume>();
  private readonly instances = new Map<string, Instance>();
  private readonly found = new Set<string>();
  private readonly excludedIds = new Set<string>();
  private readonly benchmarkIds = new Set<string>();

  /** @throws BadInput where one of them is nothing that can be looked for. */
  constructor(texts: readonly string[]) {
    this.selected = [...new Set(texts)].map((text) => ({
      ...{ selector: selectorOf(text), isId: false, ids: new Set<string>() },
    }));
    this.tagKeys = this.selected.flatMap(({ selector }) => (selector.by === 'tag' ? [selector.key] : []));
  }

  /** Of what the configuration excludes something may be asked for. */
  excluded(volumeIds: readonly string[]): void {
    for (const id of volumeIds) this.excludedIds.add(id);
  }

  /** Of what hosts of the benchmark have, too. */
  ofBenchmark(volumeIds: readonly string[]): void {
    for (const id of volumeIds) this.benchmarkIds.add(id);
  }

  /** @param text as it was asked for; a Name or a tag of what is left out is not known. */
  private isAmong(text: string, ids: ReadonlySet<string>): boolean {
    return this.selected.some(
      ({ selector }) => selector.text === text && ids.has(selector.by === 'arn' ? selector.id : text),
    );
  }

  /** A volume that nothing but its id tells of is asked for. */
  namesVolume = (volumeId: string): boolean =>
    this.selected.some(({ selector }) => selector.by === 'id-or-name' && selector.text === volumeId);

  /** What is asked for, of what was narrowed to. */
  get ids(): ReadonlySet<string> {
    return new Set(this.selected.flatMap(({ selector, isId, ids }) => (isId ? [selector.text] : [...ids])));
  }

  /** Each selector that means it notes so. */
  private isMeant(one: Selectable): boolean {
    const meaning = this.selected.filter((selected) => {
      const { selector, ids } = selected;
      if (selector.by === 'id-or-name' && isCalled(selector.text, one)) selected.isId = true;
      else if (hasIt(selector, one)) ids.add(one.id);
      else return false;
      return true;
    });
    return meaning.length > 0;
  }

  /**
   * Whole groups that share instances, of those in which something is asked for: evaluated alone they get the same findings
   * as in the fleet.
   * @throws BadInput where one of the selectors means too much.
   */
  narrow(fleet: Fleet): Group {
    const groups = connectedGroups(fleet.volumes, fleet.instances).filter(
      (group) => selectablesOf(group).filter((one) => this.isMeant(one)).length > 0,
    );
    for (const selected of this.selected) requireFew(selected);
    const narrowed = {
      volumes: groups.flatMap(({ volumes }) => volumes),
      instances: groups.flatMap(({ instances }) => instances),
    };
    for (const id of resourceIdsOf(narrowed)) this.found.add(id);
    for (const volume of narrowed.volumes) this.volumes.set(volume.volumeId, volume);
    for (const instance of narrowed.instances) this.instances.set(instance.instanceId, instance);
    return narrowed;
  }

  /** Of what was narrowed to; null where it is not described. */
  instance(instanceId: string): Instance | null {
    return this.instances.get(instanceId) ?? null;
  }

  /** What is asked for and was nowhere, as it was asked for. */
  missing({ stripes }: Pick<AuditResult, 'stripes'>): string[] {
    const stripeIds = new Set(stripes.map(({ stripeId }) => stripeId));
    return this.selected.flatMap(({ selector: { text }, isId, ids }) => {
      const isThere = isId ? this.found.has(text) || stripeIds.has(text) : ids.size > 0;
      return isThere ? [] : [text];
    });
  }

  /** Nothing of what is asked for was anywhere. */
  isNowhere = (result: Pick<AuditResult, 'stripes'>): boolean =>
    this.missing(result).length === this.selected.length;

  /** How what is missing was asked for, or why it is left out. */
  kindOfMissing(text: string): Selector['by'] | 'excluded' | 'benchmark' {
    if (this.isAmong(text, this.benchmarkIds)) return 'benchmark';
    if (this.isAmong(text, this.excludedIds)) return 'excluded';
    return this.selected.find(({ selector }) => selector.text === text)?.selector.by ?? 'id-or-name';
  }

  /** Volumes whose Names and tags nobody looked at. */
  get excludedVolumes(): number {
    return this.excludedIds.size + this.benchmarkIds.size;
  }

  /** Volumes that are asked for by themselves, by their instance or by their stripe. */
  private askedVolumes(asked: ReadonlySet<string>, stripes: AuditResult['stripes']): Set<string> {
    const members = stripes.flatMap(({ stripeId, volumeIds }) => (asked.has(stripeId) ? volumeIds : []));
    const others = [...this.volumes.values()].flatMap((volume) =>
      [volume.volumeId, ...instanceIdsOf(volume)].some((id) => asked.has(id)) ? [volume.volumeId] : [],
    );
    return new Set([...members, ...others]);
  }

  /** What was evaluated beside is left out, but what is found on an instance or a stripe of an asked volume. */
  pick(result: AuditResult): Picked {
    const asked = this.ids;
    const volumeIds = this.askedVolumes(asked, result.stripes);
    const volumes = result.volumes.filter(({ volumeId }) => volumeIds.has(volumeId));
    const notified = new Set([
      ...volumes.flatMap(({ findings, instanceFindings }) => [...findings, ...instanceFindings]),
      ...result.findings
        .filter((finding) => tellsOf(asked, finding) || tellsOf(volumeIds, finding))
        .map(({ id }) => id),
    ]);
    const instanceIds = new Set([
      ...[...asked].filter((id) => this.instances.has(id)),
      ...volumes.flatMap(({ volumeId }) => instanceIdsOf(this.volumes.get(volumeId) as Volume)),
    ]);
    const { coverage } = result;
    const { excluded, benchmarkVolumes, ...ofAll } = coverage;
    const unknown = coverage.unknown.filter(({ volumeId }) => volumeIds.has(volumeId));
    const notEvaluated = coverage.instances.notEvaluated.filter(({ instanceId }) =>
      instanceIds.has(instanceId),
    );
    const findings = result.findings.filter(({ id }) => notified.has(id));
    return {
      result: {
        ...result,
        summary: summaryOf(findings, volumes),
        volumes,
        stripes: result.stripes.filter(({ volumeIds: ids }) => ids.some((id) => volumeIds.has(id))),
        findings,
        ...(result.secondOpinion === undefined
          ? {}
          : { secondOpinion: result.secondOpinion.filter(({ volumeId }) => volumeIds.has(volumeId)) }),
        // What is not in it may be there all the same.
        wholeRegions: [],
        ...(result.accountCoverage === undefined
          ? {}
          : {
              accountCoverage: result.accountCoverage.map((one) => ({
                ...one,
                regions: one.regions.map((region) => ({ ...region, whole: false })),
              })),
            }),
        coverage: {
          ...ofAll,
          ...{ volumes: volumes.length, evaluated: volumes.length - unknown.length, unknown },
          instances: {
            total: instanceIds.size,
            evaluated: instanceIds.size - notEvaluated.length,
            notEvaluated,
          },
        },
      },
      instances: [...asked].flatMap((id) => this.instances.get(id) ?? []),
    };
  }
}

/** The same figures, of these resources alone: others are not missed. */
export const metricsOf = (metrics: FleetMetrics, isOne: (resourceId: string) => boolean): FleetMetrics => ({
  of: (id) => metrics.of(id),
  resourceIds: () => metrics.resourceIds().filter(isOne),
  repeatedPoints: (id) => metrics.repeatedPoints(id),
  unusableReason: (id) => metrics.unusableReason(id),
  series: metrics.series,
});

/** What was read of a whole fleet, narrowed before it is evaluated; the window stays that of the whole. */
export function narrowed(input: AuditInput, selected: SelectedResources): AuditInput {
  const group = selected.narrow(input.inventory);
  const { metrics, window } = input.read;
  const ofAll = window === 'of-all' ? windowOver(metrics, metrics.resourceIds()) : window;
  const ids = resourceIdsOf(group);
  return {
    ...input,
    inventory: { ...input.inventory, ...group },
    read: { ...input.read, metrics: metricsOf(metrics, (id) => ids.has(id)), window: ofAll ?? 'of-all' },
  };
}
