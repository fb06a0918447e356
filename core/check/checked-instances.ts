/** Instances as they are priced: one by itself, or those of a group, as they stand and as they shall be. */
import { known, unknown } from '../known.ts';
import { type Figure, figureOf, notSet, type Place, placeOf } from './checked-volume.ts';
import {
  type Asked,
  type InstancesOfGroup,
  type PlannedAction,
  type PlannedGroup,
  type PlannedInstance,
  type PlannedLaunchTemplate,
  type PlannedResource,
  type ResourceReference,
  setValue,
} from './planned.ts';

/** Of one type they are all alike; of several nobody knows how many of each there will be. */
export interface Started {
  types: Figure<readonly string[]>;
  isSpot: Figure<boolean>;
  isDedicated: Figure<boolean>;
  copies: Figure<number>;
}

export interface CheckedInstances extends Place {
  /** Null: nothing stands. */
  before: Started | null;
  /** Null: nothing is left. */
  after: Started | null;
  /** The plan changes them, or what they start from. */
  isTouched: boolean;
}

export type TemplateOf = (scope: string, reference: ResourceReference | null) => PlannedLaunchTemplate | null;

const notYet: readonly PlannedAction[] = ['create', 'declared'];

export const copiesOfGroup = (group: PlannedGroup): Figure<number> =>
  group.action === 'delete'
    ? known(0)
    : figureOf(group.copies, 'number of instances', notSet('number of instances'));

export function copiesOfGroupBefore(group: PlannedGroup): Figure<number> {
  if (notYet.includes(group.action)) return known(0);
  const { action, beforeCopies, copies } = group;
  const asked = action === 'delete' || beforeCopies === null ? copies : beforeCopies;
  return figureOf(asked, 'number of instances', notSet('number of instances'));
}

// What they start from.

interface Asking {
  types: Asked<readonly string[]>;
  isSpot: Asked<boolean>;
  isDedicated: boolean;
  launchTemplate: ResourceReference | null;
}

type When = 'before' | 'after';

const elsewhere = <T>(): Asked<T> => unknown({ code: 'elsewhere', detail: null });

/** What a launch template says, now or as it stands. */
function saidBy(
  template: PlannedLaunchTemplate,
  when: When,
): { type: Asked<string>; isSpot: Asked<boolean> } {
  const { action, instanceType, beforeInstanceType, isSpot, beforeIsSpot } = template;
  if (when === 'after' || action === 'delete' || action === 'none') return { type: instanceType, isSpot };
  return { type: beforeInstanceType ?? elsewhere(), isSpot: beforeIsSpot ?? elsewhere() };
}

/** It names a version by its number, and the plan makes a new one: that is not what it starts. */
export const isOfOlderVersion = (
  { isPinned }: InstancesOfGroup,
  template: PlannedLaunchTemplate | null,
): boolean => isPinned && template?.action === 'update';

const isNone = (asked: Asked<unknown>): boolean => asked.known && asked.value === null;

/** What it does not say itself its launch template does. */
function startedFrom(
  asking: Asking,
  template: PlannedLaunchTemplate | null,
  copies: Figure<number>,
  when: When,
): Started {
  const isElsewhere = asking.launchTemplate !== null && template === null;
  const none = { type: isElsewhere ? elsewhere<string>() : known(null), isSpot: known(null) };
  const said = template === null ? none : saidBy(template, when);
  const ofTemplate: Asked<readonly string[]> =
    said.type.known && said.type.value !== null ? known([said.type.value]) : (said.type as Asked<never>); // no text is left in it
  const types = isNone(asking.types) ? ofTemplate : asking.types;
  const isSpot: Asked<boolean> = isNone(asking.isSpot) ? said.isSpot : asking.isSpot;
  return {
    types: figureOf(types, 'instance type', notSet('instance type')),
    isSpot: figureOf(isSpot, 'purchase option', known(false)),
    isDedicated: known(asking.isDedicated || template?.isDedicated === true),
    copies,
  };
}

// Instances and groups.

const oneOf = (type: Asked<string>): Asked<readonly string[]> =>
  type.known ? known(type.value === null ? null : [type.value]) : type;

function ofInstance(instance: PlannedInstance, templateOf: TemplateOf): Omit<CheckedInstances, keyof Place> {
  const { action, instanceType, isSpot, launchTemplate, beforeInstanceType, beforeIsSpot, scope } = instance;
  const template = templateOf(scope, launchTemplate);
  const side = (type: Asked<string>, spot: Asked<boolean>, when: When): Started =>
    startedFrom(
      { types: oneOf(type), isSpot: spot, isDedicated: instance.isDedicated, launchTemplate },
      template,
      known(1),
      when,
    );
  // A launch template starts instances: one that stands stays as it is.
  if (action === 'none') {
    const stands = side(instanceType, isSpot, 'before');
    return { before: stands, after: stands, isTouched: false };
  }
  if (action === 'delete')
    return { before: side(instanceType, isSpot, 'before'), after: null, isTouched: true };
  const stood = (): Started => side(beforeInstanceType ?? elsewhere(), beforeIsSpot ?? elsewhere(), 'before');
  return {
    before: notYet.includes(action) ? null : stood(),
    after: side(instanceType, isSpot, 'after'),
    isTouched: true,
  };
}

function ofGroup(group: PlannedGroup, templateOf: TemplateOf): Omit<CheckedInstances, keyof Place> {
  const { action, scope, before: stood } = group;
  const templateOfGroup = ({ launchTemplate }: InstancesOfGroup) => templateOf(scope, launchTemplate);
  const side = (of: InstancesOfGroup, copies: Figure<number>, when: When): Started => {
    const { instanceTypes, isSpot, launchTemplate } = of;
    const types = setValue(instanceTypes)?.length === 0 ? known(null) : instanceTypes;
    const template =
      when === 'after' && isOfOlderVersion(of, templateOfGroup(of)) ? null : templateOfGroup(of);
    return startedFrom({ types, isSpot, isDedicated: false, launchTemplate }, template, copies, when);
  };
  const unread = {
    instanceTypes: elsewhere<never>(),
    isSpot: elsewhere<never>(),
    launchTemplate: null,
    isPinned: false,
  };
  if (action === 'none' && isOfOlderVersion(group, templateOfGroup(group))) {
    const stands = side(group, copiesOfGroup(group), 'before');
    return { before: stands, after: stands, isTouched: false };
  }
  const standing = action === 'delete' || action === 'none' ? group : (stood ?? unread);
  const changed = [templateOfGroup(group), templateOfGroup(standing)];
  return {
    before: notYet.includes(action) ? null : side(standing, copiesOfGroupBefore(group), 'before'),
    after: action === 'delete' ? null : side(group, copiesOfGroup(group), 'after'),
    isTouched: action !== 'none' || changed.some((one) => one !== null && one.action !== 'none'),
  };
}

/**
 * Each instance and each group once. A launch template is none: who starts from it is.
 * @param region of what does not say its own; null: not known.
 */
export function checkedInstances(
  resources: readonly PlannedResource[],
  templateOf: TemplateOf,
  region: string | null,
): CheckedInstances[] {
  return resources.flatMap((resource) => {
    if (resource.kind === 'instance')
      return [{ ...placeOf(resource, region), ...ofInstance(resource, templateOf) }];
    if (resource.kind === 'auto-scaling-group')
      return [{ ...placeOf(resource, region), ...ofGroup(resource, templateOf) }];
    return [];
  });
}
