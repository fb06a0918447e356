/** ListCommands of the local Systems Manager: who sent a command finds it by its comment. */
import {
  CancelCommandCommand,
  ListCommandsCommand,
  type ListCommandsCommandInput,
  paginateListCommands,
  SendCommandCommand,
} from '@aws-sdk/client-ssm';
import { id, localSsm } from './ssm-fixture.ts';

const ssm = localSsm();
beforeEach(() =>
  ssm.putHosts({ [id(1)]: {}, [id(2)]: { status: 'Failed' }, [id(3)]: { status: 'InProgress' } }),
);

async function sent(Comment: string, ...InstanceIds: string[]): Promise<string> {
  const sending = new SendCommandCommand({
    DocumentName: 'describe',
    InstanceIds,
    Comment,
    MaxErrors: '100%',
  });
  return (await ssm.client.send(sending)).Command?.CommandId ?? '';
}
const listed = async (input: ListCommandsCommandInput = {}) =>
  (await ssm.client.send(new ListCommandsCommand(input))).Commands ?? [];
const comments = async (input: ListCommandsCommandInput = {}) =>
  (await listed(input)).map(({ Comment }) => Comment);

test('it tells what was sent, when, where to, and how it stands', async () => {
  const CommandId = await sent('cell-1', id(1));
  const requested = new Date(ssm.nowMs);
  ssm.nowMs += 1_000;
  expect(await listed()).toEqual([
    expect.objectContaining({
      ...{ CommandId, Comment: 'cell-1', DocumentName: 'describe', InstanceIds: [id(1)] },
      ...{ RequestedDateTime: requested, Status: 'Success', StatusDetails: 'Success', CompletedCount: 1 },
    }),
  ]);
});

test('commands are found by their host, by their id, and by both', async () => {
  const first = await sent('one', id(1));
  await sent('both', id(1), id(2));
  expect(await comments()).toEqual(['both', 'one']);
  expect(await comments({ InstanceId: id(2) })).toEqual(['both']);
  expect(await comments({ CommandId: first })).toEqual(['one']);
  expect(await comments({ CommandId: first, InstanceId: id(2) })).toEqual([]);
  expect(await comments({ InstanceId: id(9) })).toEqual([]);
  await expect(listed({ CommandId: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject({
    name: 'InvalidCommandId',
  });
});

test('one to several hosts is as its worst, once all have ended', async () => {
  const CommandId = await sent('all', id(1), id(2), id(3));
  expect(await listed()).toMatchObject([{ Status: 'Pending', CompletedCount: 0 }]);
  ssm.nowMs += 1_000;
  expect(await listed()).toMatchObject([{ Status: 'InProgress', CompletedCount: 2, ErrorCount: 1 }]);
  await ssm.client.send(new CancelCommandCommand({ CommandId }));
  expect(await listed()).toMatchObject([{ Status: 'Failed', CompletedCount: 3, ErrorCount: 1 }]);
});

test('pages hold each once', async () => {
  for (const comment of ['a', 'b', 'c']) await sent(comment, id(1));
  const pages: unknown[] = [];
  for await (const { Commands } of paginateListCommands({ client: ssm.client, pageSize: 2 }, {}))
    pages.push(Commands?.map(({ Comment }) => Comment));
  expect(pages).toEqual([['c', 'b'], ['a']]);
});

test('a filter, which it does not know, is refused', async () => {
  const filtered = listed({ Filters: [{ key: 'Status', value: 'Success' }] });
  await expect(filtered).rejects.toMatchObject({ name: 'NotSupportedByStandIn' });
});
