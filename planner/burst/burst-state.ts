/** Whose credits, under which load: what is asked on the page and stands in its address. */
import { hoursPerDay } from '../../core/replay/drawn-day.ts';
import {
  choiceField,
  type Field,
  type Fields,
  numberField,
  optional,
  regionNameField,
  textField,
} from '../fragment.ts';

const subjects = ['gp2', 'st1', 'sc1', 'instance'] as const;
export type Subject = (typeof subjects)[number];

const loadKinds = ['steady', 'day'] as const;
export type LoadKind = (typeof loadKinds)[number];

export type Hours = readonly number[];

export interface BurstState {
  region: string;
  of: Subject;
  sizeGiB: number;
  instanceType: string;
  /** BurstBalance; of an instance EBSIOBalance%. */
  balancePercent: number;
  /** EBSByteBalance% of an instance. */
  byteBalancePercent: number;
  /** Null: what is usual for the volume type. */
  ioSizeKiB: number | null;
  load: LoadKind;
  iops: number;
  mibps: number;
  /** By hour of the day. */
  iopsByHour: Hours;
  mibpsByHour: Hours;
}

/** Bounds of the fields, the same in the address and in the form. */
export const bounds = {
  sizeGiB: { min: 1, max: 16_384 },
  percent: { min: 0, max: 100, step: 0 },
  ioSizeKiB: { min: 1, max: 1_024 },
  iops: { min: 0, max: 1_000_000 },
  mibps: { min: 0, max: 100_000, step: 0 },
} as const;

// A day in the address: rates with the number of hours that they last, 100x9_3000x8_100x7.

const run = /^(\d{1,7}(?:\.\d{1,3})?)(?:x([1-9]\d?))?$/;
const maxText = 400;

export const hoursText = (hours: Hours): string => {
  const runs: [number, number][] = [];
  for (const rate of hours) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] === rate) last[1]++;
    else runs.push([rate, 1]);
  }
  return runs.map(([rate, count]) => (count === 1 ? `${rate}` : `${rate}x${count}`)).join('_');
};

/** Null: not 24 rates, or one out of bounds. */
export function hoursOf(text: string, max: number): Hours | null {
  if (text.length > maxText) return null;
  const hours: number[] = [];
  for (const part of text.split('_')) {
    const [, rate, count = '1'] = run.exec(part) ?? [];
    if (rate === undefined || Number(rate) > max || hours.length + Number(count) > hoursPerDay) return null;
    hours.push(...new Array<number>(Number(count)).fill(Number(rate)));
  }
  return hours.length === hoursPerDay ? hours : null;
}

const hoursField = (usual: Hours, max: number): Field<Hours> => ({
  usual,
  read: (text) => hoursOf(text, max),
  write: hoursText,
  right: `24 rates from 0 to ${max}, like 100x9_3000x8_100x7`,
});

// Days that are often meant; their hours as shares of a peak.

export type Preset = 'steady' | 'office' | 'nightly';

const idleShare = 0.1;
const isBusy: Record<Preset, (hour: number) => boolean> = {
  steady: () => true,
  office: (hour) => hour >= 9 && hour < 17,
  nightly: (hour) => hour >= 1 && hour < 4,
};

/** A day whose highest hours have the peak. @param step that rates are rounded to. */
export const presetHours = (preset: Preset, peak: number, step: number): Hours =>
  Array.from({ length: hoursPerDay }, (_, hour) =>
    isBusy[preset](hour) ? peak : Math.round((peak * idleShare) / step) * step,
  );

/** The same shape with another peak; where nothing is asked for, the peak all day. */
export function withPeak(hours: Hours, peak: number, step: number): Hours {
  const most = Math.max(...hours);
  return hours.map((rate) => (most === 0 ? peak : Math.round((rate * peak) / most / step) * step));
}

/** HDD carries large sequential I/O, or it is no use. */
export const ioSizeOf = ({ of, ioSizeKiB }: BurstState): number => ioSizeKiB ?? (of === 'gp2' ? 16 : 1_024);

export const burstFields: Fields<BurstState> = {
  region: regionNameField,
  of: choiceField('gp2', subjects),
  sizeGiB: numberField(100, bounds.sizeGiB.min, bounds.sizeGiB.max, true),
  instanceType: textField(
    'm5.large',
    /^[a-z][a-z0-9-]{1,24}\.[a-z0-9-]{2,20}$/,
    'an instance type like m5.large',
    46,
  ),
  balancePercent: numberField(100, bounds.percent.min, bounds.percent.max),
  byteBalancePercent: numberField(100, bounds.percent.min, bounds.percent.max),
  ioSizeKiB: optional(numberField(16, bounds.ioSizeKiB.min, bounds.ioSizeKiB.max, true)),
  load: choiceField('day', loadKinds),
  iops: numberField(1_000, bounds.iops.min, bounds.iops.max, true),
  mibps: numberField(100, bounds.mibps.min, bounds.mibps.max),
  iopsByHour: hoursField(presetHours('office', 600, 10), bounds.iops.max),
  mibpsByHour: hoursField(presetHours('office', 100, 1), bounds.mibps.max),
};
