/** What the columns of the views over an archive mean, and in which unit. */
import type { TableColumns, TableName } from '../../core/archive/tables.ts';
import type { ViewColumns, ViewName } from '../../core/archive/views.ts';

export const viewTexts: Readonly<Record<ViewName, string>> = {
  minutes: 'A row a resource and minute that has a point.',
  volume_hours: 'A row a volume and hour that has a point; figures are of its minutes with points.',
};

const where = {
  account: 'of the volume or instance, 12 digits',
  region: 'of the volume or instance',
};

export const columnTexts: { readonly [V in ViewName]: Readonly<Record<ViewColumns[V], string>> } = {
  minutes: {
    ...where,
    resource_type: '`volume` or `instance`',
    resource_id: 'of the volume or instance',
    arn: 'null: the account was not known',
    minute: 'its beginning, UTC',
    day: 'of the minute, UTC',
    read_iops: 'read operations a second',
    write_iops: 'write operations a second',
    iops: 'both; null where one of them is unknown',
    read_mibps: 'MiB read a second',
    write_mibps: 'MiB written a second',
    mibps: 'both; null where one of them is unknown',
    read_latency_ms: 'milliseconds a read took on average; null without reads',
    write_latency_ms: 'milliseconds a write took on average; null without writes',
    idle_seconds: 'seconds of the minute without any operation',
    queue_length: 'operations that wait or run, on average',
    burst_balance_percent: 'burst credits left, 0 to 100; of gp2, st1 and sc1',
    stalled_io_check: '1: operations were stalled',
    iops_exceeded_check: '1: more IOPS were tried than are provisioned. No truth of throttling',
    throughput_exceeded_check: '1: more throughput was tried than is provisioned. No truth of throttling',
    instance_iops_exceeded_check: 'minutes of the point in which the EBS IOPS of the instance were exceeded',
    instance_throughput_exceeded_check:
      'minutes of the point in which the EBS throughput of the instance was exceeded',
    instance_read_operations: 'of all its volumes, in the period of the point: five minutes or one',
    instance_write_operations: 'as above',
    instance_read_bytes: 'as above',
    instance_write_bytes: 'as above',
    instance_io_balance_percent: 'I/O credits of the instance, 0 to 100',
    instance_byte_balance_percent: 'throughput credits of the instance, 0 to 100',
    status: 'what evaluation says of the minute, such as `throttled`; null: it was not evaluated',
    cause: 'why; null: not evaluated, or nothing to explain',
    limit_scope: 'whose limit it is, that of the volume or of the instance; null: as above',
  },
  volume_hours: {
    ...where,
    volume_id: 'of the volume',
    hour: 'its beginning, UTC',
    minutes: 'with points, at most 60',
    avg_iops: 'operations a second',
    max_iops: 'of the highest minute',
    avg_mibps: 'MiB a second',
    max_mibps: 'of the highest minute',
    avg_queue_length: 'operations that wait or run',
    max_queue_length: 'of the highest minute',
    lowest_burst_balance_percent: 'burst credits left, 0 to 100',
    iops_exceeded_minutes: 'minutes that the check reports. No truth of throttling',
    throughput_exceeded_minutes: 'as above',
    evaluated_minutes: 'minutes of which evaluation wrote a status',
    throttled_minutes: 'of the evaluated minutes; null: none was evaluated',
  },
};

export const tableTexts: Readonly<Record<TableName, string>> = {
  inventory: 'A row a volume and day, as the last audit of the day saw it.',
  findings: 'A row a finding and day, as the last audit of the day found it.',
};

export const tableColumnTexts: { readonly [T in TableName]: Readonly<Record<TableColumns[T], string>> } = {
  inventory: {
    volume_id: 'of the volume',
    name: 'its Name tag; null: none',
    volume_type: 'as EC2 names it',
    size_gib: 'GiB',
    provisioned_iops: 'as EC2 reports them; null: none',
    provisioned_mibps: 'as EC2 reports them; null: none',
    state: 'such as `in-use`',
    instance_ids: 'that it is attached to, with commas between; null: none',
    instance_type: 'of the first of them; null: not attached, or not known',
    baseline_iops: 'what it can do at any time; null: not known',
    baseline_mibps: 'MiB/s that it can do at any time; null: not known',
    burst_iops: 'at most, on credits; null: not known',
    burst_mibps: 'MiB/s at most, on credits; null: not known',
    monthly_usd: 'by list price; null: not known',
    status: 'what evaluation says of the volume; null: its batch gave no result',
    tags: 'JSON: those of its tags that the configuration asks about',
  },
  findings: {
    finding_id: 'the same as long as it is open',
    kind: 'docs/reference/findings.md',
    severity: '`critical`, `warning` or `info`',
    status: 'such as `ongoing`',
    confidence: '`low`, `medium` or `high`',
    resource_type: '`volume`, `stripe` or `instance`',
    resource_id: 'of the resource',
    arn: 'null: a stripe, or the account was not known',
    name: 'its Name tag; null: none',
    first_seen: 'of the latest episode in the window, UTC; null: nothing shows it',
    last_seen: 'as above',
    limit_value: 'of the limit in force; null: no limit is in question',
    limit_unit: '`IOPS` or `MiB/s`',
    limit_scope: '`volume`, `instance` or `card`',
    action: 'what is recommended first; null: nothing',
    monthly_usd_delta: 'what that costs more a month, or saves; null: not known',
    throttled_minutes_before: 'measured in the window; null: not known',
  },
};

export const placeTexts: Readonly<Record<string, string>> = {
  account: '12 digits',
  region: 'of the volume or instance',
  day: 'UTC',
};
