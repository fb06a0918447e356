/** A command to a host: sent, found again by its comment, and how it ended. */
import {
  GetCommandInvocationCommand,
  InvocationDoesNotExist,
  ListCommandsCommand,
  SendCommandCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { commandEnd, findCommand, sendCommand } from '../../../../adapters/aws/bench/host-commands.ts';
import { Throttled, Unavailable, Unreadable } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const ssm = mockClient(SSMClient);
const client = new SSMClient({ region: 'us-east-1' });
const command = {
  ...{ region: 'us-east-1', instanceId: 'i-1', documentName: 'Stripewise-MeasureLoad' },
  ...{ parameters: { seconds: '20', iops: '' }, comment: '3 stripe-m5-large c1' },
};

beforeEach(() => {
  ssm.reset();
});

describe('sending', () => {
  test('the newest version of its document, to this host, with its comment', async () => {
    const asked = answerInTurn(ssm.on(SendCommandCommand), [{ Command: { CommandId: 'command-1' } }]);
    expect(await sendCommand(client, command)).toBe('command-1');
    expect(asked).toEqual([
      {
        ...{ DocumentName: 'Stripewise-MeasureLoad', DocumentVersion: '$LATEST', InstanceIds: ['i-1'] },
        ...{ Parameters: { seconds: ['20'], iops: [''] }, Comment: '3 stripe-m5-large c1' },
        TimeoutSeconds: 120,
      },
    ]);
  });

  test('a reply without a command is an error, and so is what SSM refuses', async () => {
    answerInTurn(ssm.on(SendCommandCommand), [{}, awsError('ThrottlingException', 'Rate exceeded')]);
    await expect(sendCommand(client, command)).rejects.toThrow(
      new Unreadable('ssm:SendCommand in us-east-1 named no command'),
    );
    await expect(sendCommand(client, command)).rejects.toThrow(Throttled);
  });
});

describe('finding one that was sent', () => {
  const sent = (CommandId: string, Comment: string | undefined, minute: number) => ({
    ...{ CommandId, Comment, RequestedDateTime: new Date(Date.UTC(2026, 10, 22, 12, minute)) },
  });

  test('the newest with this very comment', async () => {
    const asked = answerInTurn(ssm.on(ListCommandsCommand), [
      {
        Commands: [
          sent('old', command.comment, 1),
          sent('new', command.comment, 3),
          sent('other', '13 stripe-m5-large c1', 4),
          sent('without', undefined, 5),
        ],
      },
    ]);
    expect(await findCommand(client, command)).toBe('new');
    expect(asked).toEqual([{ InstanceId: 'i-1', MaxResults: 50 }]);
  });

  test('none was sent', async () => {
    ssm.on(ListCommandsCommand).resolves({ Commands: [] });
    expect(await findCommand(client, command)).toBeNull();
  });

  test('a reply without a list does not say that: it would be sent twice', async () => {
    ssm.on(ListCommandsCommand).resolves({});
    await expect(findCommand(client, command)).rejects.toThrow(Unavailable);
  });
});

describe('its end', () => {
  const end = (reply: object) => {
    answerInTurn(ssm.on(GetCommandInvocationCommand), [reply]);
    return commandEnd(client, 'us-east-1', 'command-1', 'i-1');
  };

  test.each(['Pending', 'InProgress', 'Delayed', 'Cancelling'])('%s is none', async (Status) => {
    expect(await end({ Status })).toBeNull();
  });

  test('nor is one that is not known yet', async () => {
    expect(await end(new InvocationDoesNotExist({ message: '', $metadata: {} }))).toBeNull();
  });

  test('it succeeded', async () => {
    expect(await end({ Status: 'Success', StandardErrorContent: 'a warning' })).toEqual({ succeeded: true });
  });

  test('it failed: what its script said last', async () => {
    const StandardErrorContent = 'step 1\nstep 2\nrun-fio: the directory /srv/data is not mounted\n';
    expect(await end({ Status: 'Failed', StatusDetails: 'Failed', StandardErrorContent })).toEqual({
      succeeded: false,
      reason: 'Failed: run-fio: the directory /srv/data is not mounted',
    });
  });

  test('it was not delivered: nothing was said', async () => {
    expect(await end({ Status: 'TimedOut', StatusDetails: 'DeliveryTimedOut' })).toEqual({
      succeeded: false,
      reason: 'DeliveryTimedOut',
    });
  });

  test('text of a host is sanitized, and no longer than 600 characters', async () => {
    const StandardErrorContent = `\u001b[31m${'x'.repeat(10_000)}`;
    const found = await end({ Status: 'Failed', StatusDetails: 'Failed', StandardErrorContent });
    const reason = found?.succeeded === false ? found.reason : '';
    expect(reason).toMatch(/^Failed: \\u\{1b\}\[31mx+…$/);
    expect([...reason].length).toBeLessThanOrEqual(620);
  });

  test('what SSM refuses is said', async () => {
    await expect(end(awsError('InternalServerError', 'Oops.', 500))).rejects.toThrow(
      'ssm:GetCommandInvocation in us-east-1 failed: InternalServerError: Oops.',
    );
  });
});
