/** What becomes of a target whose account, or whose organization, lets nobody read it. */
import { unreadable } from '../../../adapters/aws/failure.ts';
import { refusedBy } from '../../../adapters/aws/refusals.ts';
import { NotEntered, Throttled } from '../../../core/errors.ts';
import { discoveredOrRefused } from '../../../lambdas/discover-volumes/discovered-or-refused.ts';

const target = { partition: 'aws', account: '111122223333', region: 'eu-south-1' };
const asAws = (name: string, message = 'no') =>
  unreadable('ec2:DescribeVolumes in eu-south-1', Object.assign(new Error(message), { name }));
const afterThrowing = (error: Error) => discoveredOrRefused(target, () => Promise.reject(error), refusedBy);

const nothing = {
  ...{ account: '111122223333', region: 'eu-south-1', batches: 0, volumes: 0, excluded: 0 },
  ...{ benchmarkVolumes: 0, incomplete: [], apiCalls: 0 },
};

test('what was discovered is handed on as it is', async () => {
  expect(await discoveredOrRefused(target, async () => ({ batches: 3 }), refusedBy)).toEqual({ batches: 3 });
});

test('an account that cannot be entered has nothing, and says why', async () => {
  const refused = { code: 'role-refused', reason: 'sts:AssumeRole of arn failed' } as const;
  expect(await afterThrowing(new NotEntered(refused))).toEqual({ ...nothing, refused });
});

test('so has an account whose STS was throttled for long: it is not entered again in this run', async () => {
  const refused = { code: 'sts-throttled', reason: 'Rate exceeded' } as const;
  expect(await afterThrowing(new NotEntered(refused))).toEqual({ ...nothing, refused });
});

test.each([
  ['a Region that is off', asAws('AuthFailure'), 'region-off'],
  [
    'what a policy of the organization denies',
    asAws('UnauthorizedOperation', 'with an explicit deny in a service control policy'),
    'denied-by-organization',
  ],
])('%s is refused', async (_, error, code) => {
  expect(await afterThrowing(error)).toEqual({ ...nothing, refused: { code, reason: error.message } });
});

test('a Region of another partition is not asked', async () => {
  const inChina = { ...target, region: 'cn-north-1' };
  const discover = async () => Promise.reject(new Error('it was asked'));
  expect(await discoveredOrRefused(inChina, discover, refusedBy)).toMatchObject({
    ...{ region: 'cn-north-1', refused: { code: 'another-partition' } },
  });
});

test('what may pass is thrown, so that it is tried again; so is a mistake of ours', async () => {
  const throttled = new Throttled('ec2:DescribeVolumes: Rate exceeded');
  await expect(afterThrowing(throttled)).rejects.toBe(throttled);
  const denied = asAws('UnauthorizedOperation', 'You are not authorized');
  await expect(afterThrowing(denied)).rejects.toBe(denied);
  const mistake = new TypeError('x is not a function');
  await expect(afterThrowing(mistake)).rejects.toBe(mistake);
});
