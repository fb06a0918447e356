/** Who starts from a launch template, as they stand and as they shall be, and which of its devices they have. */
import { known, unknown } from '../known.ts';
import {
  copiesOfGroup,
  copiesOfGroupBefore,
  isOfOlderVersion,
  type TemplateOf,
} from './checked-instances.ts';
import { type CheckedVolume, type Figure, figureOf, isKept, notSet } from './checked-volume.ts';
import {
  type PlannedDevice,
  type PlannedGroup,
  type PlannedInstance,
  type PlannedLaunchTemplate,
  type PlannedResource,
  setValue,
} from './planned.ts';

export type Copies = Pick<CheckedVolume, 'copies' | 'copiesBefore'>;

interface Starter {
  before: PlannedLaunchTemplate | null;
  after: PlannedLaunchTemplate | null;
  copies: Figure<number>;
  copiesBefore: Figure<number>;
  /** Its own, which go before those of the template. */
  devices: readonly PlannedDevice[];
  /** It shall be there, and has no instance type of its own. */
  takesType: boolean;
  isKept: boolean;
}

const sumOf = (figures: readonly Figure<number>[]): Figure<number> =>
  figures.reduce(
    (sum, figure) => {
      if (!sum.known) return sum;
      return figure.known ? known(sum.value + figure.value) : figure;
    },
    known(0) as Figure<number>,
  );

const isOneDevice = (
  a: Pick<PlannedDevice, 'device' | 'isRoot'>,
  b: Pick<PlannedDevice, 'device' | 'isRoot'>,
): boolean => (a.isRoot && b.isRoot) || (a.device !== null && a.device === b.device);

/** Of a launch template, without those that an instance has of its own. */
export const notOwn = <T extends Pick<PlannedDevice, 'device' | 'isRoot'>>(
  ofTemplate: readonly T[],
  own: readonly T[],
): T[] => ofTemplate.filter((device) => !own.some((one) => isOneDevice(one, device)));

/** A launch template starts instances: one that stands stays as it is when that changes. */
export const staysAsItIs = ({ action }: PlannedInstance): boolean => action === 'none' || action === 'update';

function ofGroup(group: PlannedGroup, templateOf: TemplateOf): Starter {
  const { action, scope, before, launchTemplate, instanceTypes } = group;
  const standing = action === 'none' || action === 'delete' || before === null ? group : before;
  const after = templateOf(scope, launchTemplate);
  const isOlder = isOfOlderVersion(group, after);
  const [leftAlone, elsewhere] = [
    isOlder && action === 'none',
    isOlder && action !== 'none' && isKept(group),
  ];
  const copies = leftAlone ? known(0) : copiesOfGroup(group);
  return {
    before: templateOf(scope, standing.launchTemplate),
    after,
    // How the older version is nobody knows here.
    copies: elsewhere
      ? figureOf<number, number>(
          unknown({ code: 'elsewhere', detail: 'version' }),
          'number of instances',
          known(0),
        )
      : copies,
    copiesBefore: leftAlone ? known(0) : copiesOfGroupBefore(group),
    devices: [],
    takesType: setValue(instanceTypes) === null,
    isKept: isKept(group),
  };
}

function ofInstance(instance: PlannedInstance, templateOf: TemplateOf): Starter {
  const { action, scope, launchTemplate, instanceType, devices } = instance;
  const template = templateOf(scope, launchTemplate);
  const isLeftAlone = staysAsItIs(instance) && template?.action !== 'none';
  const isThere = action !== 'delete' && !isLeftAlone;
  const isStanding = action !== 'create' && action !== 'declared' && !isLeftAlone;
  return {
    ...{ before: template, after: template, devices },
    copies: known(isThere ? 1 : 0),
    copiesBefore: known(isStanding ? 1 : 0),
    takesType: setValue(instanceType) === null,
    isKept: isKept(instance),
  };
}

export class Starters {
  private readonly byTemplate = new Map<PlannedLaunchTemplate, Starter[]>();

  constructor(resources: readonly PlannedResource[], templateOf: TemplateOf) {
    for (const resource of resources) {
      if (resource.kind === 'instance') this.add(ofInstance(resource, templateOf));
      if (resource.kind === 'auto-scaling-group') this.add(ofGroup(resource, templateOf));
    }
  }

  private add(starter: Starter): void {
    for (const template of new Set([starter.before, starter.after])) {
      if (template === null) continue;
      const others = this.byTemplate.get(template);
      if (others === undefined) this.byTemplate.set(template, [starter]);
      else others.push(starter);
    }
  }

  /** How many there are of a launch template, or of one of its devices; unknown where nothing here names it. */
  copiesOf(template: PlannedLaunchTemplate, device: PlannedDevice | null = null): Copies {
    const all = this.byTemplate.get(template) ?? [];
    if (all.length === 0) {
      const none = notSet('number of instances');
      return { copies: none, copiesBefore: none };
    }
    const having = (gone: 'create' | 'delete'): Starter[] =>
      all.filter(
        ({ devices }) =>
          device === null || !devices.some((one) => one.action !== gone && isOneDevice(one, device)),
      );
    return {
      copies: sumOf(
        having('delete')
          .filter(({ after }) => after === template)
          .map(({ copies }) => copies),
      ),
      copiesBefore: sumOf(
        having('create')
          .filter(({ before }) => before === template)
          .map(({ copiesBefore }) => copiesBefore),
      ),
    };
  }

  /** Nothing names it, or something that shall be there has its instance type. */
  isTypeUsed(template: PlannedLaunchTemplate): boolean {
    const all = (this.byTemplate.get(template) ?? []).filter((one) => one.isKept && one.after === template);
    return all.length === 0 || all.some(({ takesType }) => takesType);
  }
}
