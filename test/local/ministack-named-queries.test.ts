/** A gap of the emulator, without its patch and with it: when the test of the gap fails, take the patch out. */
import {
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import { eventually } from './ministack.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();
const StackName = 'questions';

const templateOf = (QueryString: string): string =>
  json({
    Resources: {
      Query: {
        Type: 'AWS::Athena::NamedQuery',
        Properties: { Name: 'one', Database: 'minutes', WorkGroup: 'primary', QueryString },
      },
    },
    Outputs: { Id: { Value: { Ref: 'Query' } } },
  });

/** Of Athena no client is installed. */
async function saved(): Promise<unknown[]> {
  const ask = async (operation: string, input: object) => {
    const reply = await fetch(servers.patched.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AmazonAthena.${operation}` },
      body: json(input),
    });
    return (await reply.json()) as { NamedQueryIds: string[]; NamedQueries: unknown[] };
  };
  const { NamedQueryIds } = await ask('ListNamedQueries', { WorkGroup: 'primary' });
  return (await ask('BatchGetNamedQuery', { NamedQueryIds })).NamedQueries;
}

const done = () =>
  eventually(async () => {
    const { Stacks } = await servers.patched.cloudFormation.send(new DescribeStacksCommand({ StackName }));
    const [stack] = Stacks ?? [];
    return stack?.StackStatus?.endsWith('IN_PROGRESS') ? undefined : stack;
  });

test('a saved query cannot be deployed without its patch', async () => {
  const create = new CreateStackCommand({ StackName, TemplateBody: templateOf('SELECT 1') });
  await expect(servers.stock.cloudFormation.send(create)).rejects.toThrow(
    'Unrecognized resource types: [AWS::Athena::NamedQuery]',
  );
});

test('a saved query is deployed, replaced by an update, and goes with its stack', async () => {
  const { cloudFormation } = servers.patched;
  await cloudFormation.send(new CreateStackCommand({ StackName, TemplateBody: templateOf('SELECT 1') }));
  const created = await done();
  const id = created.Outputs?.[0]?.OutputValue;
  expect(created.StackStatus).toBe('CREATE_COMPLETE');
  expect(await saved()).toMatchObject([{ NamedQueryId: id, Database: 'minutes', QueryString: 'SELECT 1' }]);

  await cloudFormation.send(new UpdateStackCommand({ StackName, TemplateBody: templateOf('SELECT 2') }));
  const { StackStatus, Outputs } = await done();
  expect(StackStatus).toBe('UPDATE_COMPLETE');
  expect(Outputs?.[0]?.OutputValue).not.toBe(id);
  expect(await saved()).toMatchObject([{ QueryString: 'SELECT 2' }]);

  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  await eventually(async () => ((await saved()).length === 0 ? true : undefined));
});
