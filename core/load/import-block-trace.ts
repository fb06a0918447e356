/** A block trace turned into sums per period, as CloudWatch would have recorded them. */
import { BadInput } from '../errors.ts';
import { msPerSecond } from '../units.ts';
import type { SeriesRow } from './series-row.ts';

export interface BlockRequest {
  /** Seconds from the start of the trace. */
  atSeconds: number;
  op: 'read' | 'write';
  bytes: number;
}

export interface TraceImport {
  /** Epoch seconds of the trace's time 0. */
  startEpochSeconds: number;
  periodSeconds: number;
  /** How long each I/O is taken to be in flight. */
  serviceTimeMs: number;
}

/** Seconds of each period covered by the union of the service intervals [t, t + service time). */
function activeSeconds(
  atSeconds: readonly number[],
  { serviceTimeMs, periodSeconds }: TraceImport,
  periods: number,
): Float64Array {
  const busy = new Float64Array(periods);
  const addInterval = (from: number, to: number): void => {
    for (let p = Math.floor(from / periodSeconds); p < periods && p * periodSeconds < to; p++) {
      const inside = Math.min(to, (p + 1) * periodSeconds) - Math.max(from, p * periodSeconds);
      busy[p] = (busy[p] as number) + Math.max(0, inside);
    }
  };
  const serviceSeconds = serviceTimeMs / msPerSecond;
  let from = 0;
  let to = 0;
  for (const at of atSeconds) {
    if (at > to) {
      addInterval(from, to);
      from = at;
    }
    to = Math.max(to, at + serviceSeconds);
  }
  addInterval(from, to);
  return busy;
}

/** About two years of minutes: beyond it the times are not what they should be. */
const maxPeriods = 1_000_000;

/**
 * Sums per period from requests: one row for each period from time 0 to the last request (the last one is whole, its
 * time after the trace is quiet). Busy time is the union of the service intervals, idle the rest.
 * @throws BadInput where there is no request or a setting cannot be.
 */
export function importBlockTrace(requests: readonly BlockRequest[], settings: TraceImport): SeriesRow[] {
  const { periodSeconds, serviceTimeMs, startEpochSeconds } = settings;
  if (!(serviceTimeMs > 0))
    throw new BadInput(`service time ${serviceTimeMs} ms cannot be: give more than 0`);
  if (!(periodSeconds >= 1)) throw new BadInput(`period ${periodSeconds} s cannot be: give 1 or more`);
  if (requests.length === 0) throw new BadInput('the trace has no request: give one with at least one');
  const ordered = [...requests].sort((a, b) => a.atSeconds - b.atSeconds);
  const last = ordered.at(-1) as BlockRequest;
  const periods = Math.floor(last.atSeconds / periodSeconds) + 1;
  if (periods > maxPeriods) {
    throw new BadInput(
      `the trace spans ${periods} periods of ${periodSeconds} s: give times in microseconds from its start, or a longer period`,
    );
  }
  const rows: SeriesRow[] = Array.from({ length: periods }, (_, p) => ({
    epochSeconds: startEpochSeconds + p * periodSeconds,
    readOps: 0,
    writeOps: 0,
    readBytes: 0,
    writeBytes: 0,
  }));
  for (const { atSeconds, op, bytes } of ordered) {
    const row = rows[Math.floor(atSeconds / periodSeconds)] as SeriesRow;
    if (op === 'read') {
      row.readOps++;
      row.readBytes += bytes;
    } else {
      row.writeOps++;
      row.writeBytes += bytes;
    }
  }
  const busy = activeSeconds(
    ordered.map(({ atSeconds }) => atSeconds),
    settings,
    periods,
  );
  return rows.map((row, p) => ({ ...row, idleSeconds: Math.max(0, periodSeconds - (busy[p] as number)) }));
}
