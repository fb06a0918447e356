/** The execution of a change, and the parameter that stops all of them. */
import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { GetParameterCommand, PutParameterCommand, type SSMClient } from '@aws-sdk/client-ssm';
import { Unreadable } from '../../core/errors.ts';
import { killSwitches } from '../../core/schemas/changes-answers.ts';
import type { VolumeChange } from '../../core/schemas/volume-change.ts';
import { reading } from './failure.ts';

/** Under the id of the change: one of the same id is started once. */
export const startChange = (
  client: SFNClient,
  stateMachineArn: string,
  change: VolumeChange,
): Promise<void> =>
  reading('states:StartExecution', async () => {
    const input = JSON.stringify({ id: change.id, change });
    try {
      await client.send(new StartExecutionCommand({ stateMachineArn, name: change.id, input }));
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  });

type KillSwitch = (typeof killSwitches)[number];

/** @throws Unreadable where it says neither: nothing begins then. */
export async function readKillSwitch(client: SSMClient, Name: string): Promise<KillSwitch> {
  const { Parameter } = await reading('ssm:GetParameter', () =>
    client.send(new GetParameterCommand({ Name })),
  );
  const said = killSwitches.find((one) => one === Parameter?.Value?.trim());
  if (said === undefined)
    throw new Unreadable(`the parameter ${Name} says neither ${killSwitches.join(' nor ')}`);
  return said;
}

export async function writeKillSwitch(client: SSMClient, Name: string, Value: KillSwitch): Promise<void> {
  await reading('ssm:PutParameter', () =>
    client.send(new PutParameterCommand({ Name, Value, Type: 'String', Overwrite: true })),
  );
}
