/** All that a cell has is ended, by its tags. */
import type { Leftover } from '../../../core/benchmark/campaign/sweep.ts';
import { Unreadable } from '../../../core/errors.ts';
import { type TerminateFrom, terminateHost } from '../../../lambdas/terminate-host/terminate-host.ts';

const host: Leftover = {
  ...{ id: 'i-1', kind: 'instance', campaignId: 'c1', state: 'running' },
  ...{ expires: '2026-11-22T23:00:00Z', createdAt: '2026-11-22T11:00:00Z' },
};
const volume: Leftover = { ...host, id: 'vol-1', kind: 'volume', state: 'available' };

function end(leftovers: Leftover[], more: Partial<TerminateFrom> = {}) {
  const asked: Record<string, readonly string[]> = {};
  const ended = terminateHost('c1', {
    findLeftovers: async () => leftovers,
    terminate: async (ids) => {
      asked['terminate'] = ids;
      return [];
    },
    deleteVolumes: async (ids) => {
      asked['delete'] = ids;
      return [];
    },
    now: () => new Date('2026-11-22T12:00:00Z'),
    ...more,
  });
  return { ended, asked };
}

test('instances are ended and loose volumes deleted, however much time is left', async () => {
  const attached = { ...volume, id: 'vol-2', state: 'in-use' };
  const { ended, asked } = end([host, volume, attached]);
  expect(await ended).toEqual({
    ...{ terminate: ['i-1'], deleted: ['vol-1'] },
    endedAt: '2026-11-22T12:00:00.000Z',
  });
  // What is attached goes with its instance.
  expect(asked).toEqual({ terminate: ['i-1'], delete: ['vol-1'] });
});

test('where nothing is there any more it has ended', async () => {
  const { ended } = end([{ ...host, state: 'shutting-down' }]);
  expect(await ended).toMatchObject({ terminate: [], deleted: [] });
});

test('where something stays all is tried, and it fails with every reason: it is tried again', async () => {
  const { ended } = end([host, volume], {
    terminate: async () => ['i-1 may not be ended'],
    deleteVolumes: async () => ['vol-1 is in use'],
  });
  await expect(ended).rejects.toThrow(Unreadable);
  await expect(ended).rejects.toThrow(/^i-1 may not be ended; vol-1 is in use$/);
});
