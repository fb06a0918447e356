/** When a volume was throttled, as a person asks for it: from, to, by what, and its demand meanwhile. */
import { secondsPerMinute } from '../units.ts';
import { type Cause, type Confidence, causeCode, causes, confidences } from './causes.ts';
import type { DiagnosedVolume } from './diagnosed-volume.ts';

/** Periods of one cause that follow each other, with short breaks. */
export interface ThrottledSpan {
  startEpochSeconds: number;
  /** The end of its last period. */
  endEpochSeconds: number;
  cause: Cause;
  throttledMinutes: number;
  /** Of its least sure period; null where the cause is unknown. */
  confidence: Confidence | null;
  /** The most in any of its periods; null where no period's is known. */
  top: { iops: number | null; mibps: number | null; activeTimeIops: number | null };
  /** The most that it demanded in a period; null where the cause or the load is unknown. */
  demandIops: Bounds | null;
  demandMiBps: Bounds | null;
}

export interface Bounds {
  low: number;
  /** Null where nothing tells how much more than `low`. */
  high: number | null;
}

/** What comes again after a longer break is distinguished. */
const longestBreakSeconds = 10 * secondsPerMinute;

/** Of the periods whose figure is known; null where none is. */
function highest(column: Float64Array | null, periods: readonly number[]): number | null {
  const values = column === null ? [] : periods.map((i) => column[i] as number);
  const seen = values.filter((value) => !Number.isNaN(value));
  return seen.length === 0 ? null : seen.reduce((a, b) => Math.max(a, b));
}

/** The highest need lies between the highest lower and the highest upper bound; one that is open leaves it open. */
function highestNeed(low: Float64Array, high: Float64Array, periods: readonly number[]): Bounds | null {
  const least = highest(low, periods);
  if (least === null) return null;
  const isOpen = periods.some((i) => Number.isNaN(high[i] as number) && !Number.isNaN(low[i] as number));
  return { low: least, high: isOpen ? null : highest(high, periods) };
}

function spanOf({ load, attribution, demand }: DiagnosedVolume, periods: readonly number[]): ThrottledSpan {
  const [first, last] = [periods[0] as number, periods.at(-1) as number];
  const code = attribution.cause[first] as number;
  const isKnown = code !== causeCode.unknown;
  const leastSure = periods.reduce(
    (least, i) => Math.min(least, attribution.confidence[i] as number),
    confidences.length - 1,
  );
  return {
    startEpochSeconds: load.epochSeconds[first] as number,
    endEpochSeconds: (load.epochSeconds[last] as number) + load.periodSeconds,
    cause: causes[code] as Cause,
    throttledMinutes: isKnown
      ? periods.reduce((sum, i) => sum + (attribution.throttledMinutes[i] as number), 0)
      : 0,
    confidence: isKnown ? (confidences[leastSure] as Confidence) : null,
    top: {
      iops: highest(load.iops, periods),
      mibps: highest(load.mibps, periods),
      activeTimeIops: highest(load.activeTimeIops, periods),
    },
    demandIops: isKnown ? highestNeed(demand.lowIops, demand.highIops, periods) : null,
    demandMiBps: isKnown ? highestNeed(demand.lowMiBps, demand.highMiBps, periods) : null,
  };
}

/** Spans of each cause in the order of their start, `unknown` too; those of different causes may overlap. */
export function throttledSpans(diagnosed: DiagnosedVolume): ThrottledSpan[] {
  const { epochSeconds, periodSeconds } = diagnosed.load;
  const { cause } = diagnosed.attribution;
  const openByCause = new Map<number, number[]>();
  const spans: number[][] = [];
  for (let i = 0; i < cause.length; i++) {
    const code = cause[i] as number;
    if (code === causeCode.none) continue;
    const open = openByCause.get(code);
    const last = open?.at(-1);
    const isSame =
      last !== undefined &&
      (epochSeconds[i] as number) - (epochSeconds[last] as number) - periodSeconds <= longestBreakSeconds;
    if (open !== undefined && isSame) open.push(i);
    else {
      const periods = [i];
      openByCause.set(code, periods);
      spans.push(periods);
    }
  }
  return spans.map((periods) => spanOf(diagnosed, periods));
}
