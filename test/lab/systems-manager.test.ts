/** The product's own code for Systems Manager, unchanged, against documents that really run. */
import {
  CancelCommandCommand,
  GetCommandInvocationCommand,
  InvalidParameters,
  ListCommandInvocationsCommand,
  SendCommandCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { describeStripes } from '../../adapters/aws/describe-stripes.ts';
import { commandDocument } from '../../lib/shared/command-document.ts';
import type { RunningServer } from '../../local/http.ts';
import type { Passing } from '../../local/lab/agent-script.ts';
import { LabHosts } from '../../local/lab/hosts.ts';
import { Lab } from '../../local/lab/lab.ts';
import { sameDisks } from '../../local/lab/scenarios/layouts.ts';
import type { FindDocument } from '../../local/ssm/documents.ts';
import { startSsm } from '../../local/ssm/server.ts';
import { root } from '../ssm-documents/attempts.ts';
import { KnownStates } from './known-state.ts';

const region = 'us-east-1';
const instanceId = 'i-0123456789abcdef0';
const disks = sameDisks(4, 2_000);
const members = disks.map(({ volumeId }) => volumeId);

/** Not of the project: prints more than AWS hands over, and waits. */
const chatty = {
  schemaVersion: '2.2',
  mainSteps: [
    {
      action: 'aws:runShellScript',
      name: 'chat',
      inputs: {
        runCommand: [
          'head -c 30000 /dev/zero | tr "\\0" x',
          'head -c 9000 /dev/zero | tr "\\0" e >&2',
          'exit 3',
        ],
      },
    },
  ],
};
const sleepy = {
  schemaVersion: '2.2',
  mainSteps: [
    { action: 'aws:runShellScript', name: 'sleep', inputs: { runCommand: ['sleep 300 & sleep 301'] } },
  ],
};

const findDocument: FindDocument = async (_region, name) => {
  const content = { chatty, sleepy }[name] ?? commandDocument(root, name);
  return { name, version: '1', content: JSON.stringify(content) };
};

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ root, name: 'test-systems-manager', disks, say: () => {} });
});
afterAll(() => lab.stop());
const { from } = new KnownStates(() => lab, disks);

interface Connected {
  client: SSMClient;
  server: RunningServer;
}
async function connected(passing: Passing): Promise<Connected> {
  const hosts = new LabHosts(region, passing);
  hosts.add(instanceId, () => lab.vm);
  const server = await startSsm({
    account: '111122223333',
    findDocument,
    hosts,
    pace: { pendingMs: 0, runningMs: 0 },
  });
  const credentials = { accessKeyId: '111122223333', secretAccessKey: 'test' };
  return { server, client: new SSMClient({ endpoint: server.url, region, credentials }) };
}

const send = async ({ client }: Connected, DocumentName: string, Parameters: Record<string, string> = {}) => {
  const given = Object.fromEntries(Object.entries(Parameters).map(([name, value]) => [name, [value]]));
  const { Command } = await client.send(
    new SendCommandCommand({ DocumentName, InstanceIds: [instanceId], Parameters: given }),
  );
  return Command?.CommandId ?? '';
};

async function ended({ client }: Connected, CommandId: string) {
  for (;;) {
    const notified = await client.send(
      new GetCommandInvocationCommand({ CommandId, InstanceId: instanceId }),
    );
    if (!['Pending', 'InProgress'].includes(notified.Status ?? '')) return notified;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const layouts = [
  ['stripe', { kind: 'stripe', builtWith: 'lvm' }],
  ['raid10', { kind: 'raid10', builtWith: 'mdadm' }],
] as const;

describe.each(['environment', 'spliced'] as const)('parameters passed as %s', (passing) => {
  let ssm: Connected;
  beforeAll(async () => {
    ssm = await connected(passing);
  });
  afterAll(async () => {
    ssm.client.destroy();
    await ssm.server.stop();
  });

  test.each(layouts)(
    '%s: built, seen by the audit as what it is, and removed',
    from('blank', async (layout: string, expected: object) => {
      const built = await ended(
        ssm,
        await send(ssm, 'build-stripe', {
          ...{ name: 'data', layout, members: members.join(','), chunkKiB: '64' },
          ...{ fileSystems: 'data=/srv/data:100', dataOnMembers: 'destroy' },
        }),
      );
      expect([built.Status, built.StandardErrorContent]).toEqual(['Success', '']);
      const asked = await describeStripes(ssm.client, [instanceId], {
        region,
        documentName: 'describe-stripes',
      });
      expect(asked.notRead).toEqual([]);
      const [array, ...others] = asked.hosts.get(instanceId)?.arrays ?? [];
      expect(others).toEqual([]);
      expect(array).toMatchObject({ ...expected, chunkKiB: 64, mountPoints: ['/srv/data'] });
      expect(array?.memberVolumeIds.toSorted()).toEqual(members);
      const away = await ended(ssm, await send(ssm, 'teardown-stripe', { name: 'data', destroy: 'yes' }));
      expect([away.Status, away.StandardErrorContent]).toEqual(['Success', '']);
      const after = await describeStripes(ssm.client, [instanceId], {
        region,
        documentName: 'describe-stripes',
      });
      expect(after.hosts.get(instanceId)).toMatchObject({ arrays: [], singleVolumeIds: [] });
    }),
  );

  test('what does not match a pattern is refused before it is sent', async () => {
    const untrusted = send(ssm, 'teardown-stripe', { name: '$(reboot)' });
    await expect(untrusted).rejects.toBeInstanceOf(InvalidParameters);
  });
});

describe('limits and ends', () => {
  let ssm: Connected;
  beforeAll(async () => {
    ssm = await connected('environment');
  });
  afterAll(async () => {
    ssm.client.destroy();
    await ssm.server.stop();
  });

  test('24,000 characters of output and 8,000 of errors, 2,500 in lists', async () => {
    const command = await send(ssm, 'chatty');
    const notified = await ended(ssm, command);
    expect(notified).toMatchObject({ Status: 'Failed', StandardOutputContent: 'x'.repeat(24_000) });
    expect(notified.StandardErrorContent).toBe('e'.repeat(8_000));
    const listed = await ssm.client.send(
      new ListCommandInvocationsCommand({ CommandId: command, Details: true }),
    );
    expect(listed.CommandInvocations?.[0]?.CommandPlugins?.[0]?.Output).toHaveLength(2_500);
  });

  test('a command that is called off is ended on the host, with all that it started', async () => {
    const command = await send(ssm, 'sleepy');
    const sleeping = async (): Promise<number> =>
      Number((await lab.vm.agent.shell("ps -C sleep -o args= | grep -c 'sleep 30[01]'; true")).stdout);
    while ((await sleeping()) < 2) await new Promise((resolve) => setTimeout(resolve, 100));
    await ssm.client.send(new CancelCommandCommand({ CommandId: command }));
    expect((await ended(ssm, command)).Status).toBe('Cancelled');
    while ((await sleeping()) > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  });
});
