/** What a run of a profile needs, before it is begun. */
import type { Known } from '../known.ts';
import { known } from '../known.ts';
import { gp3Figures } from '../limits/volume-limits.ts';
import { secondsPerHour } from '../units.ts';
import { partOfFile, placesOf, type Run } from './profiles.ts';

/** All it writes before the first step: a data file, and a part of its size in every other place. */
export const prefillMiB = (run: Run): number =>
  run.fileSizeMiB * (1 + (placesOf(run).length - 1) / partOfFile);

/** Steps, with the time to get going. */
export const measuringSeconds = ({ steps }: Run): number =>
  steps.reduce((sum, { seconds, rampSeconds }) => sum + seconds + rampSeconds, 0);

/**
 * Hours from the first byte of its files to the last step. @param layMiBps at which the volumes take the files: without it
 * what a gp3 volume has for nothing.
 */
export const expectedHours = (run: Run, layMiBps: number = gp3Figures.freeMiBps): number =>
  (prefillMiB(run) / layMiBps + measuringSeconds(run)) / secondsPerHour;

/** While it runs, in USD an hour: of the instance, and of all volumes with their IOPS and throughput. */
interface HourlyUsd {
  instance: Known<number>;
  volumes: Known<number>;
}

/** USD of a run; unknown where one of the prices is, and why. */
export function expectedCostUsd(hours: number, { instance, volumes }: HourlyUsd): Known<number> {
  if (!instance.known) return instance;
  if (!volumes.known) return volumes;
  return known(hours * (instance.value + volumes.value));
}
