/** What a measurement is, and how one is repeated. */
import { cpus } from 'node:os';
import { max, median, min } from 'simple-statistics';

export interface Measure {
  name: string;
  value: number;
  unit: string;
  conditions: string;
  /** What it may be at most; beyond it the bench fails. */
  limit?: number;
}

export const isBeyond = ({ value, limit }: Measure): boolean => limit !== undefined && !(value <= limit);

export const machine = (): string =>
  `${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;

/** Seconds of each of so many runs of one function, after one that is not counted. */
export function secondsOfRuns(runs: number, work: () => void): number[] {
  work();
  return Array.from({ length: runs }, () => {
    const start = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - start) / 1e9;
  });
}

/** The median, with the spread in words. */
export function medianOf(values: number[], digits: number): { value: number; spread: string } {
  const round = (value: number): number => Number(value.toFixed(digits));
  return {
    value: round(median(values)),
    spread: `median of ${values.length} runs, ${round(min(values))} to ${round(max(values))}`,
  };
}
