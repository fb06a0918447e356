/** A notification by e-mail: a subject that SNS takes, a text with everything that fits, and a count of the rest. */
import fc from 'fast-check';
import { notificationMail } from '../../../report/mail/mail.ts';
import {
  aFinding,
  aNotification,
  aNotificationBetweenRuns,
  aRecommendation,
  findingsOnVolumes,
  onVolume,
  someLinks,
} from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

const lines = [
  'vol-1 "db" gp3 100 GiB us-east-1 111122223333 (warning)',
  '  Problem   Throttled at its maximum of 3,000 IOPS. Ended 19 Nov 14:30 UTC.',
  '  Evidence  Confidence high: VolumeIOPSExceededCheck.',
  '  Fix       Change to gp3, 4,000 IOPS, 125 MiB/s. Online, no downtime.',
  '  Effect    Maximum 3,000 -> 4,000 IOPS; demand above that is unknown: check again in a day.',
  '  Cost      +5.00 USD a month.',
];
const runLines = [
  '6 Nov 00:00 UTC to 20 Nov 00:00 UTC: 1 volume, 1 finding in all, 0 unknown.',
  'API cost 0.01 USD at the price of us-east-1. Full results: s3://bucket/runs/run-1/summary.json',
];

test('one finding: what, why, what to do, and what the run was', () => {
  const { subject, text } = notificationMail(aNotification([aFinding()]));
  expect(subject).toBe('stripewise: 1 new finding (1 warning) on vol-1.');
  const open = 'Open report: stripewise report open --run run-1';
  expect(text.split('\n')).toEqual([subject, '', ...lines, '', open, ...runLines]);
});

test('what a benchmark of it showed stands below, and in the subject', () => {
  const notification = aNotification([aFinding()], 'validated');
  const validation = {
    ...{ isValidated: true, gradedAt: '2026-11-22T13:00:00.000Z', campaignId: 'c1', label: null },
    current: { iops: 3_000, p95Ms: 5.3 },
    recommended: { iops: 12_000, p95Ms: 1.2 },
  };
  const line =
    'Validated 22 Nov 13:00 UTC (campaign c1): 12,000 IOPS instead of 3,000, 95 % within 1.2 ms instead of 5.3 ms.';
  const { subject, text } = notificationMail({
    ...notification,
    notified: notification.notified.map((one) => ({ ...one, validation })),
  });
  expect(subject).toBe('stripewise: 1 finding benchmarked (1 warning) on vol-1.');
  expect(text).toContain('  Problem   Benchmarked. Throttled at');
  expect(text.split('\n')).toContain(`  Benchmark ${line}`);
});

test('links stand on lines of their own, behind what they are about, and before what the run was', () => {
  const { text } = notificationMail(aNotification([aFinding({ id: 'f1' })], 'opened', someLinks));
  expect(text.split('\n').slice(2)).toEqual([
    ...lines,
    `  ${someLinks('f1')}`,
    '',
    `Open report: ${someLinks(null)}`,
    ...runLines,
  ]);
});

/** Below the summary. */
const shownIn = (mail: string): number => mail.match(/^ {2}Problem /gm)?.length ?? 0;
const leftIn = (mail: string): number => Number(/^and (\d+) more, less urgent/m.exec(mail)?.[1]);

test('no finding gives way to a link: 5,000 are shown and counted as without, the most urgent with a link', () => {
  const all = findingsOnVolumes(5_000);
  const plain = aNotification(all);
  const { text: without } = notificationMail(plain);
  const notified = plain.notified.map((one) => ({ ...one, url: someLinks(one.id) }));
  const { text } = notificationMail({
    ...plain,
    notified,
    reportUrl: someLinks(null),
  });
  expect(Buffer.byteLength(text, 'utf8')).toBeLessThan(66 * 1_024);
  expect(shownIn(text)).toBe(shownIn(without));
  expect(text.includes(`  ${someLinks('finding-0')}\n`)).toBe(true);
});

test('of more than five the message of a channel comes first: five in two lines each', () => {
  const { text } = notificationMail(aNotification(findingsOnVolumes(6)));
  expect(text.split('\n').slice(2, 4)).toEqual([
    '1. warning: vol-0 "db 0" gp3 100 GiB us-east-1: throttled at its maximum of 3,000 IOPS, ended.',
    '   Fix: gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month.',
  ]);
  expect(text.match(/^\d\. /gm)).toHaveLength(5);
  expect(shownIn(text)).toBe(6);
});

test('5,000 findings: at most 60 KiB, and shown + left = 5,000', () => {
  const { text } = notificationMail(aNotification(findingsOnVolumes(5_000)));
  expect(Buffer.byteLength(text, 'utf8')).toBeLessThan(62 * 1_024);
  expect(shownIn(text)).toBeGreaterThan(100);
  expect(shownIn(text) + leftIn(text)).toBe(5_000);
});

test('a subject is ASCII: what is not is a question mark', () => {
  const resource = onVolume('vol-é数');
  expect(notificationMail(aNotification([aFinding({ resource })])).subject).toBe(
    'stripewise: 1 new finding (1 warning) on vol-??.',
  );
});

test('whatever stands in the account: the subject is printable ASCII of at most 99, the text has no control characters', () => {
  fc.assert(
    fc.property(untrustedText, untrustedText, untrustedText, (volumeId, name, region) => {
      const resource = onVolume(volumeId, { name });
      const priceUnknownReason = { code: 'no-ebs-prices', region } as const;
      const recommendations = [aRecommendation({ monthlyUsdDelta: null, priceUnknownReason })];
      const { subject, text } = notificationMail(aNotification([aFinding({ resource, recommendations })]));
      // SNS: ASCII, fewer than 100 characters, no line breaks or control characters.
      expect(subject).toMatch(/^[\x21-\x7e][\x20-\x7e]{0,98}$/);
      expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    }),
  );
});

test.each([
  [[['opened', 1]], '1 new finding (1 warning) on vol-0.'],
  [[['better', 1]], '1 finding better on vol-0.'],
  [[['reopened', 1]], '1 finding back (1 warning) on vol-0.'],
  [[['opened', 2]], '2 new findings (2 warnings).'],
  [[['resolved', 2]], '2 findings resolved.'],
  [
    [
      ['resolved', 2],
      ['better', 1],
    ],
    '1 finding better. Also 2 resolved.',
  ],
  [
    [
      ['opened', 1],
      ['worse', 2],
      ['reopened', 1],
      ['resolved', 2],
      ['better', 1],
    ],
    '1 new finding (1 warning). Also 2 worse, 1 back, 1 better, 2 resolved.',
  ],
] as const)('%j reads: %s', (changes, subject) => {
  const notified = changes.flatMap(
    ([change, count]) => aNotification(findingsOnVolumes(count), change).notified,
  );
  expect(notificationMail({ ...aNotification([]), notified }).subject).toBe(`stripewise: ${subject}`);
});

test('what is over says so, with nothing to do; and no run is named where there was none', () => {
  const { text } = notificationMail(aNotificationBetweenRuns([aFinding()], 'resolved'));
  expect(text.split('\n')).toEqual([
    'stripewise: 1 finding resolved on vol-1.',
    '',
    'vol-1 "db" gp3 100 GiB us-east-1 111122223333 (warning)',
    '  Problem   Resolved. Throttled at its maximum of 3,000 IOPS.',
    '  Evidence  Confidence high: VolumeIOPSExceededCheck.',
    '',
    'Seen between two audits, 20 Nov 00:00 UTC.',
  ]);
});
