/**
 * What is planned, as the rules look at it: each volume, and each instance with its volumes, wherever the file has them (on the
 * instance, in its launch template, in attachments).
 */
import { groupBy } from '../group-by.ts';
import { regionOfZone } from '../ids.ts';
import { known, unknown } from '../known.ts';
import type { NotCheckedReason } from '../schemas/check-answer.ts';
import {
  type CheckedVolume,
  checkedVolume,
  claimFigures,
  classFigures,
  type Figure,
  type FigureName,
  figureOf,
  isKept,
  notSet,
  oneCopy,
  type Place,
  placeOf,
} from './checked-volume.ts';
import {
  type Planned,
  type PlannedClaim,
  type PlannedDevice,
  type PlannedGroup,
  type PlannedInstance,
  type PlannedLaunchTemplate,
  type PlannedResource,
  type PlannedVolume,
  type ResourceReference,
  setValue,
} from './planned.ts';

/** CreateVolume takes it where none is set (API reference, read 2026-11-21). */
const apiDefault: Figure<string> = known('gp2');
/** Of a device of an image its type is the image's. */
const ofImage: Figure<string> = notSet('volume type');
/** The driver's default since version 1.0. */
const ofDriver: Figure<string> = known('gp3');

function volumeOf(resource: PlannedVolume, region: string | null): CheckedVolume {
  const zone = setValue(resource.availabilityZone);
  const place = placeOf(resource, (zone === null ? null : regionOfZone(zone)) ?? region);
  return checkedVolume(place, resource.asked, resource.before, apiDefault, {
    kind: 'volume',
    volumeId: resource.volumeId,
    tags: resource.tags,
    replacedFor: resource.replacedFor,
  });
}

type WithDevices = PlannedInstance | PlannedLaunchTemplate | PlannedGroup;

const deviceVolume = (
  resource: WithDevices,
  device: PlannedDevice,
  region: string | null,
  copies: Pick<CheckedVolume, 'copies' | 'copiesBefore'>,
): CheckedVolume =>
  checkedVolume(
    { ...placeOf(resource, region), line: device.line ?? resource.line },
    device.asked,
    device.before,
    device.isRoot ? ofImage : apiDefault,
    {
      kind: 'device',
      device: device.device ?? (device.isRoot ? 'root' : null),
      isRoot: device.isRoot,
      volumeId: device.volumeId,
      tags: { ...resource.tags, ...device.tags },
      replacedFor: resource.replacedFor,
      ...copies,
    },
  );

// Hosts: an instance, a launch template or a type of a group, with the volumes that it has.

export interface CheckedHost extends Place {
  kind: 'instance' | 'launch-template' | 'auto-scaling-group';
  instanceType: Figure<string>;
  volumes: CheckedVolume[];
  /** Not null: there may be more volumes than these. */
  moreVolumes: NotCheckedReason | null;
  copies: Figure<number>;
  replacedFor: readonly string[];
}

export interface Checked {
  volumes: CheckedVolume[];
  hosts: CheckedHost[];
  /** The instance that a volume is on; of several the first. */
  hostOf: ReadonlyMap<CheckedVolume, CheckedHost>;
}

const sumOf = (figures: readonly Figure<number>[]): Figure<number> =>
  figures.reduce(
    (sum, figure) => {
      if (!sum.known) return sum;
      return figure.known ? known(sum.value + figure.value) : figure;
    },
    known(0) as Figure<number>,
  );

function hostOfEach(hosts: readonly CheckedHost[]): Map<CheckedVolume, CheckedHost> {
  const found = new Map<CheckedVolume, CheckedHost>();
  for (const host of hosts)
    for (const volume of host.volumes) if (!found.has(volume)) found.set(volume, host);
  return found;
}

/** Looks up what a resource names. */
class Named {
  private readonly byAddress: ReadonlyMap<string, PlannedResource>;
  private readonly byName: ReadonlyMap<string, PlannedResource>;

  constructor(resources: readonly PlannedResource[]) {
    this.byAddress = new Map(resources.map((one) => [`${one.scope}\n${one.address}`, one]));
    this.byName = new Map(
      resources.flatMap((one): [string, PlannedResource][] =>
        idsOf(one).map((id) => [`${one.kind}\n${id}`, one]),
      ),
    );
  }

  of<Kind extends PlannedResource['kind']>(
    scope: string,
    reference: ResourceReference | null,
    kind: Kind,
  ): Extract<PlannedResource, { kind: Kind }> | null {
    if (reference === null) return null;
    const { address, id } = reference;
    const found =
      (address === null ? undefined : this.byAddress.get(`${scope}\n${address}`)) ??
      (id === null ? undefined : this.byName.get(`${kind}\n${id}`));
    return found?.kind === kind ? (found as Extract<PlannedResource, { kind: Kind }>) : null;
  }
}

/** By which others may name it. */
function idsOf(resource: PlannedResource): string[] {
  switch (resource.kind) {
    case 'volume':
      return resource.volumeId === null ? [] : [resource.volumeId];
    case 'instance':
      return resource.instanceId === null ? [] : [resource.instanceId];
    case 'launch-template':
      return [resource.launchTemplateId, resource.name].filter((id) => id !== null);
    case 'storage-class':
    case 'volume-attributes-class':
      return [resource.name];
    default:
      return [];
  }
}

const elsewhere = (figure: FigureName): NotCheckedReason => ({
  code: 'figure-unknown',
  figure,
  why: 'elsewhere',
  detail: null,
});

const moreDevicesOf = ({ moreDevices }: WithDevices): NotCheckedReason | null =>
  moreDevices === null
    ? null
    : { code: 'figure-unknown', figure: 'devices', why: moreDevices.code, detail: moreDevices.detail };

class Resolving {
  private readonly resources: readonly PlannedResource[];
  private readonly region: string | null;
  private readonly named: Named;
  private readonly volumesOf = new Map<PlannedResource, CheckedVolume[]>();

  constructor({ resources }: Planned, region: string | null) {
    this.resources = resources;
    this.region = region;
    this.named = new Named(resources);
  }

  private ofKind<Kind extends PlannedResource['kind']>(
    kind: Kind,
  ): Extract<PlannedResource, { kind: Kind }>[] {
    return this.resources.filter((one): one is Extract<PlannedResource, { kind: Kind }> => one.kind === kind);
  }

  private templateOf(resource: PlannedInstance | PlannedGroup): PlannedLaunchTemplate | null {
    return this.named.of(resource.scope, resource.launchTemplate, 'launch-template');
  }

  /** How many instances start from a launch template; unknown where nothing here names it. */
  private copiesOfTemplates(): (
    template: PlannedLaunchTemplate,
  ) => Pick<CheckedVolume, 'copies' | 'copiesBefore'> {
    const groups = groupBy(this.ofKind('auto-scaling-group'), (group) => this.templateOf(group));
    const instances = groupBy(this.ofKind('instance'), (instance) => this.templateOf(instance));
    return (template) => {
      const [ofGroups, alone] = [groups.get(template) ?? [], instances.get(template) ?? []];
      if (ofGroups.length + alone.length === 0) {
        const none = notSet('number of instances');
        return { copies: none, copiesBefore: none };
      }
      const single = alone.map(({ action }) => known(action === 'delete' ? 0 : 1));
      const singleBefore = alone.map(({ action }) =>
        known(action === 'create' || action === 'declared' ? 0 : 1),
      );
      return {
        copies: sumOf([...ofGroups.map(copiesOfGroup), ...single]),
        copiesBefore: sumOf([...ofGroups.map(copiesOfGroupBefore), ...singleBefore]),
      };
    };
  }

  private devicesOf(
    resource: WithDevices,
    copies: Pick<CheckedVolume, 'copies' | 'copiesBefore'> = { copies: oneCopy, copiesBefore: oneCopy },
  ): CheckedVolume[] {
    const devices = resource.devices.map((device) => deviceVolume(resource, device, this.region, copies));
    this.volumesOf.set(resource, devices);
    return devices;
  }

  private claimVolume(claim: PlannedClaim): CheckedVolume {
    const storage = this.named.of(claim.scope, claim.storageClass, 'storage-class');
    const attributes = this.named.of(claim.scope, claim.attributesClass, 'volume-attributes-class');
    const asked = claimFigures(claim.sizeGiB, storage, attributes, claim.attributesClass !== null);
    return checkedVolume(placeOf(claim, this.region), asked, null, ofDriver, {
      kind: 'claim',
      isOfClass: storage !== null || attributes !== null,
      tags: claim.tags,
      copies: figureOf(claim.copies, 'volumes', oneCopy),
    });
  }

  resolve(): Checked {
    const volumes = this.ofKind('volume').map((resource) => {
      const checked = volumeOf(resource, this.region);
      this.volumesOf.set(resource, [checked]);
      return checked;
    });
    const copies = this.copiesOfTemplates();
    const devices = [
      ...this.ofKind('instance').flatMap((resource) => this.devicesOf(resource)),
      ...this.ofKind('launch-template').flatMap((resource) => this.devicesOf(resource, copies(resource))),
      ...this.ofKind('auto-scaling-group').flatMap((resource) =>
        this.devicesOf(resource, {
          copies: copiesOfGroup(resource),
          copiesBefore: copiesOfGroupBefore(resource),
        }),
      ),
    ];
    const classes = [...this.ofKind('storage-class'), ...this.ofKind('volume-attributes-class')].map((one) =>
      checkedVolume(
        placeOf(one, this.region),
        classFigures(one),
        one.before,
        one.kind === 'storage-class' ? ofDriver : notSet('volume type'),
        { kind: 'class' },
      ),
    );
    const claims = this.ofKind('claim').map((claim) => this.claimVolume(claim));
    const hosts = this.hosts();
    return { volumes: [...volumes, ...devices, ...classes, ...claims], hosts, hostOf: hostOfEach(hosts) };
  }

  /** Volumes that attachments put on an instance; null: one of them is not here. */
  private attachedTo(): Map<PlannedInstance, (CheckedVolume | null)[]> {
    const found = new Map<PlannedInstance, (CheckedVolume | null)[]>();
    for (const attachment of this.ofKind('attachment')) {
      if (!isKept(attachment)) continue;
      const instance = this.named.of(attachment.scope, attachment.instance, 'instance');
      if (instance === null) continue;
      const volume = this.named.of(attachment.scope, attachment.volume, 'volume');
      const [checked = null] = (volume === null ? undefined : this.volumesOf.get(volume)) ?? [];
      const others = found.get(instance);
      if (others === undefined) found.set(instance, [checked]);
      else others.push(checked);
    }
    return found;
  }

  private hosts(): CheckedHost[] {
    const attached = this.attachedTo();
    const instances = this.ofKind('instance').map((instance) =>
      this.instanceHost(instance, attached.get(instance)),
    );
    const templates = this.ofKind('launch-template').map(
      (template): CheckedHost => ({
        ...placeOf(template, this.region),
        kind: 'launch-template',
        instanceType: figureOf(template.instanceType, 'instance type', notSet('instance type')),
        volumes: this.volumesOf.get(template) ?? [],
        moreVolumes: moreDevicesOf(template),
        copies: oneCopy,
        replacedFor: template.replacedFor,
      }),
    );
    const groups = this.ofKind('auto-scaling-group').flatMap((group) => this.groupHosts(group));
    return [...instances, ...templates, ...groups].filter(isKept);
  }

  private instanceHost(
    instance: PlannedInstance,
    attached: readonly (CheckedVolume | null)[] = [],
  ): CheckedHost {
    const template = this.templateOf(instance);
    const own = this.volumesOf.get(instance) ?? [];
    const names = new Set(own.map(({ device }) => device));
    const ofTemplate = (template === null ? [] : (this.volumesOf.get(template) ?? [])).filter(
      ({ device }) => !names.has(device),
    );
    const isElsewhere = instance.launchTemplate !== null && template === null;
    const typeOfTemplate = figureOf<string, string>(
      template?.instanceType ?? known(null),
      'instance type',
      notSet('instance type'),
    );
    const isMissing = attached.includes(null);
    return {
      ...placeOf(instance, this.region),
      kind: 'instance',
      instanceType: figureOf(
        instance.instanceType,
        'instance type',
        isElsewhere ? unknown(elsewhere('instance type')) : typeOfTemplate,
      ),
      volumes: [...own, ...ofTemplate, ...attached.filter((one) => one !== null)].filter(isKept),
      moreVolumes:
        moreDevicesOf(instance) ??
        (template === null ? null : moreDevicesOf(template)) ??
        (isElsewhere || isMissing ? elsewhere('volumes') : null),
      copies: oneCopy,
      replacedFor: instance.replacedFor,
    };
  }

  /** One for each type that it names; none where it takes that of its launch template. */
  private groupHosts(group: PlannedGroup): CheckedHost[] {
    const types = setValue(group.instanceTypes);
    if (types === null) return [];
    const template = this.templateOf(group);
    const ofTemplate = template === null ? [] : (this.volumesOf.get(template) ?? []);
    const volumes = [...(this.volumesOf.get(group) ?? []), ...ofTemplate];
    const moreVolumes =
      moreDevicesOf(group) ??
      (template === null ? null : moreDevicesOf(template)) ??
      (group.launchTemplate !== null && template === null ? elsewhere('volumes') : null);
    return [...new Set(types)].map((instanceType) => ({
      ...placeOf(group, this.region),
      kind: 'auto-scaling-group',
      instanceType: known(instanceType),
      ...{ volumes, moreVolumes, copies: copiesOfGroup(group), replacedFor: group.replacedFor },
    }));
  }
}

const copiesOfGroup = (group: PlannedGroup): Figure<number> =>
  group.action === 'delete'
    ? known(0)
    : figureOf(group.copies, 'number of instances', notSet('number of instances'));
const copiesOfGroupBefore = (group: PlannedGroup): Figure<number> => {
  if (group.action === 'create' || group.action === 'declared') return known(0);
  return group.action === 'delete' || group.beforeCopies === null
    ? figureOf(group.copies, 'number of instances', notSet('number of instances'))
    : figureOf(group.beforeCopies, 'number of instances', notSet('number of instances'));
};

/** @param region of what does not say its own; null: not known. */
export const checkedOf = (planned: Planned, region: string | null): Checked =>
  new Resolving(planned, region).resolve();
