/**
 * Asks hosts how their block devices are joined, by a document of Systems Manager that only reads. A host that cannot be
 * asked or does not answer is named, and no reason to fail: what its volumes form is then taken from tags and likeness.
 * Sources: SSM API reference (SendCommand, ListCommandInvocations, GetCommandInvocation), read 2026-11-21.
 */
import {
  CancelCommandCommand,
  type CommandInvocation,
  GetCommandInvocationCommand,
  InvalidInstanceId,
  InvocationDoesNotExist,
  paginateDescribeInstanceInformation,
  paginateListCommandInvocations,
  SendCommandCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import { chunk, partition } from 'es-toolkit/array';
import { delay, limitAsync } from 'es-toolkit/promise';
import { AccessDenied } from '../../core/errors.ts';
import { type Known, unknown } from '../../core/known.ts';
import { type HostEvidence, hostEvidence } from '../../core/stripes/host-evidence.ts';
import type { HostReason, NotReadHosts } from '../../core/stripes/host-report.ts';
import { msPerSecond } from '../../core/units.ts';
import { reading, unreadable } from './failure.ts';
import { pagesWithEnd } from './pages.ts';

export interface HostDiscovery {
  region: string;
  /** Name or ARN of the document. */
  documentName: string;
  /** How long a host may take, from sending on. @default 180 */
  maxSeconds?: number;
  /** @default a timer */
  wait?: (ms: number) => Promise<void>;
}

export interface AskedHosts {
  /** By instance id. */
  hosts: ReadonlyMap<string, HostEvidence>;
  /** Why others have none. */
  notRead: NotReadHosts[];
  /** Calls that are not allowed, a line each: why none has any. */
  denied: string[];
}

/** SSM's most for one page of instances, and for one command. */
const pageSize = 50;
const maxPerCommand = 50;
/** For an agent to take the command: the least that SSM accepts. */
const deliverySeconds = 30;
/** Waits double from the first to the last. */
const waits = { firstMs: 1_000, longestMs: 15_000 };
const commandsAtOnce = 10;
const answersAtOnce = 5;

const isUnfinished = ({ Status }: CommandInvocation): boolean =>
  ['Pending', 'InProgress', 'Delayed', 'Cancelling'].includes(Status ?? 'Pending');

type Asking = Required<HostDiscovery> & { client: SSMClient };

/** Linux instances that Systems Manager reaches now. */
const onlineLinux = ({ client, region }: Asking): Promise<Set<string>> =>
  reading(`ssm:DescribeInstanceInformation in ${region}`, async () => {
    const Filters = [
      { Key: 'PingStatus', Values: ['Online'] },
      { Key: 'PlatformTypes', Values: ['Linux'] },
    ];
    const online = new Set<string>();
    const pages = paginateDescribeInstanceInformation({ client, pageSize }, { Filters });
    for await (const { InstanceInformationList } of pagesWithEnd(pages)) {
      for (const { InstanceId } of InstanceInformationList ?? []) if (InstanceId) online.add(InstanceId);
    }
    return online;
  });

interface Asked {
  hosts: Map<string, HostEvidence>;
  notRead: NotReadHosts[];
  denied: Set<string>;
}

const callFailed = ({ message }: Error): HostReason => ({ code: 'call-failed', reason: message });

function note({ notRead, denied }: Asked, instanceIds: readonly string[], error: Error): void {
  if (error instanceof AccessDenied) denied.add(error.message);
  else notRead.push({ instanceIds: [...instanceIds], reason: callFailed(error) });
}

interface Sent {
  commandId: string;
  instanceIds: readonly string[];
}

/** An id that went offline meanwhile makes SSM refuse all of a command: then each half is sent by itself. */
async function send(asking: Asking, instanceIds: readonly string[], asked: Asked): Promise<Sent[]> {
  const { client, region, documentName } = asking;
  try {
    const { Command } = await client.send(
      new SendCommandCommand({
        DocumentName: documentName,
        // As the stack made it last, whichever version is called the default.
        DocumentVersion: '$LATEST',
        InstanceIds: [...instanceIds],
        TimeoutSeconds: deliverySeconds,
        Comment: 'stripewise: which volumes form a stripe (reads only)',
        // One host that fails must not keep the others from being asked.
        MaxConcurrency: '100%',
        MaxErrors: '100%',
      }),
    );
    if (Command?.CommandId !== undefined) return [{ commandId: Command.CommandId, instanceIds }];
    note(asked, instanceIds, new Error(`ssm:SendCommand in ${region} named no command`));
  } catch (error) {
    if (error instanceof InvalidInstanceId && instanceIds.length > 1) {
      const half = Math.ceil(instanceIds.length / 2);
      const first = await send(asking, instanceIds.slice(0, half), asked);
      return [...first, ...(await send(asking, instanceIds.slice(half), asked))];
    }
    note(asked, instanceIds, unreadable(`ssm:SendCommand in ${region}`, error));
  }
  return [];
}

const invocationsOf = ({ client, region }: Asking, { commandId }: Sent): Promise<CommandInvocation[]> =>
  reading(`ssm:ListCommandInvocations in ${region}`, async () => {
    const found: CommandInvocation[] = [];
    const pages = paginateListCommandInvocations({ client, pageSize }, { CommandId: commandId });
    for await (const { CommandInvocations } of pagesWithEnd(pages)) found.push(...(CommandInvocations ?? []));
    return found;
  });

/** How it ended, by instance; those that did not within the time are not in it. */
async function ended(asking: Asking, sent: Sent): Promise<Map<string, CommandInvocation>> {
  const { maxSeconds, wait } = asking;
  const finished = new Map<string, CommandInvocation>();
  let nextMs = waits.firstMs;
  for (let waitedMs = 0; waitedMs < maxSeconds * msPerSecond; ) {
    await wait(nextMs);
    waitedMs += nextMs;
    nextMs = Math.min(2 * nextMs, waits.longestMs);
    for (const invocation of await invocationsOf(asking, sent)) {
      if (!isUnfinished(invocation)) finished.set(invocation.InstanceId ?? '', invocation);
    }
    if (sent.instanceIds.every((id) => finished.has(id))) break;
  }
  return finished;
}

/**
 * An agent that takes the command later shall not run it any more. IAM cannot limit whose commands a role calls off: it is a
 * command that `send` was given the id of, on hosts that it was sent to.
 */
const callOff = (
  { client, region }: Asking,
  { commandId }: Sent,
  late: readonly string[],
): Promise<unknown> =>
  reading(`ssm:CancelCommand in ${region}`, () =>
    client.send(new CancelCommandCommand({ CommandId: commandId, InstanceIds: [...late] })),
  );

const triesForOutput = 4;

/** The list gives 2,500 characters of the output, this 24,000; it may know of a command later than the list does. */
const outputOf = ({ client, region, wait }: Asking, commandId: string, instanceId: string): Promise<string> =>
  reading(`ssm:GetCommandInvocation in ${region}`, async () => {
    for (let tried = 1; ; tried++) {
      try {
        const { StandardOutputContent } = await client.send(
          new GetCommandInvocationCommand({ CommandId: commandId, InstanceId: instanceId }),
        );
        return StandardOutputContent ?? '';
      } catch (error) {
        if (!(error instanceof InvocationDoesNotExist) || tried >= triesForOutput) throw error;
        await wait(tried * waits.firstMs);
      }
    }
  });

async function evidenceOf(
  asking: Asking,
  { commandId }: Sent,
  instanceId: string,
  invocation: CommandInvocation | undefined,
): Promise<Known<HostEvidence, HostReason> | AccessDenied> {
  if (invocation === undefined) return unknown({ code: 'no-answer', seconds: asking.maxSeconds });
  const { Status, StatusDetails } = invocation;
  if (Status !== 'Success') return unknown({ code: 'command-ended', status: StatusDetails || `${Status}` });
  try {
    return hostEvidence(await outputOf(asking, commandId, instanceId));
  } catch (error) {
    return error instanceof AccessDenied ? error : unknown(callFailed(error as Error));
  }
}

async function readSent(asking: Asking, sent: Sent, asked: Asked): Promise<void> {
  const { instanceIds } = sent;
  try {
    const finished = await ended(asking, sent);
    const answer = limitAsync(evidenceOf, answersAtOnce);
    const answers = await Promise.all(instanceIds.map((id) => answer(asking, sent, id, finished.get(id))));
    instanceIds.forEach((id, i) => {
      const evidence = answers[i] as Known<HostEvidence, HostReason> | AccessDenied;
      if (evidence instanceof AccessDenied) note(asked, [id], evidence);
      else if (evidence.known) asked.hosts.set(id, evidence.value);
      else asked.notRead.push({ instanceIds: [id], reason: evidence.reason });
    });
    const late = instanceIds.filter((id) => !finished.has(id));
    if (late.length === 0) return;
    await callOff(asking, sent, late).catch((error: Error) => {
      note(asked, late, error);
    });
  } catch (error) {
    note(asked, instanceIds, error as Error);
  }
}

const byHost = (a: NotReadHosts, b: NotReadHosts): number =>
  JSON.stringify(a).localeCompare(JSON.stringify(b));

/**
 * What each of these instances says of its volumes. It never throws for what AWS or a host does: that is a line in
 * `notRead`. Calls for n hosts: n / 50 pages of a list of all instances, and for each 50 one command, some looks at how far
 * it is, and one for each host's answer.
 */
export async function describeStripes(
  client: SSMClient,
  instanceIds: readonly string[],
  options: HostDiscovery,
): Promise<AskedHosts> {
  const asking: Asking = { maxSeconds: 180, wait: delay, ...options, client };
  const asked: Asked = { hosts: new Map(), notRead: [], denied: new Set() };
  if (instanceIds.length === 0) return { ...asked, denied: [] };
  let online: Set<string>;
  try {
    online = await onlineLinux(asking);
  } catch (error) {
    return error instanceof AccessDenied
      ? { ...asked, denied: [error.message] }
      : { ...asked, notRead: [{ instanceIds: [], reason: callFailed(error as Error) }], denied: [] };
  }
  const [reached, others] = partition(instanceIds, (id) => online.has(id));
  if (others.length > 0) {
    asked.notRead.push({ instanceIds: others, reason: { code: 'not-reached' } });
  }
  const ask = limitAsync(async (ids: readonly string[]) => {
    for (const sent of await send(asking, ids, asked)) await readSent(asking, sent, asked);
  }, commandsAtOnce);
  await Promise.all(chunk(reached, maxPerCommand).map(ask));
  return { hosts: asked.hosts, notRead: asked.notRead.sort(byHost), denied: [...asked.denied] };
}
