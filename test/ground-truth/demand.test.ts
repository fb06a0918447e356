/** What throttled workers demanded, against a population of which it is known: the true demand, minute by minute. */

import { demandOf, demandSeries } from '../../core/demand/demand.ts';
import { attribute } from '../../core/diagnosis/attribute.ts';
import { instanceEvidence, instanceOnAxis } from '../../core/diagnosis/instance-evidence.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import type { VolumeLoad } from '../../core/load/volume-load.ts';
import { closedLoopPopulation, type Member } from '../closed-loop-population.ts';
import { collectedMetrics } from '../fixtures/collected-metrics.ts';
import { loadOf } from '../fixtures/metric-set.ts';
import { type MetricResult, toFiveMinutes } from '../fixtures/replies.ts';
import type { VolumeLedger } from '../simulator/ledgers.ts';
import { publish } from '../simulator/publish.ts';

const throttledMinutesOfEachKind = 7_000;
const seed = 1;

/** A truly throttled period of the population, and what was said of it. */
interface Row {
  member: Member;
  /** The diagnosis found it. */
  isSeen: boolean;
  /** Within 1 %: operations are published as whole numbers. */
  contains: boolean;
  isTooHigh: boolean;
  width: number;
  /** The middle of the interval over the truth. */
  likely: number;
}

/** Means over periods of the load; a period is throttled where any of its minutes is. */
function truthOf(
  ledger: VolumeLedger,
  load: VolumeLoad,
): { trueDemand: Float64Array; isThrottled: boolean[] } {
  const minutes = load.periodSeconds / 60;
  const trueDemand = load.iops.map(
    (_, i) =>
      ledger.demandIo.subarray(i * minutes, (i + 1) * minutes).reduce((sum, io) => sum + io, 0) /
      load.periodSeconds,
  );
  const isThrottled = Array.from(load.iops, (_, i) =>
    ledger.cause.subarray(i * minutes, (i + 1) * minutes).some((code) => code !== 0),
  );
  return { trueDemand, isThrottled };
}

function rowsOf(member: Member, results: readonly MetricResult[]): Row[] {
  const { instance } = member;
  const [volume] = instance.volumes;
  if (volume === undefined || volume.ledger === null) throw new Error('a member without a load');
  const metrics = collectedMetrics(results);
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
  const middle = demandSeries(demand, 'likely').iops;
  const { trueDemand, isThrottled } = truthOf(volume.ledger, load);
  const rows: Row[] = [];
  for (const [i, truth] of trueDemand.entries()) {
    if (!isThrottled[i]) continue;
    const low = demand.lowIops[i] as number;
    const high = demand.highIops[i] as number;
    rows.push({
      member,
      isSeen: (attribution.throttledMinutes[i] as number) > 0,
      contains: truth >= 0.99 * low && truth <= 1.01 * high,
      isTooHigh: truth < 0.99 * low,
      width: high / low,
      likely: (middle[i] as number) / truth,
    });
  }
  return rows;
}

const share = (rows: readonly Row[], is: (row: Row) => boolean): number =>
  rows.filter(is).length / rows.length;
const containedShare = (rows: readonly Row[]): number => share(rows, ({ contains }) => contains);

function quantileOf(rows: readonly Row[], value: (row: Row) => number, part: number): number {
  const sorted = Float64Array.from(rows, value).sort();
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}
const medianWidth = (rows: readonly Row[]): number => quantileOf(rows, ({ width }) => width, 0.5);

const below = (value: number, bounds: readonly number[], unit: string): string => {
  const bound = bounds.find((one) => value < one);
  return bound === undefined ? `${bounds.at(-1)}${unit} and more` : `below ${bound}${unit}`;
};

const classesOf: Record<string, (member: Member) => string> = {
  'throttled by': ({ limitedBy }) => limitedBy,
  'thinks for': ({ thinkMs }) => (thinkMs === 0 ? 'no time' : below(thinkMs, [1, 3, 10], ' ms')),
  workers: ({ workers }) => below(workers, [8, 64], ''),
  'limit over demand': ({ cap }) => below(cap, [0.3, 0.6], ''),
  'change from minute to minute': ({ noise }) => `${100 * noise} %`,
};

function line(name: string, rows: readonly Row[]): string {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  const fails = containedShare(rows) < 0.9 || medianWidth(rows) > 1.6 ? '  <- not met' : '';
  const widths = [0.25, 0.5, 0.75].map((part) => quantileOf(rows, ({ width }) => width, part).toFixed(2));
  return [
    `  ${name}`.padEnd(34),
    `${rows.length} periods`.padStart(14),
    `contained ${percent(containedShare(rows))}`.padStart(19),
    `unseen ${percent(share(rows, ({ isSeen }) => !isSeen))}`.padStart(15),
    `too high ${percent(share(rows, ({ isTooHigh }) => isTooHigh))}`.padStart(16),
    `width ${widths.join(' ')}`.padStart(24),
    `middle/true ${quantileOf(rows, ({ likely }) => likely, 0.5).toFixed(2)}`.padStart(18),
    fails,
  ].join('');
}

function table(title: string, rows: readonly Row[]): string {
  const lines = Object.entries(classesOf).flatMap(([name, classOf]) => {
    const groups = Map.groupBy(rows, ({ member }) => classOf(member));
    return [name, ...[...groups].map(([group, those]) => line(group, those))];
  });
  return [title, line('all', rows), ...lines, ''].join('\n');
}

const asPublished = (result: MetricResult): MetricResult => result;
const volumes = [...closedLoopPopulation(throttledMinutesOfEachKind, seed)];
const rowsIn = (change: (result: MetricResult) => MetricResult): Row[] =>
  volumes.flatMap((member) => {
    const { MetricDataResults } = publish([member.instance], member.window).getMetricData;
    return rowsOf(member, (MetricDataResults as unknown as MetricResult[]).map(change));
  });

test('in minutes, nine of ten intervals contain what the workers demanded, and half are narrower than 1.6', () => {
  const rows = rowsIn(asPublished);
  process.stdout.write(`${table(`${volumes.length} volumes under closed loops, in minutes`, rows)}\n`);
  expect(rows.length).toBeGreaterThan(40_000);
  expect(containedShare(rows)).toBeGreaterThanOrEqual(0.9);
  expect(medianWidth(rows)).toBeLessThanOrEqual(1.6);
});

test('in five-minute points of one day, a fifth of the figures, they contain it as often and are wider', () => {
  const rows = rowsIn(toFiveMinutes);
  process.stdout.write(
    `${table(`${volumes.length} volumes under closed loops, in five-minute points`, rows)}\n`,
  );
  expect(containedShare(rows)).toBeGreaterThanOrEqual(0.9);
  expect(medianWidth(rows)).toBeLessThanOrEqual(3);
});
