/** Events on a bus: those that were not taken say so in a reply that is no error. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { type BusEvent, putEvents } from '../../../adapters/aws/put-events.ts';
import { AccessDenied, Throttled, Unavailable, Undeliverable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const bus = mockClient(EventBridgeClient);
const client = new EventBridgeClient({ region: 'us-east-1' });

const event = (detail: object): BusEvent => ({
  ...{ source: 'stripewise', detailType: 'stripewise finding', detail: JSON.stringify(detail) },
  resources: ['arn:aws:ec2:us-east-1:111122223333:volume/vol-1'],
});
const events = [event({ id: 'a' }), event({ id: 'b' }), event({ id: 'c' })];

beforeEach(() => {
  bus.reset();
});

test('events go to their bus in one call', async () => {
  bus.on(PutEventsCommand).resolves({ FailedEntryCount: 0, Entries: [{ EventId: '1' }, { EventId: '2' }] });
  await putEvents(client, 'storage', events.slice(0, 2));
  const entry = {
    ...{ Source: 'stripewise', DetailType: 'stripewise finding', EventBusName: 'storage' },
    Resources: ['arn:aws:ec2:us-east-1:111122223333:volume/vol-1'],
  };
  expect(bus.commandCalls(PutEventsCommand).map(({ args: [{ input }] }) => input)).toEqual([
    {
      Entries: [
        { ...entry, Detail: '{"id":"a"}' },
        { ...entry, Detail: '{"id":"b"}' },
      ],
    },
  ]);
});

/** The second of three is not taken; or the second and the third. */
const notTaken = (...codes: string[]) => ({
  FailedEntryCount: codes.length,
  Entries: [
    { EventId: '1' },
    ...codes.map((ErrorCode) => ({ ErrorCode, ErrorMessage: 'Not\nthis one.' })),
    ...[{ EventId: '3' }].slice(codes.length - 1),
  ],
});

test.each([
  ['ThrottlingException', Throttled],
  ['InternalFailure', Unavailable],
  ['InternalException', Unavailable],
  ['MalformedDetail', Undeliverable],
  ['NotAuthorizedForSourceException', Undeliverable],
])('one that was not taken with %s is %p, in one line', async (code, kind) => {
  bus.on(PutEventsCommand).resolves(notTaken(code));
  const error = await putEvents(client, 'default', events).catch((thrown: unknown) => thrown);
  expect((error as Error).constructor).toBe(kind);
  expect((error as Error).message).toBe(
    `EventBridge did not take 1 of 3 events: ${code}: Not\\u{a}this one.`,
  );
});

test('what passes comes first: what is refused for what it is comes out when the rest was taken', async () => {
  bus.on(PutEventsCommand).resolves(notTaken('MalformedDetail', 'ThrottlingException'));
  const putting = putEvents(client, 'default', events);
  await expect(putting).rejects.toThrow(Throttled);
  await expect(putting).rejects.toThrow('EventBridge did not take 2 of 3 events: ThrottlingException');
});

test('a reply that says nothing of the events is no success', async () => {
  bus.on(PutEventsCommand).resolves({});
  await expect(putEvents(client, 'default', events)).rejects.toThrow(Unavailable);
});

test('a call that fails as a whole names itself', async () => {
  bus.on(PutEventsCommand).rejects(awsError('AccessDeniedException', 'No.'));
  const putting = putEvents(client, 'default', events);
  await expect(putting).rejects.toThrow(AccessDenied);
  await expect(putting).rejects.toThrow('events:PutEvents failed: AccessDeniedException: No.');
});
