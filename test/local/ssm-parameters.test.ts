/** Parameters of commands in the local Systems Manager: against their document, and on their way to hosts. */
import {
  CancelCommandCommand,
  GetCommandInvocationCommand,
  InvalidParameters,
  SendCommandCommand,
} from '@aws-sdk/client-ssm';
import type { HostAnswer, HostCommand, Hosts } from '../../local/ssm/hosts.ts';
import { resolveParameters } from '../../local/ssm/parameters.ts';
import { id, localSsm } from './ssm-fixture.ts';

const name = { type: 'String', allowedPattern: '^[a-z]+$', interpolationType: 'ENV_VAR' };
const chunk = { type: 'String', description: 'In KiB.', allowedPattern: '^(16|64)$', default: '64' };
const document = (parameters?: object): string => JSON.stringify({ schemaVersion: '2.2', parameters });
const both = document({ name, chunk });

test.each<[string, string, Record<string, string[]>, Record<string, string>]>([
  ['what is given', both, { name: ['data'], chunk: ['16'] }, { name: 'data', chunk: '16' }],
  ['the default of what is not', both, { name: ['data'] }, { name: 'data', chunk: '64' }],
  ['nothing where the document has none', document(), {}, {}],
  ['an empty value', document({ any: { type: 'String' } }), { any: [''] }, { any: '' }],
  ['an empty default', document({ any: { type: 'String', default: '' } }), {}, { any: '' }],
  ['of a document in YAML', 'parameters:\n  any:\n    type: String\n', { any: ['a b'] }, { any: 'a b' }],
])('a host is given %s', (_, content, given, values) => {
  expect(resolveParameters(content, given)).toEqual(values);
});

test.each<[string, string, Record<string, string[]>, string]>([
  ['one that the document does not have', both, { name: ['data'], size: ['1'] }, 'the document has no size'],
  ['one that every object has', both, { name: ['data'], toString: ['1'] }, 'the document has no toString'],
  ['none where there is no default', both, {}, 'name has no default, and there is no value'],
  ['two values for a string', both, { name: ['data', 'logs'] }, 'one value in its list, and not 2'],
  ['no value in the list', both, { name: [] }, 'one value in its list, and not 0'],
  ['a value that does not match', both, { name: ['Data'] }, 'name is "Data", which does not match ^[a-z]+$'],
  ['a newline after what matches', both, { name: ['data\n'] }, 'which does not match'],
  [
    'a part that matches',
    document({ any: { type: 'String', allowedPattern: '[a-z]+|x' } }),
    { any: ['data; rm'] },
    'which does not match',
  ],
  [
    'nothing where the default does not match',
    document({ any: { ...name, default: 'DATA' } }),
    {},
    'any is "DATA", which does not match',
  ],
])('%s: refused as AWS words it', (_, content, given, reason) => {
  const resolving = () => resolveParameters(content, given);
  expect(resolving).toThrow(expect.objectContaining({ shape: 'InvalidParameters', status: 400 }));
  expect(resolving).toThrow('Parameters provided in document are invalid or not supported.');
  expect(resolving).toThrow(reason);
});

test.each<[string, object, Record<string, string[]>]>([
  ['lists', { commands: { type: 'StringList' } }, { commands: ['true'] }],
  ['sets of values', { any: { type: 'String', allowedValues: ['a'] } }, { any: ['a'] }],
  [
    'patterns that JavaScript does not know',
    { any: { type: 'String', allowedPattern: '\\Aa\\z' } },
    { any: ['a'] },
  ],
  ['values that are looked up', { any: { type: 'String' } }, { any: ['{{ ssm:/name }}'] }],
])('%s are not supported, and that is said', (_, parameters, given) => {
  const resolving = () => resolveParameters(document(parameters), given);
  expect(resolving).toThrow(expect.objectContaining({ shape: 'NotSupportedByStandIn' }));
});

describe('hosts that run commands', () => {
  const ran: [region: string, instanceId: string, command: HostCommand][] = [];
  let answers: Map<string, PromiseWithResolvers<HostAnswer>>;
  /** Each answers when the test lets it. */
  const hosts: Hosts = {
    list: () => [1, 2].map((number) => ({ instanceId: id(number), isOnline: true, platform: 'Linux' })),
    run: (...asked) => {
      ran.push(asked);
      const answer = Promise.withResolvers<HostAnswer>();
      answers.set(asked[1], answer);
      return answer.promise;
    },
  };
  const ssm = localSsm(() => ({
    hosts,
    findDocument: async (_, documentName) => ({ name: documentName, version: '3', content: both }),
  }));
  beforeEach(() => {
    ran.length = 0;
    answers = new Map();
  });
  const send = (Parameters: Record<string, string[]>, InstanceIds = [id(1)]) =>
    ssm.client.send(
      new SendCommandCommand({ DocumentName: 'build', InstanceIds, Parameters, MaxErrors: '100%' }),
    );

  test('are given the document and all its parameters; the sender is reported what it gave', async () => {
    const { Command } = await send({ name: ['data'] });
    expect(Command?.Parameters).toEqual({ name: ['data'] });
    expect(ran).toEqual([
      [
        'eu-central-1',
        id(1),
        {
          document: { name: 'build', version: '3', content: both },
          parameters: { name: 'data', chunk: '64' },
          signal: expect.any(AbortSignal),
        },
      ],
    ]);
  });

  test('are given nothing where a parameter is wrong', async () => {
    await expect(send({ name: ['Data'] })).rejects.toBeInstanceOf(InvalidParameters);
    expect(ran).toEqual([]);
  });

  test('hear of a command that is called off, where it has not ended', async () => {
    const { Command } = await send({ name: ['data'] }, [id(1), id(2)]);
    const signals = () => ran.map(([, , { signal }]) => signal.aborted);
    answers.get(id(1))?.resolve({ status: 'Success', stdout: '', stderr: '' });
    ssm.nowMs += 1_000;
    expect(signals()).toEqual([false, false]);
    await ssm.client.send(new CancelCommandCommand({ CommandId: Command?.CommandId }));
    expect(signals()).toEqual([false, true]);
  });

  test('that answer after a command was called off are not heard', async () => {
    const { Command = {} } = await send({ name: ['data'] });
    const { CommandId } = Command;
    await ssm.client.send(new CancelCommandCommand({ CommandId }));
    answers.get(id(1))?.resolve({ status: 'Success', stdout: 'done', stderr: '' });
    ssm.nowMs += 1_000;
    const invocation = new GetCommandInvocationCommand({ CommandId, InstanceId: id(1) });
    expect(await ssm.client.send(invocation)).toMatchObject({
      Status: 'Cancelled',
      StandardOutputContent: '',
    });
  });

  test('take no answers from outside', async () => {
    expect(await ssm.putHosts({ [id(1)]: {} })).toEqual({
      error: 'the hosts of this one run what they are sent',
    });
  });
});
