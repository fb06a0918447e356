/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import { setTimeout as passed } from 'node:timers/promises';
import { InvokeCommand, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { DescribeExecutionCommand, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { askLogs, eventually, type MiniStack } from './ministack.ts';
import { create, physicalId, remove } from './stacks.ts';
import { bucket, json, pass, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

const role = {
  Role: {
    Type: 'AWS::IAM::Role',
    Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } },
  },
};
const RoleArn = { 'Fn::GetAtt': ['Role', 'Arn'] };

describe('an execution', () => {
  const waits = {
    StartAt: 'Wait',
    QueryLanguage: 'JSONata',
    States: { Wait: { Type: 'Wait', Seconds: 3, Next: 'End' }, End: pass() },
  };
  const machine = {
    ...role,
    Machine: {
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: { RoleArn, DefinitionString: json(waits) },
    },
  };

  async function endOf(server: MiniStack): Promise<string> {
    await create(server, 'machine', machine);
    const stateMachineArn = await physicalId(server, 'machine', 'Machine');
    const { executionArn } = await server.sfn.send(new StartExecutionCommand({ stateMachineArn }));
    await passed(1_000); // until it waits
    expect(await remove(server, 'machine')).toBe('GONE');
    return eventually(async () => {
      const { status } = await server.sfn.send(new DescribeExecutionCommand({ executionArn }));
      return status === 'RUNNING' ? undefined : status;
    });
  }

  test('goes on after its state machine is deleted, without its patch', async () => {
    expect(await endOf(servers.stock)).toBe('SUCCEEDED');
  });

  test('ends with it', async () => {
    expect(await endOf(servers.patched)).toBe('ABORTED');
  });
});

describe('a function that runs', () => {
  const code = `
    exports.handler = async ({ url }) => {
      await new Promise((resolve) => setTimeout(resolve, 4000));
      await fetch(url, { method: 'PUT', body: 'late' });
    };`;
  const late = {
    ...role,
    Late: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Role: RoleArn,
        Timeout: 20,
        Code: { ZipFile: code },
      },
    },
  };

  async function writesAfterwards(server: MiniStack): Promise<boolean> {
    await create(server, 'late', late);
    const FunctionName = await physicalId(server, 'late', 'Late');
    const Payload = json({ url: `${server.url}/${bucket}/late` });
    const ended = server.lambda.send(new InvokeCommand({ FunctionName, Payload })).catch(() => {});
    await passed(1_500); // until it runs
    expect(await remove(server, 'late')).toBe('GONE');
    await ended;
    const { KeyCount } = await server.s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'late' }));
    return KeyCount === 1;
  }

  test('goes on after its function is deleted, without its patch', async () => {
    expect(await writesAfterwards(servers.stock)).toBe(true);
  });

  test('ends with it', async () => {
    expect(await writesAfterwards(servers.patched)).toBe(false);
  });
});

describe('a log group that is gone', () => {
  async function comesBack(server: MiniStack): Promise<boolean> {
    const FunctionName = await server.deploy('logs', 'console.log("late");');
    const LoggingConfig = { LogGroup: 'gone' };
    await server.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, LoggingConfig }));
    await server.lambda.send(new InvokeCommand({ FunctionName }));
    const groups = await askLogs(server, 'DescribeLogGroups', { logGroupNamePrefix: 'gone' });
    return groups.includes('"gone"');
  }

  test('comes back with a late line, without its patch', async () => {
    expect(await comesBack(servers.stock)).toBe(true);
  });

  test('stays gone', async () => {
    expect(await comesBack(servers.patched)).toBe(false);
  });
});
