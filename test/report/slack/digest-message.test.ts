/** A digest in Slack. */
import fc from 'fast-check';
import type { Digest } from '../../../core/schemas/digest.ts';
import { slackDigest } from '../../../report/slack/notification-message.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { someLinks } from '../../fixtures/findings.ts';
import { untrustedDigest } from '../../fixtures/untrusted-notification.ts';
import { messageComplaints, wholeText } from './message-complaints.ts';

test('says how many are open, what came and went, and the first of them with their links', () => {
  const message = slackDigest(aDigest({ reportUrl: someLinks(null) }));
  expect(message.text).toBe('stripewise: 1 critical, 2 warnings open. Up to 120 USD a month to save.');
  expect(message.blocks.slice(1)).toMatchObject([
    {
      text: {
        text: '13 Nov 08:00 UTC to 20 Nov 08:00 UTC: 2 new, 1 resolved. Of those open 1 muted, 1 acknowledged.',
      },
    },
    {
      text: {
        text: [
          ':large_yellow_circle: *vol-1 "db" gp3 100 GiB us-east-1:* throttled at its maximum of 3,000 IOPS, ended.',
          'Fix: gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month.',
        ].join('\n'),
      },
    },
    {
      text: { text: `and 2 more open: *<${someLinks(null)}|Open report>*` },
    },
  ]);
});

test('where nothing is open it says so', () => {
  const none: Partial<Digest> = { open: { critical: 0, warning: 0, info: 0 }, first: [], notShown: 0 };
  expect(slackDigest(aDigest(none)).text).toBe('stripewise: no finding is open.');
});

test('whatever it holds: Slack takes it, nothing of it acts, and every finding is shown or counted', () => {
  fc.assert(
    fc.property(untrustedDigest(), (digest) => {
      const message = slackDigest(digest);
      expect(messageComplaints(message)).toEqual([]);
      const text = wholeText(message);
      const shown = text.match(/_circle: \*/g)?.length ?? 0;
      const left = Number(/^and ([\d,]+) more open/m.exec(text)?.[1]?.replaceAll(',', '') ?? 0);
      expect(shown + left).toBe(digest.first.length + digest.notShown);
    }),
    { numRuns: 150 },
  );
});
