/** What other services recommend, as the discovering function reads it. */
import { AccessDenied, NotEnabled, Unavailable } from '../../../core/errors.ts';
import type { Volume } from '../../../core/inventory.ts';
import type { RecommendationRows } from '../../../core/second-opinion/recommendations.ts';
import { readOpinions } from '../../../lambdas/discover-volumes/second-opinion.ts';

const volume = { volumeId: 'vol-0123456789abcdef0' } as Volume;
const target = { account: '111122223333', region: 'us-east-1' };
const of = { target, batches: [{ volumes: [volume] }] };

const rows = (...volumeIds: string[]): RecommendationRows => ({
  ...{ source: 'compute-optimizer', rdsRows: 0, otherRows: 0 },
  rows: volumeIds.map((volumeId) => ({
    ...{ source: 'compute-optimizer' as const, volumeId, account: target.account, region: target.region },
    ...{ action: 'keep' as const, current: null, options: [], lookBackDays: 14 },
    lastRefreshed: '2026-11-19T00:00:00Z',
  })),
});

test('where no service is compared none is asked', async () => {
  const asked = await readOpinions([], of, () => Promise.reject(new Error('asked')));
  expect(asked).toBeNull();
});

test('its rows are of the volumes of the target; of others it says how many', async () => {
  const asked = await readOpinions(['compute-optimizer'], of, async () =>
    rows(volume.volumeId, 'vol-0aaaaaaaaaaaaaaa1'),
  );
  expect(
    asked?.opinions.map(({ recommendations }) => recommendations.map(({ volumeId }) => volumeId)),
  ).toEqual([[volume.volumeId]]);
  expect(asked?.reads).toMatchObject([{ ...target, status: 'read', recommendations: 1, unmatched: 1 }]);
});

test.each([
  ['not-enabled', new NotEnabled('x failed: OptInRequiredException: not registered')],
  ['denied', new AccessDenied('x failed: AccessDeniedException: no')],
  ['failed', new Unavailable('x failed: InternalServerException: later')],
])('what is %s is said, and the run goes on', async (status, error) => {
  const asked = await readOpinions(['compute-optimizer', 'cost-optimization-hub'], of, async (source) => {
    if (source === 'compute-optimizer') throw error;
    return rows(volume.volumeId);
  });
  expect(asked?.opinions).toHaveLength(1);
  expect(asked?.reads).toMatchObject([{ status, error: error.message }, { status: 'read' }]);
});

test('what is no answer of AWS is a failure of the function', async () => {
  const broken = new TypeError('of ours');
  await expect(readOpinions(['compute-optimizer'], of, () => Promise.reject(broken))).rejects.toBe(broken);
});

test('details are asked of the volumes of the target alone', async () => {
  const asked: boolean[] = [];
  await readOpinions(['cost-optimization-hub'], of, async (_, isOfAudit) => {
    asked.push(isOfAudit(volume.volumeId), isOfAudit('vol-0aaaaaaaaaaaaaaa1'));
    return rows();
  });
  expect(asked).toEqual([true, false]);
});
