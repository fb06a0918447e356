/**
 * Was an instance held back by its own EBS limits? From its own metrics alone: AWS's checks, and the two credit
 * balances that decide between its provisioned limit and its credits. An instance without these metrics (Xen, bare
 * metal, Outposts) is not judged.
 */
import type { Instance } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import { alignTo, minimum, type Series, unionOfTimes } from '../load/series.ts';
import type { MetricSet } from '../load/volume-load.ts';
import type { Finding, FindingKind, Severity } from '../schemas/finding.ts';
import { secondsPerMinute } from '../units.ts';
import type { InstanceCauseAt } from './attribute.ts';
import type { Cause } from './causes.ts';
import { findingId } from './finding-id.ts';
import { thresholds } from './thresholds.ts';
import {
  countHeldBack,
  exhaustedSeverity,
  type HeldBack,
  sinceOf,
  throttledSeverity,
  untilOf,
} from './throttled.ts';

interface InstanceColumns {
  periodSeconds: number;
  epochSeconds: Float64Array;
  iopsCheck: Float64Array | null;
  throughputCheck: Float64Array | null;
  ioBalance: Float64Array | null;
  byteBalance: Float64Array | null;
}

const isEmpty = (balance: Float64Array | null, i: number): boolean =>
  balance !== null && (balance[i] as number) <= thresholds.emptyBalancePercent;

function instanceColumns(metrics: MetricSet, axis: Float64Array, periodSeconds: number): InstanceColumns {
  const column = (series: Series | undefined): Float64Array | null =>
    series === undefined ? null : alignTo(axis, series);
  return {
    periodSeconds,
    epochSeconds: axis,
    iopsCheck: column(metrics.get('InstanceEBSIOPSExceededCheck')),
    throughputCheck: column(metrics.get('InstanceEBSThroughputExceededCheck')),
    ioBalance: column(metrics.get('EBSIOBalance%')),
    byteBalance: column(metrics.get('EBSByteBalance%')),
  };
}

/** A balance that stays empty at the next point too is being used up as fast as it refills. */
const staysEmpty = (balance: Float64Array | null, i: number): boolean =>
  balance !== null && isEmpty(balance, i) && (i + 1 >= balance.length || isEmpty(balance, i + 1));

function causeAt(columns: InstanceColumns, i: number): { cause: Cause; minutes: number } | null {
  const { iopsCheck, throughputCheck, ioBalance, byteBalance } = columns;
  const periodMinutes = columns.periodSeconds / secondsPerMinute;
  if (iopsCheck === null && throughputCheck === null) {
    const empty = staysEmpty(ioBalance, i) || staysEmpty(byteBalance, i);
    return empty ? { cause: 'instance-credits', minutes: periodMinutes } : null;
  }
  const iops = iopsCheck?.[i] || 0;
  const throughput = throughputCheck?.[i] || 0;
  const minutes = Math.min(periodMinutes, Math.max(iops, throughput));
  if (minutes <= 0) return null;
  if ((iops > 0 && isEmpty(ioBalance, i)) || (throughput > 0 && isEmpty(byteBalance, i))) {
    return { cause: 'instance-credits', minutes };
  }
  return { cause: iops >= throughput ? 'instance-iops' : 'instance-throughput', minutes };
}

/** What the instance's metrics say at each time of a volume's axis; null where they are not there. */
export function instanceCausesOn(
  metrics: MetricSet,
  epochSeconds: Float64Array,
  periodSeconds: number,
): InstanceCauseAt {
  if (!metrics.has('InstanceEBSIOPSExceededCheck') && !metrics.has('InstanceEBSThroughputExceededCheck')) {
    return () => null;
  }
  const columns = instanceColumns(metrics, epochSeconds, periodSeconds);
  return (i) => causeAt(columns, i);
}

const kinds = [
  {
    cause: 'instance-iops',
    kind: 'throttled-instance-iops',
    severityOf: throttledSeverity,
    says: 'its volumes together asked for more IOPS than the instance may do',
  },
  {
    cause: 'instance-throughput',
    kind: 'throttled-instance-throughput',
    severityOf: throttledSeverity,
    says: 'its volumes together asked for more MiB/s than the instance may do',
  },
  {
    cause: 'instance-credits',
    kind: 'instance-credits-exhausted',
    severityOf: exhaustedSeverity,
    says: 'its EBS burst credits were used up, so it fell to its baseline',
  },
] as const satisfies readonly {
  cause: Cause;
  kind: FindingKind;
  severityOf: (held: HeldBack) => Severity | null;
  says: string;
}[];

function evidenceOf(
  columns: InstanceColumns,
  held: HeldBack,
  instance: Instance,
  volumeIds: readonly string[],
) {
  return {
    instanceType: instance.instanceType,
    throttledMinutesWorst24h: held.worst.minutes,
    throttledMinutesInWindow: held.minutesInWindow,
    throttledMinutesOfLastFive: held.lastFive,
    until: untilOf(held, columns.periodSeconds),
    lowestIoBalancePercent: minimum(columns.ioBalance),
    lowestByteBalancePercent: minimum(columns.byteBalance),
    volumes: volumeIds.join(' '),
    decidedBy: columns.iopsCheck === null && columns.throughputCheck === null ? 'balance' : 'check',
    confidence: columns.iopsCheck === null && columns.throughputCheck === null ? 'medium' : 'high',
  };
}

/** The findings of one instance; unknown where it has no metrics of its own. */
export function judgeInstance(
  instance: Instance,
  metrics: MetricSet,
  volumeIds: readonly string[],
): Known<Finding[]> {
  const checks = [
    metrics.get('InstanceEBSIOPSExceededCheck'),
    metrics.get('InstanceEBSThroughputExceededCheck'),
  ];
  const balances = [metrics.get('EBSIOBalance%'), metrics.get('EBSByteBalance%')];
  const present = (all: readonly (Series | undefined)[]): Series[] =>
    all.filter((series) => series !== undefined);
  const axisOf = present(checks).length > 0 ? present(checks) : present(balances);
  const periodSeconds = axisOf[0]?.periodSeconds;
  if (periodSeconds === undefined) {
    const state = instance.state === 'running' ? '' : ` (it is ${instance.state})`;
    return unknown(`none of its own EBS metrics in the window: no exceeded check, no EBS balance${state}`);
  }
  const columns = instanceColumns(metrics, unionOfTimes(axisOf), periodSeconds);
  const perPeriod = Array.from(columns.epochSeconds, (_, i) => causeAt(columns, i));
  const findings = kinds.flatMap(({ cause, kind, severityOf, says }) => {
    const minutes = Float64Array.from(perPeriod, (held) => (held?.cause === cause ? held.minutes : 0));
    const held = countHeldBack(columns.epochSeconds, minutes, periodSeconds);
    const severity = severityOf(held);
    if (severity === null) return [];
    const resource = { instanceId: instance.instanceId, region: instance.region, account: instance.account };
    return [
      {
        id: findingId(kind, resource),
        kind,
        severity,
        resource,
        since: sinceOf(held),
        reason: `${instance.instanceType} held its volumes back in ${held.worst.minutes} min of the worst 24 h: ${says}`,
        evidence: evidenceOf(columns, held, instance, volumeIds),
        advice: [],
      },
    ];
  });
  return known(findings);
}
