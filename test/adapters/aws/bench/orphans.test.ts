/** Hosts that are left of campaigns, and how they are ended. */
import { DescribeInstancesCommand, EC2Client, TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { findOrphans, terminateInstances } from '../../../../adapters/aws/bench/orphans.ts';
import { AccessDenied, Unavailable } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const ec2 = mockClient(EC2Client);
const client = new EC2Client({ region: 'us-east-1' });

beforeEach(() => {
  ec2.reset();
});

const profile = 'arn:aws:iam::111122223333:instance-profile/hosts';
const origin = { launchTemplateIds: { x86_64: 'lt-1', arm64: 'lt-2' }, instanceProfileArn: profile };
const fromTemplate = { Key: 'aws:ec2launchtemplate:id', Value: 'lt-1' };
const tags = (campaignId: string, expires?: string) => [
  fromTemplate,
  { Key: 'stripewise:campaign', Value: campaignId },
  ...(expires === undefined ? [] : [{ Key: 'stripewise:expires', Value: expires }]),
];
const instance = (id: string, Tags = tags('c-1', '2026-11-22T12:00:00Z')) => ({
  ...{ InstanceId: id, State: { Name: 'running' }, LaunchTime: new Date('2026-11-22T10:00:00Z'), Tags },
  IamInstanceProfile: { Arn: profile },
});

describe('finding', () => {
  test('instances of every page, each once', async () => {
    const instances = answerInTurn(ec2.on(DescribeInstancesCommand), [
      { Reservations: [{ Instances: [instance('i-1')] }], NextToken: 'two' },
      { Reservations: [{ Instances: [instance('i-1'), instance('i-2')] }, {}] },
    ]);
    const found = await findOrphans(client, 'us-east-1', origin, {});
    expect(found.map(({ id }) => id)).toEqual(['i-1', 'i-2']);
    expect(instances[1]).toMatchObject({ NextToken: 'two' });
  });

  test('as the cleanup needs them: a tag that somebody removed is null', async () => {
    const Instances = [instance('i-1'), instance('i-2', tags('c-1'))];
    answerInTurn(ec2.on(DescribeInstancesCommand), [{ Reservations: [{ Instances }] }]);
    const found = { campaignId: 'c-1', createdAt: '2026-11-22T10:00:00.000Z' };
    const running = { state: 'running', stateReason: null };
    expect(await findOrphans(client, 'us-east-1', origin, {})).toEqual([
      { ...found, ...running, id: 'i-1', expires: '2026-11-22T12:00:00Z' },
      { ...found, ...running, id: 'i-2', expires: null },
    ]);
  });

  test('what others wrote our tags on is not ours, whatever EC2 answers', async () => {
    const past = tags('c-1', '2020-01-01T00:00:00Z');
    const ofOthers = [
      instance('i-tagged', past.slice(1)),
      instance('i-of-another-stack', [{ ...fromTemplate, Value: 'lt-9' }, ...past.slice(1)]),
      { ...instance('i-with-another-role', past), IamInstanceProfile: { Arn: `${profile}-2` } },
      { ...instance('i-without-a-role', past), IamInstanceProfile: undefined },
    ];
    const onArm = instance('i-2', [{ ...fromTemplate, Value: 'lt-2' }, ...past.slice(1)]);
    const Reservations = [{ Instances: [...ofOthers, instance('i-1', past), onArm] }];
    answerInTurn(ec2.on(DescribeInstancesCommand), [{ Reservations }]);
    expect((await findOrphans(client, 'us-east-1', origin, {})).map(({ id }) => id)).toEqual(['i-1', 'i-2']);
  });

  test.each([
    [{}, []],
    [{ campaignId: 'c-1' }, [{ Name: 'tag:stripewise:campaign', Values: ['c-1'] }]],
    [
      { campaignId: 'c-1', cellId: 'stripe-m5-large' },
      [
        { Name: 'tag:stripewise:campaign', Values: ['c-1'] },
        { Name: 'tag:stripewise:cell', Values: ['stripe-m5-large'] },
      ],
    ],
  ])('EC2 is asked for what comes from the launch template: %j', async (which, more) => {
    const instances = answerInTurn(ec2.on(DescribeInstancesCommand), [{ Reservations: [] }]);
    expect(await findOrphans(client, 'us-east-1', origin, which)).toEqual([]);
    expect(instances[0]?.Filters).toEqual([
      { Name: 'tag:aws:ec2launchtemplate:id', Values: ['lt-1', 'lt-2'] },
      ...more,
    ]);
  });

  test('a reply without a list is not an empty one', async () => {
    answerInTurn(ec2.on(DescribeInstancesCommand), [{}]);
    await expect(findOrphans(client, 'us-east-1', origin, {})).rejects.toThrow(Unavailable);
  });

  test('what may not be read is said', async () => {
    answerInTurn(ec2.on(DescribeInstancesCommand), [awsError('UnauthorizedOperation', 'No.', 403)]);
    const finding = findOrphans(client, 'us-east-1', origin, {});
    await expect(finding).rejects.toThrow(AccessDenied);
    await expect(finding).rejects.toThrow('ec2:DescribeInstances in us-east-1 failed: UnauthorizedOperation');
  });
});

describe('ending instances', () => {
  const notFound = (id: string) =>
    awsError('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);

  test('a hundred in a call', async () => {
    const asked = answerInTurn(ec2.on(TerminateInstancesCommand), [{}, {}, {}]);
    const ids = Array.from({ length: 205 }, (_, index) => `i-${index}`);
    expect(await terminateInstances(client, 'us-east-1', ids)).toEqual([]);
    expect(asked.map(({ InstanceIds }) => InstanceIds?.length)).toEqual([100, 100, 5]);
    expect(asked.flatMap(({ InstanceIds }) => InstanceIds)).toEqual(ids);
  });

  test('of a call that fails for one each is ended by itself; what is gone is no failure', async () => {
    const asked = answerInTurn(ec2.on(TerminateInstancesCommand), [notFound('i-2'), {}, notFound('i-2'), {}]);
    expect(await terminateInstances(client, 'us-east-1', ['i-1', 'i-2', 'i-3'])).toEqual([]);
    expect(asked.map(({ InstanceIds }) => InstanceIds)).toEqual([
      ['i-1', 'i-2', 'i-3'],
      ['i-1'],
      ['i-2'],
      ['i-3'],
    ]);
  });

  test('one that cannot be ended is reported, and the others are ended', async () => {
    const refused = awsError('OperationNotPermitted', "The instance 'i-1' may not be terminated.");
    answerInTurn(ec2.on(TerminateInstancesCommand), [refused, refused, {}]);
    expect(await terminateInstances(client, 'us-east-1', ['i-1', 'i-2'])).toEqual([
      "ec2:TerminateInstances of i-1 in us-east-1 failed: OperationNotPermitted: The instance 'i-1' may not be terminated.",
    ]);
  });

  test('of none nothing is asked', async () => {
    expect(await terminateInstances(client, 'us-east-1', [])).toEqual([]);
    expect(ec2.commandCalls(TerminateInstancesCommand)).toEqual([]);
  });
});
