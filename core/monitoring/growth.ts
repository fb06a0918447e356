/** Is a load growing? Then it will be nearer to its limit by the time that it is polled again. */
import { secondsPerMinute } from '../units.ts';
import { pace } from './pace.ts';

const minutesOfMean = 3;

/** Mean of some minutes up to a time; NaN where none of them is known. */
function meanUpTo(epochSeconds: Float64Array, values: Float64Array, end: number): number {
  let [sum, count] = [0, 0];
  for (
    let i = epochSeconds.length - 1;
    i >= 0 && (epochSeconds[i] as number) > end - minutesOfMean * secondsPerMinute;
    i--
  ) {
    const value = values[i] as number;
    if ((epochSeconds[i] as number) > end || Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

/** What it will have grown by in ten minutes, if it goes on as in the last ten; 0 where it does not grow, or nothing tells. */
export function growthOf(epochSeconds: Float64Array, values: Float64Array): number {
  const last = epochSeconds.at(-1);
  if (last === undefined) return 0;
  const now = meanUpTo(epochSeconds, values, last);
  const grown = now - meanUpTo(epochSeconds, values, last - pace.growing.seconds);
  return grown >= pace.growing.leastShareOfIt * now ? grown : 0;
}
