/** What Compute Optimizer is asked, page by page, and what its refusals mean: nothing is ever enabled. */
import {
  ComputeOptimizerClient,
  GetEBSVolumeRecommendationsCommand,
} from '@aws-sdk/client-compute-optimizer';
import { mockClient } from 'aws-sdk-client-mock';
import { getEbsRecommendations } from '../../../adapters/aws/get-ebs-recommendations.ts';
import { AccessDenied, NotEnabled, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';
import { ebsRow, refreshed } from '../../fixtures/recommendations.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { awsError } from './aws-error.ts';

const mocked = mockClient(ComputeOptimizerClient);
const client = new ComputeOptimizerClient({ region: 'us-east-1' });
beforeEach(() => mocked.reset());
afterAll(() => mocked.restore());

const vol = (last: number): string => `vol-0123456789abcdef${last}`;
const page = (nextToken: string | undefined, ...ids: string[]) => ({
  volumeRecommendations: ids.map((id) => ebsRow(id, { lastRefreshTimestamp: new Date(refreshed) })),
  errors: [],
  ...(nextToken === undefined ? {} : { nextToken }),
});
const asked = (answers: object[]) => answerInTurn(mocked.on(GetEBSVolumeRecommendationsCommand), answers);
const read = () => getEbsRecommendations(client, 'us-east-1');

test('all pages are read, as many rows a page as there can be', async () => {
  const inputs = asked([page('more', vol(1), vol(2)), page(undefined, vol(3))]);
  const { rows } = await read();
  expect(rows.map(({ volumeId, lastRefreshed }) => [volumeId, lastRefreshed])).toEqual([
    [vol(1), refreshed],
    [vol(2), refreshed],
    [vol(3), refreshed],
  ]);
  expect(inputs).toEqual([
    { maxResults: 1_000, nextToken: undefined },
    { maxResults: 1_000, nextToken: 'more' },
  ]);
  // Nothing else is asked: an account that has it off stays as it is.
  expect(mocked.calls().map(({ args: [command] }) => command.constructor.name)).toEqual([
    'GetEBSVolumeRecommendationsCommand',
    'GetEBSVolumeRecommendationsCommand',
  ]);
});

test('an account without recommendations gives none', async () => {
  asked([page(undefined)]);
  expect(await read()).toEqual({ source: 'compute-optimizer', rows: [], rdsRows: 0, otherRows: 0 });
});

test.each([
  [
    'not enabled',
    awsError('OptInRequiredException', 'Aws account 1 is not registered for recommendation.', 403),
    NotEnabled,
  ],
  ['denied', awsError('AccessDeniedException', 'User is not authorized to perform this.', 400), AccessDenied],
  ['throttled', awsError('ThrottlingException', 'Rate exceeded', 400), Throttled],
  ['down', awsError('InternalServerException', 'try again', 500), Unavailable],
  ['of an account that there is not', awsError('ResourceNotFoundException', 'no', 404), Unreadable],
])('%s', async (_, error, kind) => {
  asked([error]);
  const thrown = await read().catch((caught: Error) => caught);
  expect((thrown as Error).constructor).toBe(kind);
  expect((thrown as Error).message).toMatch(
    /^compute-optimizer:GetEBSVolumeRecommendations in us-east-1 failed: \w+: /,
  );
});

test('an error within an answer is one', async () => {
  asked([
    { ...page(undefined, vol(1)), errors: [{ code: 'InvalidParameterValue', message: 'no such account' }] },
  ]);
  await expect(read()).rejects.toThrow(/InvalidParameterValue: no such account/);
});

test('an answer of another shape is no answer', async () => {
  asked([{ instanceRecommendations: [] }]);
  await expect(read()).rejects.toBeInstanceOf(Unreadable);
});

test('a list without an end is not taken for the whole', async () => {
  mocked.on(GetEBSVolumeRecommendationsCommand).resolves(page('same', vol(1)) as never);
  await expect(read()).rejects.toThrow(/its list has no end/);
});
