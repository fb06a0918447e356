/** Volumes as the rules look at them: what a file asks for, with the defaults of AWS for what is not set. */
import { IllegalConfiguration } from '../errors.ts';
import type { Tags } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import {
  type Deployment,
  gp3Figures,
  isVolumeType,
  provisionedFigures,
  takesIops,
  topIops,
  type VolumeConfiguration,
  type VolumeLimits,
  volumeLimits,
} from '../limits/volume-limits.ts';
import type { CheckFigures, checkFigureNames, NotCheckedReason } from '../schemas/check-answer.ts';
import {
  type Asked,
  type AskedVolume,
  type IgnoredRule,
  type PlannedAction,
  type PlannedAttributesClass,
  type PlannedResource,
  type PlannedStorageClass,
  type ReplaceReason,
  setValue,
} from './planned.ts';

export type FigureName = (typeof checkFigureNames)[number];

/** A figure of a volume or an instance, or why a rule cannot have it. */
export type Figure<T> = Known<T, NotCheckedReason>;

export const notSet = (figure: FigureName): { known: false; reason: NotCheckedReason } =>
  unknown({ code: 'figure-unknown', figure, why: 'not-set', detail: null });

/** @param otherwise what holds where nothing is set. */
export function figureOf<T, Default>(
  asked: Asked<T>,
  figure: FigureName,
  otherwise: Figure<Default>,
): Figure<T | Default> {
  if (!asked.known) {
    const { code, detail } = asked.reason;
    return unknown({ code: 'figure-unknown', figure, why: code, detail });
  }
  return asked.value === null ? otherwise : known(asked.value);
}

// Volumes.

/** What a volume is to be; a figure that is not set and has a default is a known undefined. */
interface VolumeFigures {
  volumeType: Figure<string>;
  sizeGiB: Figure<number>;
  iops: Figure<number | undefined>;
  throughputMiBps: Figure<number | undefined>;
  deployment: Deployment;
}

export interface Configured {
  config: VolumeConfiguration;
  limits: VolumeLimits;
}

/** Whose figures these are, and where they stand. */
export interface Place {
  address: string;
  file: string;
  line: number | null;
  region: string | null;
  action: PlannedAction;
  ignoredRules: readonly IgnoredRule[];
}

export interface CheckedVolume extends Place {
  /** `class`: of Kubernetes, without a size. */
  kind: 'volume' | 'device' | 'class' | 'claim';
  device: string | null;
  isRoot: boolean;
  isMultiAttach: boolean;
  volumeId: string | null;
  tags: Tags;
  /** As asked for, of a delete as it was. */
  figures: VolumeFigures;
  /** As it stands; null where the file does not know, or nothing stands. */
  before: VolumeFigures | null;
  now: Figure<Configured>;
  configuredBefore: Figure<Configured> | null;
  copies: Figure<number>;
  copiesBefore: Figure<number>;
  /** Of a claim whose class the files have: rules about the type are for the class. */
  isOfClass: boolean;
  /** Of a class: its claims in the files, with the figures that follow from their sizes. */
  claims: readonly CheckedVolume[];
  replacedFor: readonly string[];
  replaceReason: ReplaceReason | null;
  /** It is made from a snapshot, also from one that is known after the apply. */
  isFromSnapshot: boolean;
}

/** Shall be there, and is not yet. */
export const isNew = ({ action }: Pick<Place, 'action'>): boolean =>
  action === 'create' || action === 'replace' || action === 'declared';

export const isKept = ({ action }: Pick<Place, 'action'>): boolean => action !== 'delete';

/** A volume that is to become smaller, which EBS refuses; null: none. */
export function shrinkOf({
  action,
  before,
  figures,
}: Pick<CheckedVolume, 'action' | 'before' | 'figures'>): { fromGiB: number; toGiB: number } | null {
  const [from, to] = [before?.sizeGiB, figures.sizeGiB];
  const isOne = action === 'update' && from?.known === true && to.known && to.value < from.value;
  return isOne ? { fromGiB: from.value, toGiB: to.value } : null;
}

/** What of these figures makes a configuration, before EBS is asked whether there is one. */
export function configurationOf(figures: VolumeFigures): Figure<VolumeConfiguration> {
  const { volumeType: type, sizeGiB, iops, throughputMiBps, deployment } = figures;
  if (!type.known) return type;
  const volumeType = type.value;
  if (!isVolumeType(volumeType)) return unknown({ code: 'refused' });
  if (!sizeGiB.known) return sizeGiB;
  // What cannot be set does not need to be known.
  if (!iops.known && takesIops(volumeType)) return iops;
  if (!throughputMiBps.known && volumeType === 'gp3') return throughputMiBps;
  return known({
    volumeType,
    sizeGiB: sizeGiB.value,
    iops: iops.known ? iops.value : undefined,
    throughputMiBps: throughputMiBps.known ? throughputMiBps.value : undefined,
    deployment,
  });
}

/** Null: EBS has such a volume; else the rule that it is refused by. */
export function refusalOf(config: VolumeConfiguration): string | null {
  try {
    volumeLimits(config);
    return null;
  } catch (error) {
    if (error instanceof IllegalConfiguration) return error.message;
    throw error;
  }
}

function configuredOf(figures: VolumeFigures): Figure<Configured> {
  const config = configurationOf(figures);
  if (!config.known) return config;
  return refusalOf(config.value) === null
    ? known({ config: config.value, limits: volumeLimits(config.value) })
    : unknown({ code: 'refused' });
}

const orNull = <T>(figure: Figure<T | undefined>): T | null => (figure.known ? (figure.value ?? null) : null);

export const figuresText = ({ volumeType, sizeGiB, iops, throughputMiBps }: VolumeFigures): CheckFigures => ({
  volumeType: volumeType.known ? volumeType.value : '',
  sizeGiB: orNull(sizeGiB),
  iops: orNull(iops),
  throughputMiBps: orNull(throughputMiBps),
});

export const figuresOfConfiguration = ({
  volumeType,
  sizeGiB,
  iops,
  throughputMiBps,
}: Omit<VolumeConfiguration, 'deployment'>): CheckFigures => ({
  volumeType,
  sizeGiB,
  iops: takesIops(volumeType) ? (iops ?? null) : null,
  throughputMiBps: volumeType === 'gp3' ? (throughputMiBps ?? null) : null,
});

const staysAsBefore = (asked: Asked<number>, before: Asked<number> | undefined): boolean =>
  before !== undefined && (!asked.known || (before.known && asked.value === before.value));

/**
 * What is not changed of a volume that stands is not sent to EC2: a figure that the type cannot have (EC2 reports IOPS of gp2),
 * or one of the type before. Zero is how a state writes that nothing is set.
 */
function settable(
  asked: Asked<number>,
  before: Asked<number> | undefined,
  figure: FigureName,
  isSent: boolean,
): Figure<number | undefined> {
  const isLeftOut = asked.known && (asked.value === 0 || (!isSent && staysAsBefore(asked, before)));
  return isLeftOut ? known(undefined) : figureOf(asked, figure, known(undefined));
}

function figuresOf(
  asked: AskedVolume,
  before: AskedVolume | null,
  defaultType: Figure<string>,
): VolumeFigures {
  const volumeType = figureOf(asked.volumeType, 'volume type', defaultType);
  const type = volumeType.known ? volumeType.value : '';
  const typeBefore = setValue(before?.volumeType);
  const isSameType = typeBefore === null || typeBefore === type;
  // Terraform sends the IOPS with a change to io1, io2 or gp3 as they were before.
  const isIopsSent = takesIops(type);
  const isThroughputSent = isSameType && type === 'gp3';
  return {
    volumeType,
    sizeGiB: figureOf(asked.sizeGiB, 'size', notSet('size')),
    iops: settable(asked.iops, before?.iops, 'IOPS', isIopsSent),
    throughputMiBps: settable(asked.throughputMiBps, before?.throughputMiBps, 'throughput', isThroughputSent),
    deployment: setValue(asked.outpostArn) === null ? 'region' : 'outposts',
  };
}

/** What stands is as EC2 reports it: of what cannot be set nothing was. */
function standing(before: AskedVolume, defaultType: Figure<string>): VolumeFigures {
  const figures = figuresOf(before, null, defaultType);
  const type = figures.volumeType.known ? figures.volumeType.value : '';
  return {
    ...figures,
    iops: takesIops(type) ? figures.iops : known(undefined),
    throughputMiBps: type === 'gp3' ? figures.throughputMiBps : known(undefined),
  };
}

export const oneCopy: Figure<number> = known(1);

export function checkedVolume(
  place: Place,
  asked: AskedVolume,
  before: AskedVolume | null,
  defaultType: Figure<string>,
  more: Partial<CheckedVolume> & Pick<CheckedVolume, 'kind'>,
): CheckedVolume {
  const isOld = place.action === 'delete' || place.action === 'none';
  const figures = isOld ? standing(asked, defaultType) : figuresOf(asked, before, defaultType);
  const figuresBefore = before === null ? null : standing(before, defaultType);
  return {
    ...place,
    ...{
      device: null,
      isRoot: false,
      volumeId: null,
      tags: {},
      isOfClass: false,
      claims: [],
      replacedFor: [],
      replaceReason: null,
    },
    isMultiAttach: setValue(asked.multiAttach) === true,
    isFromSnapshot: !asked.snapshotId.known || asked.snapshotId.value !== null,
    figures,
    before: figuresBefore,
    now: configuredOf(figures),
    configuredBefore: figuresBefore === null ? null : configuredOf(figuresBefore),
    ...{ copies: oneCopy, copiesBefore: oneCopy },
    ...more,
  };
}

export const placeOf = (resource: PlannedResource, region: string | null): Place => ({
  address: resource.address,
  file: resource.file,
  line: resource.line,
  region: resource.region ?? region,
  action: resource.action,
  ignoredRules: resource.ignoredRules,
});

const nothing = <T>(): Asked<T> => known(null);
const elsewhereAsked = <T>(): Asked<T> => unknown({ code: 'elsewhere', detail: null });

/** A figure of the attributes class goes before that of the storage class. */
export function claimFigures(
  sizeGiB: Asked<number>,
  storage: PlannedStorageClass | null,
  attributes: PlannedAttributesClass | null,
  hasAttributes: boolean,
): AskedVolume {
  const isWhole = storage !== null && (attributes !== null || !hasAttributes);
  const pick = <T>(of: (asked: AskedVolume) => Asked<T>): Asked<T> => {
    if (attributes !== null && setValue(of(attributes.asked)) !== null) return of(attributes.asked);
    return isWhole && storage !== null ? of(storage.asked) : elsewhereAsked();
  };
  const iops = pick(({ iops: figure }) => figure);
  const asked: AskedVolume = {
    volumeType: pick(({ volumeType }) => volumeType),
    sizeGiB,
    iops,
    throughputMiBps: pick(({ throughputMiBps }) => throughputMiBps),
    initializationMiBps: nothing(),
    snapshotId: nothing(),
    multiAttach: nothing(),
    outpostArn: nothing(),
  };
  const perGiB = attributes !== null && setValue(attributes.iopsPerGiB) !== null ? attributes : storage;
  const sized = perGiB === null ? asked : { ...asked, iops: iopsBySize(asked, perGiB.iopsPerGiB) };
  const mayRaise: Asked<boolean> = storage?.allowAutoIopsPerGiBIncrease ?? nothing();
  return { ...sized, iops: asTheDriverCaps(sized, mayRaise) };
}

/** Of a class the IOPS of one that asks for them by GiB are those of the claim. */
export function classFigures(one: PlannedStorageClass | PlannedAttributesClass): AskedVolume {
  const { asked, iopsPerGiB } = one;
  const isBySize = !iopsPerGiB.known || iopsPerGiB.value !== null;
  const sized = isBySize ? { ...asked, iops: iopsBySize(asked, iopsPerGiB) } : asked;
  const mayRaise = one.kind === 'storage-class' ? one.allowAutoIopsPerGiBIncrease : nothing<boolean>();
  return { ...sized, iops: asTheDriverCaps(sized, mayRaise) };
}

/**
 * The driver raises IOPS to the least that the type has, where the class lets it, and lowers them to what type and size allow, where a
 * volume of that size has more than the least.
 * Source: aws-ebs-csi-driver, pkg/cloud, read 2026-11-28.
 */
function asTheDriverCaps(
  { volumeType: type, sizeGiB: size, iops }: AskedVolume,
  mayRaise: Asked<boolean>,
): Asked<number> {
  const [volumeType, sizeGiB, asked] = [setValue(type) ?? 'gp3', setValue(size), setValue(iops)];
  if (asked === null || (volumeType !== 'gp3' && volumeType !== 'io1' && volumeType !== 'io2')) return iops;
  const least = volumeType === 'gp3' ? gp3Figures.freeIops : provisionedFigures[volumeType].minIops;
  if (asked < least && !mayRaise.known) return mayRaise;
  const raised = setValue(mayRaise) === true ? Math.max(asked, least) : asked;
  if (sizeGiB === null) return known(raised);
  const { iopsPerGiB } = volumeType === 'gp3' ? gp3Figures : provisionedFigures[volumeType];
  const top = topIops({ volumeType, sizeGiB, deployment: 'region' });
  return top === null || iopsPerGiB * sizeGiB < least ? known(raised) : known(Math.min(raised, top));
}

/** IOPS for each GiB of the claim, as far as the type goes. */
function iopsBySize(asked: AskedVolume, perGiB: Asked<number>): Asked<number> {
  if (!perGiB.known) return asked.iops.known && asked.iops.value !== null ? asked.iops : perGiB;
  if (perGiB.value === null || (asked.iops.known && asked.iops.value !== null)) return asked.iops;
  if (!asked.sizeGiB.known) return asked.sizeGiB;
  const [volumeType, sizeGiB] = [setValue(asked.volumeType) ?? 'gp3', asked.sizeGiB.value];
  if (sizeGiB === null) return unknown({ code: 'size-of-claim', detail: null });
  if (!isVolumeType(volumeType)) return elsewhereAsked();
  const top = topIops({ volumeType, sizeGiB, deployment: 'region' });
  const iops = perGiB.value * sizeGiB;
  return known(top === null ? iops : Math.min(iops, top));
}
