/** Events of commands: of ours and of others, once or twice, early or late. */
import { type EndFrom, endCommand } from '../../../lambdas/end-command/end-command.ts';

const succeeded = { succeeded: true } as const;

function end(more: Partial<EndFrom> = {}) {
  const calls: unknown[][] = [];
  const outcome = endCommand('command-1', {
    whoWaits: async () => ({ instanceId: 'i-1', taskToken: 'token-1' }),
    commandEnd: async (commandId, instanceId) => {
      calls.push(['end of', commandId, instanceId]);
      return succeeded;
    },
    answer: async (taskToken, how) => {
      calls.push(['answer', taskToken, how]);
      return true;
    },
    forget: async (commandId) => {
      calls.push(['forget', commandId]);
    },
    ...more,
  });
  return outcome.then((what) => ({ what, calls }));
}

test('who waits is reported, and then forgotten', async () => {
  expect(await end()).toEqual({
    what: 'notified',
    calls: [
      ['end of', 'command-1', 'i-1'],
      ['answer', 'token-1', succeeded],
      ['forget', 'command-1'],
    ],
  });
});

test('of a command of somebody else nothing is asked', async () => {
  expect(await end({ whoWaits: async () => null })).toEqual({ what: 'nobody-waits', calls: [] });
});

test('an event that is early ends nothing: who waits stays', async () => {
  expect(await end({ commandEnd: async () => null })).toEqual({ what: 'not-ended', calls: [] });
});

test('one that failed is reported with its reason', async () => {
  const failed = { succeeded: false, reason: 'Failed: no disk' } as const;
  const { what, calls } = await end({ commandEnd: async () => failed });
  expect([what, calls[0]]).toEqual(['notified', ['answer', 'token-1', failed]]);
});

test('where nobody listens any more it is forgotten too', async () => {
  expect(await end({ answer: async () => false })).toMatchObject({
    what: 'too-late',
    calls: [
      ['end of', 'command-1', 'i-1'],
      ['forget', 'command-1'],
    ],
  });
});

test('an answer that does not get through forgets nobody: the event comes again', async () => {
  const calls: string[] = [];
  const ended = end({
    answer: async () => {
      throw new Error('throttled');
    },
    forget: async (commandId) => {
      calls.push(commandId);
    },
  });
  await expect(ended).rejects.toThrow('throttled');
  expect(calls).toEqual([]);
});
