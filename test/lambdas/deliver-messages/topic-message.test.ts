/** What the topics say, as it comes out of the queue. */

import { changeMessageOf } from '../../../core/changes/message.ts';
import { Undeliverable } from '../../../core/errors.ts';
import { topicMessageOf } from '../../../lambdas/deliver-messages/topic-message.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, aNotification, aNotificationBetweenRuns } from '../../fixtures/findings.ts';
import { aChange } from '../../fixtures/volume-change.ts';
import { anAlarm } from './alarms.ts';

const read = (body: unknown) => topicMessageOf('sqs-1', JSON.stringify(body));

test.each([
  ['of a run', aNotification([aFinding()])],
  ['between two runs', aNotificationBetweenRuns([aFinding()])],
])('a notification %s, under its own id', (_, notification) => {
  expect(read(notification)).toEqual({ kind: 'notification', id: 'message-1', notification });
});

test('a digest, under its own id', () => {
  const digest = aDigest();
  expect(read(digest)).toEqual({ kind: 'digest', id: digest.id, digest });
});

test('a step of a change, under an id that is the same for the same step', () => {
  const message = changeMessageOf(aChange(), 'made', 1);
  expect(read(message)).toEqual({ kind: 'change', id: 'c-1#made', message });
});

test('an alarm, which has no id: that of the message in the queue', () => {
  // CloudWatch says more of it than is shown.
  const said = { ...anAlarm(), AWSAccountId: '111122223333', Trigger: { MetricName: 'ExecutionsFailed' } };
  expect(read(said)).toEqual({ kind: 'alarm', id: 'sqs-1', alarm: anAlarm() });
});

test.each([
  ['text', 'a test from the console'],
  ['JSON that is no object', 7],
  ['null', null],
  ['a list', [anAlarm()]],
  ['something of somebody else', { type: 'other.event', version: 1 }],
  ['an event of an alarm without its state', { AlarmName: 'AuditFailed' }],
])('%s is none of these', (_, body) => {
  expect(topicMessageOf('sqs-1', typeof body === 'string' ? body : JSON.stringify(body))).toBeNull();
});

test.each([
  ['a notification', { ...aNotification([aFinding()]), version: 3 }, 'stripewise.notification version'],
  ['a digest', { ...aDigest(), version: 3 }, 'stripewise.digest version'],
  ['a change', { ...changeMessageOf(aChange(), 'made', 1), version: 2 }, 'stripewise.change version'],
  [
    'a notification with a part missing',
    { ...aNotification([aFinding()]), notified: undefined },
    'stripewise.notification notified',
  ],
])('%s of another version is not lost: a person must look at it', (_, body, where) => {
  expect(() => read(body)).toThrow(Undeliverable);
  expect(() => read(body)).toThrow(`a message of another version: ${where}`);
});
