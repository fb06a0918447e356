/** A host is on its way, there, or gone. */
import { NotYet } from '../../../core/errors.ts';
import { type FindFrom, findHost, HostGone } from '../../../lambdas/find-host/find-host.ts';
import { aCampaign } from '../../core/benchmark/campaign/campaigns.ts';

type Host = Awaited<ReturnType<FindFrom['findHosts']>>[number];

const names = ['f', 'g', 'h', 'i'].map((letter) => `/dev/sd${letter}`);
const host: Host = {
  ...{
    instanceId: 'i-1',
    state: 'running',
    stateReason: null,
    expiresAt: '2026-11-22T14:00:00Z',
    imageId: 'ami-1',
  },
  // EC2 lists them in any order.
  volumes: new Map([...names].reverse().map((name) => [name, `vol-of-${name.at(-1)}`])),
};

let recorded: string[][];
beforeEach(() => {
  recorded = [];
});

const find = (hosts: Host[], ping: string | null = 'Online', now = '2026-11-22T12:05:00Z') =>
  findHost(
    aCampaign(),
    'stripe-m1-large',
    { instanceId: 'i-1', launchedAt: '2026-11-22T12:00:00Z' },
    {
      findHosts: async () => hosts,
      record: async (volumeIds) => {
        recorded.push([...volumeIds]);
      },
      pingStatus: async () => ping,
      now: () => new Date(now),
    },
  );

test('its volumes are in the order of the stripe, whatever order EC2 has', async () => {
  expect(await find([{ ...host, instanceId: 'i-0' }, host])).toEqual({
    ...{ instanceId: 'i-1', imageId: 'ami-1' },
    volumeIds: ['vol-of-f', 'vol-of-g', 'vol-of-h', 'vol-of-i'],
    expiresAt: '2026-11-22T14:00:00Z',
  });
});

test('its volumes are recorded before its agent comes, the root volume too', async () => {
  const volumes = new Map([['/dev/xvda', 'vol-root'], ...host.volumes]);
  await expect(find([{ ...host, volumes }], null)).rejects.toThrow(NotYet);
  expect(recorded).toEqual([['vol-root', 'vol-of-i', 'vol-of-h', 'vol-of-g', 'vol-of-f']]);
});

test.each<[string, Host[], string | null, RegExp]>([
  ['it begins', [{ ...host, state: 'pending' }], 'Online', /^i-1 is pending$/],
  [
    'volumes are missing',
    [{ ...host, volumes: new Map([['/dev/sdf', 'vol-1']]) }],
    'Online',
    /^i-1 has 1 of 4 volumes$/,
  ],
  [
    'its agent has not come',
    [host],
    null,
    /Systems Manager does not know it: it needs a way to Systems Manager/,
  ],
  ['its agent was lost', [host], 'ConnectionLost', /Systems Manager says ConnectionLost/],
])('looked for again: %s', async (_, hosts, ping, message) => {
  const finding = find(hosts, ping);
  await expect(finding).rejects.toThrow(NotYet);
  await expect(finding).rejects.toThrow(message);
});

test('EC2 may list it a little late; after two minutes it is gone', async () => {
  await expect(find([], 'Online', '2026-11-22T12:01:59Z')).rejects.toThrow(
    new NotYet('i-1 is not listed yet'),
  );
  const gone = find([], 'Online', '2026-11-22T12:02:00Z');
  await expect(gone).rejects.toThrow(HostGone);
  await expect(gone).rejects.toThrow('i-1 is not there any more: EC2 or somebody has ended it');
});

test.each([
  [
    'terminated',
    'Client.InternalError: Client error on launch',
    'i-1 is terminated: Client.InternalError: Client error on launch',
  ],
  ['shutting-down', null, 'i-1 is shutting-down: EC2 does not say why'],
  [
    'stopped',
    'Server.ScheduledStop: Stopped by a schedule',
    'i-1 is stopped: Server.ScheduledStop: Stopped by a schedule',
  ],
])('one that is %s will not come, and EC2 says why', async (state, stateReason, message) => {
  const finding = find([{ ...host, state, stateReason }]);
  await expect(finding).rejects.toThrow(HostGone);
  await expect(finding).rejects.toThrow(new Error(message));
});

test('without its tag nobody knows how long it may work: it is given up', async () => {
  const finding = find([{ ...host, expiresAt: null }]);
  await expect(finding).rejects.toThrow(HostGone);
  await expect(finding).rejects.toThrow('lost its tag of when it ends');
});

test('workflows tell them by their names', () => {
  expect([new NotYet('').name, new HostGone('').name]).toEqual(['NotYet', 'HostGone']);
});
