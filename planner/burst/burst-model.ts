/** From what is asked to what is answered: the engine's own figures, worked out anew for every change. */
import {
  type EbsFigures,
  ebsFiguresOf,
  familyOf,
  type InstanceType,
} from '../../core/catalog/instance-types.ts';
import { knownType, type RegionCatalog, type RegionCatalogs } from '../../core/catalog/region-catalog.ts';
import {
  burstAnswer,
  type InstanceBurstAnswer,
  instanceBurstAnswer,
} from '../../core/credits/burst-answer.ts';
import { BadInput } from '../../core/errors.ts';
import {
  isHdd,
  type VolumeConfiguration,
  type VolumeLimits,
  volumeLimits,
} from '../../core/limits/volume-limits.ts';
import type { Layout } from '../../core/plan/layout.ts';
import {
  type Gp3Instead,
  gp3Instead,
  type InstanceInstead,
  instanceInstead,
} from '../../core/plan/without-credits.ts';
import { instanceConfiguration, replayConfiguration } from '../../core/replay/configuration.ts';
import { hoursPerDay, type Measure, type ReplayedDays, replayDrawnDay } from '../../core/replay/drawn-day.ts';
import type { BurstAnswer } from '../../core/schemas/answers.ts';
import { mibFromKiB } from '../../core/units.ts';
import {
  aboveMaximumText,
  noBurstText,
  noInstanceBurstText,
  noLoadText,
  nothingLeftText,
  throughputFirstText,
} from '../../report/wording/burst.ts';
import { typeReasonText } from '../../report/wording/reasons.ts';
import { type BurstState, type Hours, ioSizeOf } from './burst-state.ts';

/** Rates that are asked, by hour; what the subject is not asked for is absent. */
type Load = Partial<Record<Measure, Hours>>;

export interface VolumeModel {
  kind: 'volume';
  config: VolumeConfiguration;
  limits: VolumeLimits;
  measure: Measure;
  /** Of the steady rate, of a drawn day of its peak; the same numbers as `stripewise burst --json`. */
  answer: BurstAnswer;
  /** From empty, without load. */
  refill: BurstAnswer;
  gp3: Gp3Instead;
}

export interface InstanceModel {
  kind: 'instance';
  type: InstanceType;
  figures: EbsFigures;
  answer: InstanceBurstAnswer;
  /** From empty, without load. */
  refill: InstanceBurstAnswer;
  instead: InstanceInstead;
}

export type BurstModel = (VolumeModel | InstanceModel) & {
  name: string;
  load: Load;
  replayed: ReplayedDays;
  /** One line each. */
  notes: string[];
};

const steadyHours = (rate: number): Hours => new Array<number>(hoursPerDay).fill(rate);
const peakOf = (hours: Hours | undefined): number => (hours === undefined ? 0 : Math.max(...hours));

/** What the subject is asked for, by its hours. */
function loadOf({ of, load, iops, mibps, iopsByHour, mibpsByHour }: BurstState): Load {
  const [ofIops, ofMiBps] =
    load === 'steady' ? [steadyHours(iops), steadyHours(mibps)] : [iopsByHour, mibpsByHour];
  if (of === 'gp2') return { iops: ofIops };
  return of === 'instance' ? { iops: ofIops, mibps: ofMiBps } : { mibps: ofMiBps };
}

/** What is there all the time, and with credits. */
export interface RateBounds {
  baseline: number;
  maximum: number;
}

export const volumeBounds = (
  { baselineIops, burstIops, baselineMiBps, burstMiBps }: VolumeLimits,
  measure: Measure,
): RateBounds =>
  measure === 'iops'
    ? { baseline: baselineIops, maximum: burstIops }
    : { baseline: baselineMiBps, maximum: burstMiBps };

export const boundsOf = (model: BurstModel, measure: Measure): RateBounds =>
  model.kind === 'volume'
    ? volumeBounds(model.limits, measure)
    : model.answer[measure === 'iops' ? 'io' : 'bytes'];

function notesOf(
  peak: number,
  balancePercent: number,
  measure: Measure,
  { baseline, maximum }: RateBounds,
): string[] {
  return [
    ...(peak > maximum ? [aboveMaximumText(peak, maximum, measure)] : []),
    ...(balancePercent === 0 && maximum > baseline ? [nothingLeftText(baseline, measure)] : []),
  ];
}

/** What a volume of its size has, replayed under the hours of the day. */
function replayedVolume(
  { volumeType, sizeGiB }: VolumeConfiguration,
  { baselineIops, baselineMiBps }: VolumeLimits,
  hours: Hours,
  balancePercent: number,
): ReplayedDays {
  const layout: Layout = {
    ...{ kind: 'single', members: 1, volumeType, sizeGiB },
    ...{ iops: baselineIops, throughputMiBps: baselineMiBps },
  };
  // HDD counts bytes: its I/O are the MiB. The MiB/s of a gp2 are not asked here, its credits are I/O.
  const drawn = { iops: hours, mibps: isHdd(volumeType) ? hours : steadyHours(0) };
  return replayDrawnDay(drawn, replayConfiguration(layout, { startPercent: { volume: balancePercent } }));
}

function volumeModel(
  state: BurstState,
  volumeType: 'gp2' | 'st1' | 'sc1',
  catalog: RegionCatalog,
): BurstModel {
  const { sizeGiB, balancePercent } = state;
  const ioSizeKiB = ioSizeOf(state);
  const config: VolumeConfiguration = { volumeType, sizeGiB, deployment: 'region' };
  const limits = volumeLimits(config);
  const hdd = isHdd(volumeType);
  const measure: Measure = hdd ? 'mibps' : 'iops';
  const load = loadOf(state);
  const hours = load[measure] ?? [];
  const rate = peakOf(hours);
  const { burstIops, burstMiBps } = limits;
  const perIoMiB = mibFromKiB(ioSizeKiB);
  const need = hdd
    ? { iops: rate / perIoMiB, throughputMiBps: rate, access: 'sequential' as const }
    : { iops: rate, throughputMiBps: rate * perIoMiB, access: 'random' as const };
  const bounds = volumeBounds(limits, measure);
  const isThroughputFirst = !hdd && Math.min(rate, burstIops) * perIoMiB > burstMiBps;
  return {
    ...{ kind: 'volume', config, limits, measure, load },
    answer: burstAnswer(config, { balancePercent, ratePerSecond: rate }),
    replayed: replayedVolume(config, limits, hours, balancePercent),
    name: `${volumeType}, ${sizeGiB} GiB`,
    refill: burstAnswer(config, { balancePercent: 0, ratePerSecond: 0 }),
    gp3: gp3Instead(config, { ...need, ioSizeKiB }, catalog),
    notes: [
      ...(bounds.maximum > bounds.baseline ? [] : [noBurstText(volumeType, bounds.baseline)]),
      ...(rate === 0 ? [noLoadText] : []),
      ...notesOf(rate, balancePercent, measure, bounds),
      ...(isThroughputFirst ? [throughputFirstText(rate * perIoMiB, burstMiBps)] : []),
    ],
  };
}

const hasCredits = ({ baselineIops, maximumIops, baselineMiBps, maximumMiBps }: EbsFigures): boolean =>
  maximumIops > baselineIops || maximumMiBps > baselineMiBps;

function instanceModel(state: BurstState, catalog: RegionCatalog): BurstModel | { problem: string } {
  const type = knownType(state.instanceType, catalog);
  const figures = ebsFiguresOf(type);
  if (!figures.known) return { problem: `${typeReasonText(figures.reason)}: take another type` };
  const load = loadOf(state);
  const [iops, mibps] = [peakOf(load.iops), peakOf(load.mibps)];
  const { balancePercent: io, byteBalancePercent: bytes } = state;
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures.value;
  const drawn = { iops: load.iops ?? steadyHours(0), mibps: load.mibps ?? steadyHours(0) };
  const start = { instanceIo: io, instanceBytes: bytes };
  return {
    ...{ kind: 'instance', type, figures: figures.value, name: type.instanceType, load },
    refill: instanceBurstAnswer(figures.value, { balancePercent: { io: 0, bytes: 0 }, iops: 0, mibps: 0 }),
    answer: instanceBurstAnswer(figures.value, { balancePercent: { io, bytes }, iops, mibps }),
    replayed: replayDrawnDay(drawn, instanceConfiguration(figures.value, start)),
    instead: instanceInstead(type, { iops, throughputMiBps: mibps }, catalog),
    notes: [
      ...(hasCredits(figures.value) ? [] : [noInstanceBurstText(type.instanceType)]),
      ...(iops === 0 && mibps === 0 ? [noLoadText] : []),
      ...notesOf(iops, io, 'iops', { baseline: baselineIops, maximum: maximumIops }),
      ...notesOf(mibps, bytes, 'mibps', { baseline: baselineMiBps, maximum: maximumMiBps }),
    ],
  };
}

/** What is asked, answered; one line where EBS or the Region's catalog has no such thing. */
export function burstModel(
  state: BurstState,
  regionCatalogs: RegionCatalogs,
): BurstModel | { problem: string } {
  const catalog = regionCatalogs(state.region);
  try {
    return state.of === 'instance' ? instanceModel(state, catalog) : volumeModel(state, state.of, catalog);
  } catch (error) {
    if (error instanceof BadInput) return { problem: error.message };
    throw error;
  }
}

/** By family, within one in the order of the catalog. Other types can be named all the same. */
export const typesWithCredits = ({ instanceTypes }: RegionCatalog): string[] =>
  instanceTypes.types
    .filter(({ ebs }) => ebs !== null && hasCredits(ebs))
    .map(({ instanceType }) => instanceType)
    .sort((a, b) => familyOf(a).localeCompare(familyOf(b)));
