/** Block devices of a Terraform plan: of an instance, of a launch template. Source: documentation of the provider aws 6, read 2026-11-28. */
import type { AskedVolume, PlannedDevice } from '../../core/check/planned.ts';
import { setValue } from '../../core/check/planned.ts';
import { isVolumeId } from '../../core/ids.ts';
import { gp3Figures, provisionedFigures } from '../../core/limits/volume-limits.ts';
import {
  askedFlag,
  askedText,
  askedVolume,
  isRootDevice,
  type Lookup,
  notSet,
  type VolumeNames,
} from './asked.ts';
import { isRecord } from './json-values.ts';
import { type Changed, idOf } from './terraform-changed.ts';
import { type Blocks, blocksAt, firstBlock, isNotSet, tagsAt, type View, valueAt } from './terraform-view.ts';

export const volumeNames: VolumeNames = {
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

export const volumeIn = (view: View, names: VolumeNames, before: View | null): AskedVolume =>
  askedVolume(lookIn(view, names.volumeType ?? 'type', before), names);

function deviceOf(view: View, before: View | null, isRoot: boolean): PlannedDevice {
  const device = nameOfDevice(view);
  return {
    device,
    isRoot: isRoot || isRootDevice(device),
    asked: volumeIn(view, deviceNames, before),
    before: before === null ? null : volumeIn(before, deviceNames, null),
    volumeId: idOf(before, 'volume_id', isVolumeId) ?? idOf(view, 'volume_id', isVolumeId),
    tags: tagsAt(view, 'tags_all', 'tags'),
    ...{ line: null, action: null },
  };
}

export interface Devices {
  devices: PlannedDevice[];
  moreDevices: Blocks['more'];
}

const nameOfDevice = (view: View): string | null => setValue(askedText(valueAt(view, 'device_name')));

/** A block with its name, whichever block inside it has the figures. */
interface NamedBlock {
  name: string | null;
  view: View;
}

/** Of a list that a plan does not have yet, nobody knows what is missing in it. */
interface NamedBlocks {
  blocks: NamedBlock[];
  isWhole: boolean;
  more: Blocks['more'];
}

const isComputed = ({ unknownMask }: View, name: string): boolean =>
  unknownMask === true || (isRecord(unknownMask) && unknownMask[name] === true);

/** On EC2 a volume that is kept at the end of its instance stands on. */
const isKeptBehind = ({ view }: NamedBlock): boolean =>
  setValue(askedFlag(valueAt(view, 'delete_on_termination'))) === false;

/** By their names: those that stand, those that are added, and those that are no longer there. */
function pairedDevices(now: NamedBlocks, stood: NamedBlocks | null): PlannedDevice[] {
  const standing = stood?.blocks ?? [];
  const isAdded = ({ name }: NamedBlock): boolean =>
    stood?.isWhole === true && (name !== null ? !isRootDevice(name) : standing.length === 0);
  const devices = now.blocks.map((block): PlannedDevice => {
    const { name, view } = block;
    const before = standing.find((one) => name !== null && one.name === name)?.view ?? null;
    const action = before === null && isAdded(block) ? 'create' : null;
    return { ...deviceOf(view, before, false), device: name, isRoot: isRootDevice(name), action };
  });
  const names = new Set(now.blocks.map(({ name }) => name));
  const areNamed = !names.has(null);
  const isRemoved = (block: NamedBlock): boolean =>
    block.name !== null && !names.has(block.name) && !isRootDevice(block.name) && !isKeptBehind(block);
  const removed = now.isWhole && areNamed ? standing.filter(isRemoved) : [];
  return [
    ...devices,
    ...removed.map(
      ({ name, view }): PlannedDevice => ({
        ...deviceOf(view, view, false),
        ...{ device: name, isRoot: false, action: 'delete' },
      }),
    ),
  ];
}

/** root_block_device and ebs_block_device of an instance, a Spot request or a launch configuration. */
export function devicesOf({ after, before }: Changed): Devices {
  const roots = blocksAt(after, 'root_block_device');
  const rootBefore = before === null ? null : firstBlock(before, 'root_block_device');
  const others = (view: View): NamedBlocks => {
    const { blocks, more } = blocksAt(view, 'ebs_block_device');
    const isWhole = more === null && !isComputed(view, 'ebs_block_device');
    return { blocks: blocks.map((one) => ({ name: nameOfDevice(one), view: one })), isWhole, more };
  };
  const now = others(after);
  return {
    devices: [
      ...roots.blocks.map((view) => deviceOf(view, rootBefore, true)),
      ...pairedDevices(now, before === null ? null : others(before)),
    ],
    moreDevices: roots.more ?? now.more,
  };
}

/** block_device_mappings of a launch template: those of EBS. */
export function mappedDevicesOf({ after, before }: Changed): Devices {
  const mapped = (view: View): NamedBlocks => {
    const { blocks, more } = blocksAt(view, 'block_device_mappings');
    const inside = blocks.map((one) => blocksAt(one, 'ebs'));
    const whole = more ?? inside.find((one) => one.more !== null)?.more ?? null;
    return {
      blocks: blocks.flatMap((mapping, at): NamedBlock[] => {
        const ebs = inside[at]?.blocks[0];
        return ebs === undefined ? [] : [{ name: nameOfDevice(mapping), view: ebs }];
      }),
      isWhole: whole === null && !isComputed(view, 'block_device_mappings'),
      more: whole,
    };
  };
  const now = mapped(after);
  const devices = pairedDevices(now, before === null ? null : mapped(before));
  return {
    devices: devices.map((one) => ({ ...one, volumeId: null, tags: {} })),
    moreDevices: now.more,
  };
}
