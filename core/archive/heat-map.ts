/** A volume's demand by the hour: each hour of the days, and the hours of a week on average. */
import type { DayHours, HeatMap, HeatMapFigure } from '../schemas/history-heat-map.ts';
import { secondsPerDay, secondsPerHour } from '../units.ts';
import { dayOf } from './keys.ts';
import { placesOf, ratesOf } from './rates.ts';
import type { ResourceMinutes } from './resource-minutes.ts';
import { throttledStatus } from './views.ts';

const hoursPerDay = 24;
const daysPerWeek = 7;
/** 1970 began on a Thursday: 0 is Monday. */
const daysBeforeMonday = 3;

/** Minutes are counted, all else is averaged. */
const isCounted = (figure: HeatMapFigure): boolean => figure === 'throttled' || figure === 'exceeded';

/** Where one of both checks is not known, what the other one does not say is not known. */
export function isExceeded(iops: number, throughput: number): number {
  if (iops > 0 || throughput > 0) return 1;
  return Number.isNaN(iops) || Number.isNaN(throughput) ? Number.NaN : 0;
}

/** Of each point; NaN where it is not known. Of what is counted: minutes. */
function valuesOf(minutes: ResourceMinutes, figure: HeatMapFigure): Float64Array {
  const { iops, mibps, periodSeconds } = ratesOf(minutes);
  const { metrics, evaluation, epochSeconds } = minutes;
  const minutesOfPoint = periodSeconds / 60;
  switch (figure) {
    case 'iops':
      return iops;
    case 'mibps':
      return mibps;
    case 'queue':
      return metrics.get('VolumeQueueLength') ?? epochSeconds.map(() => Number.NaN);
    case 'throttled':
      return epochSeconds.map((_, i) => {
        const status = evaluation?.status[i] ?? null;
        if (status === null) return Number.NaN;
        return status === throttledStatus ? minutesOfPoint : 0;
      });
    case 'exceeded': {
      const checks = (['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const).map((name) =>
        metrics.get(name),
      );
      return epochSeconds.map(
        (_, i) => minutesOfPoint * isExceeded(checks[0]?.[i] ?? Number.NaN, checks[1]?.[i] ?? Number.NaN),
      );
    }
  }
}

/** With fewer points an hour is not known; what is counted is of those that are. */
const leastOfHour = 0.5;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : sumOf(values) / values.length;

function hourOf(values: Float64Array, figure: HeatMapFigure, pointsPerHour: number): number | null {
  const known = [...values].filter((value) => !Number.isNaN(value));
  if (known.length === 0 || known.length < leastOfHour * pointsPerHour) return null;
  return isCounted(figure) ? sumOf(known) : meanOf(known);
}

function dayFigure(hours: readonly (number | null)[], figure: HeatMapFigure): number | null {
  const known = hours.filter((value) => value !== null);
  if (known.length === 0) return null;
  return isCounted(figure) ? sumOf(known) : Math.max(...known);
}

/** 0 is Monday. */
export const weekdayOfDay = (day: string): number =>
  (Math.round(Date.parse(`${day}T00:00Z`) / (secondsPerDay * 1_000)) + daysBeforeMonday) % daysPerWeek;

/** Each day from the first to the last one that has points, those without included. */
function daysOf(minutes: ResourceMinutes, figure: HeatMapFigure): DayHours[] {
  const times = minutes.epochSeconds;
  const values = valuesOf(minutes, figure);
  const pointsPerHour = secondsPerHour / ratesOf(minutes).periodSeconds;
  const hours = new Map(
    placesOf(times, secondsPerHour).map(({ start, from, end }) => [
      start,
      hourOf(values.subarray(from, end), figure, pointsPerHour),
    ]),
  );
  const days: DayHours[] = [];
  const first = Math.floor((times[0] ?? 0) / secondsPerDay) * secondsPerDay;
  for (let start = first; start <= (times.at(-1) ?? -1); start += secondsPerDay) {
    const ofDay = Array.from(
      { length: hoursPerDay },
      (_, hour) => hours.get(start + hour * secondsPerHour) ?? null,
    );
    days.push({ day: dayOf(start), value: dayFigure(ofDay, figure), hours: ofDay });
  }
  return days;
}

/** @param minutes null where no row of it is there. */
export function heatMapOf(
  minutes: ResourceMinutes | null,
  figure: HeatMapFigure,
): Pick<HeatMap, 'figure' | 'week' | 'days'> {
  const days = minutes === null ? [] : daysOf(minutes, figure);
  const week = Array.from({ length: daysPerWeek }, (_, weekday) => {
    const own = days.filter(({ day }) => weekdayOfDay(day) === weekday);
    return Array.from({ length: hoursPerDay }, (_hour, hour) =>
      meanOf(own.flatMap(({ hours }) => hours[hour] ?? [])),
    );
  });
  return { figure, week, days };
}
