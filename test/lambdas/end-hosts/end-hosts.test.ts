/** What becomes of hosts when the stack of the benchmark is deleted while they run. */
import type { Orphan } from '../../../core/benchmark/campaign/clean-up.ts';
import { type EndFrom, endHosts } from '../../../lambdas/end-hosts/end-hosts.ts';

/** Hosts that shut down for two looks. */
function hostsOf(states: Record<string, string>, use: Partial<EndFrom> = {}) {
  const there = new Map(Object.entries(states).map(([id, state]) => [id, { state, looks: 0 }]));
  const terminated: string[][] = [];
  const from: EndFrom = {
    findOrphans: async () =>
      [...there].map(([id, host]): Orphan => {
        if (host.state === 'shutting-down' && ++host.looks > 2) host.state = 'terminated';
        const ofNobody = {
          campaignId: 'c1',
          expires: null,
          createdAt: '2026-11-25T00:00:00Z',
          stateReason: null,
        };
        return { id, state: host.state, ...ofNobody };
      }),
    terminate: async (ids) => {
      if (ids.length > 0) terminated.push([...ids]);
      for (const id of ids) there.set(id, { state: 'shutting-down', looks: 0 });
      return [];
    },
    wait: async () => {},
    remainingMs: () => 300_000,
    ...use,
  };
  return { there, terminated, from };
}

test('every host is terminated once, and gone before the stack goes on', async () => {
  const { there, terminated, from } = hostsOf({ 'i-1': 'running', 'i-2': 'pending', 'i-3': 'terminated' });
  expect(await endHosts('Delete', from)).toEqual({
    status: 'SUCCESS',
    reason: 'no host is left: 2 were terminated',
  });
  expect(terminated).toEqual([['i-1', 'i-2']]);
  expect([...there.values()].map(({ state }) => state)).toEqual(['terminated', 'terminated', 'terminated']);
});

test('one that shuts down already is waited for', async () => {
  const { terminated, from } = hostsOf({ 'i-1': 'shutting-down' });
  expect(await endHosts('Delete', from)).toMatchObject({ status: 'SUCCESS' });
  expect(terminated).toEqual([]);
});

test.each(['Create', 'Update'] as const)('nothing is touched at %s', async (request) => {
  const { terminated, from } = hostsOf({ 'i-1': 'running' });
  expect(await endHosts(request, from)).toMatchObject({ status: 'SUCCESS' });
  expect(terminated).toEqual([]);
});

test('one that cannot be terminated stops the removal, with the reason', async () => {
  const reason = 'ec2:TerminateInstances of i-1 in us-east-1 failed: OperationNotPermitted';
  const { from } = hostsOf({ 'i-1': 'running' }, { terminate: async () => [reason] });
  expect(await endHosts('Delete', from)).toEqual({ status: 'FAILED', reason });
});

test('so does a look that fails, and time that is over', async () => {
  const refused = hostsOf(
    {},
    { findOrphans: () => Promise.reject(new Error('ec2:DescribeInstances failed')) },
  );
  expect(await endHosts('Delete', refused.from)).toEqual({
    status: 'FAILED',
    reason: 'ec2:DescribeInstances failed',
  });
  const late = hostsOf({ 'i-1': 'running' }, { remainingMs: () => 20_000 });
  expect(await endHosts('Delete', late.from)).toEqual({
    status: 'FAILED',
    reason: 'time is over and i-1 shut down still: delete the stack again',
  });
});
