/** When the bucket of runs is emptied, and when it must not be: CloudFormation's Delete alone does not tell. */
import { AccessDenied } from '../../../core/errors.ts';
import { type EmptyWith, emptyBucket } from '../../../lambdas/empty-bucket/empty-bucket.ts';

/** A bucket that gives up at most 1,000 objects a call. */
function bucketOf(objects: number, use: Partial<EmptyWith> = {}) {
  const bucket = { objects, calls: 0 };
  const emptyWith: EmptyWith = {
    stackStatus: async () => 'DELETE_IN_PROGRESS',
    deleteSome: async () => {
      const some = Math.min(bucket.objects, 1_000);
      bucket.objects -= some;
      bucket.calls += 1;
      return some;
    },
    remainingMs: () => 900_000,
    ...use,
  };
  return { bucket, emptyWith };
}

test('everything goes when the stack is deleted, in parts, until a look finds nothing', async () => {
  const { bucket, emptyWith } = bucketOf(2_500);
  expect(await emptyBucket('Delete', emptyWith)).toEqual({
    status: 'SUCCESS',
    reason: 'the bucket is empty: 2500 objects were deleted',
  });
  expect(bucket).toEqual({ objects: 0, calls: 4 }); // 1,000 + 1,000 + 500, and one that finds nothing
});

test('an empty bucket is fine', async () => {
  const { emptyWith } = bucketOf(0);
  expect(await emptyBucket('Delete', emptyWith)).toMatchObject({ status: 'SUCCESS' });
});

test('so does it when the creation of the stack failed and is undone: the bucket goes too', async () => {
  const { bucket, emptyWith } = bucketOf(3, { stackStatus: async () => 'ROLLBACK_IN_PROGRESS' });
  await emptyBucket('Delete', emptyWith);
  expect(bucket.objects).toBe(0);
});

test.each([
  // From false to true: an update takes the custom resource out of the template.
  'UPDATE_IN_PROGRESS',
  'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
  // From true to false: an update had brought it, failed, and is undone.
  'UPDATE_ROLLBACK_IN_PROGRESS',
  'UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS',
  // What cannot be while a Delete comes, and whatever status CloudFormation invents.
  'CREATE_COMPLETE',
  'UPDATE_COMPLETE',
  'DELETE_FAILED',
  'IMPORT_ROLLBACK_IN_PROGRESS',
  'SOMETHING_NEW',
])('nothing goes while the stack is %s, and that is no failure', async (status) => {
  const { bucket, emptyWith } = bucketOf(3, { stackStatus: async () => status });
  expect(await emptyBucket('Delete', emptyWith)).toEqual({
    status: 'SUCCESS',
    reason: `nothing was deleted: the stack stays (${status})`,
  });
  expect(bucket).toEqual({ objects: 3, calls: 0 });
});

test.each(['Create', 'Update'] as const)('%s asks nothing and deletes nothing', async (request) => {
  const asked = jest.fn(async () => 'DELETE_IN_PROGRESS');
  const { bucket, emptyWith } = bucketOf(3, { stackStatus: asked });
  expect(await emptyBucket(request, emptyWith)).toMatchObject({ status: 'SUCCESS' });
  expect(asked).not.toHaveBeenCalled();
  expect(bucket).toEqual({ objects: 3, calls: 0 });
});

test('where the state of the stack cannot be read nothing is deleted, and the deletion fails', async () => {
  const { bucket, emptyWith } = bucketOf(3, {
    stackStatus: () => Promise.reject(new AccessDenied('cloudformation:DescribeStacks failed: AccessDenied')),
  });
  expect(await emptyBucket('Delete', emptyWith)).toEqual({
    status: 'FAILED',
    reason: 'cloudformation:DescribeStacks failed: AccessDenied',
  });
  expect(bucket.calls).toBe(0);
});

test('what S3 refuses is said, and what was deleted before stays deleted', async () => {
  let calls = 0;
  const { emptyWith } = bucketOf(0, {
    deleteSome: async () => {
      calls += 1;
      if (calls === 1) return 1_000;
      throw new AccessDenied('s3:DeleteObjects in runs failed: AccessDenied: no');
    },
  });
  expect(await emptyBucket('Delete', emptyWith)).toEqual({
    status: 'FAILED',
    reason: 's3:DeleteObjects in runs failed: AccessDenied: no',
  });
});

const reserveMs = 30_000;

test('a bucket that is too large for one time is reported before the time is over, and can go on', async () => {
  const { bucket, emptyWith } = bucketOf(Number.POSITIVE_INFINITY, {
    remainingMs: () => reserveMs + 60,
    // 10 ms a call: about six in 60 ms.
    deleteSome: async () => {
      bucket.calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      return 1_000;
    },
  });
  const { status, reason } = await emptyBucket('Delete', emptyWith);
  expect(status).toBe('FAILED');
  expect(reason).toBe(
    `time is over and the bucket is not empty yet: ${bucket.calls * 1_000} objects were deleted; delete the stack again, and it goes on`,
  );
  expect(bucket.calls).toBeGreaterThan(0);
});

test('a call that hangs is given up in time, and is not what is reported', async () => {
  const { emptyWith } = bucketOf(1, {
    remainingMs: () => reserveMs + 20,
    deleteSome: (signal) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('Request aborted'))),
      ),
  });
  expect(await emptyBucket('Delete', emptyWith)).toMatchObject({
    status: 'FAILED',
    reason: expect.stringContaining('time is over and the bucket is not empty yet: 0 objects were deleted'),
  });
});
