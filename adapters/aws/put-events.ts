import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { Throttled, Unavailable, Undeliverable } from '../../core/errors.ts';
import { sanitize } from '../../core/sanitize.ts';
import { reading } from './failure.ts';
import { listed } from './garbled.ts';

export interface BusEvent {
  source: string;
  detailType: string;
  /** JSON. */
  detail: string;
  resources: string[];
}

const maxCharacters = 200;

/** Of a single event, in a reply that is no error. Source: EventBridge API reference, PutEventsResultEntry, read 2026-11-23. */
const throttled = 'ThrottlingException';
const passing = [throttled, 'InternalFailure', 'InternalException'];

/**
 * @param events at most ten: AWS takes no more in a call.
 * @throws Throttled, Unavailable where some were not taken: sent again, those that were taken come twice, with the same id in
 * their detail. Undeliverable where what is left is refused for what it is.
 */
export async function putEvents(
  client: EventBridgeClient,
  bus: string,
  events: readonly BusEvent[],
): Promise<void> {
  const sent = events.map(
    ({ source, detailType, detail, resources }): PutEventsRequestEntry => ({
      ...{ Source: source, DetailType: detailType, Detail: detail, Resources: resources },
      EventBusName: bus,
    }),
  );
  const { Entries } = await reading('events:PutEvents', () =>
    client.send(new PutEventsCommand({ Entries: sent })),
  );
  const failed = listed(Entries, 'Entries').filter(({ ErrorCode }) => ErrorCode !== undefined);
  const first = failed.find(({ ErrorCode = '' }) => passing.includes(ErrorCode)) ?? failed[0];
  if (first === undefined) return;
  const { ErrorCode = '', ErrorMessage = '' } = first;
  const text = `EventBridge did not take ${failed.length} of ${sent.length} events: ${ErrorCode}: ${sanitize(ErrorMessage, maxCharacters)}`;
  if (ErrorCode === throttled) throw new Throttled(text);
  throw passing.includes(ErrorCode) ? new Unavailable(text) : new Undeliverable(text);
}
