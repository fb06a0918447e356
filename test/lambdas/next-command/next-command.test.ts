/** What comes next, by the campaign, the host and what was measured. */
import { chooseNext, type NextFrom } from '../../../lambdas/next-command/next-command.ts';
import { aCampaign, aResult, search } from '../../core/benchmark/campaign/campaigns.ts';

const cellId = 'stripe-m1-large';

function choose(commandsDone: number, request: object, readResult: NextFrom['readResult'] = noResult) {
  return chooseNext(
    { bucket: 'stripewise-runs', cellId, commandsDone },
    {
      readCampaign: async () => aCampaign(request),
      readHost: async () => ({
        ...{ instanceId: 'i-1', imageId: null, expiresAt: '2026-11-22T14:00:00Z' },
        volumeIds: ['vol-11111111', 'vol-22222222', 'vol-33333333', 'vol-44444444'],
      }),
      readResult,
    },
  );
}
const noResult = async (): Promise<never> => {
  throw new Error('results are read of searches alone');
};

test('first its stripe, of the volumes that it has', async () => {
  expect(await choose(0, {})).toMatchObject({
    command: {
      document: 'build-stripe',
      parameters: { members: 'vol-11111111,vol-22222222,vol-33333333,vol-44444444' },
    },
  });
});

test('a command writes below the results of its cell', async () => {
  expect(await choose(1, {})).toMatchObject({
    command: {
      parameters: { s3Uri: 's3://stripewise-runs/campaigns/c1/results/stripe-m1-large', runId: 'r1' },
    },
  });
});

test('when all is done there is nothing', async () => {
  expect(await choose(2, {})).toEqual({ done: null });
});

test('a search goes by what its runs measured, read by their names and in their order', async () => {
  const read: string[] = [];
  const readResult = async (runId: string) => {
    read.push(runId);
    return runId === 'p1' ? aResult(runId, 16, 4_000, 4) : aResult(runId, 7, 4_000, 1.75);
  };
  expect(await choose(2, { work: search }, readResult)).toMatchObject({
    command: { step: { code: 'measure-load', inFlight: 7, runId: 'p2' } },
  });
  expect(await choose(5, { work: search }, readResult)).toMatchObject({
    done: { outcome: 'kept', users: 7 },
  });
  expect(read).toEqual(['p1', 'p1', 'p2', 'p3', 'p4']);
});

test('a run without a figure ends the search with its name', async () => {
  const readResult = async (runId: string) => aResult(runId, 16, 0, 0);
  await expect(choose(2, { work: search }, readResult)).rejects.toThrow(
    'p1: fio told no p95 of any operation',
  );
});
