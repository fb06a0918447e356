/** What the bounds of a demand rest on, in words. */
import { figure } from '../figures.ts';
import { kibFromMiB, msPerSecond } from '../units.ts';
import { mibOfSizeClass } from './calm-periods.ts';
import type { CycleTimes, CycleTimesBySize, Span } from './cycle-times.ts';

/** Held-back periods by how their demand was told. */
export interface Counts {
  held: number;
  /** By size class: those whose queue tells what workers wanted. */
  bySize: number[];
  bursts: number;
  backlog: number;
  stalled: number;
  /** Neither queue nor latency. */
  unbounded: number;
}

const ms = (seconds: number): string => figure(seconds * msPerSecond);
const msSpan = ({ low, high }: Span): string => `${ms(low)} to ${ms(high)} ms`;
const many = (count: number, what: string): string => `${figure(count)} ${what}${count === 1 ? '' : 's'}`;

function thinkText({ think, steps, falls }: CycleTimes): string {
  const sources = [
    ...(steps > 0
      ? [`how its rate followed its latency in ${many(steps, 'step')} between calm periods`]
      : []),
    ...(falls > 0 ? [`${many(falls, 'fall')} of its limit`] : []),
  ];
  const from = `from ${sources.join(' and ')}`;
  if (think.low === 0 && think.high === Number.POSITIVE_INFINITY) {
    const untold = sources.length === 0 ? '' : ` (not even ${from})`;
    return `how long its workers think between two I/O cannot be told${untold}: the high bound is for workers that never do, the low one is what was served`;
  }
  if (think.high === Number.POSITIVE_INFINITY)
    return `its workers think at least ${ms(think.low)} ms between two I/O, or do not wait for replies at all (${from})`;
  return `its workers think ${msSpan(think)} between two I/O (${from})`;
}

function serviceText({ service, isServiceKnown }: CycleTimes, kib: number): string {
  const size = kib > 0 ? ` of about ${figure(kib)} KiB` : '';
  return isServiceKnown
    ? `an I/O${size} takes ${msSpan(service)} when nothing holds it back`
    : `no ten calm periods with I/O of like size: one${size} is taken to need ${msSpan(service)}`;
}

/** The size that most held-back periods had speaks for the others. */
function workersText(bySize: readonly number[], times: CycleTimesBySize): string[] {
  let most = -1;
  bySize.forEach((count, sizeClass) => {
    if (count > (bySize[most] ?? 0)) most = sizeClass;
  });
  if (most === -1) return [];
  const kib = kibFromMiB(mibOfSizeClass(most));
  return [serviceText(times.of(most), kib), thinkText(times.of(most))];
}

export function assumptionsOf(counts: Counts, times: CycleTimesBySize): string[] {
  const { held, bySize, bursts, backlog, stalled, unbounded } = counts;
  const part = (count: number, text: string): string[] =>
    count > 0 ? [`in ${figure(count)} of ${many(held, 'held-back period')} ${text}`] : [];
  return [
    ...workersText(bySize, times),
    ...part(
      backlog,
      'unmet work piled up or was worked off: what was served and what the queue grew by was wanted',
    ),
    ...part(bursts, 'only seconds were held back: what was wanted was done within the period'),
    ...part(stalled, 'the volume completed nothing: at least what was served was wanted, no upper bound'),
    ...part(
      unbounded,
      'there is neither a queue nor a latency: at least what was served was wanted, no upper bound',
    ),
  ];
}
