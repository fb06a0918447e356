/**
 * A local stand-in for Run Command of Systems Manager, AWS JSON 1.1: which hosts are reached, commands to them, and what
 * they answered. Where nobody gives it other hosts it runs nothing: each answers what it was given. Rates are not limited.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { jsonOrNull } from '../../core/json.ts';
import { accountOfRequest } from '../account-of-key.ts';
import { BadRequest, jsonReply, listen, type Reply, type RunningServer, readText } from '../http.ts';
import { ServiceError } from '../service-error.ts';
import type { Command } from './command.ts';
import { Commands } from './commands.ts';
import type { FindDocument } from './documents.ts';
import { type AskElsewhere, isElsewhere } from './elsewhere.ts';
import { notSupported } from './errors.ts';
import { lostEvents, notifyOfEnds, type SendEvent } from './events.ts';
import { GivenHosts, type Hosts } from './hosts.ts';
import { describeInstances } from './instance-information.ts';
import type { Pace } from './invocation.ts';
import {
  cancelCommandInput,
  describeInstancesInput,
  getInvocationInput,
  listCommandsInput,
  listInvocationsInput,
  parseInput,
  sendCommandInput,
} from './requests.ts';

/** Who looks after a second, and then after two more, needs both. */
export const usualPace: Pace = { pendingMs: 500, runningMs: 2_000 };

export interface SsmOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Of who calls with a key that says no other one. */
  account: string;
  /** Where documents are looked up that commands name. */
  findDocument: FindDocument;
  /** Who runs commands in the default account. By default nobody, as in others: hosts are put there, with what they answer. */
  hosts?: Hosts;
  /** Who answers for parameters and documents; without it they are not supported. */
  askElsewhere?: AskElsewhere;
  /** Where it is told that a command has ended; without it nobody is. */
  sendEvent?: SendEvent;
  pace?: Pace;
  /** @default the process's own clock */
  nowMs?: () => number;
}

class SystemsManager {
  readonly hosts: Hosts;
  readonly lostEvents = lostEvents();
  calls: Record<string, number> = {};
  private readonly stopping = new AbortController();
  private readonly options: SsmOptions;
  private readonly hostsOfOthers = new Map<string, GivenHosts>();
  /** By account and Region. */
  private readonly commands = new Map<string, Commands>();

  constructor(options: SsmOptions) {
    this.options = options;
    this.hosts = options.hosts ?? new GivenHosts();
  }

  /** @param account the default one where it is null. */
  hostsOf(account: string | null): Hosts {
    if (account === null || account === this.options.account) return this.hosts;
    const hosts = this.hostsOfOthers.get(account) ?? new GivenHosts();
    this.hostsOfOthers.set(account, hosts);
    return hosts;
  }

  private commandsOf(account: string, region: string): Commands {
    const known = this.commands.get(`${account} ${region}`);
    if (known !== undefined) return known;
    const { findDocument, pace = usualPace, nowMs = Date.now } = this.options;
    const { sendEvent } = this.options;
    const onSent = (command: Command): void => {
      if (sendEvent === undefined) return;
      const { signal } = this.stopping;
      void notifyOfEnds(command, { region, account, sendEvent, lost: this.lostEvents, nowMs, signal });
    };
    const hosts = this.hostsOf(account);
    const fresh = new Commands({ region, account, hosts, findDocument, pace, nowMs, onSent });
    this.commands.set(`${account} ${region}`, fresh);
    return fresh;
  }

  stop(): void {
    this.stopping.abort();
  }

  async call(operation: string, account: string, region: string, body: unknown): Promise<object> {
    const commands = this.commandsOf(account, region);
    switch (operation) {
      case 'DescribeInstanceInformation': {
        const { nowMs = Date.now } = this.options;
        const request = parseInput(describeInstancesInput, body);
        return describeInstances(this.hostsOf(account).list(region), nowMs(), request);
      }
      case 'SendCommand':
        return commands.send(parseInput(sendCommandInput, body));
      case 'ListCommands':
        return commands.listCommands(parseInput(listCommandsInput, body));
      case 'ListCommandInvocations':
        return commands.list(parseInput(listInvocationsInput, body));
      case 'GetCommandInvocation': {
        const { CommandId, InstanceId } = parseInput(getInvocationInput, body);
        return commands.get(CommandId, InstanceId);
      }
      case 'CancelCommand':
        return commands.cancel(parseInput(cancelCommandInput, body).CommandId);
      default:
        throw notSupported(`the operation ${operation || '(none)'}`);
    }
  }

  async handle(headers: IncomingHttpHeaders, text: string): Promise<Reply> {
    const operation = String(headers['x-amz-target'] ?? '').replace(/^AmazonSSM\./, '');
    this.calls[operation] = (this.calls[operation] ?? 0) + 1;
    const { askElsewhere } = this.options;
    if (askElsewhere !== undefined && isElsewhere(operation)) return askElsewhere(headers, text);
    try {
      const account = accountOfRequest(headers.authorization) ?? this.options.account;
      return reply(200, await this.call(operation, account, regionOf(headers), jsonOrNull(text)));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return reply(error.status, { __type: `com.amazonaws.ssm#${error.shape}`, message: error.message });
    }
  }
}

const reply = (status: number, value: object): Reply => ({
  ...jsonReply(value, status),
  contentType: 'application/x-amz-json-1.1',
  headers: { 'x-amzn-requestid': randomUUID() },
});

/** Signatures are not verified. */
function regionOf({ authorization }: IncomingHttpHeaders): string {
  const [, region] = /Credential=\S+\/([^/]+)\/ssm\/aws4_request/.exec(authorization ?? '') ?? [];
  if (region === undefined)
    throw new ServiceError('AccessDeniedException', 'The request is not signed for ssm.', 403);
  return region;
}

function steer(manager: SystemsManager, route: string, query: URLSearchParams, text: string): Reply {
  const region = query.get('region');
  const hosts = manager.hostsOf(query.get('account'));
  switch (route) {
    case 'GET /_stripewise/counts':
      return jsonReply({ calls: manager.calls });
    case 'DELETE /_stripewise/counts':
      manager.calls = {};
      return jsonReply({});
    case 'GET /_stripewise/hosts':
      return jsonReply({ hosts: hosts.notified?.() ?? [] });
    case 'PUT /_stripewise/hosts':
      if (region === null) throw new BadRequest('whose hosts? give ?region=us-east-1');
      if (!(hosts instanceof GivenHosts))
        throw new BadRequest('the hosts of this one run what they are sent');
      hosts.put(region, text);
      return jsonReply({});
    case 'POST /_stripewise/lose-events':
      manager.lostEvents.add(text);
      return jsonReply({});
    case 'DELETE /_stripewise/lose-events':
      manager.lostEvents.clear();
      return jsonReply({});
    default:
      throw new BadRequest(`no route ${route}; /_stripewise/counts, hosts and lose-events are there`, 404);
  }
}

export async function startSsm(options: SsmOptions): Promise<RunningServer> {
  const manager = new SystemsManager(options);
  const server = await listen(options.port ?? 0, async (request) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    const text = await readText(request);
    if (request.method === 'POST' && pathname === '/') return manager.handle(request.headers, text);
    return steer(manager, `${request.method} ${pathname}`, searchParams, text);
  });
  const stop = (): Promise<void> => {
    manager.stop();
    return server.stop();
  };
  return { ...server, stop };
}
