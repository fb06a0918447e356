/** The fleet by day is one document in the bucket; a run never fails by it. */
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { RunStore } from '../../../adapters/aws/run-store.ts';
import { fleetDaysSchema } from '../../../core/schemas/fleet-days.ts';
import { keepFleetDays } from '../../../lambdas/collect-findings/keep-fleet-days.ts';
import { awsError } from '../../adapters/aws/aws-error.ts';
import { aFinding, aResult } from '../../fixtures/findings.ts';

const key = 'history/fleet-days.json';
const s3 = mockClient(S3Client);
const store = new RunStore(new S3Client({ region: 'us-east-1' }), 'runs-bucket');
let kept: string | null;

beforeEach(() => {
  s3.reset();
  kept = null;
  troubles = [];
  s3.on(ListObjectsV2Command).callsFake(() => ({ Contents: kept === null ? [] : [{ Key: key }] }));
  s3.on(GetObjectCommand).callsFake(() => ({ Body: { transformToString: async () => kept }, ETag: '"1"' }));
  s3.on(PutObjectCommand).callsFake(({ Body }) => {
    kept = Body;
    return {};
  });
});

let troubles: string[];
const noted = ({ message }: Error): void => {
  troubles.push(message);
};
/** As the function does it. */
const keep = (day: string, throttled: number) =>
  keepFleetDays(
    { day, minutes: [{ day, evaluated: 60, throttled }], result: aResult([aFinding()]) },
    { changeDays: (change) => store.changeJson(key, fleetDaysSchema, change), onTrouble: noted },
  );
const daysKept = () => fleetDaysSchema.parse(JSON.parse(kept ?? '')).days;

test('each run adds its day, in three requests, and the weeks are given back', async () => {
  await keep('2026-11-22', 5);
  const weeks = await keep('2026-11-23', 7);
  expect(daysKept().map(({ day, throttledMinutes }) => [day, throttledMinutes])).toEqual([
    ['2026-11-22', 5],
    ['2026-11-23', 7],
  ]);
  expect(weeks?.map(({ from, throttledMinutes }) => [from, throttledMinutes])).toEqual([
    ['2026-11-16', 5],
    ['2026-11-23', 7],
  ]);
  // The first one found nothing to get.
  expect(s3.calls()).toHaveLength(2 + 3);
  const put = s3
    .commandCalls(PutObjectCommand)
    .map(({ args: [{ input }] }) => [input.IfNoneMatch, input.IfMatch]);
  expect(put).toEqual([
    ['*', undefined],
    [undefined, '"1"'],
  ]);
});

test('a run that another one was faster than adds to what that one wrote', async () => {
  await keep('2026-11-22', 5);
  const before = kept;
  s3.on(PutObjectCommand)
    .callsFakeOnce(() => {
      throw awsError('PreconditionFailed', 'changed', 412);
    })
    .callsFake(({ Body }) => {
      kept = Body;
      return {};
    });
  await keep('2026-11-23', 7);
  expect(kept).not.toBe(before);
  expect(daysKept()).toHaveLength(2);
});

test.each(['', '{', '{"version":2}', '{"version":1,"days":[{"day":7}]}'])(
  'what is no such document, as %j, stays as it is: a later version may have written it',
  async (text) => {
    kept = text;
    expect(await keep('2026-11-23', 7)).toBeNull();
    expect(kept).toBe(text);
    expect(troubles).toEqual([`s3://runs-bucket/${key} is not what was written there`]);
  },
);

test('what cannot be read stays as it is, and the run goes on', async () => {
  kept = '{"version":1,"days":[]}';
  s3.on(GetObjectCommand).rejects(awsError('AccessDenied', 'no', 403));
  expect(await keep('2026-11-23', 7)).toBeNull();
  expect(kept).toBe('{"version":1,"days":[]}');
  expect(troubles.join()).toContain('AccessDenied');
});
