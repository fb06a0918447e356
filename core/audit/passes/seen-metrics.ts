/** Metrics of several readings as one. */
import type { FleetMetrics } from '../../load/fleet-metrics.ts';

/**
 * @param resourceIds whose they are.
 * @param read what is evaluated by; of a metric that two of them have, the later one's.
 * @param beside what could not be read of it is not evaluated either.
 */
export function joinedMetrics(
  resourceIds: readonly string[],
  read: readonly FleetMetrics[],
  beside: FleetMetrics,
): FleetMetrics {
  const all = [...read, beside];
  return {
    of: (id) => {
      const [only, ...others] = read.map((metrics) => metrics.of(id)).filter(({ size }) => size > 0);
      if (only === undefined) return new Map();
      return others.length === 0 ? only : new Map([only, ...others].flatMap((set) => [...set]));
    },
    resourceIds: () => [...resourceIds],
    repeatedPoints: (id) => Math.max(...read.map((metrics) => metrics.repeatedPoints(id))),
    unusableReason: (id) => {
      for (const metrics of all) {
        const reason = metrics.unusableReason(id);
        if (reason !== null) return reason;
      }
      return null;
    },
    series: read.reduce((total, { series }) => total + series, 0),
  };
}
