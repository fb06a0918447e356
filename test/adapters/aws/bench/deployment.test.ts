/** The benchmark beside a stack, by the outputs of its own. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { findDeployment } from '../../../../adapters/aws/bench/deployment.ts';
import { AccessDenied, BadInput } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const cloudFormation = mockClient(CloudFormationClient);
const find = () => findDeployment({ region: 'us-east-1' }, 'Stripewise');
const outputs = (values: Record<string, string>) => ({
  Stacks: [
    { Outputs: Object.entries(values).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })) },
  ],
});

beforeEach(() => {
  cloudFormation.reset();
});

test('its bucket and its state machine', async () => {
  const asked = answerInTurn(cloudFormation.on(DescribeStacksCommand), [
    outputs({ RunsBucket: 'runs', BenchStateMachine: 'arn:of-it', Dashboard: 'other' }),
  ]);
  expect(await find()).toEqual({ bucket: 'runs', stateMachineArn: 'arn:of-it' });
  expect(asked).toEqual([{ StackName: 'Stripewise-Bench' }]);
});

test.each<[string, object, RegExp]>([
  [
    'no stack',
    awsError('ValidationError', 'Stack with id Stripewise-Bench does not exist'),
    /^there is no stack Stripewise-Bench in us-east-1: put a section benchmark into the configuration and deploy again, or give --region and --stack \(docs/,
  ],
  [
    'a stack of something else',
    outputs({ RunsBucket: 'runs' }),
    /^the stack Stripewise-Bench in us-east-1 is no benchmark of stripewise, or was not deployed to its end: deploy again$/,
  ],
  ['a stack without anything', { Stacks: [] }, /is no benchmark of stripewise/],
])('%s is bad input, with what would be right', async (_, reply, line) => {
  answerInTurn(cloudFormation.on(DescribeStacksCommand), [reply]);
  const finding = find();
  await expect(finding).rejects.toThrow(BadInput);
  await expect(finding).rejects.toThrow(line);
});

test('a refusal names the call', async () => {
  cloudFormation.on(DescribeStacksCommand).rejects(awsError('AccessDenied', 'No.', 403));
  const finding = find();
  await expect(finding).rejects.toThrow(AccessDenied);
  await expect(finding).rejects.toThrow(
    'cloudformation:DescribeStacks in us-east-1 failed: AccessDenied: No.',
  );
});
