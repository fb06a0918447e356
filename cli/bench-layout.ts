/** A layout of a benchmark as people type it: `gp3:100`, `6xio2:20:600`, `linear:6xio2:20:600`, `old=gp2:500`. */
import {
  type BenchKind,
  type BenchLayout,
  benchKinds,
  maxMembers,
} from '../core/benchmark/campaign/request.ts';
import { BadInput } from '../core/errors.ts';
import { isVolumeType } from '../core/limits/volume-limits.ts';

const form =
  /^(?:([a-z][a-z0-9-]{0,23})=)?(?:([a-z0-9-]+):)?(?:(\d{1,3})x)?([a-z][a-z0-9]+):(\d{1,6})(?::(\d{1,7}))?(?::(\d{1,5}))?$/;
const expected = `give [NAME=][KIND:][Nx]TYPE:GIB[:IOPS[:MIBPS]], like gp3:100, 6xio2:20:600 or linear:6xio2:20:600 (kinds: ${benchKinds.join(', ')}), figures of each volume`;

const isKind = (text: string): text is BenchKind => (benchKinds as readonly string[]).includes(text);

const nameOf = (kind: BenchKind, members: number, volumeType: string): string =>
  kind === 'single' ? `single-${volumeType}` : `${kind}-${members}x${volumeType}`;

/** Several volumes are a stripe where no kind is named. @throws BadInput where it is none. */
export function benchLayout(text: string): BenchLayout {
  const [, name, named, count, volumeType = '', gib, iops, mibps] = form.exec(text) ?? [];
  if (gib === undefined || !isVolumeType(volumeType) || (named !== undefined && !isKind(named)))
    throw new BadInput(`--layouts "${text}" is not a layout: ${expected}`);
  const members = Number(count ?? 1);
  const kind: BenchKind = (named as BenchKind | undefined) ?? (members === 1 ? 'single' : 'stripe');
  if (members < 1 || members > maxMembers)
    throw new BadInput(`--layouts "${text}" has ${members} volumes: give 1 to ${maxMembers}`);
  return {
    name: name ?? nameOf(kind, members, volumeType),
    ...{ kind, members, volumeType, sizeGiB: Number(gib) },
    ...(iops === undefined ? {} : { iops: Number(iops) }),
    ...(mibps === undefined ? {} : { throughputMiBps: Number(mibps) }),
    ...{ chunkKiB: 128, fileSystem: 'xfs' },
  };
}
