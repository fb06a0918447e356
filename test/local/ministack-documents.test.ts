/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import {
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeDocumentCommand, GetDocumentCommand, SSMClient } from '@aws-sdk/client-ssm';
import { eventually, type MiniStack } from './ministack.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

const content = (...runCommand: string[]): object => ({
  schemaVersion: '2.2',
  mainSteps: [{ action: 'aws:runShellScript', name: 'step', inputs: { runCommand } }],
});

const templateOf = (Content: object, more: object = {}): string =>
  json({
    Resources: {
      Document: {
        Type: 'AWS::SSM::Document',
        Properties: { Content, DocumentType: 'Command', UpdateMethod: 'NewVersion', ...more },
      },
    },
    Outputs: { Name: { Value: { Ref: 'Document' } } },
  });

const statusOf = async ({ cloudFormation }: MiniStack, StackName: string) => {
  const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  const [stack] = Stacks ?? [];
  return { status: stack?.StackStatus, name: stack?.Outputs?.[0]?.OutputValue };
};

const done = (server: MiniStack, StackName: string) =>
  eventually(async () => {
    const notified = await statusOf(server, StackName);
    return notified.status?.endsWith('IN_PROGRESS') ? undefined : notified;
  });

async function deployed(server: MiniStack, StackName: string, TemplateBody: string) {
  await server.cloudFormation.send(new CreateStackCommand({ StackName, TemplateBody }));
  return done(server, StackName);
}

async function updated(server: MiniStack, StackName: string, TemplateBody: string) {
  await server.cloudFormation.send(new UpdateStackCommand({ StackName, TemplateBody }));
  return done(server, StackName);
}

let client: SSMClient;
beforeAll(() => {
  client = new SSMClient({
    ...{ endpoint: servers.patched.url, region: 'us-east-1', maxAttempts: 1 },
    credentials: { accessKeyId: '111122223333', secretAccessKey: 'test' },
  });
});
afterAll(() => client.destroy());

const contentOf = async (Name: string | undefined, DocumentVersion?: string) => {
  const { Content, DocumentVersion: version } = await client.send(
    new GetDocumentCommand({ Name, DocumentVersion }),
  );
  return [version, JSON.parse(Content ?? 'null')];
};

test('a document cannot be deployed without its patch', async () => {
  const deploying = deployed(servers.stock, 'documents', templateOf(content('true')));
  await expect(deploying).rejects.toThrow('Unrecognized resource types: [AWS::SSM::Document]');
});

test('a document is deployed, has a new version after an update, and goes with its stack', async () => {
  const { status, name } = await deployed(servers.patched, 'life', templateOf(content('one')));
  expect(status).toBe('CREATE_COMPLETE');
  expect(name).toMatch(/^life-Document-\w+$/);
  expect(await contentOf(name)).toEqual(['1', content('one')]);

  expect(await updated(servers.patched, 'life', templateOf(content('two')))).toEqual({
    status: 'UPDATE_COMPLETE',
    name,
  });
  expect(await contentOf(name, '$LATEST')).toEqual(['2', content('two')]);
  expect(await contentOf(name)).toEqual(['2', content('two')]);
  expect(await contentOf(name, '1')).toEqual(['1', content('one')]);
  await expect(contentOf(name, '3')).rejects.toMatchObject({ name: 'InvalidDocumentVersion' });

  await servers.patched.cloudFormation.send(new DeleteStackCommand({ StackName: 'life' }));
  await eventually(async () => {
    const gone = await contentOf(name).catch((error: Error) => error);
    return gone instanceof Error ? gone : undefined;
  });
  await expect(contentOf(name)).rejects.toMatchObject({ name: 'InvalidDocument' });
});

test('it is described by name and by ARN', async () => {
  const named = templateOf(content('true'), { Name: 'named', TargetType: '/AWS::EC2::Instance' });
  await deployed(servers.patched, 'named', named);
  for (const Name of ['named', 'arn:aws:ssm:us-east-1:111122223333:document/named']) {
    const { Document } = await client.send(new DescribeDocumentCommand({ Name }));
    expect(Document).toMatchObject({
      ...{ Name: 'named', LatestVersion: '1', DefaultVersion: '1', Status: 'Active' },
      ...{
        DocumentType: 'Command',
        TargetType: '/AWS::EC2::Instance',
        Hash: expect.stringMatching(/^\w{64}$/),
      },
    });
  }
});

test('an update that AWS would carry out as a replacement is refused, and the document stays as it was', async () => {
  const { name } = await deployed(servers.patched, 'kept', templateOf(content('one')));
  const replaced = templateOf(content('two'), { UpdateMethod: 'Replace' });
  expect(await updated(servers.patched, 'kept', replaced)).toEqual({
    status: 'UPDATE_ROLLBACK_COMPLETE',
    name,
  });
  const asked = new DescribeStackResourceCommand({ StackName: 'kept', LogicalResourceId: 'Document' });
  const { StackResourceDetail } = await servers.patched.cloudFormation.send(asked);
  expect(StackResourceDetail?.PhysicalResourceId).toBe(name);
  expect(await contentOf(name)).toEqual(['1', content('one')]);
});
