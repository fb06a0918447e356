/** Commands to hosts of a campaign: sent once, found again, and how they ended. */
import {
  GetCommandInvocationCommand,
  InvocationDoesNotExist,
  ListCommandsCommand,
  SendCommandCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import { Unreadable } from '../../../core/errors.ts';
import { sanitizeFirstLine } from '../../../core/sanitize.ts';
import { reading } from '../failure.ts';
import { listed } from '../garbled.ts';

export interface HostCommand {
  region: string;
  instanceId: string;
  /** Name or ARN. */
  documentName: string;
  parameters: Readonly<Record<string, string>>;
  /** By it the command is found again; 100 characters at most. */
  comment: string;
}

/** For an agent to take the command. */
const deliverySeconds = 120;

/** @returns the id of the command. */
export const sendCommand = (
  client: SSMClient,
  { region, instanceId, documentName, parameters, comment }: HostCommand,
): Promise<string> =>
  reading(`ssm:SendCommand in ${region}`, async () => {
    const { Command } = await client.send(
      new SendCommandCommand({
        DocumentName: documentName,
        // As the stack made it last, whichever version is called the default.
        DocumentVersion: '$LATEST',
        InstanceIds: [instanceId],
        Parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, [value]])),
        Comment: comment,
        TimeoutSeconds: deliverySeconds,
      }),
    );
    if (Command?.CommandId === undefined)
      throw new Unreadable(`ssm:SendCommand in ${region} named no command`);
    return Command.CommandId;
  });

/** The newest with this comment; null where none was sent. Hosts of campaigns have few commands: one page holds them. */
export const findCommand = (
  client: SSMClient,
  { region, instanceId, comment }: Pick<HostCommand, 'region' | 'instanceId' | 'comment'>,
): Promise<string | null> =>
  reading(`ssm:ListCommands in ${region}`, async () => {
    const { Commands } = await client.send(
      new ListCommandsCommand({ InstanceId: instanceId, MaxResults: 50 }),
    );
    const same = listed(Commands, 'commands').filter(({ Comment }) => Comment === comment);
    const [newest] = same.sort(
      (a, b) => (b.RequestedDateTime?.getTime() ?? 0) - (a.RequestedDateTime?.getTime() ?? 0),
    );
    return newest?.CommandId ?? null;
  });

/** How it ended; what a script that failed said last. Null: it has not ended. */
export type CommandEnd = { succeeded: true } | { succeeded: false; reason: string } | null;

const unfinished = new Set(['Pending', 'InProgress', 'Delayed', 'Cancelling']);
const maxCharacters = 600;

export const commandEnd = (
  client: SSMClient,
  region: string,
  commandId: string,
  instanceId: string,
): Promise<CommandEnd> =>
  reading(`ssm:GetCommandInvocation in ${region}`, async () => {
    try {
      const { Status, StatusDetails, StandardErrorContent } = await client.send(
        new GetCommandInvocationCommand({ CommandId: commandId, InstanceId: instanceId }),
      );
      if (unfinished.has(Status ?? 'Pending')) return null;
      if (Status === 'Success') return { succeeded: true };
      // Scripts say in their last line why they failed.
      const said = (StandardErrorContent ?? '').trim().split('\n').at(-1) ?? '';
      return {
        succeeded: false,
        reason: sanitizeFirstLine(
          `${StatusDetails || Status}${said === '' ? '' : `: ${said}`}`,
          maxCharacters,
        ),
      };
    } catch (error) {
      // A command that was just sent may not be known yet.
      if (error instanceof InvocationDoesNotExist) return null;
      throw error;
    }
  });
