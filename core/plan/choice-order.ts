/** Which choice comes first: what a careful engineer would take. */
import { disruptions } from '../schemas/plan-choices.ts';
import { disruptionOf, rankOfDisruption, type Way } from './choice-search.ts';

// A more disruptive choice comes first only where it saves so much. Below that nobody stops a database for it.

const minSavedShare = 0.2;
const minSavedUsd = 50;

const byCost = (a: Way, b: Way): number => a.candidate.rank - b.candidate.rank;
const byDisruption = (a: Way, b: Way): number => rankOfDisruption(a) - rankOfDisruption(b) || byCost(a, b);
const bySafety = (a: Way, b: Way): number =>
  a.candidate.annualFailureRate - b.candidate.annualFailureRate || byDisruption(a, b);

export interface Order {
  /** First what a careful engineer would take. */
  ways: Way[];
  first: Way | undefined;
  /** The least disruptive with volumes as durable as today's: the first, or what the first saves against. */
  simplest: Way | undefined;
  safest: Way | undefined;
  cheapest: Way | undefined;
}

export const isTotalKnown = ({ candidate: { volumesUsd, instance } }: Way): boolean =>
  volumesUsd !== null && instance.monthlyUsd.known;

/** What it saves against another, where that is worth more disruption; null where it is not, or is not known. */
export function savingOf(way: Way, against: Way): { usd: number; share: number } | null {
  if (!isTotalKnown(way) || !isTotalKnown(against)) return null;
  const usd = against.candidate.rank - way.candidate.rank;
  const share = usd / against.candidate.rank;
  return usd >= minSavedUsd && share >= minSavedShare ? { usd, share } : null;
}

/** Of each disruption the cheapest: it takes the place of a less disruptive one where it saves so much. */
function firstOf(ways: readonly Way[], calm: Way): Way {
  const cheapest = disruptions.flatMap((disruption) =>
    ways
      .filter((way) => disruptionOf(way) === disruption)
      .toSorted(byCost)
      .slice(0, 1),
  );
  return cheapest.reduce((best, way) => (savingOf(way, best) === null ? best : way), calm);
}

/**
 * First the least disruptive, or what saves enough against it. Volumes that are less durable than today's come first only
 * where nothing else is enough: nobody chose them. Where today is enough, that is the answer.
 */
export function orderOf(shown: readonly Way[], isLessDurable: (way: Way) => boolean): Order {
  const enough = shown.filter((way) => way.isEnough);
  const durable = enough.filter((way) => !isLessDurable(way));
  const considered = (durable.length > 0 ? durable : enough).toSorted(byDisruption);
  const [calm] = considered;
  const isEnoughToday = calm !== undefined && disruptionOf(calm) === 'none';
  const first = calm === undefined || isEnoughToday ? calm : firstOf(considered, calm);
  const rest = enough.filter((way) => way !== first).toSorted(byCost);
  return {
    ways: [...(first === undefined ? [] : [first]), ...rest, ...shown.filter((way) => !way.isEnough)],
    first,
    simplest: calm,
    safest: enough.toSorted(bySafety)[0],
    cheapest: enough.toSorted((a, b) => byCost(a, b) || byDisruption(a, b))[0],
  };
}
