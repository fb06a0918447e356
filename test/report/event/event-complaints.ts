/** What is wrong with batches of events, whatever an account holds: a few words each, none where all is well. */
import type { EventEntry } from '../../../report/event/notification-event.ts';
import { stringsIn } from '../../fixtures/untrusted-notification.ts';
import { complaintsIf, restless } from '../../untrusted/complaints.ts';

/** AWS, "Sending events with PutEvents", read 2026-11-23: the sum of these of all entries is less than 1,048,576. */
const bytesOf = ({ source, detailType, detail, resources }: EventEntry): number =>
  [source, detailType, detail, ...resources].reduce((sum, text) => sum + Buffer.byteLength(text, 'utf8'), 0);

export const detailOf = ({ detail }: EventEntry): Record<string, unknown> =>
  JSON.parse(detail) as Record<string, unknown>;

export function eventComplaints(batches: readonly EventEntry[][]): string[] {
  const all = batches.flat();
  return complaintsIf(
    [batches.some((batch) => batch.length < 1 || batch.length > 10), 'not 1 to 10 entries in a batch'],
    [
      batches.some((batch) => batch.reduce((sum, entry) => sum + bytesOf(entry), 0) >= 1_048_576),
      'a batch over 1 MB',
    ],
    // Where an event goes on to, 256 KiB may be all: with what EventBridge puts around it.
    [all.some((entry) => bytesOf(entry) > 250_000), 'an event that SNS does not carry'],
    [all.some(({ detail }) => restless.test(detail)), 'a character that hides or turns'],
    [
      !all.every((entry) => stringsIn(detailOf(entry)).every((text) => text.isWellFormed())),
      'half a character',
    ],
    [all.some(({ detailType }) => !/^stripewise [a-z ]{1,100}$/.test(detailType)), 'a detail type of others'],
    [
      !all.every(({ resources }) =>
        resources.every((arn) =>
          /^arn:aws(-[a-z-]+)?:ec2:[a-z0-9-]+:\d{12}:(volume|instance)\/[\w-]+$/.test(arn),
        ),
      ),
      'a resource that is no ARN',
    ],
  );
}
