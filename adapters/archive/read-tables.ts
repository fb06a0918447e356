/** Rows of the inventory or the findings of a day out of the archive. */
import { parquetReadObjects } from 'hyparquet';
import { type ArchiveTarget, tableKey } from '../../core/archive/keys.ts';
import type { TableColumns, TableName } from '../../core/archive/tables.ts';
import { Unreadable } from '../../core/errors.ts';
import { BrokenFile } from './open-metrics.ts';
import type { ArchiveStore } from './store.ts';

export type TableRow<Name extends TableName> = Record<TableColumns[Name], unknown>;

/** Null where the day has none. @throws BrokenFile where it is none of ours. */
export async function readTable<Name extends TableName>(
  store: ArchiveStore,
  { day, ...target }: ArchiveTarget & { day: string },
  name: Name,
): Promise<TableRow<Name>[] | null> {
  const object = await store.open(tableKey(name, day, target));
  if (object === null) return null;
  try {
    return (await parquetReadObjects({ file: object })) as TableRow<Name>[];
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new BrokenFile(object.key, (error as Error).message, { cause: error });
  }
}
