/** Auto Scaling groups and node groups of a Terraform plan. Source: documentation of the provider aws 6, read 2026-11-28. */
import type { Asked, AskedVolume, InstancesOfGroup, PlannedDevice } from '../../core/check/planned.ts';
import { known } from '../../core/known.ts';
import {
  allOf,
  askedIs,
  askedText,
  askedVolume,
  askedWhole,
  instancesOfCapacity,
  isSpotShare,
  notSet,
  orElse,
  unknownFigure,
} from './asked.ts';
import { memberOf, stringOf } from './json-values.ts';
import {
  type Changed,
  isPinnedIn,
  type ReadResource,
  reference,
  templateReference,
  templateTypes,
} from './terraform-changed.ts';
import { blocksAt, firstBlock, inBlock, isNotSet, type View, valueAt } from './terraform-view.ts';

/** One that AWS chooses by what is required, or that has a launch template of its own, is no type beside the group's volumes. */
function overrideType(override: View): Asked<string> {
  const other = ['instance_requirements', 'launch_template_specification'].find(
    (name) => firstBlock(override, name) !== null,
  );
  return other === undefined
    ? askedText(valueAt(override, 'instance_type'))
    : unknownFigure('not-resolved', other);
}

/** Of a mixed policy: the template, and the types that override its own. */
function mixed(changed: Changed, view: View): InstancesOfGroup {
  const policies = blocksAt(view, 'mixed_instances_policy');
  const [policy] = policies.blocks;
  if (policy === undefined) {
    const all: Asked<never> = policies.more === null ? notSet : { known: false, reason: policies.more };
    const launchTemplate = policies.more === null ? null : { address: null, id: null };
    return { launchTemplate, isPinned: false, instanceTypes: all, isSpot: all };
  }
  const share = inBlock(policy, 'instances_distribution', 'on_demand_percentage_above_base_capacity');
  const isSpot = isSpotShare(askedWhole(share));
  const template = firstBlock(policy, 'launch_template');
  if (template === null) return { launchTemplate: null, isPinned: false, instanceTypes: notSet, isSpot };
  const specification = firstBlock(template, 'launch_template_specification');
  const overrides = blocksAt(template, 'override');
  const types = overrides.blocks.map(overrideType);
  return {
    isSpot,
    isPinned: isPinnedIn(specification),
    launchTemplate:
      specification === null
        ? null
        : reference(changed, specification, ['launch_template_id', 'launch_template_name'], templateTypes),
    instanceTypes: overrides.more === null ? allOf(types) : { known: false, reason: overrides.more },
  };
}

/** The capacity that is desired, else the least, as a number of instances. */
function instancesIn(view: View): Asked<number> {
  const capacity = orElse(
    askedWhole(valueAt(view, 'desired_capacity')),
    askedWhole(valueAt(view, 'min_size')),
  );
  const policies = blocksAt(view, 'mixed_instances_policy');
  const templates = policies.blocks.map((policy) => blocksAt(policy, 'launch_template'));
  const overrides = templates.flatMap(({ blocks }) => blocks.map((one) => blocksAt(one, 'override')));
  const all = overrides.flatMap(({ blocks }) => blocks);
  const more = [policies, ...templates, ...overrides].find((one) => one.more !== null)?.more ?? null;
  return instancesOfCapacity(
    capacity,
    askedText(valueAt(view, 'desired_capacity_type')),
    all.map((one) => askedWhole(valueAt(one, 'weighted_capacity'))),
    more,
  );
}

function instancesOf(changed: Changed, view: View): InstancesOfGroup {
  const ofPolicy = mixed(changed, view);
  const hasConfiguration =
    !isNotSet(view, 'launch_configuration') || stringOf(memberOf(view.values, 'launch_configuration'));
  const configuration = hasConfiguration
    ? reference(changed, view, ['launch_configuration'], ['aws_launch_configuration'])
    : null;
  const named = templateReference(changed, view) ?? ofPolicy.launchTemplate;
  const hasNone = configuration === null || (configuration.address === null && configuration.id === null);
  const isPinned = ofPolicy.isPinned || isPinnedIn(firstBlock(view, 'launch_template'));
  return { ...ofPolicy, isPinned, launchTemplate: named ?? (hasNone ? null : configuration) };
}

export const scalingGroup: ReadResource = (changed) => {
  const { base, after, before } = changed;
  return [
    {
      ...base,
      kind: 'auto-scaling-group',
      devices: [],
      moreDevices: null,
      ...instancesOf(changed, after),
      before: before === null ? null : instancesOf(changed, before),
      copies: instancesIn(after),
      beforeCopies: before === null ? null : instancesIn(before),
      minCopies: askedWhole(valueAt(after, 'min_size')),
      maxCopies: askedWhole(valueAt(after, 'max_size')),
    },
  ];
};

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

const nodesOf = (changed: Changed, view: View): InstancesOfGroup => ({
  launchTemplate: templateReference(changed, view),
  isPinned: isPinnedIn(firstBlock(view, 'launch_template')),
  instanceTypes: typesAt(view, 'instance_types'),
  isSpot: askedIs(askedText(valueAt(view, 'capacity_type')), 'spot'),
});

export const nodeGroup: ReadResource = (changed) => {
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
    ...{ volumeId: null, tags: {}, line: null, action: null },
  };
  return [
    {
      ...base,
      kind: 'auto-scaling-group',
      devices: template === null ? [disk] : [],
      moreDevices: null,
      ...nodesOf(changed, after),
      before: before === null ? null : nodesOf(changed, before),
      copies: copiesIn(after),
      beforeCopies: before === null ? null : copiesIn(before),
      minCopies: scaling(after, 'min_size'),
      maxCopies: scaling(after, 'max_size'),
    },
  ];
};
