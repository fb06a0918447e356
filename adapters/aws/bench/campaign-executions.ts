/** Campaigns as executions of the workflow. */
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { z } from 'zod';
import { type CellStep, commandStepSchema } from '../../../core/benchmark/campaign/commands.ts';
import { jsonOrNull } from '../../../core/json.ts';
import { reading } from '../failure.ts';

export interface ExecutionStatus {
  status: string;
  error: string | null;
  cause: string | null;
  startedAt: string | null;
  endedAt: string | null;
}

/** The ARN of an execution by that of its state machine and its name. */
export const executionArn = (stateMachineArn: string, name: string): string =>
  `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;

/** Null: there is none of that name, or it is more than 90 days old. */
export const executionStatus = (
  client: SFNClient,
  stateMachineArn: string,
  name: string,
): Promise<ExecutionStatus | null> =>
  reading('states:DescribeExecution', async () => {
    try {
      const { status, error, cause, startDate, stopDate } = await client.send(
        new DescribeExecutionCommand({ executionArn: executionArn(stateMachineArn, name) }),
      );
      return {
        status: status ?? '',
        error: error ?? null,
        cause: cause ?? null,
        startedAt: startDate?.toISOString() ?? null,
        endedAt: stopDate?.toISOString() ?? null,
      };
    } catch (error) {
      if (error instanceof ExecutionDoesNotExist) return null;
      throw error;
    }
  });

/** @returns false where there is a campaign of that name. */
export const startCampaign = (
  client: SFNClient,
  stateMachineArn: string,
  name: string,
  request: unknown,
): Promise<boolean> =>
  reading('states:StartExecution', async () => {
    try {
      await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(request) }));
      return true;
    } catch (error) {
      if (error instanceof ExecutionAlreadyExists) return false;
      throw error;
    }
  });

export interface ListedCampaign {
  campaignId: string;
  status: string;
  startedAt: string;
}

/** The newest first. */
export const listCampaigns = (
  client: SFNClient,
  stateMachineArn: string,
  most: number,
): Promise<ListedCampaign[]> =>
  reading('states:ListExecutions', async () => {
    const { executions } = await client.send(
      new ListExecutionsCommand({ stateMachineArn, maxResults: most }),
    );
    return (executions ?? []).map(({ name, status, startDate }) => ({
      campaignId: name ?? '',
      status: status ?? '',
      startedAt: startDate?.toISOString() ?? '',
    }));
  });

/** What the workflow hands to the function of a step. */
const scheduledSchema = z.object({
  Payload: z.object({
    cellId: z.string(),
    askedAt: z.string().optional(),
    instanceId: z.string().optional(),
    commandsDone: z.number().optional(),
    command: z.object({ step: commandStepSchema }).optional(),
  }),
});

function stepOf({
  askedAt,
  instanceId,
  commandsDone,
  command,
}: z.infer<typeof scheduledSchema>['Payload']): CellStep {
  if (command !== undefined) return command.step;
  if (askedAt !== undefined) return { code: 'launch-host' };
  if (instanceId !== undefined) return { code: 'wait-for-host' };
  return { code: commandsDone === undefined ? 'end-host' : 'choose-next' };
}

interface CellProgress {
  cellId: string;
  step: CellStep;
}

/** The newest events tell where each cell is. */
const maxEvents = 200;

/** What each cell is at, by the step that was begun last. */
export const cellProgress = (
  client: SFNClient,
  stateMachineArn: string,
  name: string,
): Promise<CellProgress[]> =>
  reading('states:GetExecutionHistory', async () => {
    const { events } = await client.send(
      new GetExecutionHistoryCommand({
        executionArn: executionArn(stateMachineArn, name),
        reverseOrder: true,
        maxResults: maxEvents,
        includeExecutionData: true,
      }),
    );
    const cells = new Map<string, CellStep>();
    for (const { taskScheduledEventDetails } of events ?? []) {
      const scheduled = scheduledSchema.safeParse(jsonOrNull(taskScheduledEventDetails?.parameters ?? ''));
      if (!scheduled.success || cells.has(scheduled.data.Payload.cellId)) continue;
      cells.set(scheduled.data.Payload.cellId, stepOf(scheduled.data.Payload));
    }
    return [...cells]
      .map(([cellId, step]) => ({ cellId, step }))
      .sort((a, b) => a.cellId.localeCompare(b.cellId));
  });
