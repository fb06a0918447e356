/** Notifications for Amazon Q Developer: within what its page documents, and sanitized in whichever chat they end. */
import fc from 'fast-check';
import { volumeResource } from '../../../core/diagnosis/draft.ts';
import { amazonQAlarm, amazonQDigest, amazonQNotifications } from '../../../report/amazon-q/notification.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, aNotification, findingsOnVolumes, someLinks } from '../../fixtures/findings.ts';
import { untrustedDigest, untrustedNotification } from '../../fixtures/untrusted-notification.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';
import { notificationComplaints } from './notification-complaints.ts';

test('a finding is a thread of its own, with its next steps', () => {
  const finding = aFinding({
    id: '0123456789abcdef',
    resource: volumeResource({
      ...{ volumeId: 'vol-0123456789abcdef0', name: 'db' },
      ...{ region: 'us-east-1', account: '111122223333' },
    }),
  });
  expect(amazonQNotifications(aNotification([finding], 'worse', someLinks))).toEqual([
    {
      version: '1.0',
      source: 'custom',
      id: 'message-1:0123456789abcdef',
      content: {
        textType: 'client-markdown',
        title: 'Worse: throttled volume IOPS on vol-0123456789abcdef0 "db"',
        description: [
          'vol-0123456789abcdef0 "db" gp3 100 GiB us-east-1 111122223333 (warning)',
          'Problem: Worse. Throttled at its maximum of 3,000 IOPS. Ended 19 Nov 14:30 UTC.',
          'Evidence: Confidence high: VolumeIOPSExceededCheck.',
          'Fix: Change to gp3, 4,000 IOPS, 125 MiB/s. Online, no downtime.',
          'Effect: Maximum 3,000 -› 4,000 IOPS; demand above that is unknown: check again in a day.',
          'Cost: +5.00 USD a month.',
          someLinks('0123456789abcdef'),
        ].join('\n'),
        nextSteps: ['gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month.'],
        keywords: ['warning', 'throttled-volume-iops', 'us-east-1', '111122223333'],
      },
      metadata: {
        threadId: '0123456789abcdef',
        summary: 'Worse: throttled volume IOPS on vol-0123456789abcdef0 "db"',
        eventType: 'stripewise finding worse',
        relatedResources: ['arn:aws:ec2:us-east-1:111122223333:volume/vol-0123456789abcdef0'],
        additionalContext: { findingId: '0123456789abcdef', change: 'worse', severity: 'warning' },
      },
    },
  ]);
});

test('without a link the command that opens the report is the last line', () => {
  const [one] = amazonQNotifications(aNotification([aFinding()]));
  expect(one?.content.description.split('\n').at(-1)).toBe('Open report: stripewise report open --run run-1');
});

test('of what is resolved there is nothing to do', () => {
  const [resolved] = amazonQNotifications(aNotification([aFinding()], 'resolved'));
  expect(resolved?.content.nextSteps).toBeUndefined();
});

test('the ten most urgent have one each, the others share one', () => {
  const all = amazonQNotifications({ ...aNotification(findingsOnVolumes(12)), notShown: 4 });
  expect(all).toHaveLength(11);
  expect(all.at(-1)).toMatchObject({
    id: 'message-1:summary',
    content: { title: 'stripewise: 6 findings more, less urgent.' }, // 12 - 10 + 4
  });
  expect(all.at(-1)?.content.description).toContain('and 4 more: stripewise report open --run run-1');
});

test('the first audit is one summary, and no list of news', () => {
  const all = amazonQNotifications({ ...aNotification(findingsOnVolumes(12)), isFirst: true });
  expect(all).toHaveLength(1);
  expect(all[0]?.content.title).toBe('stripewise: 12 warnings. 12 volumes, 1 Region.');
  expect(all[0]?.content.description.split('\n').at(-1)).toBe(
    'and 7 more: stripewise report open --run run-1',
  );
});

const listed = /^• /gm;

test('whatever stands in the account: within every limit, nothing of it acts, every finding is shown or counted', () => {
  fc.assert(
    fc.property(untrustedNotification(), (notification) => {
      const all = amazonQNotifications(notification);
      expect(all.flatMap(notificationComplaints)).toEqual([]);
      const own = all.filter(({ metadata }) => metadata.eventType !== 'stripewise findings');
      const { description = '' } = all.find((one) => !own.includes(one))?.content ?? {};
      const left = Number(/^and ([\d,]+) more/m.exec(description)?.[1]?.replaceAll(',', '') ?? 0);
      const shown = own.length + (description.match(listed)?.length ?? 0);
      expect(shown + left).toBe(notification.notified.length + notification.notShown);
    }),
    { numRuns: 100 },
  );
});

test('a digest is one notification, with the first findings', () => {
  const { content } = amazonQDigest(aDigest({ reportUrl: someLinks(null) }));
  expect(content).toEqual({
    textType: 'client-markdown',
    title: 'stripewise: 1 critical, 2 warnings open. Up to 120 USD a month to save.',
    description: [
      '13 Nov 08:00 UTC to 20 Nov 08:00 UTC: 2 new, 1 resolved. Of those open 1 muted, 1 acknowledged.',
      '• warning: vol-1 "db" gp3 100 GiB us-east-1: throttled at its maximum of 3,000 IOPS, ended.',
      'Fix: gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month.',
      'and 2 more open',
      someLinks(null),
    ].join('\n'),
  });
});

test('whatever a digest holds: within every limit, nothing of it acts, every finding is shown or counted', () => {
  fc.assert(
    fc.property(untrustedDigest(), (digest) => {
      const one = amazonQDigest(digest);
      expect(notificationComplaints(one)).toEqual([]);
      const { description } = one.content;
      const left = Number(/^and ([\d,]+) more open/m.exec(description)?.[1]?.replaceAll(',', '') ?? 0);
      expect((description.match(listed)?.length ?? 0) + left).toBe(digest.first.length + digest.notShown);
    }),
    { numRuns: 80 },
  );
});

test('an alarm is a thread by its name', () => {
  const alarm = {
    ...{ AlarmName: 'Stripewise-AuditMissing', AlarmDescription: null, NewStateValue: 'ALARM' },
    NewStateReason: 'Threshold Crossed',
  };
  expect(amazonQAlarm(alarm, 'message-7')).toMatchObject({
    id: 'message-7',
    content: {
      title: 'stripewise itself: Stripewise-AuditMissing is ALARM',
      description: 'Threshold Crossed',
    },
    metadata: { threadId: 'Stripewise-AuditMissing' },
  });
});

test('whatever an alarm holds: within every limit, and nothing of it acts', () => {
  fc.assert(
    fc.property(
      untrustedText,
      fc.option(untrustedText),
      untrustedText,
      (AlarmName, AlarmDescription, reason) => {
        const alarm = { AlarmName, AlarmDescription, NewStateValue: 'ALARM', NewStateReason: reason };
        expect(notificationComplaints(amazonQAlarm(alarm, AlarmName))).toEqual([]);
      },
    ),
  );
});
