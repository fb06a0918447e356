/** An alarm of the service itself by e-mail. */
import fc from 'fast-check';
import type { Alarm } from '../../../core/schemas/alarm.ts';
import { alarmMail } from '../../../report/mail/mail.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

const anAlarm = (values: Partial<Alarm> = {}): Alarm => ({
  AlarmName: 'Stripewise-AuditFailed',
  AlarmDescription: 'Impact: nothing was reported. Runbook: docs/operate/runbook.md#audit-failed',
  NewStateValue: 'ALARM',
  NewStateReason: 'Threshold Crossed: 1 datapoint was greater than 0.',
  Region: 'US East (N. Virginia)',
  ...values,
});

test('says which alarm, what to do, why, and where', () => {
  expect(alarmMail(anAlarm())).toEqual({
    subject: 'stripewise itself: Stripewise-AuditFailed is ALARM',
    text: [
      'stripewise itself: Stripewise-AuditFailed is ALARM',
      '',
      'Impact: nothing was reported. Runbook: docs/operate/runbook.md#audit-failed',
      'Threshold Crossed: 1 datapoint was greater than 0.',
      'US East (N. Virginia)',
    ].join('\n'),
  });
});

test.each([[null], [undefined], ['']])(
  'one of somebody else, with the description %j, has a line less',
  (text) => {
    const { Region: _, ...alarm } = anAlarm();
    expect(alarmMail({ ...alarm, AlarmDescription: text }).text.split('\n')).toEqual([
      'stripewise itself: Stripewise-AuditFailed is ALARM',
      '',
      'Threshold Crossed: 1 datapoint was greater than 0.',
    ]);
  },
);

test('whatever is in it, SNS takes the subject, and each part is one sanitized line', () => {
  const text = untrustedText;
  fc.assert(
    fc.property(text, text, text, text, (AlarmName, AlarmDescription, NewStateReason, Region) => {
      const mail = alarmMail(anAlarm({ AlarmName, AlarmDescription, NewStateReason, Region }));
      // SNS: up to 100 characters of ASCII, none of them a line break or another control character.
      expect(mail.subject).toMatch(/^[\x20-\x7e]{1,99}$/);
      const given = [AlarmDescription, NewStateReason, Region].filter((line) => line !== '');
      expect(mail.text.split('\n')).toHaveLength(2 + given.length);
      expect(mail.text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('what has no end is cut', () => {
  const endless = 'x'.repeat(100_000);
  const { subject, text } = alarmMail(
    anAlarm({ AlarmName: endless, AlarmDescription: endless, NewStateReason: endless, Region: endless }),
  );
  expect(subject).toHaveLength(99);
  // Name, and three parts of 4,000 characters at the most.
  expect(text.length).toBeLessThan(3 * 4_000 + 300);
});
