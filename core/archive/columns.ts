/**
 * The columns of the archive's metrics: a row a resource and minute, a column a metric, null where there is no point. Names are
 * CloudWatch's own in the form that SQL takes without quotes.
 */
import type { MetricName } from '../load/metrics.ts';

/** FLOAT holds each integer up to 2^24, and little else: it is for what can be no other value. */
type NumberType = 'FLOAT' | 'DOUBLE';

interface MetricColumn {
  name: string;
  type: NumberType;
}

const exactIntegers = (name: string): MetricColumn => ({ name, type: 'FLOAT' });
const anyNumber = (name: string): MetricColumn => ({ name, type: 'DOUBLE' });

/**
 * Checks count minutes, at most five in a point. Operations are whole, but those of an instance in five minutes pass 2^24, and
 * a metric has one type in all files, since Athena reads a column as one type. Bytes, seconds, queues and shares are no integers below 2^24.
 */
export const metricColumns: Readonly<Record<MetricName, MetricColumn>> = {
  VolumeReadOps: anyNumber('volume_read_ops'),
  VolumeWriteOps: anyNumber('volume_write_ops'),
  VolumeReadBytes: anyNumber('volume_read_bytes'),
  VolumeWriteBytes: anyNumber('volume_write_bytes'),
  VolumeTotalReadTime: anyNumber('volume_total_read_time'),
  VolumeTotalWriteTime: anyNumber('volume_total_write_time'),
  VolumeIdleTime: anyNumber('volume_idle_time'),
  VolumeQueueLength: anyNumber('volume_queue_length'),
  BurstBalance: anyNumber('burst_balance'),
  VolumeStalledIOCheck: exactIntegers('volume_stalled_io_check'),
  VolumeIOPSExceededCheck: exactIntegers('volume_iops_exceeded_check'),
  VolumeThroughputExceededCheck: exactIntegers('volume_throughput_exceeded_check'),
  InstanceEBSIOPSExceededCheck: exactIntegers('instance_ebs_iops_exceeded_check'),
  InstanceEBSThroughputExceededCheck: exactIntegers('instance_ebs_throughput_exceeded_check'),
  EBSReadOps: anyNumber('ebs_read_ops'),
  EBSWriteOps: anyNumber('ebs_write_ops'),
  EBSReadBytes: anyNumber('ebs_read_bytes'),
  EBSWriteBytes: anyNumber('ebs_write_bytes'),
  'EBSIOBalance%': anyNumber('ebs_io_balance_percent'),
  'EBSByteBalance%': anyNumber('ebs_byte_balance_percent'),
};

/** What evaluation says of a minute; the three are written together. */
export const evaluationColumns = ['status', 'cause', 'limit_scope'] as const;
export type EvaluationColumn = (typeof evaluationColumns)[number];

/** What each row begins with. `minute` is the time of the points, in milliseconds since 1970, UTC. */
export const resourceColumns = ['resource_type', 'resource_id', 'arn', 'minute'] as const;

/** What is kept of each volume: what trends, sizes and throttling are told by, or everything. */
export const archivedMetrics = ['default', 'all'] as const;
export type ArchivedMetrics = (typeof archivedMetrics)[number];
