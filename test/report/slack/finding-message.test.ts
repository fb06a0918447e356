/** Findings by a bot in Slack: one message each, what can be done about it, what of it is reported where. */
import fc from 'fast-check';
import type { Notification } from '../../../core/schemas/notification.ts';
import { maxThreads, slackThreadMessages } from '../../../report/slack/finding-message.ts';
import { slackSummary } from '../../../report/slack/notification-message.ts';
import {
  aFinding,
  aNotification,
  aNotificationBetweenRuns,
  aRecommendation,
  findingsOnVolumes,
  someLinks,
} from '../../fixtures/findings.ts';
import { untrustedNotification } from '../../fixtures/untrusted-notification.ts';
import { messageComplaints, wholeText } from './message-complaints.ts';

const finding = aFinding({ id: '0123456789abcdef' });
const only = (notification: Notification, hasButtons = true) => {
  const [first, ...more] = slackThreadMessages(notification, hasButtons);
  if (first === undefined || more.length > 0) throw new Error('not one message');
  return first;
};
const mute = { action_id: 'stripewise-mute', value: '0123456789abcdef' };
const acknowledge = { action_id: 'stripewise-acknowledge', value: '0123456789abcdef' };
const open = { action_id: 'stripewise-open', url: someLinks('0123456789abcdef') };
const buttonsOf = (notification: Notification): unknown =>
  only(notification).message.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));

test('a finding says what it is, why, what to do and what that costs', () => {
  const { message, ...rest } = only(aNotification([finding], 'opened', someLinks));
  expect(rest).toEqual({
    ...{ findingId: '0123456789abcdef', changeId: 'message-1:0123456789abcdef' },
    ...{ change: 'opened', broadcast: true },
  });
  expect(message.text).toBe('New: throttled volume IOPS on vol-1 "db"');
  expect(message.metadata).toEqual({
    event_type: 'stripewise_change',
    event_payload: { change_id: 'message-1:0123456789abcdef' },
  });
  expect(message.blocks).toMatchObject([
    { type: 'header', text: { text: 'New: throttled volume IOPS on vol-1 "db"' } },
    {
      type: 'section',
      text: {
        text: [
          ':large_yellow_circle: *vol-1 "db" gp3 100 GiB us-east-1 111122223333* (warning)',
          '*Problem*  Throttled at its maximum of 3,000 IOPS. Ended 19 Nov 14:30 UTC.',
          '*Evidence*  Confidence high: VolumeIOPSExceededCheck.',
          '*Fix*  Change to gp3, 4,000 IOPS, 125 MiB/s. Online, no downtime.',
          '*Effect*  Maximum 3,000 -&gt; 4,000 IOPS; demand above that is unknown: check again in a day.',
          '*Cost*  +5.00 USD a month.',
        ].join('\n'),
      },
    },
    { type: 'actions', elements: [mute, acknowledge, open] },
    { type: 'context', elements: [{ text: '20 Nov 00:00 UTC, audit run-1' }] },
  ]);
});

test('what was seen between two audits says so', () => {
  expect(wholeText(only(aNotificationBetweenRuns([finding])).message)).toContain(
    'UTC, seen between two audits',
  );
});

describe('buttons', () => {
  test('one opens the report where there is one', () => {
    expect(buttonsOf(aNotification([finding]))).toMatchObject([mute, acknowledge]);
  });

  test('of what is resolved there is only that one', () => {
    // The report says nothing of it: its link is that of the whole.
    const whole = { ...open, url: someLinks(null) };
    expect(buttonsOf(aNotification([finding], 'resolved', someLinks))).toMatchObject([whole]);
    expect(buttonsOf(aNotification([finding], 'resolved'))).toEqual([]);
  });

  const idsOf = (notification: Notification, hasChanges: boolean): string[] =>
    slackThreadMessages(notification, true, hasChanges).flatMap(({ message }) =>
      message.blocks.flatMap((block) =>
        block.type === 'actions'
          ? block.elements.map((one) => ('action_id' in one ? `${one.action_id}` : ''))
          : [],
      ),
    );
  const [muteId, acknowledgeId] = [mute.action_id, acknowledge.action_id];

  test('what EBS does online is requested where changes are on', () => {
    expect(idsOf(aNotification([finding]), true)).toEqual([
      muteId,
      acknowledgeId,
      'stripewise_request_change',
    ]);
    expect(idsOf(aNotification([finding]), false)).toEqual([muteId, acknowledgeId]);
  });

  test('what is no online change of one volume has no such button, nor what is resolved', () => {
    const unchanged = aFinding({ id: finding.id, recommendations: [aRecommendation({ change: null })] });
    expect(idsOf(aNotification([unchanged]), true)).toEqual([muteId, acknowledgeId]);
    expect(idsOf(aNotification([finding], 'resolved'), true)).toEqual([]);
  });

  test('of an id that would not fit there are none: cut, it would be that of another finding', () => {
    expect(buttonsOf(aNotification([aFinding({ id: 'x'.repeat(3_000) })]))).toEqual([]);
  });

  test('where nobody hears them there are none: the link to the report is text', () => {
    const linked = aNotification(findingsOnVolumes(11), 'opened', someLinks);
    const [first] = slackThreadMessages(linked, false);
    const rest = slackSummary(linked, 10, false);
    for (const message of [first?.message, rest]) {
      expect(message?.blocks.filter(({ type }) => type === 'actions')).toEqual([]);
      expect(wholeText(message as never)).toContain('|Open report>*');
    }
  });
});

describe('without a link', () => {
  test('the footer names the command that opens the report', () => {
    expect(only(aNotification([finding])).message.blocks.at(-1)).toMatchObject({
      type: 'context',
      elements: [{ text: '20 Nov 00:00 UTC, audit run-1. Open report: stripewise report open --run run-1' }],
    });
  });

  test('between two audits there is no run to open', () => {
    expect(wholeText(only(aNotificationBetweenRuns([finding])).message)).not.toContain('report open');
  });
});

test('what is resolved has a mark of its own, and nothing to do', () => {
  const text = wholeText(only(aNotification([finding], 'resolved')).message);
  expect(text).toContain(':white_check_mark: *vol-1');
  expect(text).toContain('*Problem*  Resolved. Throttled at its maximum of 3,000 IOPS.');
  expect(text).not.toContain('*Fix*');
});

test.each([
  ['opened', true], // In the thread of one that was forgotten since.
  ['worse', true],
  ['reopened', true],
  ['better', false],
  ['resolved', false],
  ['validated', false],
] as const)('%s is shown in the channel too: %s', (change, broadcast) => {
  expect(only(aNotification([finding], change)).broadcast).toBe(broadcast);
});

test('what is too long is cut, with the way to all of it', () => {
  // An ampersand is five characters once it is escaped: 5 times 30 of a type, twice 30 of a Region and 500 are more than 2,900.
  const recommendations = Array.from({ length: 4 }, () =>
    aRecommendation({
      change: { of: 'instance', from: null, to: '&'.repeat(30) },
      monthlyUsdDelta: null,
      priceUnknownReason: { code: 'no-instance-price', instanceType: '&'.repeat(30), region: '&'.repeat(30) },
    }),
  );
  const resource = { ...finding.resource, name: '&'.repeat(60) };
  const notification = aNotification([{ ...finding, resource, recommendations }], 'opened', someLinks);
  const validation = {
    ...{ isValidated: true, gradedAt: '2026-11-22T13:00:00Z', campaignId: '&'.repeat(64) },
    ...{ label: '&'.repeat(500), current: { iops: 3_000, p95Ms: null } },
    recommended: { iops: 12_000, p95Ms: null },
  };
  const { message } = only({
    ...notification,
    notified: notification.notified.map((one) => ({ ...one, validation })),
  });
  const text = wholeText(message);
  expect(messageComplaints(message)).toEqual(['a link that is not ours']); // It is another one here.
  expect(text).toContain(`…\n<${someLinks('0123456789abcdef')}|All of it in the report>`);
});

describe('of many findings', () => {
  const all = [
    ...findingsOnVolumes(20, { severity: 'info' }),
    ...findingsOnVolumes(3, { severity: 'critical' }).map((one) => ({ ...one, id: `critical-${one.id}` })),
  ];

  test('the most urgent have a message of their own, the others are lines of one', () => {
    const notification = aNotification(all);
    const messages = slackThreadMessages(notification, true);
    expect(messages).toHaveLength(10);
    expect(messages.slice(0, 4).map(({ findingId }) => findingId)).toEqual([
      ...['critical-finding-0', 'critical-finding-1', 'critical-finding-2', 'finding-0'],
    ]);
    const summary = slackSummary(notification, messages.length, true);
    expect(summary?.text).toBe('stripewise: 13 findings more, less urgent.'); // 23 - 10
    expect(summary?.metadata.event_payload).toEqual({ change_id: 'message-1:summary' });
    expect(wholeText(summary as never)).toContain(
      ':large_blue_circle: *vol-19 "db 19" gp3 100 GiB us-east-1:* throttled at its maximum of 3,000 IOPS',
    );
  });

  test('what the notification left out is counted', () => {
    const summary = slackSummary({ ...aNotification(all), notShown: 5 }, 10, true);
    expect(summary?.text).toBe('stripewise: 18 findings more, less urgent.'); // 23 - 10 + 5
    expect(wholeText(summary as never)).toContain('and 5 more: stripewise report open --run run-1');
  });

  test('where every one has its message there is no other', () => {
    expect(slackSummary(aNotification(findingsOnVolumes(10)), 10, true)).toBeNull();
  });
});

const listed = /:(?:red_circle|large_yellow_circle|large_blue_circle|white_check_mark): \*/g;

test('whatever stands in the account: Slack takes each message, nothing of it acts, and every finding is shown or counted', () => {
  fc.assert(
    fc.property(untrustedNotification(), (notification) => {
      const messages = slackThreadMessages(notification, true);
      expect(messages.length).toBe(Math.min(maxThreads, notification.notified.length));
      for (const { message, changeId, findingId } of messages) {
        expect(messageComplaints(message)).toEqual([]);
        expect(message.metadata.event_payload).toEqual({ change_id: changeId });
        expect(changeId).toMatch(/^[\w.:#/-]{1,200}$/);
        const notified = notification.notified.find(({ id }) => id === findingId);
        for (const value of JSON.stringify(message).matchAll(/"value":"([^"]*)"/g))
          expect(value[1]).toBe(notified?.id);
      }
      const summary = slackSummary(notification, messages.length, true);
      const rest = notification.notified.length - messages.length + notification.notShown;
      if (summary === null) return expect(rest).toBe(0);
      expect(messageComplaints(summary)).toEqual([]);
      const text = wholeText(summary);
      const left = Number(/^and ([\d,]+) more/m.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
      expect((text.match(listed)?.length ?? 0) + left).toBe(rest);
    }),
    { numRuns: 200 },
  );
});
