/** Documents of a run in S3: what was written comes back, and what is something else is said to be. */
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { z } from 'zod';
import { RunStore } from '../../../adapters/aws/run-store.ts';
import { AccessDenied, Unavailable, Unreadable } from '../../../core/errors.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { awsError } from './aws-error.ts';

const s3 = mockClient(S3Client);
const store = new RunStore(new S3Client({ region: 'us-east-1' }), 'runs-bucket');
const schema = z.object({ name: z.string() });

beforeEach(() => {
  s3.reset();
});

/** What was put under a key comes back under it. */
function keepObjects(): Map<string, string> {
  const objects = new Map<string, string>();
  s3.on(PutObjectCommand).callsFake(({ Key, Body }) => {
    objects.set(Key, Body);
    return {};
  });
  s3.on(GetObjectCommand).callsFake(({ Key }) => ({
    Body: { transformToString: async () => objects.get(Key) },
  }));
  return objects;
}

test('a document comes back as it was written, in any script', async () => {
  keepObjects();
  await store.putJson('runs/1/summary.json', { name: 'Größe 数据 \u202e' });
  expect(await store.getJson('runs/1/summary.json', schema)).toEqual({ name: 'Größe 数据 \u202e' });
});

test('lines come back in order, also where a value holds a line break; none are none', async () => {
  const objects = keepObjects();
  const lines = [{ name: 'one' }, { name: 'two\nlines' }];
  await store.putLines('runs/1/findings.jsonl', lines);
  expect(objects.get('runs/1/findings.jsonl')).toBe('{"name":"one"}\n{"name":"two\\nlines"}\n');
  expect(await store.getLines('runs/1/findings.jsonl', schema)).toEqual(lines);
  await store.putLines('runs/1/volumes.jsonl', []);
  expect(await store.getLines('runs/1/volumes.jsonl', schema)).toEqual([]);
});

test('says what kind of text it writes, and where', async () => {
  keepObjects();
  await store.putJson('a.json', {});
  await store.putLines('b.jsonl', []);
  const put = s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input);
  expect(put.map(({ Bucket, Key, ContentType }) => [Bucket, Key, ContentType])).toEqual([
    ['runs-bucket', 'a.json', 'application/json'],
    ['runs-bucket', 'b.jsonl', 'application/x-ndjson'],
  ]);
});

test.each([['not JSON'], ['{"name":7}'], ['']])('%j where a name should be is Unreadable', async (text) => {
  keepObjects().set('work/1/batches/1.json', text);
  const read = store.getJson('work/1/batches/1.json', schema);
  await expect(read).rejects.toThrow(Unreadable);
  await expect(read).rejects.toThrow('s3://runs-bucket/work/1/batches/1.json is not what was written there');
});

test('one broken line makes the file Unreadable: half a run is none', async () => {
  keepObjects().set('f.jsonl', '{"name":"one"}\n{"na');
  await expect(store.getLines('f.jsonl', schema)).rejects.toThrow(
    's3://runs-bucket/f.jsonl is not what was written there',
  );
});

test('keys of every page come, in order', async () => {
  const asked = answerInTurn(s3.on(ListObjectsV2Command), [
    { Contents: [{ Key: 'work/1/b' }, { Key: 'work/1/a' }], NextContinuationToken: 'two', IsTruncated: true },
    {},
    { Contents: [{ Key: 'never asked' }] },
  ]);
  expect(await store.list('work/1/')).toEqual(['work/1/a', 'work/1/b']);
  expect(asked).toEqual([
    { Bucket: 'runs-bucket', Prefix: 'work/1/' },
    { Bucket: 'runs-bucket', Prefix: 'work/1/', ContinuationToken: 'two' },
  ]);
});

test('keys of a page that comes again are there once; of one that comes for ever there is no list', async () => {
  const page = {
    ...{ Contents: [{ Key: 'work/1/b' }, { Key: 'work/1/a' }], IsTruncated: true },
    NextContinuationToken: 'two',
  };
  answerInTurn(s3.on(ListObjectsV2Command), [page, page, { Contents: [{ Key: 'work/1/c' }] }]);
  expect(await store.list('work/1/')).toEqual(['work/1/a', 'work/1/b', 'work/1/c']);
  s3.on(ListObjectsV2Command).resolves(page);
  await expect(store.list('work/1/')).rejects.toThrow(
    's3:ListBucket of work/1/ failed: Error: the same NextToken came 5 times in 5 pages: its list has no end',
  );
});

test('a page is said to be one, in UTF-8', async () => {
  keepObjects();
  await store.putPage('runs/1/report.html', '<!doctype html><title>Größe</title>');
  expect(s3.commandCalls(PutObjectCommand)[0]?.args[0].input).toEqual({
    ...{ Bucket: 'runs-bucket', Key: 'runs/1/report.html' },
    ...{ Body: '<!doctype html><title>Größe</title>', ContentType: 'text/html; charset=utf-8' },
  });
});

describe('a document that others change too', () => {
  const key = 'runs/manifest.json';
  const listSchema = z.array(z.string());
  const add = (name: string) => (before: string[] | null) => [...(before ?? []), name];
  const late = awsError(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    412,
  );

  /** S3 as it keeps one object with its conditions; each write can be preceded by one of somebody else. */
  function conditional(first: string[] | null, others: string[] = []) {
    let stored = first;
    let version = 1;
    s3.on(ListObjectsV2Command).callsFake(() => ({ Contents: stored === null ? [] : [{ Key: key }] }));
    s3.on(GetObjectCommand).callsFake(() => {
      const text = JSON.stringify(stored);
      return { Body: { transformToString: async () => text }, ETag: `"${version}"` };
    });
    s3.on(PutObjectCommand).callsFake(({ Body, IfMatch, IfNoneMatch }) => {
      const other = others.shift();
      if (other !== undefined) {
        stored = [...(stored ?? []), other];
        version++;
      }
      const holds = IfNoneMatch === '*' ? stored === null : IfMatch === `"${version}"`;
      if (!holds) throw late;
      stored = JSON.parse(Body);
      version++;
      return {};
    });
    return () => stored;
  }

  test('one that is not there is made, and none that came meanwhile is written over', async () => {
    const stored = conditional(null, ['theirs']);
    expect(await store.changeJson(key, listSchema, add('ours'))).toEqual(['theirs', 'ours']);
    expect(stored()).toEqual(['theirs', 'ours']);
    const conditions = s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input);
    expect(conditions.map(({ IfMatch, IfNoneMatch }) => IfMatch ?? IfNoneMatch)).toEqual(['*', '"2"']);
  });

  test('of two that write at the same time both are there', async () => {
    const stored = conditional(['before']);
    await Promise.all(['one', 'two'].map((name) => store.changeJson(key, listSchema, add(name))));
    expect([...(stored() ?? [])].sort()).toEqual(['before', 'one', 'two']);
  });

  test.each([
    ['another write that is under way', awsError('ConditionalRequestConflict', 'in progress', 409)],
    ['what was to be replaced being gone', awsError('NoSuchKey', 'no such key', 404)],
  ])('%s is met by reading it again', async (_, error) => {
    conditional(['before']);
    answerInTurn(s3.on(PutObjectCommand), [error, {}]);
    expect(await store.changeJson(key, listSchema, add('ours'))).toEqual(['before', 'ours']);
    expect(s3.commandCalls(GetObjectCommand)).toHaveLength(2);
  });

  test('others that are faster six times are something that passes', async () => {
    conditional([], ['1', '2', '3', '4', '5', '6', '7']);
    const changed = store.changeJson(key, listSchema, add('ours'));
    await expect(changed).rejects.toThrow(Unavailable);
    await expect(changed).rejects.toThrow(
      's3:PutObject of runs/manifest.json: others changed it 6 times meanwhile',
    );
  });

  test('what is not what was written there stays as it is', async () => {
    s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key: key }] });
    keepObjects().set(key, '{"runs":');
    await expect(store.changeJson(key, listSchema, add('ours'))).rejects.toThrow(Unreadable);
    expect(s3.commandCalls(PutObjectCommand)).toEqual([]);
  });

  test('without an ETag nothing is written: it would have no condition', async () => {
    s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key: key }] });
    keepObjects().set(key, '[]');
    await expect(store.changeJson(key, listSchema, add('ours'))).rejects.toThrow(
      's3:PutObject of runs/manifest.json failed: Error: it was read without its ETag',
    );
    expect(s3.commandCalls(PutObjectCommand)).toEqual([]);
  });

  test('a write that is refused for something else says so', async () => {
    conditional([]);
    s3.on(PutObjectCommand).rejects(awsError('AccessDenied', 'Access Denied', 403));
    await expect(store.changeJson(key, listSchema, add('ours'))).rejects.toThrow(AccessDenied);
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(1);
  });
});

test('failures name the call and the key', async () => {
  s3.on(GetObjectCommand).rejects(awsError('NoSuchKey', 'The specified key does not exist.', 404));
  s3.on(PutObjectCommand).rejects(awsError('AccessDenied', 'Access Denied', 403));
  s3.on(ListObjectsV2Command).rejects(awsError('AccessDenied', 'Access Denied', 403));
  await expect(store.getJson('k', schema)).rejects.toThrow('s3:GetObject of k failed: NoSuchKey');
  await expect(store.putJson('k', {})).rejects.toThrow(AccessDenied);
  await expect(store.list('work/')).rejects.toThrow('s3:ListBucket of work/ failed: AccessDenied');
});
