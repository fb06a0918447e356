/** A layout as people write it, everywhere alike: `gp2:500`, `4xio2:200:8000`, `raid10:4xgp3:250`. */
import { BadInput } from '../errors.ts';
import { type Deployment, isVolumeType, type VolumeType, volumeLimits } from '../limits/volume-limits.ts';
import { type Layout, layoutKinds } from './layout.ts';
import { membersRule } from './layout-file.ts';
import { maxMembers } from './step-commands.ts';

export const layoutTextForm = '[raid10:|raid5:|linear:][Nx]TYPE:GIB[:IOPS[:MIBPS]]';

const form =
  /^(?:([a-z][a-z0-9-]{0,23}):)?(?:(\d{1,6})x)?([a-z][a-z0-9]{2,9}):(\d{1,9})(?::(\d{1,9}))?(?::(\d{1,9}))?$/;

/** Whether it looks like one; a file may have any other name. */
export const isLayoutText = (text: string): boolean => form.test(text);

/** Figures of each volume, as they were given. */
export interface LayoutText<K> {
  kind: K;
  members: number;
  volumeType: VolumeType;
  sizeGiB: number;
  iops?: number;
  throughputMiBps?: number;
}

interface Taking<K> {
  /** How that is called which it is given to: --layout. */
  option: string;
  kinds: readonly K[];
  maxMembers: number;
  /** What it is like, in a message. */
  form: string;
}

const maxShown = 60;
/** As much of it as a line has room for. */
const shown = (text: string): string => (text.length <= maxShown ? text : `${text.slice(0, maxShown)} …`);

/** Several volumes are a stripe where nothing else is named. @throws BadInput where it is no layout. */
export function layoutInText<K extends string>(
  text: string,
  taking: Taking<K | 'single' | 'stripe'>,
): LayoutText<K | 'single' | 'stripe'> {
  const { option, kinds, maxMembers, form: right } = taking;
  const [, named, count, volumeType = '', gib, iops, mibps] = form.exec(text) ?? [];
  const kind = kinds.find((one) => one === named);
  if (gib === undefined || !isVolumeType(volumeType) || (named !== undefined && kind === undefined))
    throw new BadInput(
      `${option} "${shown(text)}" is not a layout: give ${right}, like gp2:500, 4xgp3:250:3000:125 or linear:2xgp3:500; figures of each volume`,
    );
  const members = Number(count ?? 1);
  if (members < 1 || members > maxMembers)
    throw new BadInput(`${option} "${shown(text)}" has ${members} volumes: give 1 to ${maxMembers}`);
  return {
    kind: kind ?? (members === 1 ? 'single' : 'stripe'),
    ...{ members, volumeType, sizeGiB: Number(gib) },
    ...(iops === undefined ? {} : { iops: Number(iops) }),
    ...(mibps === undefined ? {} : { throughputMiBps: Number(mibps) }),
  };
}

/**
 * The layout with the figures that its volumes have all the time.
 * @param option how that is called which it is given to
 * @param right what is taken, in a message
 * @throws BadInput where it is none, IllegalConfiguration where EBS would refuse its volumes.
 */
export function layoutOfText(
  option: string,
  text: string,
  deployment: Deployment,
  right = layoutTextForm,
): Layout {
  const given = layoutInText(text, { option, kinds: layoutKinds, maxMembers, form: right });
  const wrong = membersRule(given);
  if (wrong !== null) throw new BadInput(`${option} "${text}": ${wrong}`);
  const { kind, members, volumeType, sizeGiB, iops, throughputMiBps } = given;
  const limits = volumeLimits({ volumeType, sizeGiB, iops, throughputMiBps, deployment });
  const { baselineIops, baselineMiBps } = limits;
  return { kind, members, volumeType, sizeGiB, iops: baselineIops, throughputMiBps: baselineMiBps };
}
