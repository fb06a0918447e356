/** A digest in Slack. */
import fc from 'fast-check';
import type { Digest } from '../../../core/schemas/digest.ts';
import { slackDigest } from '../../../report/slack/digest-message.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { someLinks } from '../../fixtures/findings.ts';
import { hostileDigest } from '../../fixtures/hostile-advisory.ts';
import { messageComplaints, wholeText } from './message-complaints.ts';

test('says how many are open, what came and went, and the first of them with their links', () => {
  const message = slackDigest(aDigest({ reportUrl: someLinks(null) }));
  expect(message.text).toBe('stripewise: 3 findings open (1 critical, 2 warning)');
  expect(message.blocks.slice(1)).toMatchObject([
    {
      text: {
        text: [
          '2026-11-13 08:00 to 2026-11-20 08:00 UTC: 2 opened, 1 resolved.',
          'Of those open 1 are muted and 1 acknowledged.',
          'The advice could save 120.00 USD a month.',
        ].join('\n'),
      },
    },
    {
      text: {
        text: [
          ':large_yellow_circle: *throttled-volume-iops* (warning) on vol-1 · "db" · gp3 100 GiB · us-east-1 · 111122223333',
          'held back for 12 minutes by its 3,000 IOPS; first 2026-11-19 14:00 UTC',
          '→ provision 4,000 IOPS (+5.00 USD a month)',
        ].join('\n'),
      },
    },
    {
      text: { text: `… and 2 more open.\n*<${someLinks(null)}|Open report>*` },
    },
  ]);
});

test('where nothing is open it says so', () => {
  const none: Partial<Digest> = { open: { critical: 0, warning: 0, info: 0 }, first: [], notShown: 0 };
  expect(slackDigest(aDigest(none)).text).toBe('stripewise: no finding is open');
});

test('whatever it holds: Slack takes it, nothing of it acts, and every finding is shown or counted', () => {
  fc.assert(
    fc.property(hostileDigest(), (digest) => {
      const message = slackDigest(digest);
      expect(messageComplaints(message)).toEqual([]);
      const text = wholeText(message);
      const shown = text.match(/_circle: \*/g)?.length ?? 0;
      const left = Number(/… and (\d+) more open/.exec(text)?.[1] ?? 0);
      expect(shown + left).toBe(digest.first.length + digest.notShown);
    }),
    { numRuns: 150 },
  );
});
