/** Campaigns as executions: started once, and what each is at. */
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import {
  cellProgress,
  executionArn,
  executionStatus,
  listCampaigns,
  startCampaign,
} from '../../../../adapters/aws/bench/campaign-executions.ts';
import { AccessDenied } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const states = mockClient(SFNClient);
const client = new SFNClient({ region: 'us-east-1' });
const machine = 'arn:aws:states:us-east-1:111122223333:stateMachine:Campaigns-Xy';
const execution = 'arn:aws:states:us-east-1:111122223333:execution:Campaigns-Xy:c1';

beforeEach(() => {
  states.reset();
});

test('the ARN of an execution follows from its name', () => {
  expect(executionArn(machine, 'c1')).toBe(execution);
});

test('how it ended, and why', async () => {
  const asked = answerInTurn(states.on(DescribeExecutionCommand), [
    {
      ...{ status: 'FAILED', error: 'NothingMeasured', cause: 'no cell' },
      ...{ startDate: new Date('2026-11-22T12:00:00Z'), stopDate: new Date('2026-11-22T12:30:00Z') },
    },
    { status: 'RUNNING' },
  ]);
  expect(await executionStatus(client, machine, 'c1')).toEqual({
    ...{ status: 'FAILED', error: 'NothingMeasured', cause: 'no cell' },
    ...{ startedAt: '2026-11-22T12:00:00.000Z', endedAt: '2026-11-22T12:30:00.000Z' },
  });
  expect(asked).toEqual([{ executionArn: execution }]);
  expect(await executionStatus(client, machine, 'c1')).toEqual({
    ...{ status: 'RUNNING', error: null, cause: null, startedAt: null, endedAt: null },
  });
});

test('none of that name is null; what may not be read is no null', async () => {
  answerInTurn(states.on(DescribeExecutionCommand), [
    new ExecutionDoesNotExist({ message: 'none', $metadata: {} }),
    awsError('AccessDeniedException', 'No.'),
  ]);
  expect(await executionStatus(client, machine, 'c1')).toBeNull();
  await expect(executionStatus(client, machine, 'c1')).rejects.toThrow(AccessDenied);
});

test('a campaign is an execution of its name with the request as its input', async () => {
  const asked = answerInTurn(states.on(StartExecutionCommand), [
    { executionArn: execution },
    new ExecutionAlreadyExists({ message: 'there is one', $metadata: {} }),
  ]);
  expect(await startCampaign(client, machine, 'c1', { ceilingUsd: 5 })).toBe(true);
  expect(asked).toEqual([{ stateMachineArn: machine, name: 'c1', input: '{"ceilingUsd":5}' }]);
  expect(await startCampaign(client, machine, 'c1', { ceilingUsd: 6 })).toBe(false);
});

test('so many of the newest are listed', async () => {
  const asked = answerInTurn(states.on(ListExecutionsCommand), [
    { executions: [{ name: 'c2', status: 'RUNNING', startDate: new Date('2026-11-22T12:00:00Z') }] },
    {},
  ]);
  expect(await listCampaigns(client, machine, 20)).toEqual([
    { campaignId: 'c2', status: 'RUNNING', startedAt: '2026-11-22T12:00:00.000Z' },
  ]);
  expect(asked).toEqual([{ stateMachineArn: machine, maxResults: 20 }]);
  expect(await listCampaigns(client, machine, 20)).toEqual([]);
});

describe('what each cell is at', () => {
  const scheduled = (Payload: object) => ({
    taskScheduledEventDetails: { parameters: JSON.stringify({ FunctionName: 'f', Payload }) },
  });

  const measure = { code: 'measure-load', inFlight: 16, runId: 'p2' };

  test('is the step that was begun last: events come newest first', async () => {
    const asked = answerInTurn(states.on(GetExecutionHistoryCommand), [
      {
        events: [
          scheduled({ campaignId: 'c1', cellId: 'b', commandsDone: 2, command: { step: measure } }),
          { taskSucceededEventDetails: { output: '{}' } },
          scheduled({ campaignId: 'c1', cellId: 'b', commandsDone: 2 }),
          scheduled({ campaignId: 'c1', cellId: 'a', instanceId: 'i-1', launchedAt: '2026-11-22T12:00:00Z' }),
          scheduled({ campaignId: 'c1', cellId: 'a', askedAt: '2026-11-22T12:00:00Z' }),
        ],
      },
    ]);
    expect(await cellProgress(client, machine, 'c1')).toEqual([
      { cellId: 'a', step: { code: 'wait-for-host' } },
      { cellId: 'b', step: measure },
    ]);
    expect(asked).toMatchObject([
      { executionArn: execution, reverseOrder: true, includeExecutionData: true },
    ]);
  });

  test.each([
    [{ askedAt: '2026-11-22T12:00:00Z' }, 'launch-host'],
    [{ instanceId: 'i-1' }, 'wait-for-host'],
    [{ commandsDone: 0 }, 'choose-next'],
    [{ commandsDone: 1, command: { step: { code: 'build-stripe' } } }, 'build-stripe'],
    [{}, 'end-host'],
  ])('%j: %s', async (payload, code) => {
    states
      .on(GetExecutionHistoryCommand)
      .resolves({ events: [scheduled({ cellId: 'a', ...payload }) as never] });
    expect(await cellProgress(client, machine, 'c1')).toEqual([{ cellId: 'a', step: { code } }]);
  });

  test('steps of the whole campaign, and what cannot be read, are of no cell', async () => {
    const events = [
      scheduled({ campaignId: 'c1', cells: [] }),
      { taskScheduledEventDetails: { parameters: '{' } },
      {},
    ];
    states.on(GetExecutionHistoryCommand).resolves({ events: events as never });
    expect(await cellProgress(client, machine, 'c1')).toEqual([]);
  });
});
