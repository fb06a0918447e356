/** Changes records of which others may change the same at the same time: whoever was slower applies the change to what is there. */
import { Unavailable } from '../errors.ts';
import type { FindingRecord } from './finding-record.ts';

export interface RecordsAt {
  /**
   * By finding id, as they are now; one that is not there is left out.
   * @param skip given the id of each that is there and cannot be read: it is left out too, and is no new one.
   */
  read(
    findingIds: readonly string[],
    skip?: (findingId: string) => void,
  ): Promise<Map<string, FindingRecord>>;
  /** False where the record is not the one of this revision any more; 0: where there is one. */
  write(record: FindingRecord, beforeRevision: number): Promise<boolean>;
}

/** @returns the very same, or null, for what is to stay as it is. */
export type ChangeOfRecord = (findingId: string, before: FindingRecord | null) => FindingRecord | null;

const maxRounds = 8;
const writesAtOnce = 10;

/** All of them are over before one that failed is thrown: what comes after must find each that was made. */
async function writtenAll(
  changed: readonly { after: FindingRecord; beforeRevision: number }[],
  at: RecordsAt,
): Promise<FindingRecord[]> {
  const slower: FindingRecord[] = [];
  for (let from = 0; from < changed.length; from += writesAtOnce) {
    const some = changed.slice(from, from + writesAtOnce);
    const ends = await Promise.allSettled(
      some.map(({ after, beforeRevision }) => at.write(after, beforeRevision)),
    );
    for (const [index, end] of ends.entries()) {
      if (end.status === 'rejected') throw end.reason;
      if (!end.value) slower.push((some[index] as (typeof some)[number]).after);
    }
  }
  return slower;
}

/**
 * @returns by finding id, in the order of the ids: what is there afterwards, without what cannot be read, which stays as it is.
 * @throws Unavailable where others were faster again and again.
 */
export async function changeRecords(
  findingIds: readonly string[],
  change: ChangeOfRecord,
  at: RecordsAt,
): Promise<Map<string, FindingRecord>> {
  const after = new Map<string, FindingRecord | null>(findingIds.map((id) => [id, null]));
  let open = [...after.keys()];
  for (let round = 0; open.length > 0; round++) {
    if (round === maxRounds)
      throw new Unavailable(`${open.length} findings were changed by others, ${maxRounds} times on end`);
    const skipped = new Set<string>();
    const there = await at.read(open, (id) => skipped.add(id));
    const changed = open.flatMap((id) => {
      if (skipped.has(id)) {
        after.set(id, null);
        return [];
      }
      const before = there.get(id) ?? null;
      const record = change(id, before);
      after.set(id, record);
      return record === null || record === before
        ? []
        : [{ after: record, beforeRevision: before?.revision ?? 0 }];
    });
    open = (await writtenAll(changed, at)).map(({ findingId }) => findingId);
  }
  return new Map([...after].flatMap(([id, record]) => (record === null ? [] : [[id, record]])));
}
