/** Inventory and findings of a day: each one object, which the last audit of the day puts in the place of the one before. */
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { type ArchiveTarget, tableKey } from '../../core/archive/keys.ts';
import { type TableCells, type TableName, tableColumns } from '../../core/archive/tables.ts';
import type { SqlType } from '../../core/archive/views.ts';
import type { ArchiveStore } from './store.ts';

type Physical = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const text: Physical = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const physical: Partial<Record<SqlType, Physical>> = {
  VARCHAR: text,
  DOUBLE: { type: 'DOUBLE' },
  TIMESTAMP: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** A file without a row says that there was none. */
function tableBytes(name: TableName, cells: TableCells): Uint8Array {
  const columns = tableColumns[name];
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(
      ({ name: column, type }): SchemaElement => ({
        name: column,
        ...(physical[type] ?? text),
        repetition_type: 'OPTIONAL',
      }),
    ),
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData: cells, schema }));
}

/** What would not change is not put. */
export async function putTable(
  store: ArchiveStore,
  { day, ...target }: ArchiveTarget & { day: string },
  name: TableName,
  cells: TableCells,
): Promise<void> {
  const key = tableKey(name, day, target);
  const bytes = tableBytes(name, cells);
  const before = await store.open(key);
  if (
    before?.byteLength === bytes.byteLength &&
    Buffer.compare(new Uint8Array(await before.slice(0)), bytes) === 0
  )
    return;
  await store.put(key, bytes, null);
}
