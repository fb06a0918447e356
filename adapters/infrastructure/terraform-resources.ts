/** Resources of a Terraform plan, by type. Source: documentation of the providers aws 6 and kubernetes 2, read 2026-11-28. */
import {
  type Asked,
  type PlannedResource,
  type ResourceReference,
  setValue,
} from '../../core/check/planned.ts';
import { isInstanceId, isTemplateId, isVolumeId } from '../../core/ids.ts';
import { known } from '../../core/known.ts';
import {
  askedFlag,
  askedIs,
  askedText,
  isDedicatedTenancy,
  isSpotPrice,
  type Lookup,
  notSet,
  orElse,
} from './asked.ts';
import { isRecord, memberOf } from './json-values.ts';
import { claimOf, classOf, isEbsDriver, resourcesOfObject } from './kubernetes-objects.ts';
import { storageQuantity } from './kubernetes-quantity.ts';
import {
  type Changed,
  idOf,
  type ReadResource,
  reference,
  standingId,
  templateReference,
} from './terraform-changed.ts';
import { type Devices, devicesOf, mappedDevicesOf, volumeIn, volumeNames } from './terraform-devices.ts';
import { nodeGroup, scalingGroup } from './terraform-groups.ts';
import { firstBlock, inBlock, tagsAt, type View, valueAt } from './terraform-view.ts';

// Resources.

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

const startedBefore = ({ before }: Changed, isSpot: (view: View) => Asked<boolean>) => ({
  beforeInstanceType: before === null ? null : askedText(valueAt(before, 'instance_type')),
  beforeIsSpot: before === null ? null : isSpot(before),
});

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
        ...startedBefore(changed, isSpot ? () => known(true) : spotMarket),
        instanceId:
          standingId(changed, isInstanceId) ?? idOf(changed.before, 'spot_instance_id', isInstanceId),
        ebsOptimized: askedFlag(valueAt(after, 'ebs_optimized')),
        isDedicated: isDedicatedTenancy(askedText(valueAt(after, 'tenancy'))),
        isSpot: isSpot ? known(true) : spotMarket(after),
        launchTemplate: templateReference(changed, after),
      },
    ];
  };

const spotMarket = (view: View): Asked<boolean> =>
  askedIs(askedText(inBlock(view, 'instance_market_options', 'market_type')), 'spot');

const launchTemplate =
  (devices: (changed: Changed) => Devices, isSpot: (view: View) => Asked<boolean>): ReadResource =>
  (changed) => {
    const { base, after } = changed;
    return [
      {
        ...base,
        kind: 'launch-template',
        ...devices(changed),
        instanceType: askedText(valueAt(after, 'instance_type')),
        ...startedBefore(changed, isSpot),
        ebsOptimized: askedFlag(valueAt(after, 'ebs_optimized')),
        isDedicated: isDedicatedTenancy(
          orElse(
            askedText(inBlock(after, 'placement', 'tenancy')),
            askedText(valueAt(after, 'placement_tenancy')),
          ),
        ),
        isSpot: isSpot(after),
        launchTemplateId: standingId(changed, isTemplateId),
        name: setValue(askedText(valueAt(after, 'name'))),
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
  const named = askedText(valueAt(spec, name));
  const isNone = found.address === null && found.id === null && named.known && named.value === null;
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
  ['aws_launch_template', launchTemplate(mappedDevicesOf, spotMarket)],
  [
    'aws_launch_configuration',
    launchTemplate(devicesOf, (view) => isSpotPrice(askedText(valueAt(view, 'spot_price')))),
  ],
  ['aws_autoscaling_group', scalingGroup],
  ['aws_eks_node_group', nodeGroup],
  ['aws_volume_attachment', attachment],
  ['kubernetes_storage_class', storageClass],
  ['kubernetes_storage_class_v1', storageClass],
  ['kubernetes_persistent_volume_claim', claim],
  ['kubernetes_persistent_volume_claim_v1', claim],
  ['kubernetes_manifest', manifest],
]);
