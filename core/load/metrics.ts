/**
 * The CloudWatch metrics that the audit reads: where each is published, by which dimensions, with which statistic.
 * Source: CloudWatch metrics for EBS and for EC2, read 2026-11-21. The checks are documented under "VolumeId |
 * InstanceId"; public catalogs show them under the pair, so the pair is what is asked for.
 */
import type { Volume } from '../inventory.ts';
import { isVolumeType } from '../limits/volume-types.ts';

/** EBS publishes a point a minute at most. */
export const finestEbsPeriodSeconds = 60;

export type Statistic = 'Sum' | 'Average' | 'Minimum' | 'Maximum';

interface MetricDefinition {
  namespace: 'AWS/EBS' | 'AWS/EC2';
  dimensions: 'volume' | 'volume-and-instance' | 'instance';
  statistic: Statistic;
  /** Where CloudWatch has no finer points than this. */
  finestPeriodSeconds?: 300;
}

const volume = (statistic: Statistic): MetricDefinition => ({
  namespace: 'AWS/EBS',
  dimensions: 'volume',
  statistic,
});
/** Sum: over a longer period it counts the minutes in which the check was 1. */
const volumeCheck: MetricDefinition = {
  namespace: 'AWS/EBS',
  dimensions: 'volume-and-instance',
  statistic: 'Sum',
};
const instanceSum: MetricDefinition = { namespace: 'AWS/EC2', dimensions: 'instance', statistic: 'Sum' };
const instanceBalance: MetricDefinition = {
  namespace: 'AWS/EC2',
  dimensions: 'instance',
  statistic: 'Minimum',
  finestPeriodSeconds: 300,
};

const definitions = {
  VolumeReadOps: volume('Sum'),
  VolumeWriteOps: volume('Sum'),
  VolumeReadBytes: volume('Sum'),
  VolumeWriteBytes: volume('Sum'),
  VolumeTotalReadTime: volume('Sum'),
  VolumeTotalWriteTime: volume('Sum'),
  VolumeIdleTime: volume('Sum'),
  VolumeQueueLength: volume('Average'),
  BurstBalance: volume('Minimum'),
  VolumeStalledIOCheck: volumeCheck,
  VolumeIOPSExceededCheck: volumeCheck,
  VolumeThroughputExceededCheck: volumeCheck,
  InstanceEBSIOPSExceededCheck: instanceSum,
  InstanceEBSThroughputExceededCheck: instanceSum,
  // Over all its volumes, in points of the instance's monitoring: five minutes, or one where it is detailed.
  EBSReadOps: instanceSum,
  EBSWriteOps: instanceSum,
  EBSReadBytes: instanceSum,
  EBSWriteBytes: instanceSum,
  'EBSIOBalance%': instanceBalance,
  'EBSByteBalance%': instanceBalance,
} satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof definitions;

export const metricDefinitions: Readonly<Record<MetricName, MetricDefinition>> = definitions;

export const metricNames = Object.keys(definitions) as MetricName[];

export const isMetricName = (text: string): text is MetricName => Object.hasOwn(metricDefinitions, text);

const bucketTypes: readonly string[] = ['gp2', 'st1', 'sc1'];
const notOnMultiAttach: readonly MetricName[] = [
  'VolumeTotalReadTime',
  'VolumeTotalWriteTime',
  'VolumeIdleTime',
  'VolumeIOPSExceededCheck',
  'VolumeThroughputExceededCheck',
];

/** The metrics worth asking for a volume: those that AWS publishes for its type and kind, and no others. */
export function metricsOfVolume(asked: Volume): MetricName[] {
  if (asked.state !== 'in-use' || !isVolumeType(asked.volumeType)) return [];
  return metricNames.filter((name) => {
    const { dimensions } = metricDefinitions[name];
    if (dimensions === 'instance') return false;
    if (name === 'BurstBalance') {
      return (
        bucketTypes.includes(asked.volumeType) && !(asked.volumeType === 'gp2' && asked.sizeGiB >= 1_000)
      );
    }
    if (asked.multiAttach && notOnMultiAttach.includes(name)) return false;
    if (dimensions === 'volume-and-instance') {
      // A volume of a managed service shows no instance to ask by.
      if (asked.attachments.length === 0) return false;
      return (
        asked.deployment === 'region' && (asked.volumeType !== 'standard' || name === 'VolumeStalledIOCheck')
      );
    }
    return true;
  });
}

export const metricsOfInstance = (): MetricName[] =>
  metricNames.filter((name) => metricDefinitions[name].dimensions === 'instance');
