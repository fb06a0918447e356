/** Notifications for Amazon Q Developer: within what its page documents, and inert in whichever chat they end. */
import fc from 'fast-check';
import { volumeResource } from '../../../core/diagnosis/finding-id.ts';
import { amazonQNotifications } from '../../../report/amazon-q/advisory-notifications.ts';
import { amazonQAlarm } from '../../../report/amazon-q/alarm-notification.ts';
import { amazonQDigest } from '../../../report/amazon-q/digest-notification.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, anAdvisory, findingsOnVolumes, someLinks } from '../../fixtures/findings.ts';
import { hostileAdvisory, hostileDigest } from '../../fixtures/hostile-advisory.ts';
import { hostileText } from '../../fixtures/hostile-text.ts';
import { notificationComplaints } from './notification-complaints.ts';

test('a finding is a thread of its own, with its next steps', () => {
  const finding = aFinding({
    id: '0123456789abcdef',
    resource: volumeResource({
      ...{ volumeId: 'vol-0123456789abcdef0', name: 'db' },
      ...{ region: 'us-east-1', account: '111122223333' },
    }),
  });
  expect(amazonQNotifications(anAdvisory([finding], 'worse', someLinks))).toEqual([
    {
      version: '1.0',
      source: 'custom',
      id: 'message-1:0123456789abcdef',
      content: {
        textType: 'client-markdown',
        title: 'Worse: throttled-volume-iops on vol-0123456789abcdef0',
        description: [
          'vol-0123456789abcdef0 · "db" · gp3 100 GiB · us-east-1 · 111122223333',
          'warning: held back for 12 minutes by its 3,000 IOPS; first 2026-11-19 14:00 UTC, worse than told before',
          someLinks('0123456789abcdef'),
        ].join('\n'),
        nextSteps: ['provision 4,000 IOPS (+5.00 USD a month)'],
        keywords: ['warning', 'throttled-volume-iops', 'us-east-1', '111122223333'],
      },
      metadata: {
        threadId: '0123456789abcdef',
        summary: 'Worse: throttled-volume-iops on vol-0123456789abcdef0',
        eventType: 'stripewise finding worse',
        relatedResources: ['arn:aws:ec2:us-east-1:111122223333:volume/vol-0123456789abcdef0'],
        additionalContext: { findingId: '0123456789abcdef', change: 'worse', severity: 'warning' },
      },
    },
  ]);
});

test('of what is resolved there is nothing to do', () => {
  const [resolved] = amazonQNotifications(anAdvisory([aFinding()], 'resolved'));
  expect(resolved?.content.nextSteps).toBeUndefined();
});

test('the ten most urgent have one each, the others share one', () => {
  const all = amazonQNotifications({ ...anAdvisory(findingsOnVolumes(12)), notShown: 4 });
  expect(all).toHaveLength(11);
  expect(all.at(-1)).toMatchObject({
    id: 'message-1:summary',
    content: { title: 'stripewise: 6 findings more, less urgent' }, // 12 - 10 + 4
  });
  expect(all.at(-1)?.content.description).toContain('… and 4 more: see the run.');
});

const listed = /^• /gm;

test('whatever stands in the account: within every limit, nothing of it acts, every finding is shown or counted', () => {
  fc.assert(
    fc.property(hostileAdvisory(), (advisory) => {
      const all = amazonQNotifications(advisory);
      expect(all.flatMap(notificationComplaints)).toEqual([]);
      const own = all.filter(({ metadata }) => metadata.eventType !== 'stripewise findings');
      const { description = '' } = all.find((one) => !own.includes(one))?.content ?? {};
      const left = Number(/^… and (\d+) more: see the run/m.exec(description)?.[1] ?? 0);
      const shown = own.length + (description.match(listed)?.length ?? 0);
      expect(shown + left).toBe(advisory.told.length + advisory.notShown);
    }),
    { numRuns: 100 },
  );
});

test('a digest is one notification, with the first findings', () => {
  const { content } = amazonQDigest(aDigest({ reportUrl: someLinks(null) }));
  expect(content).toEqual({
    textType: 'client-markdown',
    title: 'stripewise: 3 findings open (1 critical, 2 warning)',
    description: [
      '2026-11-13 08:00 to 2026-11-20 08:00 UTC: 2 opened, 1 resolved.',
      'Of those open 1 are muted and 1 acknowledged.',
      'The advice could save 120.00 USD a month.',
      '• warning: throttled-volume-iops on vol-1 · "db" · gp3 100 GiB · us-east-1 · 111122223333',
      '… and 2 more open.',
      someLinks(null),
    ].join('\n'),
  });
});

test('whatever a digest holds: within every limit, nothing of it acts, every finding is shown or counted', () => {
  fc.assert(
    fc.property(hostileDigest(), (digest) => {
      const one = amazonQDigest(digest);
      expect(notificationComplaints(one)).toEqual([]);
      const { description } = one.content;
      const left = Number(/^… and (\d+) more open/m.exec(description)?.[1] ?? 0);
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
    fc.property(hostileText, fc.option(hostileText), hostileText, (AlarmName, AlarmDescription, reason) => {
      const alarm = { AlarmName, AlarmDescription, NewStateValue: 'ALARM', NewStateReason: reason };
      expect(notificationComplaints(amazonQAlarm(alarm, AlarmName))).toEqual([]);
    }),
  );
});
