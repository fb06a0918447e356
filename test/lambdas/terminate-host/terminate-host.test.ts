/** All that a cell has is ended, by its tags. */
import type { Orphan } from '../../../core/benchmark/campaign/clean-up.ts';
import { Unreadable } from '../../../core/errors.ts';
import { type TerminateFrom, terminateHost } from '../../../lambdas/terminate-host/terminate-host.ts';

const host: Orphan = {
  ...{ id: 'i-1', campaignId: 'c1', state: 'running', stateReason: null },
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
  expect(await ended).toEqual({
    ...{ terminate: ['i-1', 'i-2'], endedAt: '2026-11-22T12:00:00.000Z', hostEnded: null },
  });
  expect(asked).toEqual({ terminate: ['i-1', 'i-2'] });
});

test('where nothing is there any more it has ended', async () => {
  const { ended } = end([{ ...host, state: 'shutting-down' }]);
  expect(await ended).toMatchObject({ terminate: [] });
});

test.each([
  ['by EC2', 'Client.InternalError: Client error on launch', 'Client.InternalError: Client error on launch'],
  [
    'by its own time',
    'Client.InstanceInitiatedShutdown: Instance initiated shutdown',
    'Client.InstanceInitiatedShutdown: Instance initiated shutdown',
  ],
  ['by a request, which may have been ours', 'Client.UserInitiatedShutdown: User initiated shutdown', null],
  ['and EC2 does not say why', null, null],
])('a host that had ended before: %s', async (_, stateReason, hostEnded) => {
  const { ended } = end([{ ...host, state: 'terminated', stateReason }]);
  expect(await ended).toMatchObject({ terminate: [], hostEnded });
});

test('of a host that runs no reason is reported', async () => {
  const { ended } = end([{ ...host, stateReason: 'Server.Something: of its last start' }]);
  expect(await ended).toMatchObject({ terminate: ['i-1'], hostEnded: null });
});

test('where something stays it fails with every reason: it is tried again', async () => {
  const { ended } = end([host], { terminate: async () => ['i-1 may not be ended', 'nor i-2'] });
  await expect(ended).rejects.toThrow(Unreadable);
  await expect(ended).rejects.toThrow(/^i-1 may not be ended; nor i-2$/);
});
