/** What volumes of monitoring's fleet are asked to do, minute by minute: shares of what they can do at their best. */
import { secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import { recordedLoad } from '../../test/simulator/recorded-load.ts';
import { type HourlyWrites, hourlyWrites, virtualDisk } from './monitoring-shapes.ts';

export type Uniform = () => number;

/** What a minute asks for: the average, and the highest second of it, as shares of the limit with credits. */
export interface Demand {
  share: number;
  topSecondShare: number;
}
export type DemandAt = (minute: number) => Demand;

export const minutesPerDay = secondsPerDay / secondsPerMinute;
export const minutesPerHour = 60;

const flat = (share: number): Demand => ({ share, topSecondShare: share });
const between = (uniform: Uniform, least: number, most: number): number => least + (most - least) * uniform();

/** The sum of four uniform numbers, nearly normal: mean 0, deviation 1. */
const normal = (uniform: Uniform): number =>
  (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3);

/** Times at which something begins: at any hour, with days between them. */
function starts(uniform: Uniform, times: number, minutes: number): number[] {
  return Array.from({ length: times }, (_, i) =>
    Math.floor(((i + 0.05 + 0.9 * uniform()) * minutes) / times),
  );
}

/** A quiet load with noise, and on it something that has a course of its own. */
function withEpisodes(
  uniform: Uniform,
  quiet: number,
  episodes: readonly { start: number; course: (since: number) => number | null }[],
  noise = 0.1,
): DemandAt {
  return (minute) => {
    for (const { start, course } of episodes) {
      const share = minute < start ? null : course(minute - start);
      if (share !== null) return flat(share * (1 + 0.01 * normal(uniform)));
    }
    return flat(Math.max(0, quiet * (1 + noise * normal(uniform))));
  };
}

/** From one minute to the next all that the volume does in a burst, for hours: one to three times in all the days. */
export function suddenDrain(uniform: Uniform, minutes: number): DemandAt {
  const quiet = between(uniform, 0.005, 0.03);
  const episodes = starts(uniform, 1 + Math.floor(3 * uniform()), minutes).map((start) => {
    const length = between(uniform, 20, 480);
    const height = between(uniform, 0.55, 1.1);
    return { start, course: (since: number) => (since < length ? height : null) };
  });
  return withEpisodes(uniform, quiet, episodes);
}

/** Little more than what flows in, for many hours of the day. */
export function slowDrain(uniform: Uniform, baselineShare: number): DemandAt {
  const from = Math.floor(24 * uniform()) * minutesPerHour;
  const hours = between(uniform, 6, 16);
  const above = between(uniform, 1.1, 2.5);
  return (minute) => {
    const ofDay = (minute - from + minutesPerDay) % minutesPerDay;
    const isBusy = ofDay < hours * minutesPerHour;
    const share = baselineShare * (isBusy ? above : 0.3) * (1 + 0.15 * normal(uniform));
    return flat(Math.max(0, share));
  };
}

/** A job at the same time of every day, or of one day of the week. */
export function nightlyDrain(uniform: Uniform, isWeekly: boolean): DemandAt {
  const at = Math.floor(minutesPerDay * uniform());
  const length = between(uniform, 20, 300);
  const height = between(uniform, 0.4, 1.05);
  const day = Math.floor(7 * uniform());
  return (minute) => {
    const since = minute % minutesPerDay;
    const isDay = !isWeekly || Math.floor(minute / minutesPerDay) % 7 === day;
    const isJob = isDay && since >= at && since < at + length;
    return flat(isJob ? height * (1 + 0.03 * normal(uniform)) : 0.01 * uniform());
  };
}

/** Minutes of bursts with minutes of rest between, day and night: the bucket goes up and down, and now and then to nothing. */
export function sawtooth(uniform: Uniform, baselineShare: number): DemandAt {
  let [left, share] = [0, 0];
  let isBurst = false;
  return () => {
    if (left <= 0) {
      isBurst = !isBurst;
      left = Math.ceil(between(uniform, 2, isBurst ? 25 : 60));
      share = isBurst ? between(uniform, 0.4, 1) : baselineShare * between(uniform, 0.2, 1.1);
    }
    left--;
    return flat(share * (1 + 0.05 * normal(uniform)));
  };
}

/** More every day, until the nights do not fill again what the days take. */
export function growing(uniform: Uniform, baselineShare: number, minutes: number): DemandAt {
  const wave = uniform() * minutesPerDay;
  const last = between(uniform, 1.2, 2);
  return (minute) => {
    const level = baselineShare * (0.4 + (last * minute) / minutes);
    const day = 1 + 0.6 * Math.sin((2 * Math.PI * (minute + wave)) / minutesPerDay);
    return flat(Math.max(0, level * day * (1 + 0.1 * normal(uniform))));
  };
}

/** Hours of each working day near the limit, and over it at times. */
export function hovering(uniform: Uniform, firstDay: number): DemandAt {
  const from = Math.floor(24 * uniform()) * minutesPerHour;
  const hours = between(uniform, 2, 9);
  const height = between(uniform, 0.82, 0.96);
  const spread = between(uniform, 0.02, 0.06);
  let slow = 0;
  return (minute) => {
    const day = Math.floor((minute - from) / minutesPerDay);
    const since = (minute - from + minutesPerDay) % minutesPerDay;
    const isBusy = day >= firstDay && day % 7 < 5 && since < hours * minutesPerHour;
    slow = 0.9 * slow + spread * normal(uniform);
    const warm = Math.min(1, (since + 1) / 20);
    const share = isBusy ? warm * (height + slow) : 0.15 * (1 + 0.2 * normal(uniform));
    return { share: Math.max(0, share), topSecondShare: share * 1.02 };
  };
}

/** From little to nearly all within a minute, and some minutes later more than there is: once or twice, at any time. */
export function steps(uniform: Uniform, minutes: number): DemandAt {
  const episodes = starts(uniform, 1 + Math.floor(2 * uniform()), minutes).map((start) => {
    const [near, over] = [between(uniform, 2, 14), between(uniform, 20, 90)];
    const heights = [between(uniform, 0.82, 0.94), between(uniform, 1.05, 1.3)] as const;
    const course = (since: number): number | null =>
      since < near ? heights[0] : since < near + over ? heights[1] : null;
    return { start, course };
  });
  return withEpisodes(uniform, between(uniform, 0.05, 0.3), episodes, 0.2);
}

/** From little to more than there is, within half an hour to four hours. */
export function ramps(uniform: Uniform, minutes: number): DemandAt {
  const quiet = between(uniform, 0.05, 0.3);
  const episodes = starts(uniform, 1 + Math.floor(3 * uniform()), minutes).map((start) => {
    const [length, top, over] = [
      between(uniform, 30, 240),
      between(uniform, 1.05, 1.3),
      between(uniform, 10, 60),
    ];
    const course = (since: number): number | null =>
      since < length ? quiet + ((top - quiet) * since) / length : since < length + over ? top : null;
    return { start, course };
  });
  return withEpisodes(uniform, quiet, episodes);
}

/** A program recorded in the lab, over and over in the busy hours, and a tenth of it outside of them. */
export function labProgram(uniform: Uniform, name: string, height: number): DemandAt {
  const load = recordedLoad(name);
  const from = Math.floor(24 * uniform()) * minutesPerHour;
  const hours = between(uniform, 4, 14);
  const recorded = Array.from({ length: 7 }, (_, minute) => {
    const seconds = Array.from({ length: 60 }, (__, second) => load.arrived?.(minute, second) ?? 0);
    return { mean: seconds.reduce((sum, one) => sum + one, 0) / 60, top: topOfMeans(seconds, 5) };
  });
  const highest = Math.max(...recorded.map(({ mean }) => mean));
  return (minute) => {
    const since = (minute - from + minutesPerDay) % minutesPerDay;
    const part = since < hours * minutesPerHour ? height * (0.9 + 0.1 * uniform()) : 0.1 * height;
    const { mean, top } = recorded[minute % recorded.length] as { mean: number; top: number };
    return { share: (part * mean) / highest, topSecondShare: (part * top) / highest };
  };
}

/** The highest mean of so many seconds on end: what AWS's check calls consistent. */
function topOfMeans(values: readonly number[], length: number): number {
  let top = 0;
  for (let i = 0; i + length <= values.length; i++) {
    const sum = values.slice(i, i + length).reduce((total, one) => total + one, 0);
    top = Math.max(top, sum / length);
  }
  return top;
}

/** As EC2 instances were seen to write: nothing for hours, and then for five minutes or half an hour a lot. */
export function recordedWrites(uniform: Uniform, which: number, height: number): DemandAt {
  const { peakShare, busyFiveMinutes } = hourlyWrites[which % hourlyWrites.length] as HourlyWrites;
  const shift = Math.floor(uniform() * peakShare.length);
  const offset = Math.floor(uniform() * minutesPerHour);
  return (minute) => {
    const hour = Math.floor((minute + offset) / minutesPerHour) + shift;
    const slot = hour % peakShare.length;
    const isBusy = (minute + offset) % minutesPerHour < 5 * (busyFiveMinutes[slot] as number);
    return flat(
      isBusy ? height * (peakShare[slot] as number) * (0.75 + 0.25 * uniform()) : 0.001 * uniform(),
    );
  };
}

/** A virtual machine's disk: a few operations a second, every hour or so three minutes of hundreds. */
export function recordedDisk(uniform: Uniform, height: number): DemandAt {
  const { opsInMinute, opsInTopSecond } = virtualDisk;
  const shift = Math.floor(uniform() * opsInMinute.length);
  const highest = Math.max(...opsInMinute) / 60;
  return (minute) => {
    const at = (minute + shift) % opsInMinute.length;
    const mean = (opsInMinute[at] as number) / 60;
    // Its busiest second is one of sixty: a tenth of it stands for what is held up over some seconds.
    const top = Math.max(mean, (opsInTopSecond[at] as number) / 10);
    return { share: (height * mean) / highest, topSecondShare: (height * top) / highest };
  };
}
