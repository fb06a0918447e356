/** What was said of the demand of a population under closed loops, against what is known of it. */

import { demandOf, narrowHigh, onLine } from '../core/demand/demand.ts';
import { attribute } from '../core/diagnosis/attribute.ts';
import { instanceEvidence } from '../core/diagnosis/instance-evidence.ts';
import { instanceOnAxis } from '../core/diagnosis/instance-on-axis.ts';
import { defaultThresholds } from '../core/diagnosis/thresholds.ts';
import type { VolumeLoad } from '../core/load/volume-load.ts';
import { secondsPerMinute } from '../core/units.ts';
import { closedLoopPopulation, type Member } from './closed-loop-population.ts';
import { collectedMetrics } from './fixtures/collected-metrics.ts';
import { loadOf } from './fixtures/metric-set.ts';
import type { MetricResult } from './fixtures/replies.ts';
import type { VolumeLedger } from './simulator/ledgers.ts';
import { publish } from './simulator/publish.ts';
import type { Rules } from './simulator/rules.ts';

/** A truly throttled period of the population, and what was said of it, in I/O a second. */
export interface DemandRow {
  member: Member;
  /** The diagnosis found it. */
  isSeen: boolean;
  truth: number;
  low: number;
  high: number;
  /** One line through the bounds. */
  likely: number;
}

export const isTooHigh = ({ truth, low }: DemandRow): boolean => truth < 0.99 * low;
/** Within 1 %: operations are published as whole numbers. */
export const contains = (row: DemandRow): boolean => !isTooHigh(row) && row.truth <= 1.01 * row.high;
/** Findings, spans and minutes name both bounds. */
export const isShown = ({ isSeen, low, high }: DemandRow): boolean =>
  isSeen && !Number.isNaN(narrowHigh(low, high));

/** Means over periods of the load; a period is throttled where any of its minutes is. */
function truthOf({ ledger, member, load }: { ledger: VolumeLedger; member: Member; load: VolumeLoad }): {
  trueDemand: Float64Array;
  isThrottled: boolean[];
} {
  const minutes = load.periodSeconds / secondsPerMinute;
  const first = Array.from(
    load.epochSeconds,
    (epochSeconds) => (epochSeconds - member.window.startEpochSeconds) / secondsPerMinute,
  );
  const trueDemand = Float64Array.from(
    first,
    (minute) =>
      ledger.demandIo.subarray(minute, minute + minutes).reduce((sum, io) => sum + io, 0) /
      load.periodSeconds,
  );
  const isThrottled = first.map((minute) =>
    ledger.cause.subarray(minute, minute + minutes).some((code) => code !== 0),
  );
  return { trueDemand, isThrottled };
}

/** @param change of each series as it is published. */
export function demandRows(
  member: Member,
  change: (result: MetricResult) => MetricResult = (result) => result,
): DemandRow[] {
  const { instance, window } = member;
  const { MetricDataResults } = publish([instance], window).getMetricData;
  // Published series are read-only and share their times; a reply is made of lists. What is read is the same.
  const metrics = collectedMetrics((MetricDataResults as unknown as MetricResult[]).map(change));
  const [volume] = instance.volumes;
  if (volume === undefined || volume.ledger === null) throw new Error('a member without a load');
  const loads = instance.volumes.map(({ volumeId }) => loadOf(metrics.of(volumeId)));
  const [load] = loads as [VolumeLoad];
  const { limits } = instance;
  const seen = { metrics: metrics.of(instance.instanceId), figures: limits, loads, volumes: loads.length };
  const evidence = instanceEvidence(seen, defaultThresholds);
  const instances = evidence === null ? [] : [instanceOnAxis(evidence, load)];
  const attribution = attribute(
    volume.limits,
    load,
    metrics.of(volume.volumeId),
    instances,
    defaultThresholds,
  );
  const demand = demandOf(load, attribution, defaultThresholds);
  const { trueDemand, isThrottled } = truthOf({ ledger: volume.ledger, member, load });
  const rows: DemandRow[] = [];
  for (const [i, truth] of trueDemand.entries()) {
    if (!isThrottled[i]) continue;
    const [low, high] = [demand.lowIops[i] as number, demand.highIops[i] as number];
    rows.push({
      member,
      isSeen: (attribution.throttledMinutes[i] as number) > 0,
      truth,
      ...{ low, high, likely: onLine(low, high, 'likely') },
    });
  }
  return rows;
}

// Whether what is shown of a demand is true under other rules.

const throttledMinutesOfEachKind = 3_000;
const seed = 1;

/** Of periods that were throttled: how many have a demand with both bounds, and how many of these contain the true one. */
export function demandContained(
  rules: Partial<Rules>,
  ofEach = throttledMinutesOfEachKind,
): {
  shown: number;
  contained: number;
  periods: number;
} {
  const counts = { shown: 0, contained: 0, periods: 0 };
  for (const member of closedLoopPopulation({ ofEach, seed, rules })) {
    const rows = demandRows(member);
    const shown = rows.filter(isShown);
    counts.periods += rows.length;
    counts.shown += shown.length;
    counts.contained += shown.filter(contains).length;
  }
  return counts;
}
