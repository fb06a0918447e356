/** The loads of a scenario as the simulator runs them. */
import {
  type Burst,
  type ByMinute,
  closedLoop,
  database,
  type Load,
  type OpenLoad,
  stream,
  workers,
} from './loads.ts';
import type { Repeats, ScenarioLoad } from './scenario-schema.ts';

type OpenScenarioLoad = Extract<ScenarioLoad, { ioPerSecond: number }>;

/** The first minute of each time that something happens. */
export const startsOf = ({ fromMinute, everyMinutes = 0, times = 1 }: Repeats): number[] =>
  Array.from({ length: times }, (_, i) => fromMinute + i * everyMinutes);

const covers = (span: Repeats & { minutes: number }, minute: number): boolean =>
  startsOf(span).some((start) => minute >= start && minute < start + span.minutes);

/** The value of the last span that says one for the minute, or `other`. */
function bySpans<Span extends Repeats & { minutes: number }>(
  spans: readonly Span[] | undefined,
  figureOf: (span: Span) => number | undefined,
  other: ByMinute,
): ByMinute {
  const said = (spans ?? []).filter((span) => figureOf(span) !== undefined);
  return (minute) => {
    const span = said.findLast((one) => covers(one, minute));
    return (span && figureOf(span)) ?? other(minute);
  };
}

/** From the base at the edges of each wave to its own rate at the peak, as a squared cosine. */
function waveOf({ ioPerSecond: base, wave }: OpenScenarioLoad): ByMinute {
  if (wave === undefined) return () => base;
  return (minute) => {
    const height = (1 + Math.cos(((minute - wave.peakMinute) / wave.everyMinutes) * 2 * Math.PI)) / 2;
    return base + (wave.ioPerSecond - base) * height * height;
  };
}

function burstsOf({ bursts = [] }: OpenScenarioLoad): (minute: number) => Burst | null {
  const byMinute = new Map(
    bursts.flatMap(({ fromSecond, seconds, ioPerSecond, ...when }) =>
      startsOf(when).map((minute) => [minute, { fromSecond, seconds, ioPerSecond, spread: 1 }] as const),
    ),
  );
  return (minute) => byMinute.get(minute) ?? null;
}

const makers = { database, workers, stream } as const;

export function loadOf(load: ScenarioLoad): Load {
  const { stalled = [], readShare } = load;
  const rest: Partial<OpenLoad> = { ...(readShare === undefined ? {} : { readShare }) };
  if (stalled.length > 0) rest.stalled = (minute) => stalled.some((span) => covers(span, minute));
  const ioKiB = bySpans<Repeats & { minutes: number; ioKiB?: number | undefined }>(
    load.spans,
    (span) => span.ioKiB,
    () => load.ioKiB,
  );
  if (load.kind === 'closedLoop') {
    const count = bySpans(
      load.spans,
      (span) => span.workers,
      () => load.workers,
    );
    return closedLoop({
      ...rest,
      ioKiB,
      workers: count,
      thinkMs: load.thinkMs,
      sequential: load.sequential ?? false,
    });
  }
  if (load.bursts !== undefined) rest.burst = burstsOf(load);
  if (load.maxWaitingIo !== undefined) {
    rest.maxWaitingIo = load.maxWaitingIo === 'endless' ? Number.POSITIVE_INFINITY : load.maxWaitingIo;
  }
  return makers[load.kind](
    ioKiB,
    bySpans(load.spans, (span) => span.ioPerSecond, waveOf(load)),
    rest,
  );
}
