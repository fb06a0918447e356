/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import { CreateStackCommand, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { eventually, type MiniStack } from './ministack.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

describe('an alarm on metric math', () => {
  const stat = (MetricName: string): object => ({
    Id: MetricName.toLowerCase(),
    ReturnData: false,
    MetricStat: { Metric: { Namespace: 'AWS/States', MetricName }, Period: 300, Stat: 'Sum' },
  });
  const TemplateBody = json({
    Resources: {
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          Metrics: [
            { Id: 'sum', Expression: 'failed + lost', ReturnData: true },
            stat('Failed'),
            stat('Lost'),
          ],
          EvaluationPeriods: 1,
          Threshold: 1,
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        },
      },
    },
  });
  const deployed = async ({ cloudFormation }: MiniStack) => {
    await cloudFormation.send(new CreateStackCommand({ StackName: 'alarms', TemplateBody }));
    const ask = new DescribeStacksCommand({ StackName: 'alarms' });
    return eventually(async () => {
      const { Stacks } = await cloudFormation.send(ask);
      const status = Stacks?.[0]?.StackStatus;
      return status?.endsWith('IN_PROGRESS') ? undefined : status;
    });
  };

  test('cannot be deployed without its patch', async () => {
    expect(await deployed(servers.stock)).toBe('ROLLBACK_COMPLETE');
  });

  test('is deployed', async () => {
    expect(await deployed(servers.patched)).toBe('CREATE_COMPLETE');
  });
});
