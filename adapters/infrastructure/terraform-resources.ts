/** Resources of a Terraform plan, by type. Source: documentation of the providers aws 6 and kubernetes 2, read 2026-11-28. */
import {
  type Asked,
  type AskedVolume,
  type PlannedAction,
  type PlannedBase,
  type PlannedDevice,
  type PlannedResource,
  type ResourceReference,
  setValue,
} from '../../core/check/planned.ts';
import { isInstanceId, isVolumeId } from '../../core/ids.ts';
import { known } from '../../core/known.ts';
import { gp3Figures, provisionedFigures } from '../../core/limits/volume-limits.ts';
import {
  addressText,
  allOf,
  askedFlag,
  askedText,
  askedVolume,
  askedWhole,
  isRootDevice,
  type Lookup,
  notSet,
  orElse,
  unknownFigure,
  type Value,
  type VolumeNames,
} from './asked.ts';
import { isRecord, memberOf, stringOf } from './json-values.ts';
import { claimOf, classOf, isEbsDriver, resourcesOfObject } from './kubernetes-objects.ts';
import { storageQuantity } from './kubernetes-quantity.ts';
import {
  type Blocks,
  blocksAt,
  expressionAt,
  firstBlock,
  isNotSet,
  tagsAt,
  type View,
  valueAt,
} from './terraform-view.ts';

/** A resource that changes: what shall be, and what stands. */
export interface Changed {
  base: PlannedBase;
  action: PlannedAction;
  /** What shall be; of a deletion, what was. */
  after: View;
  before: View | null;
  /** `["a"]`, `[0]` or ''. */
  key: string;
}

const volumeNames: VolumeNames = {
  volumeType: 'type',
  sizeGiB: 'size',
  iops: 'iops',
  throughputMiBps: 'throughput',
  initializationMiBps: 'volume_initialization_rate',
  snapshotId: 'snapshot_id',
  multiAttach: 'multi_attach_enabled',
  outpostArn: 'outpost_arn',
};
const deviceNames: VolumeNames = {
  volumeType: 'volume_type',
  sizeGiB: 'volume_size',
  iops: 'iops',
  throughputMiBps: 'throughput',
  initializationMiBps: 'volume_initialization_rate',
  snapshotId: 'snapshot_id',
};

const performance = ['iops', 'throughput'];
/** On other types IOPS and throughput follow from the size: a state has them, and nobody asked for them. */
const canBeSet: ReadonlyMap<string, readonly string[]> = new Map([
  ['gp3', performance],
  ['io1', ['iops']],
  ['io2', ['iops']],
]);

/** Source: terraform-provider-aws, the update of aws_ebs_volume, read 2026-11-28. */
const isSentOn = (type: string | undefined, iops: unknown): boolean =>
  typeof iops === 'number' &&
  ((type === 'gp3' && iops >= gp3Figures.freeIops) ||
    ((type === 'io1' || type === 'io2') && iops >= provisionedFigures[type].minIops));

/**
 * What is not set stands in a plan as the provider last read it: figures of the type before, where the type changes.
 * The provider writes 0 for figures that a volume does not have.
 */
function lookIn(view: View, typeName: string, before: View | null): Lookup {
  const type = setValue(askedText(valueAt(view, typeName)))?.toLowerCase();
  const typeBefore = before === null ? type : setValue(askedText(valueAt(before, typeName)))?.toLowerCase();
  return (name) => {
    const value = valueAt(view, name);
    if (!performance.includes(name) || !value.known) return value;
    if (value.value === 0) return notSet;
    if (!isNotSet(view, name)) return value;
    // With a new type the provider sends the IOPS of the volume (not of a device) as its state has them.
    if (typeName === 'type' && name === 'iops' && isSentOn(type, value.value)) return value;
    const isOfOther = type !== typeBefore;
    const follows = type !== undefined && canBeSet.get(type)?.includes(name) !== true;
    return isOfOther || follows ? notSet : value;
  };
}

const volumeIn = (view: View, names: VolumeNames, before: View | null): AskedVolume =>
  askedVolume(lookIn(view, names.volumeType ?? 'type', before), names);

const idOf = (view: View | null, name: string, isId: (text: string) => boolean): string | null => {
  if (view === null) return null;
  const text = setValue(askedText(valueAt(view, name)));
  return text !== null && isId(text) ? text : null;
};

const standingId = ({ before, after }: Changed, isId: (text: string) => boolean): string | null =>
  idOf(before, 'id', isId) ?? idOf(after, 'id', isId);

const isTemplateId = (text: string): boolean => /^lt-[0-9a-f]{8,17}$/.test(text);

function reference(
  { key }: Changed,
  view: View,
  names: readonly string[],
  types: readonly string[],
): ResourceReference {
  for (const name of names) {
    const address = view.configuration.referredTo(expressionAt(view, name), view.module, key, types);
    const id = setValue(askedText(valueAt(view, name)));
    if (address !== null || id !== null)
      return { address: address === null ? null : addressText(address), id };
  }
  return { address: null, id: null };
}

// Devices.

function deviceOf(view: View, before: View | null, isRoot: boolean): PlannedDevice {
  const device = nameOfDevice(view);
  return {
    device,
    isRoot: isRoot || isRootDevice(device),
    asked: volumeIn(view, deviceNames, before),
    before: before === null ? null : volumeIn(before, deviceNames, null),
    volumeId: idOf(before, 'volume_id', isVolumeId) ?? idOf(view, 'volume_id', isVolumeId),
    tags: tagsAt(view, 'tags_all', 'tags'),
    line: null,
  };
}

interface Devices {
  devices: PlannedDevice[];
  moreDevices: Blocks['more'];
}

const nameOfDevice = (view: View): string | null => setValue(askedText(valueAt(view, 'device_name')));

/** root_block_device and ebs_block_device of an instance, a Spot request or a launch configuration. */
function devicesOf({ after, before }: Changed): Devices {
  const roots = blocksAt(after, 'root_block_device');
  const others = blocksAt(after, 'ebs_block_device');
  const rootBefore = before === null ? null : firstBlock(before, 'root_block_device');
  const othersBefore = before === null ? [] : blocksAt(before, 'ebs_block_device').blocks;
  const standing = (view: View): View | null => {
    const name = nameOfDevice(view);
    return othersBefore.find((one) => name !== null && nameOfDevice(one) === name) ?? null;
  };
  return {
    devices: [
      ...roots.blocks.map((view) => deviceOf(view, rootBefore, true)),
      ...others.blocks.map((view) => deviceOf(view, standing(view), false)),
    ],
    moreDevices: roots.more ?? others.more,
  };
}

/** block_device_mappings of a launch template: those of EBS. */
function mappedDevicesOf({ after, before }: Changed): Devices {
  const mapped = (view: View): Map<View, View> => {
    const pairs = blocksAt(view, 'block_device_mappings').blocks.flatMap((mapping): [View, View][] => {
      const ebs = firstBlock(mapping, 'ebs');
      return ebs === null ? [] : [[mapping, ebs]];
    });
    return new Map(pairs);
  };
  const standing = before === null ? [] : [...mapped(before)];
  const devices = [...mapped(after)].map(([mapping, ebs]): PlannedDevice => {
    const device = nameOfDevice(mapping);
    const [, ebsBefore = null] =
      standing.find(([one]) => device !== null && nameOfDevice(one) === device) ?? [];
    const { asked, before: stood } = deviceOf(ebs, ebsBefore, false);
    return {
      device,
      isRoot: isRootDevice(device),
      asked,
      before: stood,
      volumeId: null,
      tags: {},
      line: null,
    };
  });
  const { blocks, more } = blocksAt(after, 'block_device_mappings');
  const inside = blocks.map((one) => blocksAt(one, 'ebs').more);
  return { devices, moreDevices: more ?? inside.find((one) => one !== null) ?? null };
}

// Resources.

type ReadResource = (changed: Changed) => PlannedResource[];

const volume: ReadResource = (changed) => {
  const { base, after, before } = changed;
  return [
    {
      ...base,
      kind: 'volume',
      asked: volumeIn(after, volumeNames, changed.action === 'delete' ? null : before),
      before: before === null ? null : volumeIn(before, volumeNames, null),
      volumeId: standingId(changed, isVolumeId),
      availabilityZone: askedText(valueAt(after, 'availability_zone')),
    },
  ];
};

const templateTypes = ['aws_launch_template'];

/** The block launch_template of an instance or a group. */
function templateReference(changed: Changed, view: View): ResourceReference | null {
  const { blocks, more } = blocksAt(view, 'launch_template');
  const [block] = blocks;
  if (block === undefined) return more === null ? null : { address: null, id: null };
  return reference(changed, block, ['id', 'name'], templateTypes);
}

const typeBefore = ({ before }: Changed): Asked<string> | null =>
  before === null ? null : askedText(valueAt(before, 'instance_type'));

const instance =
  (isSpot: boolean): ReadResource =>
  (changed) => {
    const { base, after } = changed;
    return [
      {
        ...base,
        kind: 'instance',
        ...devicesOf(changed),
        instanceType: askedText(valueAt(after, 'instance_type')),
        beforeInstanceType: typeBefore(changed),
        instanceId:
          standingId(changed, isInstanceId) ?? idOf(changed.before, 'spot_instance_id', isInstanceId),
        ebsOptimized: askedFlag(valueAt(after, 'ebs_optimized')),
        isSpot,
        launchTemplate: templateReference(changed, after),
      },
    ];
  };

const launchTemplate =
  (devices: (changed: Changed) => Devices): ReadResource =>
  (changed) => {
    const { base, after } = changed;
    return [
      {
        ...base,
        kind: 'launch-template',
        ...devices(changed),
        instanceType: askedText(valueAt(after, 'instance_type')),
        beforeInstanceType: typeBefore(changed),
        ebsOptimized: askedFlag(valueAt(after, 'ebs_optimized')),
        launchTemplateId: standingId(changed, isTemplateId),
        name: setValue(askedText(valueAt(after, 'name'))),
      },
    ];
  };

/** Of a mixed policy: the template, and the types that override its own. */
function mixed(changed: Changed): { template: ResourceReference | null; types: Asked<readonly string[]> } {
  const policies = blocksAt(changed.after, 'mixed_instances_policy');
  const [policy] = policies.blocks;
  if (policy === undefined) {
    return policies.more === null
      ? { template: null, types: notSet }
      : { template: { address: null, id: null }, types: { known: false, reason: policies.more } };
  }
  const template = firstBlock(policy, 'launch_template');
  if (template === null) return { template: null, types: notSet };
  const specification = firstBlock(template, 'launch_template_specification');
  const overrides = blocksAt(template, 'override');
  const types = overrides.blocks.map((one) => askedText(valueAt(one, 'instance_type')));
  return {
    template:
      specification === null
        ? null
        : reference(changed, specification, ['launch_template_id', 'launch_template_name'], templateTypes),
    types: overrides.more === null ? allOf(types) : { known: false, reason: overrides.more },
  };
}

const desiredIn = (view: View, names: readonly [string, string]): Asked<number> =>
  orElse(askedWhole(valueAt(view, names[0])), askedWhole(valueAt(view, names[1])));

const scalingGroup: ReadResource = (changed) => {
  const { base, after, before } = changed;
  const { template, types } = mixed(changed);
  const hasConfiguration =
    !isNotSet(after, 'launch_configuration') || stringOf(memberOf(after.values, 'launch_configuration'));
  const configuration = hasConfiguration
    ? reference(changed, after, ['launch_configuration'], ['aws_launch_configuration'])
    : null;
  const named = templateReference(changed, after) ?? template;
  const hasNone = configuration === null || (configuration.address === null && configuration.id === null);
  return [
    {
      ...base,
      kind: 'auto-scaling-group',
      devices: [],
      moreDevices: null,
      launchTemplate: named ?? (hasNone ? null : configuration),
      instanceTypes: types,
      copies: desiredIn(after, ['desired_capacity', 'min_size']),
      beforeCopies: before === null ? null : desiredIn(before, ['desired_capacity', 'min_size']),
      minCopies: askedWhole(valueAt(after, 'min_size')),
      maxCopies: askedWhole(valueAt(after, 'max_size')),
    },
  ];
};

/** A value inside the first block of a name; why not, where the block is not known. */
function inBlock(view: View, block: string, name: string): Value {
  const { blocks, more } = blocksAt(view, block);
  const [first] = blocks;
  if (first !== undefined) return valueAt(first, name);
  return more === null ? notSet : { known: false, reason: more };
}

function typesAt(view: View, name: string): Asked<readonly string[]> {
  const value = valueAt(view, name);
  if (!value.known) return value;
  return allOf((Array.isArray(value.value) ? value.value : []).map((one: unknown) => askedText(known(one))));
}

/** The disk of a node group without a launch template: EKS chooses the type of the volume. */
function nodeDisk(view: View): AskedVolume {
  const disk = askedVolume((name) => valueAt(view, name), { sizeGiB: 'disk_size' });
  return { ...disk, volumeType: unknownFigure('elsewhere', 'disk_size') };
}

const nodeGroup: ReadResource = (changed) => {
  const { base, after, before } = changed;
  const template = templateReference(changed, after);
  const scaling = (view: View, name: string): Asked<number> =>
    askedWhole(inBlock(view, 'scaling_config', name));
  const copiesIn = (view: View): Asked<number> =>
    orElse(scaling(view, 'desired_size'), scaling(view, 'min_size'));
  const disk: PlannedDevice = {
    ...{
      device: null,
      isRoot: true,
      asked: nodeDisk(after),
      before: before === null ? null : nodeDisk(before),
    },
    ...{ volumeId: null, tags: {}, line: null },
  };
  return [
    {
      ...base,
      kind: 'auto-scaling-group',
      devices: template === null ? [disk] : [],
      moreDevices: null,
      launchTemplate: template,
      instanceTypes: typesAt(after, 'instance_types'),
      copies: copiesIn(after),
      beforeCopies: before === null ? null : copiesIn(before),
      minCopies: scaling(after, 'min_size'),
      maxCopies: scaling(after, 'max_size'),
    },
  ];
};

const attachment: ReadResource = (changed) => [
  {
    ...changed.base,
    kind: 'attachment',
    volume: reference(changed, changed.after, ['volume_id'], ['aws_ebs_volume']),
    instance: reference(
      changed,
      changed.after,
      ['instance_id'],
      ['aws_instance', 'aws_spot_instance_request'],
    ),
    device: setValue(askedText(valueAt(changed.after, 'device_name'))),
  },
];

// Kubernetes, by Terraform.

const metadata = (view: View, name: string): string | null =>
  setValue(askedText(inBlock(view, 'metadata', name)));

const mapLookup = (view: View, name: string): Lookup => {
  const whole = valueAt(view, name);
  return (key) =>
    whole.known ? known(isRecord(whole.value) ? parameterOf(whole.value, key) : undefined) : whole;
};

/** The driver reads the names of parameters in any case. */
const parameterOf = (parameters: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.entries(parameters).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

const storageClass = ({ base, after, before }: Changed): PlannedResource[] | null => {
  const driver = askedText(valueAt(after, 'storage_provisioner'));
  if (driver.known && !isEbsDriver(driver.value)) return null;
  const annotations = firstBlock(after, 'metadata');
  const stood = before === null ? null : mapLookup(before, 'parameters');
  return classOf(base, 'storage-class', mapLookup(after, 'parameters'), stood, {
    name: metadata(after, 'name') ?? '',
    annotations: annotations === null ? {} : tagsAt(annotations, 'annotations'),
    allowsExpansion: setValue(askedFlag(valueAt(after, 'allow_volume_expansion'))) ?? true,
  });
};

const storageIn = (view: View): Asked<number> => {
  const spec = firstBlock(view, 'spec');
  if (spec === null) return notSet;
  const requests = inBlock(spec, 'resources', 'requests');
  return requests.known ? storageQuantity(known(memberOf(requests.value, 'storage'))) : requests;
};

const classReference = (changed: Changed, name: string): ResourceReference | null => {
  const spec = firstBlock(changed.after, 'spec');
  if (spec === null) return null;
  const found = reference(changed, spec, [name], ['kubernetes_storage_class', 'kubernetes_storage_class_v1']);
  const isNone = found.address === null && found.id === null && isNotSet(spec, name);
  return isNone ? null : found;
};

const claim: ReadResource = (changed) => {
  const { base, after, before } = changed;
  return [
    claimOf(base, {
      name: metadata(after, 'name') ?? '',
      namespace: metadata(after, 'namespace'),
      sizeGiB: storageIn(after),
      beforeSizeGiB: before === null ? null : storageIn(before),
      storageClass: classReference(changed, 'storage_class_name'),
      attributesClass: classReference(changed, 'volume_attributes_class_name'),
      copies: known(1),
    }),
  ];
};

/** An object of Kubernetes within a plan: null where it is none with volumes. */
const manifest = ({ base, after }: Changed): PlannedResource[] | null => {
  const value = valueAt(after, 'manifest');
  return value.known ? resourcesOfObject(value.value, base) : null;
};

/** Null: it brings no volume. */
export const terraformTypes: ReadonlyMap<string, (changed: Changed) => PlannedResource[] | null> = new Map<
  string,
  (changed: Changed) => PlannedResource[] | null
>([
  ['aws_ebs_volume', volume],
  ['aws_instance', instance(false)],
  ['aws_spot_instance_request', instance(true)],
  ['aws_launch_template', launchTemplate(mappedDevicesOf)],
  ['aws_launch_configuration', launchTemplate(devicesOf)],
  ['aws_autoscaling_group', scalingGroup],
  ['aws_eks_node_group', nodeGroup],
  ['aws_volume_attachment', attachment],
  ['kubernetes_storage_class', storageClass],
  ['kubernetes_storage_class_v1', storageClass],
  ['kubernetes_persistent_volume_claim', claim],
  ['kubernetes_persistent_volume_claim_v1', claim],
  ['kubernetes_manifest', manifest],
]);
