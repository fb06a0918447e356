/** All that a cell has is ended, by its tags. */
import type { Orphan } from '../../../core/benchmark/campaign/clean-up.ts';
import { Unreadable } from '../../../core/errors.ts';
import { type TerminateFrom, terminateHost } from '../../../lambdas/terminate-host/terminate-host.ts';

const host: Orphan = {
  ...{ id: 'i-1', campaignId: 'c1', state: 'running' },
  ...{ expires: '2026-11-22T23:00:00Z', createdAt: '2026-11-22T11:00:00Z' },
};

function end(orphans: Orphan[], more: Partial<TerminateFrom> = {}) {
  const asked: Record<string, readonly string[]> = {};
  const ended = terminateHost('c1', {
    findOrphans: async () => orphans,
    terminate: async (ids) => {
      asked['terminate'] = ids;
      return [];
    },
    now: () => new Date('2026-11-22T12:00:00Z'),
    ...more,
  });
  return { ended, asked };
}

test('its hosts are ended, however much time is left', async () => {
  const { ended, asked } = end([host, { ...host, id: 'i-2', state: 'stopped' }]);
  expect(await ended).toEqual({ terminate: ['i-1', 'i-2'], endedAt: '2026-11-22T12:00:00.000Z' });
  expect(asked).toEqual({ terminate: ['i-1', 'i-2'] });
});

test('where nothing is there any more it has ended', async () => {
  const { ended } = end([{ ...host, state: 'shutting-down' }]);
  expect(await ended).toMatchObject({ terminate: [] });
});

test('where something stays it fails with every reason: it is tried again', async () => {
  const { ended } = end([host], { terminate: async () => ['i-1 may not be ended', 'nor i-2'] });
  await expect(ended).rejects.toThrow(Unreadable);
  await expect(ended).rejects.toThrow(/^i-1 may not be ended; nor i-2$/);
});
