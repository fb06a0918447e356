/**
 * Was an instance held back by its own EBS limits? From its own metrics alone: AWS's checks, and the two credit
 * balances that decide between its provisioned limit and its credits. An instance without these metrics (Xen, bare
 * metal, Outposts) is not judged.
 */
import type { Instance } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { MetricSet } from '../load/fleet-metrics.ts';
import { type MetricName, metricDefinitions } from '../load/metrics.ts';
import { alignTo, minimum, type Series, type TimeAxis, unionOfTimes } from '../load/series.ts';
import type { Finding, FindingKind, Severity } from '../schemas/finding.ts';
import { secondsPerMinute } from '../units.ts';
import type { InstanceCauseAt } from './attribute.ts';
import { type AuditWindow, isEnoughKnown } from './audit-window.ts';
import { type Cause, checkMinutes } from './causes.ts';
import { findingId } from './finding-id.ts';
import { thresholds } from './thresholds.ts';
import {
  countEvidence,
  countHeldBack,
  exhaustedSeverity,
  type HeldBack,
  sinceOf,
  throttledSeverity,
  whenText,
} from './throttled.ts';

interface InstanceColumns extends TimeAxis {
  iopsCheck: Float64Array | null;
  throughputCheck: Float64Array | null;
  ioBalance: Float64Array | null;
  byteBalance: Float64Array | null;
}

const isEmpty = (balance: Float64Array | null, i: number): boolean =>
  balance !== null && (balance[i] as number) <= thresholds.emptyBalancePercent;

function instanceColumns(metrics: MetricSet, { epochSeconds, periodSeconds }: TimeAxis): InstanceColumns {
  const column = (name: MetricName): Float64Array | null => {
    const series = metrics.get(name);
    const { statistic } = metricDefinitions[name];
    return series === undefined ? null : alignTo({ epochSeconds, periodSeconds }, series, statistic);
  };
  return {
    periodSeconds,
    epochSeconds,
    iopsCheck: column('InstanceEBSIOPSExceededCheck'),
    throughputCheck: column('InstanceEBSThroughputExceededCheck'),
    ioBalance: column('EBSIOBalance%'),
    byteBalance: column('EBSByteBalance%'),
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
  const iops = checkMinutes(iopsCheck, i);
  const throughput = checkMinutes(throughputCheck, i);
  const minutes = Math.min(periodMinutes, Math.max(iops, throughput));
  if (minutes <= 0) return null;
  if ((iops > 0 && isEmpty(ioBalance, i)) || (throughput > 0 && isEmpty(byteBalance, i))) {
    return { cause: 'instance-credits', minutes };
  }
  return { cause: iops >= throughput ? 'instance-iops' : 'instance-throughput', minutes };
}

/** What the instance's metrics say at each time of a volume's axis; null where they are not there. */
export function instanceCausesOn(metrics: MetricSet, axis: TimeAxis): InstanceCauseAt {
  if (!metrics.has('InstanceEBSIOPSExceededCheck') && !metrics.has('InstanceEBSThroughputExceededCheck')) {
    return () => null;
  }
  const columns = instanceColumns(metrics, axis);
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
    ...countEvidence(held),
    lowestIoBalancePercent: minimum(columns.ioBalance),
    lowestByteBalancePercent: minimum(columns.byteBalance),
    volumes: [...volumeIds],
    decidedBy: columns.iopsCheck === null && columns.throughputCheck === null ? 'balance' : 'check',
    confidence: columns.iopsCheck === null && columns.throughputCheck === null ? 'medium' : 'high',
  };
}

/** The axis that an instance is judged on: that of its checks, else of its balances; null where it has neither. */
function axisOf(metrics: MetricSet): TimeAxis | null {
  const present = (names: readonly MetricName[]): Series[] =>
    names.map((name) => metrics.get(name)).filter((series) => series !== undefined);
  const checks = present(['InstanceEBSIOPSExceededCheck', 'InstanceEBSThroughputExceededCheck']);
  const judgedOn = checks.length > 0 ? checks : present(['EBSIOBalance%', 'EBSByteBalance%']);
  const [first] = judgedOn;
  return first === undefined
    ? null
    : { epochSeconds: unionOfTimes(judgedOn), periodSeconds: first.periodSeconds };
}

/** The findings of one instance; unknown where its own metrics say too little. */
export function judgeInstance(
  instance: Instance,
  metrics: MetricSet,
  volumeIds: readonly string[],
  window: AuditWindow,
): Known<Omit<Finding, 'advice'>[]> {
  const axis = axisOf(metrics);
  if (axis === null) {
    const state = instance.state === 'stopped' ? ' (it is stopped)' : '';
    return unknown(`no EBS metrics of its own in the window: no exceeded check, no EBS balance${state}`);
  }
  const columns = instanceColumns(metrics, axis);
  const perPeriod = Array.from(columns.epochSeconds, (_, i) => causeAt(columns, i));
  const { instanceId, name, region, account } = instance;
  const resource = { instanceId, name, region, account };
  const findings = kinds.flatMap(({ cause, kind, severityOf, says }) => {
    const minutes = Float64Array.from(perPeriod, (held) => (held?.cause === cause ? held.minutes : 0));
    const held = countHeldBack(columns, minutes, window.endEpochSeconds);
    const severity = severityOf(held);
    if (severity === null) return [];
    const reason = `${instance.instanceType ?? 'the instance'} held its volumes back ${whenText(held)}: ${says}`;
    const evidence = evidenceOf(columns, held, instance, volumeIds);
    return [
      { id: findingId(kind, resource), kind, severity, resource, since: sinceOf(held), reason, evidence },
    ];
  });
  const knownSeconds = columns.epochSeconds.length * columns.periodSeconds;
  return findings.length > 0 || isEnoughKnown(knownSeconds, window)
    ? known(findings)
    : unknown(
        `only ${knownSeconds / secondsPerMinute} minutes of its EBS metrics are there: too little to judge it`,
      );
}
