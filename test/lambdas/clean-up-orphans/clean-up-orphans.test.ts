/** The cleanup: what no campaign needs any more is removed, whatever state it died in. */
import type { Orphan } from '../../../core/benchmark/campaign/clean-up.ts';
import { Throttled, Unreadable } from '../../../core/errors.ts';
import { cleanUpOrphans, type SweepFrom } from '../../../lambdas/clean-up-orphans/clean-up-orphans.ts';

const host = (campaignId: string, expires = '2026-11-22T13:00:00Z'): Orphan => ({
  ...{ id: `i-of-${campaignId}`, campaignId, state: 'running', stateReason: null },
  ...{ expires, createdAt: '2026-11-22T11:00:00Z' },
});

function cleanUp(
  orphans: Orphan[],
  statuses: Record<string, string | Error> = {},
  more: Partial<SweepFrom> = {},
) {
  const asked: string[] = [];
  const cleanedUp = cleanUpOrphans({
    findOrphans: async () => orphans,
    executionStatus: async (campaignId) => {
      asked.push(campaignId);
      const status = statuses[campaignId];
      if (status instanceof Error) throw status;
      return status === undefined ? null : { status };
    },
    terminate: async () => [],
    now: () => new Date('2026-11-22T12:00:00Z'),
    ...more,
  });
  return { cleanedUp, asked };
}
const nothing = { terminated: [], kept: 0, unknown: [] };

test('where there is nothing nobody is asked', async () => {
  const { cleanedUp, asked } = cleanUp([]);
  expect([await cleanedUp, asked]).toEqual([nothing, []]);
});

test.each(['RUNNING', 'PENDING_REDRIVE'])(
  'of a campaign that is %s all stays while it has time',
  async (status) => {
    expect(await cleanUp([host('c1')], { c1: status }).cleanedUp).toEqual({ ...nothing, kept: 1 });
  },
);

test.each(['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'])(
  'of a campaign that %s nothing stays',
  async (status) => {
    expect(await cleanUp([host('c1')], { c1: status }).cleanedUp).toEqual({
      ...nothing,
      terminated: ['i-of-c1'],
    });
  },
);

test('past its time even that of a campaign that runs is taken', async () => {
  const { cleanedUp } = cleanUp([host('c1', '2026-11-22T12:00:00Z')], { c1: 'RUNNING' });
  expect(await cleanedUp).toEqual({ ...nothing, terminated: ['i-of-c1'] });
});

test('without an execution its time decides', async () => {
  const { cleanedUp } = cleanUp([host('c1'), host('c2', '2026-11-22T11:59:00Z')]);
  expect(await cleanedUp).toEqual({ ...nothing, kept: 1, terminated: ['i-of-c2'] });
});

test('a campaign is asked for once, whatever it has', async () => {
  const { cleanedUp, asked } = cleanUp([host('c1'), { ...host('c1'), id: 'i-2' }], { c1: 'ABORTED' });
  expect(await cleanedUp).toEqual({ ...nothing, terminated: ['i-of-c1', 'i-2'] });
  expect(asked).toEqual(['c1']);
});

test('one that cannot be asked for holds nothing up: what is past its time goes, the rest waits for it', async () => {
  const late = '2026-11-22T11:00:00Z';
  const { cleanedUp } = cleanUp([host('c1'), { ...host('c1', late), id: 'i-late' }, host('c2')], {
    c1: new Throttled('states:DescribeExecution failed: slow'),
    c2: 'FAILED',
  });
  expect(await cleanedUp).toEqual({
    ...nothing,
    ...{ terminated: ['i-late', 'i-of-c2'], kept: 1 },
    unknown: ['c1: states:DescribeExecution failed: slow'],
  });
});

test('what cannot be ended fails it: then its alarm tells somebody', async () => {
  const { cleanedUp } = cleanUp(
    [host('c1')],
    { c1: 'FAILED' },
    { terminate: async () => ['i-of-c1 may not be ended'] },
  );
  await expect(cleanedUp).rejects.toThrow(Unreadable);
  await expect(cleanedUp).rejects.toThrow('i-of-c1 may not be ended');
});
