/**
 * What the archive keeps of each day beside minutes: the inventory, a row a volume, and the findings, a row a finding. An object a
 * day, account and Region, which the last audit of the day puts anew.
 */
import { configurationOf, type Instance, type Volume } from '../inventory.ts';
import type { AuditResult, VolumeEvaluation } from '../schemas/audit-result.ts';
import type { Finding } from '../schemas/finding.ts';
import { epochSecondsOf, msPerSecond, secondsPerHour } from '../units.ts';
import type { TypedColumn } from './views.ts';

export const tableNames = ['inventory', 'findings'] as const;
export type TableName = (typeof tableNames)[number];

/** As JavaScript has it: a TIMESTAMP is a Date. Null is unknown. */
type Cell = string | number | boolean | Date | null;

interface Column<Of> extends TypedColumn {
  of: (row: Of) => Cell;
}

interface VolumeRow {
  volume: Volume;
  /** Of the first instance that it is attached to. */
  instance: Instance | null;
  evaluation: VolumeEvaluation | null;
}

const limitsOf = ({ volume }: VolumeRow) => {
  const configured = configurationOf(volume);
  return configured.known ? configured.value.limits : null;
};

const timeOf = (iso: string | null): Date | null =>
  iso === null ? null : new Date(epochSecondsOf(iso) * msPerSecond);

const inventoryColumns = [
  { name: 'volume_id', type: 'VARCHAR', of: ({ volume }) => volume.volumeId },
  { name: 'name', type: 'VARCHAR', of: ({ volume }) => volume.name },
  { name: 'volume_type', type: 'VARCHAR', of: ({ volume }) => volume.volumeType },
  { name: 'size_gib', type: 'DOUBLE', of: ({ volume }) => volume.sizeGiB },
  { name: 'provisioned_iops', type: 'DOUBLE', of: ({ volume }) => volume.iops },
  { name: 'provisioned_mibps', type: 'DOUBLE', of: ({ volume }) => volume.throughputMiBps },
  { name: 'state', type: 'VARCHAR', of: ({ volume }) => volume.state },
  {
    name: 'instance_ids',
    type: 'VARCHAR',
    of: ({ volume }) => volume.attachments.map(({ instanceId }) => instanceId).join(',') || null,
  },
  { name: 'instance_type', type: 'VARCHAR', of: ({ instance }) => instance?.instanceType ?? null },
  { name: 'baseline_iops', type: 'DOUBLE', of: (row) => limitsOf(row)?.baselineIops ?? null },
  { name: 'baseline_mibps', type: 'DOUBLE', of: (row) => limitsOf(row)?.baselineMiBps ?? null },
  { name: 'burst_iops', type: 'DOUBLE', of: (row) => limitsOf(row)?.burstIops ?? null },
  { name: 'burst_mibps', type: 'DOUBLE', of: (row) => limitsOf(row)?.burstMiBps ?? null },
  { name: 'monthly_usd', type: 'DOUBLE', of: ({ evaluation }) => evaluation?.monthlyUsd ?? null },
  { name: 'status', type: 'VARCHAR', of: ({ evaluation }) => evaluation?.status ?? null },
  { name: 'tags', type: 'VARCHAR', of: ({ volume }) => JSON.stringify(volume.tags) },
] as const satisfies readonly Column<VolumeRow>[];

const first = ({ recommendations: [one] }: Finding) => one;

const findingColumns = [
  { name: 'finding_id', type: 'VARCHAR', of: ({ id }) => id },
  { name: 'kind', type: 'VARCHAR', of: ({ kind }) => kind },
  { name: 'severity', type: 'VARCHAR', of: ({ severity }) => severity },
  { name: 'status', type: 'VARCHAR', of: ({ status }) => status },
  { name: 'confidence', type: 'VARCHAR', of: ({ confidence }) => confidence },
  { name: 'resource_type', type: 'VARCHAR', of: ({ resource }) => resource.type },
  { name: 'resource_id', type: 'VARCHAR', of: ({ resource }) => resource.id },
  { name: 'arn', type: 'VARCHAR', of: ({ resource }) => resource.arn },
  { name: 'name', type: 'VARCHAR', of: ({ resource }) => resource.name },
  { name: 'first_seen', type: 'TIMESTAMP', of: ({ firstSeen }) => timeOf(firstSeen) },
  { name: 'last_seen', type: 'TIMESTAMP', of: ({ lastSeen }) => timeOf(lastSeen) },
  { name: 'limit_value', type: 'DOUBLE', of: ({ limit }) => limit?.value ?? null },
  { name: 'limit_unit', type: 'VARCHAR', of: ({ limit }) => limit?.unit ?? null },
  { name: 'limit_scope', type: 'VARCHAR', of: ({ limit }) => limit?.scope ?? null },
  { name: 'action', type: 'VARCHAR', of: (finding) => first(finding)?.action ?? null },
  { name: 'monthly_usd_delta', type: 'DOUBLE', of: (finding) => first(finding)?.monthlyUsdDelta ?? null },
  {
    name: 'throttled_minutes_before',
    type: 'DOUBLE',
    of: (finding) => first(finding)?.effect.throttledMinutesBefore ?? null,
  },
] as const satisfies readonly Column<Finding>[];

export type TableColumns = {
  inventory: (typeof inventoryColumns)[number]['name'];
  findings: (typeof findingColumns)[number]['name'];
};

/** Of the files; account, Region and day are of the place where a file lies. */
export const tableColumns: Readonly<Record<TableName, readonly TypedColumn[]>> = {
  inventory: inventoryColumns,
  findings: findingColumns,
};

/** A column after the other, in the order of `tableColumns`. */
export type TableCells = { name: string; data: Cell[] }[];

const cellsOf = <Of>(columns: readonly Column<Of>[], rows: readonly Of[]): TableCells =>
  columns.map(({ name, of }) => ({ name, data: rows.map(of) }));

export function inventoryCells(
  { volumes, instances }: { volumes: readonly Volume[]; instances: readonly Instance[] },
  evaluations: readonly VolumeEvaluation[],
): TableCells {
  const evaluationOf = new Map(evaluations.map((one) => [one.volumeId, one]));
  const instanceOf = new Map(instances.map((one) => [one.instanceId, one]));
  const rows = volumes.map((volume): VolumeRow => {
    const [attachment] = volume.attachments;
    return {
      volume,
      instance: (attachment && instanceOf.get(attachment.instanceId)) ?? null,
      evaluation: evaluationOf.get(volume.volumeId) ?? null,
    };
  });
  return cellsOf(
    inventoryColumns,
    rows.sort((a, b) => (a.volume.volumeId < b.volume.volumeId ? -1 : 1)),
  );
}

export const findingCells = ({ findings }: Pick<AuditResult, 'findings'>): TableCells =>
  cellsOf(
    findingColumns,
    [...findings].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );

/** A run of another time finds what was then, in what is there now: neither is of a day. */
const presentSeconds = secondsPerHour;

/**
 * What a run adds to the tables of its day. Where a batch has no result nobody knows all findings: those of the run before stay.
 * @param results of all batches; null: it has none.
 */
export function tablesOfRun({
  fleet,
  discoveredSeconds,
  endEpochSeconds,
  results,
}: {
  fleet: Parameters<typeof inventoryCells>[0];
  discoveredSeconds: number;
  /** Of the window. */
  endEpochSeconds: number;
  results: readonly (Pick<AuditResult, 'volumes' | 'findings'> | null)[];
}): [TableName, TableCells][] {
  if (discoveredSeconds - endEpochSeconds > presentSeconds) return [];
  const known = results.filter((one) => one !== null);
  const evaluations = known.flatMap(({ volumes }) => volumes);
  const findings = known.flatMap((one) => one.findings);
  const inventory: [TableName, TableCells] = ['inventory', inventoryCells(fleet, evaluations)];
  return known.length < results.length ? [inventory] : [inventory, ['findings', findingCells({ findings })]];
}
