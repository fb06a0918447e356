import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { Throttled, Unavailable, Undeliverable } from '../../core/errors.ts';
import { inert } from '../../core/inert.ts';
import { reading } from './failure.ts';

export interface BusEvent {
  source: string;
  detailType: string;
  /** JSON. */
  detail: string;
  resources: string[];
}

/** AWS takes so many in a call. */
export const eventsPerCall = 10;

const mostCharacters = 200;

/**
 * @param events at most `eventsPerCall`.
 * @throws Throttled, Unavailable where some were not taken: sent again, those that were taken come twice, with the same id in
 * their detail.
 */
export const putEvents = (
  client: EventBridgeClient,
  bus: string,
  events: readonly BusEvent[],
): Promise<void> =>
  reading('events:PutEvents', async () => {
    const Entries = events.map(
      ({ source, detailType, detail, resources }): PutEventsRequestEntry => ({
        ...{ Source: source, DetailType: detailType, Detail: detail, Resources: resources },
        EventBusName: bus,
      }),
    );
    const reply = await client.send(new PutEventsCommand({ Entries }));
    const failed = reply.Entries?.find(({ ErrorCode }) => ErrorCode !== undefined);
    if (failed === undefined) return;
    const text = `EventBridge did not take ${reply.FailedEntryCount} of ${Entries.length} events: ${failed.ErrorCode}: ${inert(failed.ErrorMessage ?? '', mostCharacters)}`;
    if (failed.ErrorCode === 'ThrottlingException') throw new Throttled(text);
    if (failed.ErrorCode === 'InternalFailure') throw new Unavailable(text);
    throw new Undeliverable(text);
  });
