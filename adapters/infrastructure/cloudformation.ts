/**
 * CloudFormation templates, as JSON or as YAML.
 * Sources, read 2026-11-28: CloudFormation template reference, AWS::EC2::Volume, ::Instance, ::LaunchTemplate,
 * ::VolumeAttachment, AWS::AutoScaling::AutoScalingGroup and ::LaunchConfiguration, AWS::EKS::Nodegroup.
 */
import {
  type Asked,
  type PlannedAttachment,
  type PlannedBase,
  type PlannedDevice,
  type PlannedResource,
  type ResourceReference,
  setValue,
  type UnknownFigure,
} from '../../core/check/planned.ts';
import { regionOfZone } from '../../core/ids.ts';
import type { Tags } from '../../core/inventory.ts';
import { known } from '../../core/known.ts';
import {
  addressText,
  allOf,
  askedFlag,
  askedIs,
  askedText,
  askedVolume,
  askedWhole,
  ignoredRulesOf,
  instancesOfCapacity,
  isDedicatedTenancy,
  isRootDevice,
  isSpotPrice,
  isSpotShare,
  notSet,
  orElse,
  unknownFigure,
  type Value,
  type VolumeNames,
} from './asked.ts';
import { type TemplateContext, TemplateValues } from './cloudformation-values.ts';
import { isRecord, type JsonRecord, listOf, memberOf, recordOf, stringOf } from './json-values.ts';
import { addResource, type Reading } from './reading.ts';
import type { YamlFile } from './yaml-documents.ts';

const volumeNames: VolumeNames = {
  volumeType: 'VolumeType',
  sizeGiB: 'Size',
  iops: 'Iops',
  throughputMiBps: 'Throughput',
  initializationMiBps: 'VolumeInitializationRate',
  snapshotId: 'SnapshotId',
  multiAttach: 'MultiAttachEnabled',
  outpostArn: 'OutpostArn',
};
const deviceNames: VolumeNames = {
  volumeType: 'VolumeType',
  sizeGiB: 'VolumeSize',
  iops: 'Iops',
  throughputMiBps: 'Throughput',
  initializationMiBps: 'VolumeInitializationRate',
  snapshotId: 'SnapshotId',
};

/** A template is an object with resources, each of which has a type. */
export const isTemplate = (value: unknown): value is JsonRecord => {
  if (!isRecord(value) || !isRecord(value['Resources'])) return false;
  const isSaid = ['AWSTemplateFormatVersion', 'Transform'].some((name) => Object.hasOwn(value, name));
  return (
    isSaid || Object.values(value['Resources']).some((one) => stringOf(memberOf(one, 'Type'))?.includes('::'))
  );
};

/** A nested stack: who reads the file reads its template, if it is there. */
export interface NestedStack {
  logicalId: string;
  /** Of `TemplateURL`, or of the asset of a CDK app; null where it is not known. */
  templatePath: string | null;
  parameters: ReadonlyMap<string, Value>;
  /** The name that its template has in the bucket of assets: `HASH.json`; null where the URL names none. */
  assetName: string | null;
}

export interface TemplateAt extends TemplateContext {
  file: string;
  scope: string;
  /** `Stack/` or `Stack/Nested/`: before each logical id. */
  prefix: string;
  lines: Pick<YamlFile, 'lineOf' | 'lineOfKey'>;
}

/** The members of an object: resolved, and as they are written. */
interface Members {
  at: (name: string) => Value;
  written: (name: string) => unknown;
}

interface Resource {
  base: PlannedBase;
  members: Members;
  values: TemplateValues;
  place: TemplateAt;
}

function membersOf(values: TemplateValues, value: unknown): Members {
  const object = values.resolve(value);
  return {
    at: (name) => (object.known ? values.resolve(memberOf(object.value, name)) : object),
    written: (name) => (object.known ? memberOf(object.value, name) : undefined),
  };
}

/** The members of a member. */
function membersAt(values: TemplateValues, members: Members, name: string): Members {
  const value = members.at(name);
  return value.known ? membersOf(values, value.value) : { at: () => value, written: () => undefined };
}

interface Items {
  items: unknown[];
  /** Why there may be more than these. */
  more: UnknownFigure | null;
}

/** The items of a list; those that a function takes away are none. */
function itemsOf(values: TemplateValues, list: Value): Items {
  if (!list.known) return { items: [], more: list.reason };
  if (list.value === undefined || list.value === null) return { items: [], more: null };
  if (!Array.isArray(list.value)) return { items: [], more: { code: 'not-readable', detail: null } };
  const found: Items = { items: [], more: null };
  for (const item of list.value) {
    const value = values.resolve(item);
    if (!value.known) found.more ??= value.reason;
    else if (value.value !== undefined && value.value !== null) found.items.push(value.value);
  }
  return found;
}

/** A list of Key and Value; of AWS::EKS::Nodegroup a map. */
function tagsOf(values: TemplateValues, written: Value): Tags {
  const tags =
    written.known && isRecord(written.value)
      ? Object.entries(written.value).map(([Key, Value]) => ({ Key, Value }))
      : itemsOf(values, written).items;
  const pairs = tags.flatMap((tag): [string, string][] => {
    const { at } = membersOf(values, tag);
    const [key, value] = [at('Key'), at('Value')];
    const text = value.known && typeof value.value !== 'object' ? String(value.value ?? '') : null;
    return key.known && typeof key.value === 'string' && text !== null ? [[key.value, text]] : [];
  });
  return Object.fromEntries(pairs);
}

/** By its logical id in this template, else by the id or name that stands there. */
function reference(
  values: TemplateValues,
  place: TemplateAt,
  members: Members,
  name: string,
): ResourceReference {
  const logicalId = values.resourceOf(members.written(name));
  if (logicalId === null) return { address: null, id: setValue(askedText(members.at(name))) };
  return { address: addressText(`${place.prefix}${logicalId}`), id: null };
}

// Devices.

interface Devices {
  devices: PlannedDevice[];
  moreDevices: UnknownFigure | null;
}

function devicesOf({ values, members, place, base }: Resource): Devices {
  const { items, more } = itemsOf(values, members.at('BlockDeviceMappings'));
  let moreDevices = more;
  const devices = items.flatMap((mapping): PlannedDevice[] => {
    const { at } = membersOf(values, mapping);
    const ebs = at('Ebs');
    // Instance store, or a device of the image that is removed.
    if (ebs.known && !isRecord(ebs.value)) return [];
    if (!ebs.known) moreDevices ??= ebs.reason;
    const device = setValue(askedText(at('DeviceName')));
    return [
      {
        device,
        isRoot: isRootDevice(device),
        asked: askedVolume(ebs.known ? membersOf(values, ebs.value).at : () => ebs, deviceNames),
        ...{ before: null, volumeId: null, tags: {}, action: null },
        line: place.lines.lineOf(mapping) ?? base.line,
      },
    ];
  });
  return { devices, moreDevices };
}

// Resources, by type.

type ReadResource = (resource: Resource) => PlannedResource[];

const volume: ReadResource = ({ base, members }) => [
  {
    ...base,
    kind: 'volume',
    asked: askedVolume(members.at, volumeNames),
    ...{ before: null, volumeId: null },
    availabilityZone: askedText(members.at('AvailabilityZone')),
  },
];

const templateNames = ['LaunchTemplateId', 'LaunchTemplateName'];
/** AWS::EKS::Nodegroup calls them otherwise. */
const templateNamesOfNodes = ['Id', 'Name'];

/** A specification of a launch template; null where there is none. */
function templateReference(
  { values, place }: Resource,
  members: Members,
  name: string,
  names: readonly string[] = templateNames,
): ResourceReference | null {
  const specification = members.at(name);
  if (!specification.known) return { address: null, id: null };
  if (!isRecord(specification.value)) return null;
  const inside = membersOf(values, specification.value);
  for (const key of names) {
    const found = reference(values, place, inside, key);
    if (found.address !== null || found.id !== null) return found;
  }
  // A name that only AWS knows may stand beside the version of a template that stands here.
  const byVersion = values.resourceOf(inside.written('Version'));
  return { address: byVersion === null ? null : addressText(`${place.prefix}${byVersion}`), id: null };
}

/** `Volumes` of an instance: an attachment each. */
const attachmentsWithin = ({ base, members, values, place }: Resource): PlannedAttachment[] =>
  itemsOf(values, members.at('Volumes')).items.map((item, index) => {
    const inside = membersOf(values, item);
    return {
      ...base,
      kind: 'attachment',
      address: `${base.address}/Volumes[${index}]`,
      line: place.lines.lineOf(item) ?? base.line,
      volume: reference(values, place, inside, 'VolumeId'),
      instance: { address: base.address, id: null },
      device: setValue(askedText(inside.at('Device'))),
    };
  });

const instance: ReadResource = (resource) => {
  const { base, members } = resource;
  return [
    {
      ...base,
      kind: 'instance',
      ...devicesOf(resource),
      instanceType: askedText(members.at('InstanceType')),
      ...{ beforeInstanceType: null, beforeIsSpot: null, instanceId: null, isSpot: notSet },
      ebsOptimized: askedFlag(members.at('EbsOptimized')),
      isDedicated: isDedicatedTenancy(askedText(members.at('Tenancy'))),
      launchTemplate: templateReference(resource, members, 'LaunchTemplate'),
    },
    ...attachmentsWithin(resource),
  ];
};

const launching = (resource: Resource, name: Value, isSpot: Asked<boolean>): PlannedResource[] => [
  {
    ...resource.base,
    kind: 'launch-template',
    ...devicesOf(resource),
    instanceType: askedText(resource.members.at('InstanceType')),
    ...{ beforeInstanceType: null, beforeIsSpot: null, launchTemplateId: null },
    ebsOptimized: askedFlag(resource.members.at('EbsOptimized')),
    isDedicated: isDedicatedTenancy(
      orElse(
        askedText(membersAt(resource.values, resource.members, 'Placement').at('Tenancy')),
        askedText(resource.members.at('PlacementTenancy')),
      ),
    ),
    isSpot,
    name: setValue(askedText(name)),
  },
];

const launchTemplate: ReadResource = (resource) => {
  const data = membersAt(resource.values, resource.members, 'LaunchTemplateData');
  const market = membersAt(resource.values, data, 'InstanceMarketOptions').at('MarketType');
  const isSpot = askedIs(askedText(market), 'spot');
  return launching({ ...resource, members: data }, resource.members.at('LaunchTemplateName'), isSpot);
};

const launchConfiguration: ReadResource = (resource) => {
  const isSpot = isSpotPrice(askedText(resource.members.at('SpotPrice')));
  return launching(resource, resource.members.at('LaunchConfigurationName'), isSpot);
};

function typesIn(
  values: TemplateValues,
  list: Value,
  typeOf: (item: unknown) => Value,
): Asked<readonly string[]> {
  const { items, more } = itemsOf(values, list);
  if (more !== null) return { known: false, reason: more };
  return allOf(items.map((item) => askedText(typeOf(item))));
}

/** One that AWS chooses by what is required, or that has a launch template of its own, is no type beside the group's volumes. */
function overrideType(values: TemplateValues, item: unknown): Value {
  const inside = membersOf(values, item);
  const isWritten = (name: string): boolean => {
    const value = inside.at(name);
    return !value.known || (value.value !== undefined && value.value !== null);
  };
  const other = ['InstanceRequirements', 'LaunchTemplateSpecification'].find(isWritten);
  return other === undefined ? inside.at('InstanceType') : unknownFigure('not-resolved', other);
}

/** A launch configuration, where one is named. */
function configurationReference({ values, place, members }: Resource): ResourceReference | null {
  const named = members.at('LaunchConfigurationName');
  if (named.known && (named.value === undefined || named.value === null)) return null;
  return reference(values, place, members, 'LaunchConfigurationName');
}

const scalingGroup: ReadResource = (resource) => {
  const { base, members, values } = resource;
  const policy = membersAt(values, members, 'MixedInstancesPolicy');
  const template = membersAt(values, policy, 'LaunchTemplate');
  const written = members.at('MixedInstancesPolicy');
  const hasPolicy = !written.known || (written.value !== undefined && written.value !== null);
  const share = membersAt(values, policy, 'InstancesDistribution').at('OnDemandPercentageAboveBaseCapacity');
  const minCopies = askedWhole(members.at('MinSize'));
  const overrides = itemsOf(values, template.at('Overrides'));
  return [
    {
      ...base,
      kind: 'auto-scaling-group',
      ...{ devices: [], moreDevices: null, before: null, beforeCopies: null, isPinned: false },
      isSpot: hasPolicy ? isSpotShare(askedWhole(share)) : notSet,
      launchTemplate:
        templateReference(resource, members, 'LaunchTemplate') ??
        templateReference(resource, template, 'LaunchTemplateSpecification') ??
        configurationReference(resource),
      instanceTypes: typesIn(values, template.at('Overrides'), (item) => overrideType(values, item)),
      copies: instancesOfCapacity(
        orElse(askedWhole(members.at('DesiredCapacity')), minCopies),
        askedText(members.at('DesiredCapacityType')),
        overrides.items.map((item) => askedWhole(membersOf(values, item).at('WeightedCapacity'))),
        overrides.more,
      ),
      minCopies,
      maxCopies: askedWhole(members.at('MaxSize')),
    },
  ];
};

const nodeGroup: ReadResource = (resource) => {
  const { base, members, values } = resource;
  const launchTemplateOf = templateReference(resource, members, 'LaunchTemplate', templateNamesOfNodes);
  const scaling = membersAt(values, members, 'ScalingConfig');
  const disk = askedVolume(members.at, { sizeGiB: 'DiskSize' });
  const device: PlannedDevice = {
    ...{ device: null, isRoot: true, before: null, volumeId: null, tags: {}, line: base.line, action: null },
    asked: { ...disk, volumeType: unknownFigure('elsewhere', 'DiskSize') },
  };
  const minCopies = askedWhole(scaling.at('MinSize'));
  return [
    {
      ...base,
      kind: 'auto-scaling-group',
      devices: launchTemplateOf === null ? [device] : [],
      ...{ moreDevices: null, before: null, beforeCopies: null, isPinned: false },
      isSpot: askedIs(askedText(members.at('CapacityType')), 'spot'),
      launchTemplate: launchTemplateOf,
      instanceTypes: typesIn(values, members.at('InstanceTypes'), known),
      copies: orElse(askedWhole(scaling.at('DesiredSize')), minCopies),
      minCopies,
      maxCopies: askedWhole(scaling.at('MaxSize')),
    },
  ];
};

const attachment: ReadResource = ({ base, members, values, place }) => [
  {
    ...base,
    kind: 'attachment',
    volume: reference(values, place, members, 'VolumeId'),
    instance: reference(values, place, members, 'InstanceId'),
    device: setValue(askedText(members.at('Device'))),
  },
];

const types: ReadonlyMap<string, ReadResource> = new Map([
  ['AWS::EC2::Volume', volume],
  ['AWS::EC2::Instance', instance],
  ['AWS::EC2::LaunchTemplate', launchTemplate],
  ['AWS::EC2::VolumeAttachment', attachment],
  ['AWS::AutoScaling::AutoScalingGroup', scalingGroup],
  ['AWS::AutoScaling::LaunchConfiguration', launchConfiguration],
  ['AWS::EKS::Nodegroup', nodeGroup],
]);

function zoneRegion(members: Members): string | null {
  const zone = setValue(askedText(members.at('AvailabilityZone')));
  return zone === null ? null : regionOfZone(zone);
}

const stackType = 'AWS::CloudFormation::Stack';

/** The last part of a URL, also of one that a function joins of parts that only AWS knows. */
function assetNameIn(url: unknown): string | null {
  const parts = listOf(listOf(memberOf(url, 'Fn::Join'))[1]);
  const last = parts.at(-1) ?? memberOf(url, 'Fn::Sub') ?? url;
  return /\/([0-9a-f]{64}\.json)$/.exec(stringOf(last) ?? '')?.[1] ?? null;
}

/** The template of a nested stack: where the CDK or `aws cloudformation package` finds it. */
function nestedOf(logicalId: string, resource: JsonRecord, values: TemplateValues): NestedStack {
  const properties = membersOf(values, resource['Properties']);
  const url = properties.at('TemplateURL');
  const asset = stringOf(memberOf(resource['Metadata'], 'aws:asset:path'));
  const path = url.known && typeof url.value === 'string' && !url.value.includes('://') ? url.value : null;
  const given = properties.at('Parameters');
  const names = given.known ? Object.keys(recordOf(given.value)) : [];
  const inside = membersAt(values, properties, 'Parameters');
  return {
    logicalId,
    assetName: assetNameIn(memberOf(resource['Properties'], 'TemplateURL')),
    templatePath: asset ?? path,
    parameters: new Map(names.map((name) => [name, inside.at(name)])),
  };
}

/**
 * Adds the resources of a template.
 * @returns its nested stacks, none of which is counted yet.
 */
export function readTemplate(template: JsonRecord, place: TemplateAt, reading: Reading): NestedStack[] {
  const values = new TemplateValues(template, place);
  const nested: NestedStack[] = [];
  const resources = recordOf(template['Resources']);
  for (const [logicalId, written] of Object.entries(resources)) {
    const resource = recordOf(written);
    const type = stringOf(resource['Type']) ?? '';
    const condition = stringOf(resource['Condition']);
    const isMade = condition === null ? known(true) : values.holds({ Condition: condition });
    if (isMade.known && isMade.value === false) {
      reading.notMade++;
      continue;
    }
    const read = types.get(type);
    if (read === undefined) {
      if (type === stackType) nested.push(nestedOf(logicalId, resource, values));
      // A loop or a macro makes resources that only AWS knows.
      else addResource(reading, type || logicalId.split('::').slice(0, 2).join('::'), null);
      continue;
    }
    const members = membersOf(values, resource['Properties']);
    const tags = tagsOf(values, members.at('Tags'));
    const base: PlannedBase = {
      address: addressText(`${place.prefix}${logicalId}`),
      ...{ source: 'cloudformation', type, scope: place.scope, file: place.file },
      line: place.lines.lineOfKey(resources, logicalId),
      ...{ action: 'declared', replacedFor: [], replaceReason: null, tags },
      region: zoneRegion(members) ?? place.region,
      ignoredRules: ignoredRulesOf(tags),
    };
    addResource(reading, type, read({ base, members, values, place }));
  }
  return nested;
}

/** A nested stack whose template is not there: its resources are not known. */
export const addUnreadStack = (reading: Reading): void => addResource(reading, stackType, null);
