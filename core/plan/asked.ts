/** What can be asked of a plan, with what is usual where nothing is said, and the request that it makes: the same wherever it is asked. */
import type { Architecture } from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import { BadInput } from '../errors.ts';
import type { Deployment, VolumeType } from '../limits/volume-limits.ts';
import type { Planned } from '../schemas/plan-answer.ts';
import type { Chosen } from '../schemas/plan-choices.ts';
import type { InstanceAsked } from './instance-choice.ts';
import { type Access, type Need, needOf, type PlannedKind } from './layout.ts';
import { type PlanRequest, plan } from './plan.ts';
import { type Current, maxMembers } from './step-commands.ts';
import { type ChoicesRequest, chooseVolumeOrInstance } from './volume-or-instance.ts';

/** Null: nothing is said of it. */
export interface PlanAsked {
  iops: number | null;
  throughputMiBps: number | null;
  capacityGiB: number | null;
  ioSizeKiB: number;
  access: Access;
  /** 0 to 1. */
  readShare: number;
  types: readonly VolumeType[] | null;
  kinds: readonly PlannedKind[];
  maxMembers: number;
  deployment: Deployment;
  /** 0 to 1. */
  maxAnnualFailureRate: number;
  /** Above 0, up to 1. */
  stripeEfficiency: number;
  chunkKiB: number;
  instanceType: string | null;
  vcpus: number | null;
  memoryGiB: number | null;
  architecture: Architecture | null;
  /** Options at least. */
  top: number;
  current: Current | null;
  currentInstance: string | null;
  keepsCurrent: boolean;
}

/** What is usual where nothing is said. */
export const planDefaults = {
  ioSizeKiB: 16,
  access: 'random',
  readShare: 0.7,
  kinds: ['single', 'stripe'],
  maxMembers: 8,
  deployment: 'region',
  maxAnnualFailureRate: 0.02,
  stripeEfficiency: 1,
  chunkKiB: 64,
  top: 5,
} as const satisfies Partial<PlanAsked>;

/** From the least to the most that is taken. */
export const planBounds = {
  ioSizeKiB: [0.5, 1e9],
  maxMembers: [1, maxMembers],
  /** Powers of two. */
  chunkKiB: [4, 4_096],
} as const satisfies Partial<Record<keyof PlanAsked, readonly [number, number]>>;

/** What joins the volumes that stand. */
export const builtWith = ['lvm', 'mdadm'] as const;

/** How what can be asked is called where it is asked: options of a command line, fields of a page. */
export type PlanNames = Readonly<
  Record<
    | Exclude<keyof PlanAsked, 'readShare' | 'deployment' | 'top' | 'keepsCurrent'>
    | 'keepCurrent'
    | 'currentBuiltWith',
    string
  >
>;

/** @throws BadInput where an instance is named and chosen. */
function instanceAsked(asked: PlanAsked, names: PlanNames): InstanceAsked | null {
  const { instanceType, vcpus, memoryGiB, architecture } = asked;
  const isChosen = vcpus !== null || memoryGiB !== null || architecture !== null;
  if (instanceType !== null && isChosen)
    throw new BadInput(
      `${names.instanceType} names the instance, ${names.vcpus}, ${names.memoryGiB} and ${names.architecture} choose one: give either`,
    );
  if (instanceType !== null) return { instanceType };
  return isChosen ? { vcpus: vcpus ?? 1, memoryGiB: memoryGiB ?? 0, architecture } : null;
}

type Together = Pick<PlanAsked, 'iops' | 'throughputMiBps' | 'capacityGiB' | 'keepsCurrent'> & {
  /** As it was given; null where nothing is. */
  current: unknown;
};

/** @throws BadInput where nothing is asked for, or what is kept does not stand. */
export function requireTogether(asked: Together, names: PlanNames): void {
  const { iops, throughputMiBps, capacityGiB, current, keepsCurrent } = asked;
  if (keepsCurrent && current === null)
    throw new BadInput(`${names.keepCurrent} keeps what the ${names.current} layout has: give both`);
  if (!keepsCurrent && iops === null && throughputMiBps === null && capacityGiB === null)
    throw new BadInput(
      `nothing is asked for: give ${names.iops}, ${names.throughputMiBps} and ${names.capacityGiB}, or some of them`,
    );
}

/** What stands, with what joins a linear layout where nobody said. @throws BadInput where one volume is joined by something. */
export function standing({ layout, volumeIds, builtWith }: Current, names: PlanNames): Current {
  if (builtWith !== undefined && layout.members === 1)
    throw new BadInput(`${names.currentBuiltWith} is what joins several volumes: ${names.current} has one`);
  return { layout, volumeIds, builtWith: layout.kind === 'linear' ? (builtWith ?? 'lvm') : builtWith };
}

const needAsked = (asked: PlanAsked): Need => {
  const { iops, throughputMiBps, capacityGiB, ioSizeKiB, access, readShare } = asked;
  return needOf({ iops, throughputMiBps, capacityGiB: capacityGiB ?? 1, ioSizeKiB, access, readShare });
};

function requestOf(asked: PlanAsked, names: PlanNames): PlanRequest {
  const { kinds, deployment, maxAnnualFailureRate, stripeEfficiency, chunkKiB } = asked;
  const { types, top, current, keepsCurrent, capacityGiB } = asked;
  return {
    need: needAsked(asked),
    types,
    constraints: {
      ...{ kinds, maxMembers: asked.maxMembers, deployment, maxAnnualFailureRate },
      ...{ stripeEfficiency, chunkKiB, instance: instanceAsked(asked, names) },
    },
    ...{ top, current, keepsCurrent },
    isCapacityAsked: capacityGiB !== null || keepsCurrent,
  };
}

/** More IOPS, or a bigger instance? */
function choicesRequestOf(asked: PlanAsked, currentInstance: string, names: PlanNames): ChoicesRequest {
  const request = requestOf(asked, names);
  const { current } = request;
  if (current === null)
    throw new BadInput(
      `${names.currentInstance} is what the ${names.current} layout is attached to: give both`,
    );
  if (request.constraints.instance !== null)
    throw new BadInput(
      `${names.currentInstance} compares instance types by itself: leave out ${names.instanceType}, ${names.vcpus}, ${names.memoryGiB} and ${names.architecture}`,
    );
  const isAsked = (value: number | null): boolean => value !== null && !asked.keepsCurrent;
  return {
    ...{ ...request, current, currentInstance },
    isAsked: {
      iops: isAsked(asked.iops),
      throughputMiBps: isAsked(asked.throughputMiBps),
      capacityGiB: isAsked(asked.capacityGiB),
    },
  };
}

/** Options, or where today's instance is named what to change first: volumes or instance. */
export type PlanOrChoices =
  | { kind: 'options'; request: PlanRequest; planned: Planned }
  | { kind: 'choices'; request: ChoicesRequest; chosen: Chosen };

/**
 * The answer to what is asked. Asked together is what `requireTogether` lets through.
 * @throws BadInput where it does not fit together, or an instance type is not in the catalog.
 */
export function planAsked(asked: PlanAsked, regionCatalog: RegionCatalog, names: PlanNames): PlanOrChoices {
  const { currentInstance } = asked;
  if (currentInstance !== null) {
    const request = choicesRequestOf(asked, currentInstance, names);
    return { kind: 'choices', request, chosen: chooseVolumeOrInstance(request, regionCatalog) };
  }
  const request = requestOf(asked, names);
  return { kind: 'options', request, planned: plan(request, regionCatalog) };
}
