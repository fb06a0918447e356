/** An alarm of the service itself in Slack. */
import fc from 'fast-check';
import { alarmSchema } from '../../../core/schemas/alarm.ts';
import { parseMessage } from '../../../local/slack/message.ts';
import { alarmMessage } from '../../../report/slack/notification-message.ts';
import { untrustedText, untrustedTextOf } from '../../fixtures/untrusted-text.ts';
import { messageComplaints } from './message-complaints.ts';

/** As CloudWatch publishes it; what we do not show is left out of the schema. */
const alarm = {
  AlarmName: 'Stripewise-AuditMissing',
  AlarmDescription: 'No audit ended for two days. See docs/operate/runbook.md#audit-missing.',
  AWSAccountId: '111122223333',
  NewStateValue: 'ALARM',
  NewStateReason: 'Threshold Crossed: 1 datapoint [1.0] was greater than the threshold (0.0).',
  OldStateValue: 'OK',
  Region: 'US East (N. Virginia)',
};

test('says which alarm, in which state, what it means and why', () => {
  expect(alarmMessage(alarmSchema.parse(alarm))).toEqual({
    text: 'stripewise itself: Stripewise-AuditMissing is ALARM',
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: 'stripewise itself: Stripewise-AuditMissing is ALARM' },
      },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text: [alarm.AlarmDescription, alarm.NewStateReason, alarm.Region].join('\n'),
        },
      },
    ],
  });
});

test('an alarm without description, reason and Region is a message all the same', () => {
  const bare = { ...alarm, AlarmDescription: null, NewStateReason: '', Region: undefined };
  expect(parseMessage(alarmMessage(alarmSchema.parse(bare)))).toMatchObject({ ok: true });
});

test('whatever it holds, Slack takes it and nothing of it calls, links or formats', () => {
  fc.assert(
    fc.property(
      untrustedText,
      untrustedText,
      untrustedTextOf('markup'),
      (AlarmName, AlarmDescription, NewStateReason) => {
        const message = alarmMessage({ ...alarm, AlarmName, AlarmDescription, NewStateReason });
        expect(messageComplaints(message)).toEqual([]);
      },
    ),
  );
});

test('a backtick that becomes an apostrophe makes no emoji', () => {
  const message = alarmMessage({ ...alarm, NewStateReason: ':+1:```:red_circle:' });
  expect(messageComplaints(message)).toEqual([]);
});
