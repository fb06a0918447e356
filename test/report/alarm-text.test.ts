/** An alarm of the service itself: what every channel says of it. */
import type { Alarm } from '../../core/schemas/alarm.ts';
import { alarmLines, alarmText } from '../../report/alarm-text.ts';
import { anAlarm } from '../lambdas/deliver-messages/alarms.ts';

const textOf = (values: Partial<Alarm> = {}) => alarmText(anAlarm(values), 100);

test('the state is in the title, however long the name is', () => {
  expect(textOf().title).toBe('stripewise itself: Stripewise-AuditFailed is ALARM');
  // CloudWatch takes names of 255 characters.
  expect(textOf({ AlarmName: 'x'.repeat(255) }).title).toMatch(/x… is ALARM$/);
});

test('the end of an alarm is said as such, and no longer what it meant', () => {
  const over = textOf({ NewStateValue: 'OK', OldStateValue: 'ALARM' });
  expect(over.title).toBe('stripewise itself: Stripewise-AuditFailed ended: OK');
  expect(alarmLines(over)).toEqual([
    'The alarm ended: nothing is to be done.',
    ...['Threshold Crossed.', 'US East (N. Virginia)'],
  ]);
});

test('lines say what it means, why, and where; what is empty is no line', () => {
  const { AlarmDescription, NewStateReason, Region } = anAlarm();
  expect(alarmLines(textOf())).toEqual([AlarmDescription, NewStateReason, Region]);
  expect(alarmLines(textOf({ AlarmDescription: null, Region: '' }))).toEqual([NewStateReason]);
});

test('what is too long is cut, and nothing of it acts on who prints it', () => {
  expect(textOf({ NewStateReason: 'x'.repeat(101) }).why).toBe(`${'x'.repeat(99)}…`);
  expect(textOf({ Region: 'a\u202eb' }).region).toBe('a\\u{202e}b');
});
