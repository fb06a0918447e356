/** Records that several change at once: who is slower applies the change to what is there. */

import { Unavailable } from '../../../core/errors.ts';
import { changeRecords, type RecordsAt } from '../../../core/lifecycle/change-records.ts';
import type { FindingRecord } from '../../../core/lifecycle/finding-record.ts';
import { aFinding, aRecord } from '../../fixtures/findings.ts';

/** Keeps the condition of a write; somebody else is faster so many times. */
function memory(records: readonly FindingRecord[], fasterTimes = 0) {
  const there = new Map(records.map((record) => [record.findingId, record]));
  const writes: string[] = [];
  let left = fasterTimes;
  const at: RecordsAt = {
    read: async (ids) =>
      new Map(ids.flatMap((id) => (there.has(id) ? [[id, there.get(id) as FindingRecord]] : []))),
    write: async (record, beforeRevision) => {
      const { findingId } = record;
      const before = there.get(findingId);
      if (left > 0 && before !== undefined) {
        left -= 1;
        there.set(findingId, { ...before, revision: before.revision + 1, validatedEpochSeconds: 7 });
      }
      if ((there.get(findingId)?.revision ?? 0) !== beforeRevision) return false;
      writes.push(findingId);
      there.set(findingId, record);
      return true;
    },
  };
  return { at, there, writes };
}

const records = ['a', 'b', 'c'].map((id) => aRecord(aFinding({ id })));
const opened = (record: FindingRecord): FindingRecord => ({
  ...record,
  revision: record.revision + 1,
  openedEpochSeconds: 1,
});

test('only what changes is written; what is there afterwards comes back in the order of the ids', async () => {
  const { at, writes } = memory(records);
  const after = await changeRecords(
    ['c', 'x', 'a', 'c'],
    (id, one) => (id === 'a' ? one && opened(one) : one),
    at,
  );
  expect(writes).toEqual(['a']);
  expect([...after].map(([id, { openedEpochSeconds }]) => [id, openedEpochSeconds === 1])).toEqual([
    ['c', false],
    ['a', true],
  ]);
});

test('what is not there yet is written as the first', async () => {
  const { at, there } = memory([]);
  await changeRecords(['a'], () => records[0] ?? null, at);
  expect([...there.keys()]).toEqual(['a']);
});

test('what is there and cannot be read stays as it is, is no new one, and stops no other', async () => {
  const { at, there, writes } = memory(records);
  const read: RecordsAt['read'] = async (ids, skip) => {
    const all = await at.read(ids);
    if (all.delete('b')) skip?.('b');
    return all;
  };
  const change = (id: string, one: FindingRecord | null) => opened(one ?? aRecord(aFinding({ id })));
  const after = await changeRecords(['a', 'b', 'c'], change, { ...at, read });
  expect([[...after.keys()], writes]).toEqual([
    ['a', 'c'],
    ['a', 'c'],
  ]);
  expect(there.get('b')).toEqual(records[1]);
});

test('where somebody was faster the change is made to theirs: both are there', async () => {
  const { at, there } = memory(records, 2);
  const after = await changeRecords(['a', 'b'], (_, one) => one && opened(one), at);
  for (const id of ['a', 'b']) {
    // 1 when opened, 2 by who was faster, 3 by us
    expect(there.get(id)).toMatchObject({ revision: 3, validatedEpochSeconds: 7, openedEpochSeconds: 1 });
    expect(after.get(id)).toEqual(there.get(id));
  }
});

test('who is slower again and again gives up, and says so', async () => {
  const { at } = memory(records, Number.POSITIVE_INFINITY);
  const changing = changeRecords(['a', 'b'], (_, one) => one && opened(one), at);
  await expect(changing).rejects.toThrow(Unavailable);
  await expect(changing).rejects.toThrow('2 findings were changed by others, 8 times on end');
});

test('one write that fails is thrown once the others beside it are over', async () => {
  const { at } = memory(records);
  let over = 0;
  const write: RecordsAt['write'] = async (record, before) => {
    if (record.findingId === 'a') throw new Error('no');
    await Promise.resolve();
    over += 1;
    return at.write(record, before);
  };
  await expect(
    changeRecords(['a', 'b', 'c'], (_, one) => one && opened(one), { ...at, write }),
  ).rejects.toThrow('no');
  expect(over).toBe(2);
});
