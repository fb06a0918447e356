/**
 * What Systems Manager tells EventBridge when a command ends. The form of the events: Systems Manager user guide,
 * "Amazon EventBridge event examples for Systems Manager", read 2026-11-22. AWS tells of InProgress too: this one does not.
 */
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { msPerSecond } from '../../core/units.ts';
import { OrderedFaults } from '../ordered-faults.ts';
import type { Command } from './command.ts';
import type { Invocation } from './invocation.ts';

export interface ServiceEvent {
  detailType: 'EC2 Command Status-change Notification' | 'EC2 Command Invocation Status-change Notification';
  resources: string[];
  detail: Record<string, unknown>;
}

/** Puts an event on the default bus of a Region. */
export type SendEvent = (region: string, event: ServiceEvent) => Promise<void>;

const lookEveryMs = 20;
/** How long a step of a document may take where it does not say: AWS adds it to the time for delivery. */
const usualStepSeconds = 3_600;

const iso = (ms: number): string => new Date(ms).toISOString();
const arnOf = (account: string, region: string, instanceId: string): string =>
  `arn:aws:ec2:${region}:${account}:instance/${instanceId}`;

const notified = ({ about, sentMs }: Command) => ({
  'command-id': about.CommandId,
  'document-name': about.DocumentName,
  'requested-date-time': iso(sentMs),
});

export interface NotificationOptions {
  region: string;
  account: string;
  sendEvent: SendEvent;
  /** Events that are lost on purpose. */
  lost: LostEvents;
  nowMs: () => number;
  /** Nothing is reported any more. */
  signal: AbortSignal;
}

/** Tells of each host when it has ended, and then of the command. What is not delivered is only logged. */
export async function notifyOfEnds(command: Command, options: NotificationOptions): Promise<void> {
  const { region, account, nowMs, signal } = options;
  const resourceOf = (instanceId: string): string => arnOf(account, region, instanceId);
  const send = async (event: ServiceEvent): Promise<void> => {
    if (signal.aborted || options.lost.take() !== undefined) return;
    await options.sendEvent(region, event).catch((error: Error) => {
      process.stderr.write(
        `${event.detailType} of command ${command.about.CommandId} was not delivered: ${error.message}\n`,
      );
    });
  };
  const ofHost = async (invocation: Invocation): Promise<void> => {
    await invocation.answered;
    while (!signal.aborted && !invocation.isOver(nowMs()))
      await after(lookEveryMs, undefined, { ref: false });
    await send({
      detailType: 'EC2 Command Invocation Status-change Notification',
      resources: [resourceOf(invocation.instanceId)],
      detail: {
        ...notified(command),
        'instance-id': invocation.instanceId,
        status: invocation.state(nowMs()).status,
      },
    });
  };
  await Promise.all(command.invocations.map(ofHost));
  const { InstanceIds, Parameters, TimeoutSeconds } = command.request;
  await send({
    detailType: 'EC2 Command Status-change Notification',
    resources: InstanceIds.map(resourceOf),
    detail: {
      ...notified(command),
      'expire-after': iso(command.sentMs + (TimeoutSeconds + usualStepSeconds) * msPerSecond),
      parameters: Parameters,
      status: command.state(nowMs()).status,
    },
  });
}

const lostSchema = z.strictObject({ times: z.int().min(-1) });
export type LostEvents = OrderedFaults<z.infer<typeof lostSchema>>;
/** How many of the next events are lost, -1 for ever: a command to one host has two, the host's and its own. */
export const lostEvents = (): LostEvents => new OrderedFaults(lostSchema);

const putReply = z.object({ FailedEntryCount: z.int(), Entries: z.array(z.unknown()) });

/** @param url of MiniStack. It takes an event of a service from nobody else: see patches/service_events.py. */
export const eventsToMiniStack =
  (url: string, account: string): SendEvent =>
  async (region, { detailType, resources, detail }) => {
    const entry = { Source: 'aws.ssm', DetailType: detailType, Resources: resources };
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSEvents.PutEvents',
        'x-stripewise-service': 'ssm',
        // Not verified; it says whose bus it is, and where.
        authorization: `AWS4-HMAC-SHA256 Credential=${account}/20260101/${region}/events/aws4_request, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify({ Entries: [{ ...entry, Detail: JSON.stringify(detail) }] }),
    });
    const text = await reply.text();
    if (!reply.ok || putReply.parse(JSON.parse(text)).FailedEntryCount > 0)
      throw new Error(`EventBridge answered ${reply.status} ${text}`);
  };
