/** Commands that were sent in one Region. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '../service-error.ts';
import { Command } from './command.ts';
import type { FindDocument } from './documents.ts';
import { notSupported } from './errors.ts';
import type { Hosts } from './hosts.ts';
import { Invocation, type Pace } from './invocation.ts';
import { pageOf } from './pages.ts';
import { resolveParameters } from './parameters.ts';
import type { ListCommands, ListInvocations, SendCommand } from './requests.ts';

export interface CommandOptions {
  region: string;
  account: string;
  hosts: Hosts;
  findDocument: FindDocument;
  pace: Pace;
  nowMs: () => number;
  /** Called with each command that was sent. */
  onSent: (command: Command) => void;
}

export class Commands {
  private readonly options: CommandOptions;
  private readonly commands = new Map<string, Command>();

  constructor(options: CommandOptions) {
    this.options = options;
  }

  async send(request: SendCommand): Promise<object> {
    const { region, hosts, findDocument, pace, nowMs } = this.options;
    const { InstanceIds, DocumentName, DocumentVersion } = request;
    if (new Set(InstanceIds).size < InstanceIds.length)
      throw new ServiceError('DuplicateInstanceId', 'An instance id is there twice.');
    // A host that fails would keep later ones from being asked, in an order that nobody documents.
    if (InstanceIds.length > 1 && request.MaxErrors !== '100%')
      throw notSupported('MaxErrors other than 100% for several instances');
    const document = await findDocument(region, DocumentName, DocumentVersion);
    const parameters = resolveParameters(document.content, request.Parameters);
    this.refuseUnreachable(InstanceIds);
    const about = {
      CommandId: randomUUID(),
      Comment: request.Comment,
      DocumentName: document.name,
      DocumentVersion,
    };
    const sentMs = nowMs();
    const invocations = InstanceIds.map(
      (id) =>
        new Invocation(id, sentMs, pace, (signal) => hosts.run(region, id, { document, parameters, signal })),
    );
    const command = new Command(about, request, sentMs, invocations);
    this.commands.set(about.CommandId, command);
    this.options.onSent(command);
    // Pending whatever the pace: the host has not been asked yet.
    return { Command: { ...command.notified(sentMs), Status: 'Pending', StatusDetails: 'Pending' } };
  }

  /** One that is not reached refuses the whole command. */
  private refuseUnreachable(instanceIds: readonly string[]): void {
    const { region, account, hosts } = this.options;
    const byId = new Map(hosts.list(region).map((host) => [host.instanceId, host]));
    const unreached = instanceIds.filter((id) => byId.get(id)?.isOnline !== true);
    if (unreached.length > 0) {
      const message = `Instances [[${unreached.join(', ')}]] not in a valid state for account ${account}`;
      throw new ServiceError('InvalidInstanceId', message);
    }
    // What a document with preconditions does there depends on its steps.
    const other = instanceIds.find((id) => byId.get(id)?.platform !== 'Linux');
    if (other !== undefined) throw notSupported(`commands to hosts without Linux, as ${other}`);
  }

  private found(commandId: string): Command {
    const command = this.commands.get(commandId);
    if (command === undefined)
      throw new ServiceError('InvalidCommandId', 'The specified command ID is not valid.');
    return command;
  }

  /** Newest first: AWS documents no order. */
  listCommands(request: ListCommands): object {
    const { CommandId, InstanceId } = request;
    const asked = CommandId === undefined ? [...this.commands.values()].reverse() : [this.found(CommandId)];
    const matching = asked.filter(
      ({ request: { InstanceIds } }) => InstanceId === undefined || InstanceIds.includes(InstanceId),
    );
    const { items, next } = pageOf(matching, request);
    const nowMs = this.options.nowMs();
    return {
      Commands: items.map((command) => command.notified(nowMs)),
      ...(next === undefined ? {} : { NextToken: next }),
    };
  }

  list(request: ListInvocations): object {
    const { about, invocations } = this.found(request.CommandId);
    const { items, next } = pageOf(invocations, request);
    const nowMs = this.options.nowMs();
    return {
      CommandInvocations: items.map((one) => ({ ...about, ...one.listed(nowMs, request.Details) })),
      ...(next === undefined ? {} : { NextToken: next }),
    };
  }

  get(commandId: string, instanceId: string): object {
    const command = this.commands.get(commandId);
    const invocation = command?.invocations.find((one) => one.instanceId === instanceId);
    if (command === undefined || invocation === undefined) {
      throw new ServiceError(
        'InvocationDoesNotExist',
        'The command ID and instance ID did not match any invocations.',
      );
    }
    return { ...command.about, ...invocation.notified(this.options.nowMs()) };
  }

  cancel(commandId: string): object {
    for (const one of this.found(commandId).invocations) one.cancel(this.options.nowMs());
    return {};
  }
}
