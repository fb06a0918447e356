/** A command is sent once, however often it is asked for; and whoever waits for its end is reported. */
import {
  commentOf,
  HostLost,
  OutOfTime,
  type RunCommand,
  type RunFrom,
  runCommand,
} from '../../../lambdas/run-command/run-command.ts';

const run: RunCommand = {
  ...{ campaignId: 'c1', cellId: 'stripe-m1-large', commandsDone: 3 },
  command: {
    step: { code: 'measure-load', inFlight: 16, runId: 'r1' },
    document: 'measure-load',
    parameters: { seconds: '20' },
  },
  hostExpiresAt: '2026-11-22T14:00:00Z',
};

function notified(more: Partial<RunFrom> = {}) {
  const calls: unknown[][] = [];
  const from: RunFrom = {
    findCommand: async (comment) => {
      calls.push(['find', comment]);
      return null;
    },
    sendCommand: async ({ document }, comment) => {
      calls.push(['send', document, comment]);
      return 'command-1';
    },
    rememberWaiting: async (commandId) => {
      calls.push(['remember', commandId]);
    },
    commandEnd: async () => null,
    pingStatus: async () => 'Online',
    answer: async (end) => {
      calls.push(['answer', end]);
    },
    now: () => new Date('2026-11-22T13:59:59Z'),
    ...more,
  };
  return { calls, from };
}

test('it is sent, and who waits is remembered before anybody looks whether it has ended', async () => {
  const { calls, from } = notified();
  expect(await runCommand(run, from)).toEqual({ commandId: 'command-1', ended: false });
  expect(calls).toEqual([
    ['find', '3 stripe-m1-large c1'],
    ['send', 'measure-load', '3 stripe-m1-large c1'],
    ['remember', 'command-1'],
  ]);
});

test('one that was sent before is not sent again', async () => {
  const { calls, from } = notified({ findCommand: async () => 'command-0' });
  expect(await runCommand(run, from)).toEqual({ commandId: 'command-0', ended: false });
  expect(calls).toEqual([['remember', 'command-0']]);
});

test.each([{ succeeded: true } as const, { succeeded: false, reason: 'Failed: no disk' } as const])(
  'one that has ended by now is answered at once: %j',
  async (end) => {
    const { calls, from } = notified({ findCommand: async () => 'command-0', commandEnd: async () => end });
    expect(await runCommand(run, from)).toEqual({ commandId: 'command-0', ended: true });
    expect(calls.at(-1)).toEqual(['answer', end]);
  },
);

test.each([null, 'ConnectionLost', 'Inactive'])('a host that does not answer (%p) is lost', async (ping) => {
  const { from } = notified({ findCommand: async () => 'command-0', pingStatus: async () => ping });
  await expect(runCommand(run, from)).rejects.toThrow(HostLost);
});

test('right after sending nobody asks for the host: it was there a moment ago', async () => {
  const { from } = notified({ pingStatus: async () => null });
  expect(await runCommand(run, from)).toEqual({ commandId: 'command-1', ended: false });
});

test('what has ended counts, even if its host is lost by now', async () => {
  const { from } = notified({
    ...{ findCommand: async () => 'command-0', pingStatus: async () => null },
    commandEnd: async () => ({ succeeded: true }),
  });
  expect(await runCommand(run, from)).toEqual({ commandId: 'command-0', ended: true });
});

test('a host whose time is over is reported nothing more', async () => {
  const { calls, from } = notified({ now: () => new Date('2026-11-22T14:00:00Z') });
  const late = runCommand(run, from);
  await expect(late).rejects.toThrow(OutOfTime);
  await expect(late).rejects.toThrow('the host may live until 2026-11-22T14:00:00Z');
  expect(calls).toEqual([]);
});

test('of the longest names the comment still tells commands and cells apart', () => {
  const long = { ...run, campaignId: 'c'.repeat(64), cellId: 's'.repeat(64) };
  expect(commentOf(long)).toHaveLength(100); // SSM's most
  expect(commentOf(long)).toMatch(/^3 s{64} c+$/);
  expect(commentOf({ ...long, commandsDone: 4 })).not.toBe(commentOf(long));
});

test('workflows tell them by their names', () => {
  expect([new HostLost('').name, new OutOfTime('').name]).toEqual(['HostLost', 'OutOfTime']);
});
