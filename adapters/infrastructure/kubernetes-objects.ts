/**
 * Objects of Kubernetes that bring EBS volumes.
 * Sources, read 2026-11-28: aws-ebs-csi-driver, docs/parameters.md and docs/modify-volume.md; Kubernetes, API reference.
 */
import {
  type Asked,
  type AskedVolume,
  type PlannedAttributesClass,
  type PlannedBase,
  type PlannedClaim,
  type PlannedResource,
  type PlannedStorageClass,
  type ResourceReference,
  setValue,
} from '../../core/check/planned.ts';
import type { Tags } from '../../core/inventory.ts';
import { known } from '../../core/known.ts';
import { sanitize } from '../../core/sanitize.ts';
import {
  askedFlag,
  askedText,
  askedVolume,
  askedWhole,
  ignoredRulesOf,
  type Lookup,
  orElse,
  unknownFigure,
  type VolumeNames,
} from './asked.ts';
import { isRecord, type JsonRecord, listOf, memberOf, recordOf, stringOf, within } from './json-values.ts';
import { storageQuantity } from './kubernetes-quantity.ts';

/** EKS Auto Mode has the driver under its own name. */
const drivers: readonly string[] = ['ebs.csi.aws.com', 'ebs.csi.eks.amazonaws.com', 'kubernetes.io/aws-ebs'];
const defaultKey = 'storageclass.kubernetes.io/is-default-class';

const classNames: VolumeNames = {
  volumeType: 'type',
  iops: 'iops',
  throughputMiBps: 'throughput',
  initializationMiBps: 'volumeInitializationRate',
  outpostArn: 'outpostArn',
};

/** The driver reads the names of parameters in any case. */
function parametersOf(written: unknown): Lookup {
  const byName = new Map(Object.entries(recordOf(written)).map(([key, value]) => [key.toLowerCase(), value]));
  return (name) => known(byName.get(name.toLowerCase()));
}

const textsOf = (written: unknown): Tags =>
  Object.fromEntries(
    Object.entries(recordOf(written)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

export interface ClassSaid {
  name: string;
  annotations: Tags;
  allowsExpansion: boolean;
}

/** @param before the parameters that stand, where the file knows them. */
export function classOf(
  base: PlannedBase,
  kind: 'storage-class' | 'volume-attributes-class',
  parameters: Lookup,
  before: Lookup | null,
  said: ClassSaid,
): (PlannedStorageClass | PlannedAttributesClass)[] {
  const asked = askedVolume(parameters, classNames);
  const stood: AskedVolume | null = before === null ? null : askedVolume(before, classNames);
  const iopsPerGiB = askedWhole(parameters('iopsPerGB'));
  const shared = { ...base, name: said.name, asked, before: stood, iopsPerGiB };
  if (kind === 'volume-attributes-class') return [{ ...shared, kind }];
  const isDefault = said.annotations[defaultKey] === 'true';
  const allowAutoIopsPerGiBIncrease = askedFlag(parameters('allowAutoIOPSPerGBIncrease'));
  return [{ ...shared, kind, isDefault, allowsExpansion: said.allowsExpansion, allowAutoIopsPerGiBIncrease }];
}

export interface ClaimSaid extends Omit<PlannedClaim, keyof PlannedBase | 'kind'> {}

export const claimOf = (base: PlannedBase, said: ClaimSaid): PlannedClaim => ({
  ...base,
  ...said,
  kind: 'claim',
});

// An object, wherever it was written.

const named = (value: unknown): ResourceReference | null => {
  const id = setValue(askedText(known(value)));
  return id === null ? null : { address: null, id };
};

/** Where a line is known: that of an object within a document. */
export type LineOf = (object: unknown) => number | null;

/** Namespace/Kind/name, without a namespace where none is named. */
const addressOf = (object: JsonRecord): string => {
  const metadata = object['metadata'];
  const names = [
    memberOf(metadata, 'namespace'),
    object['kind'],
    memberOf(metadata, 'name') ?? memberOf(metadata, 'generateName'),
  ];
  return names
    .flatMap((one) => stringOf(one) ?? [])
    .map((one) => sanitize(one, 253))
    .join('/');
};

const baseOf = (object: JsonRecord, within_: PlannedBase, line: number | null): PlannedBase => {
  const annotations = textsOf(memberOf(object['metadata'], 'annotations'));
  return {
    ...within_,
    // Within a plan it has the address of Terraform.
    address: within_.address === '' ? addressOf(object) : within_.address,
    type: within_.address === '' ? sanitize(stringOf(object['kind']) ?? '') : within_.type,
    line: line ?? within_.line,
    ignoredRules: ignoredRulesOf(annotations),
  };
};

/** `tagSpecification_1: "team=orders"` of a class is put on its volumes. */
const tagsOfClass = (parameters: unknown): Tags =>
  Object.fromEntries(
    Object.entries(textsOf(parameters)).flatMap(([key, value]): [string, string][] => {
      const [, tag, text = ''] = /^tagspecification_/i.test(key) ? (/^([^=]+)=(.*)$/s.exec(value) ?? []) : [];
      return tag === undefined || text.includes('{{') ? [] : [[tag, text]];
    }),
  );

function claim(
  object: unknown,
  base: PlannedBase,
  namespace: string | null,
  copies: Asked<number>,
): PlannedClaim {
  const [metadata, spec] = [memberOf(object, 'metadata'), memberOf(object, 'spec')];
  return claimOf(base, {
    name: sanitize(stringOf(memberOf(metadata, 'name')) ?? '', 253),
    namespace,
    sizeGiB: storageQuantity(known(within(spec, 'resources', 'requests', 'storage'))),
    beforeSizeGiB: null,
    storageClass: named(memberOf(spec, 'storageClassName')),
    attributesClass: named(memberOf(spec, 'volumeAttributesClassName')),
    copies,
  });
}

/** Both known, or why one of them is not. */
const combined = (
  one: Asked<number>,
  other: Asked<number>,
  combine: (one: number, other: number) => number,
): Asked<number> => {
  if (!one.known) return one;
  if (!other.known) return other;
  return known(combine(one.value ?? 1, other.value ?? 1));
};

/** The operator of Prometheus makes the replicas once for each shard. */
const sharded: readonly unknown[] = ['Prometheus', 'PrometheusAgent'];

/**
 * How many pods a workload has at once: replicas, or the count of Elastic's operator; one where none is set. A Job has no more than
 * are still to complete.
 */
function podsOf(kind: unknown, spec: unknown): Asked<number> {
  if (kind === 'DaemonSet') return unknownFigure('elsewhere', 'nodes');
  const at = (name: string): Asked<number> => askedWhole(known(memberOf(spec, name)));
  if (kind === 'Job' || kind === 'CronJob') {
    const parallelism = orElse(at('parallelism'), known(1));
    return combined(parallelism, orElse(at('completions'), parallelism), Math.min);
  }
  const count = orElse(orElse(at('replicas'), at('count')), known(1));
  const shards = sharded.includes(kind) ? at('shards') : known(1);
  return combined(count, shards, (one, other) => one * other);
}

interface Templates {
  /** Between the workload and the claim in the address; '' where there is one set of pods. */
  set: string;
  copies: Asked<number>;
  templates: { template: unknown; name: unknown }[];
}

/** volumeClaimTemplates of a StatefulSet, the one of Prometheus, and ephemeral volumes of pods. */
function templatesIn(kind: unknown, spec: unknown, set = ''): Templates {
  const job = kind === 'CronJob' ? within(spec, 'jobTemplate', 'spec') : spec;
  const pod = kind === 'Pod' ? spec : within(job, 'template', 'spec');
  const ephemeral = listOf(memberOf(pod, 'volumes')).flatMap((volume) => {
    const template = within(volume, 'ephemeral', 'volumeClaimTemplate');
    return template === undefined ? [] : [{ template, name: memberOf(volume, 'name') }];
  });
  const single = within(spec, 'storage', 'volumeClaimTemplate');
  const templates = [
    ...listOf(memberOf(spec, 'volumeClaimTemplates')),
    ...(isRecord(single) ? [single] : []),
  ];
  const named = templates.map((template) => ({
    template,
    name: within(template, 'metadata', 'name') ?? (template === single ? 'storage' : undefined),
  }));
  return { set, copies: podsOf(kind, job), templates: [...named, ...ephemeral] };
}

/** Claims within a workload; Elasticsearch has several sets of nodes. */
function claimsWithin(object: JsonRecord, base: PlannedBase, lineOf: LineOf): PlannedClaim[] {
  const { kind, spec } = object;
  const namespace = stringOf(within(object, 'metadata', 'namespace'));
  const sets = [
    templatesIn(kind, spec),
    ...listOf(memberOf(spec, 'nodeSets')).map((one) =>
      templatesIn(kind, one, `${sanitize(stringOf(memberOf(one, 'name')) ?? '', 253)}/`),
    ),
  ];
  return sets.flatMap(({ set, copies, templates }) =>
    templates.map(({ template, name }) => {
      const text = sanitize(stringOf(name) ?? '', 253);
      const annotations = textsOf(within(template, 'metadata', 'annotations'));
      const at: PlannedBase = {
        ...base,
        address: `${base.address}/${set}${text}`,
        line: lineOf(template) ?? base.line,
        ignoredRules: [...base.ignoredRules, ...ignoredRulesOf(annotations)],
      };
      return { ...claim(template, at, namespace, copies), name: text };
    }),
  );
}

/** Whether a driver, or the provisioner of a storage class, makes EBS volumes. */
export const isEbsDriver = (driver: unknown): boolean =>
  typeof driver === 'string' && drivers.includes(driver);

/** Of a class, its parameters; its driver stands elsewhere in each kind. */
const driverOf = (object: JsonRecord): unknown => object['provisioner'] ?? object['driverName'];

function classIn(object: JsonRecord, base: PlannedBase, kind: 'storage-class' | 'volume-attributes-class') {
  if (!isEbsDriver(driverOf(object))) return null;
  const parameters = object['parameters'];
  const withTags = { ...base, tags: tagsOfClass(parameters) };
  return classOf(withTags, kind, parametersOf(parameters), null, {
    name: sanitize(stringOf(within(object, 'metadata', 'name')) ?? '', 253),
    annotations: textsOf(within(object, 'metadata', 'annotations')),
    allowsExpansion: object['allowVolumeExpansion'] === true,
  });
}

/**
 * The resources of an object; null where its kind brings no volume, or one that is not of EBS.
 * @param given without an address: the object is in a manifest, and has its own.
 */
export function resourcesOfObject(
  object: unknown,
  given: PlannedBase,
  lineOf: LineOf = () => null,
): PlannedResource[] | null {
  const record = recordOf(object);
  const base = baseOf(record, given, lineOf(object));
  const { kind } = record;
  if (kind === 'StorageClass') return classIn(record, base, 'storage-class');
  if (kind === 'VolumeAttributesClass') return classIn(record, base, 'volume-attributes-class');
  if (kind === 'PersistentVolumeClaim')
    return [claim(object, base, stringOf(within(record, 'metadata', 'namespace')), known(1))];
  const claims = claimsWithin(record, base, lineOf);
  return claims.length === 0 ? null : claims;
}

/** `StorageClass of efs.csi.aws.com`: a class of another driver is of another type. */
export function typeOfObject(object: JsonRecord): string {
  const kind = stringOf(object['kind']) ?? '';
  const driver = stringOf(driverOf(object));
  return kind.endsWith('Class') && driver !== null && !drivers.includes(driver)
    ? `${kind} of ${driver}`
    : kind;
}
