/** The local Systems Manager: which hosts are reached, as AWS documents it, and what is asked of it besides commands. */
import {
  DescribeInstanceInformationCommand,
  type DescribeInstanceInformationCommandInput,
  GetParameterCommand,
  ListAssociationsCommand,
  paginateDescribeInstanceInformation,
} from '@aws-sdk/client-ssm';
import { jsonReply, listen, type RunningServer } from '../../local/http.ts';
import { askMiniStack } from '../../local/ssm/elsewhere.ts';
import { id, localSsm } from './ssm-fixture.ts';

const ssm = localSsm();
const described = (input: DescribeInstanceInformationCommandInput = {}, client = ssm.client) =>
  client.send(new DescribeInstanceInformationCommand(input));
const idsOf = async (input: DescribeInstanceInformationCommandInput): Promise<unknown[]> =>
  ((await described(input)).InstanceInformationList ?? []).map(({ InstanceId }) => InstanceId);

describe('hosts', () => {
  beforeEach(() =>
    ssm.putHosts({
      [id(1)]: {},
      [id(2)]: { online: false },
      [id(3)]: { platform: 'Windows' },
      [id(4)]: { online: false, platform: 'Windows' },
    }),
  );
  const online = { Key: 'PingStatus', Values: ['Online'] };
  const linux = { Key: 'PlatformTypes', Values: ['Linux'] };

  test('each says whether it is reached and what it runs', async () => {
    const { InstanceInformationList } = await described({ Filters: [linux] });
    const common = {
      PlatformType: 'Linux',
      ResourceType: 'EC2Instance',
      LastPingDateTime: new Date(ssm.nowMs),
    };
    expect(InstanceInformationList).toEqual([
      { ...common, InstanceId: id(1), PingStatus: 'Online' },
      { ...common, InstanceId: id(2), PingStatus: 'ConnectionLost' },
    ]);
  });

  test('every filter must match, by one of its values; a Region has its own', async () => {
    expect(await idsOf({ Filters: [online, linux] })).toEqual([id(1)]);
    expect(await idsOf({ Filters: [{ Key: 'PlatformTypes', Values: ['Linux', 'Windows'] }] })).toHaveLength(
      4,
    );
    expect(await idsOf({ Filters: [{ Key: 'InstanceIds', Values: [id(3), id(9)] }] })).toEqual([id(3)]);
    const { InstanceInformationList } = await described({}, ssm.clientOf('us-east-1'));
    expect(InstanceInformationList).toEqual([]);
  });

  test.each<[string, DescribeInstanceInformationCommandInput, string]>([
    ['a key that there is not', { Filters: [{ Key: 'Size', Values: ['x'] }] }, 'InvalidFilterKey'],
    [
      'a value that there is not',
      { Filters: [{ Key: 'PingStatus', Values: ['Offline'] }] },
      'InvalidInstanceInformationFilterValue',
    ],
    ['a filter that only AWS knows', { Filters: [{ Key: 'tag:a', Values: ['b'] }] }, 'NotSupportedByStandIn'],
    ['a member that only AWS knows', { InstanceInformationFilterList: [] }, 'NotSupportedByStandIn'],
    ['a page below 5', { MaxResults: 4 }, 'ValidationException'],
    ['a page above 50', { MaxResults: 51 }, 'ValidationException'],
    ['a token of nobody', { NextToken: 'abc' }, 'InvalidNextToken'],
  ])('%s is refused', async (_, input, name) => {
    await expect(described(input)).rejects.toMatchObject({ name });
  });

  test('pages hold each once: ten unless more or fewer are asked for', async () => {
    await ssm.putHosts(Object.fromEntries(Array.from({ length: 23 }, (_, i) => [id(i), {}])));
    const sizes: number[] = [];
    const seen = new Set<unknown>();
    for await (const page of paginateDescribeInstanceInformation({ client: ssm.client }, {})) {
      sizes.push(page.InstanceInformationList?.length ?? 0);
      for (const { InstanceId } of page.InstanceInformationList ?? []) seen.add(InstanceId);
    }
    expect([sizes, seen.size]).toEqual([[10, 10, 3], 23]);
    const { NextToken } = await described({ MaxResults: 5 });
    await expect(described({ MaxResults: 6, NextToken })).rejects.toMatchObject({ name: 'InvalidNextToken' });
  });

  test('what is given as hosts and is none is refused', async () => {
    expect(await ssm.putHosts({ 'web-1': {} })).toEqual({ error: expect.stringContaining('web-1') });
    expect(await ssm.putHosts({ [id(1)]: { stdin: '' } })).toEqual({
      error: expect.stringContaining('stdin'),
    });
    expect(await ssm.steer('PUT', 'hosts', {})).toEqual({ error: expect.stringContaining('?region=') });
  });
});

test('calls are counted by operation, and started anew', async () => {
  await described();
  await described({ MaxResults: 4 }).catch(() => {});
  await expect(ssm.client.send(new ListAssociationsCommand({}))).rejects.toMatchObject({
    name: 'NotSupportedByStandIn',
  });
  expect(await ssm.steer('GET', 'counts')).toEqual({
    calls: { DescribeInstanceInformation: 2, ListAssociations: 1 },
  });
  await ssm.steer('DELETE', 'counts');
  expect(await ssm.steer('GET', 'counts')).toEqual({ calls: {} });
});

describe('what is about parameters', () => {
  const targets: unknown[] = [];
  let miniStack: RunningServer;
  beforeAll(async () => {
    miniStack = await listen(0, async ({ headers }) => {
      targets.push(headers['x-amz-target'], headers.authorization?.includes('/ssm/aws4_request'));
      return jsonReply({ Parameter: { Value: '30' } });
    });
  });
  afterAll(() => miniStack.stop());
  const withMiniStack = localSsm(() => ({ askElsewhere: askMiniStack(miniStack.url) }));
  const asking = new GetParameterCommand({ Name: '/version' });

  test('goes on to MiniStack as it came', async () => {
    expect((await withMiniStack.client.send(asking)).Parameter?.Value).toBe('30');
    expect(targets).toEqual(['AmazonSSM.GetParameter', true]);
  });

  test('is refused where there is none', async () => {
    await expect(ssm.client.send(asking)).rejects.toMatchObject({ name: 'NotSupportedByStandIn' });
  });
});
