/** What the report draws, from the batches that found it to the page. */
import { z } from 'zod';
import type { RunStore } from '../../adapters/aws/run-store.ts';
import { nameInFolder, runKeys } from '../../core/audit/run-keys.ts';
import type { PackedSeries } from '../../core/report/audit-report.ts';

const packedSeriesSchema = z.object({
  resourceId: z.string(),
  packed: z.base64(),
}) satisfies z.ZodType<PackedSeries>;

/** Under the name of the batch; nothing where there is nothing to draw. */
export async function putSeries(
  store: RunStore,
  runId: string,
  batchKey: string,
  series: readonly PackedSeries[],
): Promise<void> {
  if (series.length === 0) return;
  const name = nameInFolder(batchKey).replace(/\.json$/, '.jsonl');
  await store.putLines(`${runKeys(runId).series}${name}`, series);
}

/** Of all batches, one file after the other: together they are larger than what a page takes of them. */
export async function readSeries(store: RunStore, runId: string): Promise<PackedSeries[]> {
  const all: PackedSeries[] = [];
  for (const key of await store.list(runKeys(runId).series)) {
    for (const one of await store.getLines(key, packedSeriesSchema)) all.push(one);
  }
  return all;
}
