/**
 * What is planned, as the rules look at it: each volume, and each instance with its volumes, wherever the file has them (on the
 * instance, in its launch template, in attachments).
 */
import { isInstanceId, isTemplateId, isVolumeId, regionOfZone } from '../ids.ts';
import { known, unknown } from '../known.ts';
import type { NotCheckedReason } from '../schemas/check-answer.ts';
import {
  type CheckedInstances,
  checkedInstances,
  copiesOfGroup,
  copiesOfGroupBefore,
} from './checked-instances.ts';
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
  type Asked,
  type AskedVolume,
  idsOf,
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
import { type Copies, notOwn, Starters, staysAsItIs } from './starters.ts';

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
    replaceReason: resource.replaceReason,
  });
}

type WithDevices = PlannedInstance | PlannedLaunchTemplate | PlannedGroup;

const deviceVolume = (
  resource: WithDevices,
  device: PlannedDevice,
  region: string | null,
  copies: Copies,
): CheckedVolume =>
  checkedVolume(
    {
      ...placeOf(resource, region),
      line: device.line ?? resource.line,
      action: device.action ?? resource.action,
    },
    device.asked,
    device.before,
    device.isRoot ? ofImage : apiDefault,
    {
      kind: 'device',
      device: device.device ?? (device.isRoot ? 'root' : null),
      isRoot: device.isRoot,
      volumeId: device.volumeId,
      tags: { ...resource.tags, ...device.tags },
      replacedFor: device.action === null ? resource.replacedFor : [],
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
  instances: CheckedInstances[];
  /** The instance that a volume is on; of several the first. */
  hostOf: ReadonlyMap<CheckedVolume, CheckedHost>;
}

function hostOfEach(hosts: readonly CheckedHost[]): Map<CheckedVolume, CheckedHost> {
  const found = new Map<CheckedVolume, CheckedHost>();
  for (const host of hosts)
    for (const volume of host.volumes) if (!found.has(volume)) found.set(volume, host);
  return found;
}

const isIdOfAws = (id: string): boolean => isVolumeId(id) || isInstanceId(id) || isTemplateId(id);

/** What of a class a claim takes. */
const asksAlike = (one: PlannedResource): string =>
  one.kind === 'storage-class' || one.kind === 'volume-attributes-class'
    ? JSON.stringify([one.asked, one.iopsPerGiB])
    : `${one.file}\n${one.address}`;

/**
 * Looks up what a resource names. A name (of a launch template, of a class) is one of its own scope: two plans have each their "web".
 * An id of AWS (vol-.., i-.., lt-..) is the same resource in every file, and is looked up in all where its own scope does not have it.
 * Where several have the name or the id, none is meant; but for classes that ask for the same.
 */
class Named {
  private readonly byAddress: ReadonlyMap<string, PlannedResource>;
  private readonly byName: ReadonlyMap<string, PlannedResource[]>;

  constructor(resources: readonly PlannedResource[]) {
    this.byAddress = new Map(resources.map((one) => [`${one.scope}\n${one.address}`, one]));
    const byName = new Map<string, PlannedResource[]>();
    for (const one of resources) {
      for (const id of idsOf(one)) {
        // Of no scope: of any.
        for (const scope of isIdOfAws(id) ? [one.scope, ''] : [one.scope]) {
          const key = JSON.stringify([scope, one.kind, id]);
          const others = byName.get(key);
          if (others === undefined) byName.set(key, [one]);
          else others.push(one);
        }
      }
    }
    this.byName = byName;
  }

  private theOneOf(scope: string, kind: PlannedResource['kind'], id: string): PlannedResource | null {
    const named = (of: string): PlannedResource[] => this.byName.get(JSON.stringify([of, kind, id])) ?? [];
    const own = named(scope);
    const all = own.length === 0 && isIdOfAws(id) ? named('') : own;
    return new Set(all.map(asksAlike)).size === 1 ? (all[0] ?? null) : null;
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
      (id === null ? null : this.theOneOf(scope, kind, id));
    return found?.kind === kind ? (found as Extract<PlannedResource, { kind: Kind }>) : null;
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

/** Of a group that starts none yet, what is said is of one. */
const orOne = (copies: Figure<number>): Figure<number> =>
  copies.known && copies.value === 0 ? oneCopy : copies;

class Resolving {
  private readonly resources: readonly PlannedResource[];
  private readonly region: string | null;
  private readonly named: Named;
  private readonly starters: Starters;
  private readonly volumesOf = new Map<PlannedResource, CheckedVolume[]>();

  constructor({ resources }: Planned, region: string | null) {
    this.resources = resources;
    this.region = region;
    this.named = new Named(resources);
    this.starters = new Starters(resources, (scope, reference) =>
      this.named.of(scope, reference, 'launch-template'),
    );
  }

  private ofKind<Kind extends PlannedResource['kind']>(
    kind: Kind,
  ): Extract<PlannedResource, { kind: Kind }>[] {
    return this.resources.filter((one): one is Extract<PlannedResource, { kind: Kind }> => one.kind === kind);
  }

  private templateOf(resource: PlannedInstance | PlannedGroup): PlannedLaunchTemplate | null {
    return this.named.of(resource.scope, resource.launchTemplate, 'launch-template');
  }

  private devicesOf(
    resource: WithDevices,
    copiesOf: (device: PlannedDevice) => Copies = () => ({ copies: oneCopy, copiesBefore: oneCopy }),
  ): CheckedVolume[] {
    const all = resource.devices.map((device) => ({
      device,
      standing: this.standingVolume(resource, device),
    }));
    const devices = all.map(
      ({ device, standing }) => standing ?? deviceVolume(resource, device, this.region, copiesOf(device)),
    );
    this.volumesOf.set(resource, devices);
    return devices.filter((_, at) => all[at]?.standing === null);
  }

  /** A state has an attached volume among the devices of its instance too: it is the one volume, not two. */
  private standingVolume(resource: WithDevices, { volumeId }: PlannedDevice): CheckedVolume | null {
    if (volumeId === null) return null;
    const volume = this.named.of(resource.scope, { address: null, id: volumeId }, 'volume');
    return (volume === null ? undefined : this.volumesOf.get(volume))?.[0] ?? null;
  }

  private classesOf({ scope, storageClass, attributesClass }: PlannedClaim) {
    return [
      this.named.of(scope, storageClass, 'storage-class'),
      this.named.of(scope, attributesClass, 'volume-attributes-class'),
    ] as const;
  }

  private claimVolume(claim: PlannedClaim): CheckedVolume {
    const [storage, attributes] = this.classesOf(claim);
    const figures = (sizeGiB: Asked<number>): AskedVolume =>
      claimFigures(sizeGiB, storage, attributes, claim.attributesClass !== null);
    const { sizeGiB, beforeSizeGiB } = claim;
    const before = beforeSizeGiB === null ? null : figures(beforeSizeGiB);
    return checkedVolume(placeOf(claim, this.region), figures(sizeGiB), before, ofDriver, {
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
    const devices = [
      ...this.ofKind('instance').flatMap((resource) => this.devicesOf(resource)),
      ...this.ofKind('launch-template').flatMap((resource) =>
        this.devicesOf(resource, (device) => this.starters.copiesOf(resource, device)),
      ),
      ...this.ofKind('auto-scaling-group').flatMap((resource) =>
        this.devicesOf(resource, () => ({
          copies: copiesOfGroup(resource),
          copiesBefore: copiesOfGroupBefore(resource),
        })),
      ),
    ];
    const claims = this.ofKind('claim').map((claim) => ({
      volume: this.claimVolume(claim),
      classes: this.classesOf(claim),
    }));
    const claimsOf = new Map<PlannedResource, CheckedVolume[]>();
    for (const { volume, classes: named } of claims)
      for (const one of named) if (one !== null) claimsOf.set(one, [...(claimsOf.get(one) ?? []), volume]);
    const classes = [...this.ofKind('storage-class'), ...this.ofKind('volume-attributes-class')].map((one) =>
      checkedVolume(
        placeOf(one, this.region),
        classFigures(one),
        one.before,
        one.kind === 'storage-class' ? ofDriver : notSet('volume type'),
        { kind: 'class', claims: claimsOf.get(one) ?? [] },
      ),
    );
    const hosts = this.hosts();
    const instances = checkedInstances(
      this.resources,
      (scope, reference) => this.named.of(scope, reference, 'launch-template'),
      this.region,
    );
    const all = [...volumes, ...devices, ...classes, ...claims.map(({ volume }) => volume)];
    return { volumes: all, hosts, instances, hostOf: hostOfEach(hosts) };
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
    const started = this.ofKind('launch-template').filter((one) => this.starters.isTypeUsed(one));
    const templates = started.map(
      (template): CheckedHost => ({
        ...placeOf(template, this.region),
        kind: 'launch-template',
        instanceType: figureOf(template.instanceType, 'instance type', notSet('instance type')),
        volumes: (this.volumesOf.get(template) ?? []).filter(isKept),
        moreVolumes: moreDevicesOf(template),
        copies: orOne(this.starters.copiesOf(template).copies),
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
    const own = (this.volumesOf.get(instance) ?? []).filter(isKept);
    // What stands is among its own.
    const isLeftAlone = staysAsItIs(instance) && template?.action !== 'none';
    const ofTemplate =
      template === null || isLeftAlone ? [] : notOwn(this.volumesOf.get(template) ?? [], own);
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
      volumes: [
        ...new Set([...own, ...ofTemplate, ...attached.filter((one) => one !== null)].filter(isKept)),
      ],
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
    const volumes = [...(this.volumesOf.get(group) ?? []), ...ofTemplate].filter(isKept);
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

/** @param region of what does not say its own; null: not known. */
export const checkedOf = (planned: Planned, region: string | null): Checked =>
  new Resolving(planned, region).resolve();
