/** What the report draws goes from each batch to the page. */
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { RunStore } from '../../../adapters/aws/run-store.ts';
import { Unreadable } from '../../../core/errors.ts';
import type { PackedSeries } from '../../../core/report/audit-report.ts';
import { putSeries, readSeries } from '../../../lambdas/shared/read-run.ts';

const series = (resourceId: string): PackedSeries => ({ resourceId, packed: 'H4sI' });

const s3 = mockClient(S3Client);
const store = new RunStore(new S3Client({ region: 'us-east-1' }), 'bucket');
const objects = new Map<string, string>();

beforeEach(() => {
  s3.reset();
  objects.clear();
  s3.on(PutObjectCommand).callsFake(({ Key, Body }) => objects.set(Key, Body) && {});
  s3.on(ListObjectsV2Command).callsFake(({ Prefix }) => ({
    Contents: [...objects.keys()].filter((Key) => Key.startsWith(Prefix)).map((Key) => ({ Key })),
  }));
  s3.on(GetObjectCommand).callsFake(({ Key }) => ({
    Body: { transformToString: async () => objects.get(Key) },
  }));
});

test('each batch has a file of its own name, and all of them come back', async () => {
  const [one, two, three] = [series('vol-1'), series('vol-2'), series('i-3')];
  await putSeries(store, 'run-1', 'work/run-1/batches/111122223333-us-east-1-02-b.json', [three]);
  await putSeries(store, 'run-1', 'work/run-1/batches/111122223333-us-east-1-01-a.json', [one, two]);
  await putSeries(store, 'run-2', 'work/run-2/batches/another.json', [one]);
  expect([...objects.keys()].sort()).toEqual([
    'work/run-1/series/111122223333-us-east-1-01-a.jsonl',
    'work/run-1/series/111122223333-us-east-1-02-b.jsonl',
    'work/run-2/series/another.jsonl',
  ]);
  expect(await readSeries(store, 'run-1')).toEqual([one, two, three]);
});

test('a batch in which nothing is to be drawn writes nothing; a run of such batches has no series', async () => {
  await putSeries(store, 'run-1', 'work/run-1/batches/a.json', []);
  expect(objects.size).toBe(0);
  expect(await readSeries(store, 'run-1')).toEqual([]);
});

test('what is no base64 is not what was written there: it would stand in the page as it is', async () => {
  objects.set('work/run-1/series/a.jsonl', '{"resourceId":"vol-1","packed":"</script><script>"}\n');
  await expect(readSeries(store, 'run-1')).rejects.toThrow(Unreadable);
});
