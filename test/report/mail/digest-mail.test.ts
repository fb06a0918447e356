/** A digest by e-mail: the figures of the span, then what is most urgent of what is open. */
import fc from 'fast-check';
import type { Digest } from '../../../core/schemas/digest.ts';
import { digestMail } from '../../../report/mail/mail.ts';
import {
  aFinding,
  aRecommendation,
  asRemembered,
  findingsOnVolumes,
  onVolume,
  someLinks,
} from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

const aDigest = (values: Partial<Digest> = {}): Digest => ({
  ...{ type: 'stripewise.digest', version: 2, id: 'digest' },
  span: { start: '2026-11-16T07:00:00Z', end: '2026-11-23T07:00:00Z' },
  open: { critical: 0, warning: 1, info: 0 },
  ...{ opened: 1, resolved: 2, muted: 0, acknowledged: 0, monthlyUsdToSave: 0 },
  first: [{ ...asRemembered(aFinding()), url: null }],
  ...{ notShown: 0, reportUrl: null },
  ...values,
});

test('what is open, what came and went, and the most urgent of it with what to do', () => {
  const { subject, text } = digestMail(aDigest());
  expect(subject).toBe('stripewise: 1 warning open.');
  expect(text.split('\n')).toEqual([
    'stripewise: 1 warning open.',
    '',
    '16 Nov 07:00 UTC to 23 Nov 07:00 UTC: 1 new, 2 resolved. Of those open 0 muted, 0 acknowledged.',
    '',
    'vol-1 "db" gp3 100 GiB us-east-1 111122223333 (warning)',
    '  Problem   Throttled at its maximum of 3,000 IOPS. Ended 19 Nov 14:30 UTC.',
    '  Evidence  Confidence high: VolumeIOPSExceededCheck.',
    '  Fix       Change to gp3, 4,000 IOPS, 125 MiB/s. Online, no downtime.',
    '  Effect    Maximum 3,000 -> 4,000 IOPS; demand above that is unknown: check again in a day.',
    '  Cost      +5.00 USD a month.',
    '',
  ]);
});

test('what is left out is counted, and links stand on lines of their own', () => {
  const url = someLinks('finding-1');
  const { text } = digestMail(
    aDigest({ notShown: 7, first: [{ ...asRemembered(aFinding()), url }], reportUrl: someLinks(null) }),
  );
  const lines = text.split('\n');
  expect(lines).toContain(`  ${url}`);
  expect(lines.slice(-2)).toEqual(['and 7 more open', `Open report: ${someLinks(null)}`]);
});

test('at most 25 are shown, and shown + left = 30', () => {
  const first = findingsOnVolumes(30).map((one) => ({ ...asRemembered(one), url: null }));
  const { text } = digestMail(aDigest({ first }));
  expect(Buffer.byteLength(text, 'utf8')).toBeLessThan(64 * 1_024);
  expect(text.match(/^ {2}Problem /gm)).toHaveLength(25);
  expect(text).toContain('and 5 more open'); // 30 - 25
});

test('whatever stands in the account: the subject is printable ASCII of at most 99, the text has no control characters', () => {
  fc.assert(
    fc.property(untrustedText, untrustedText, untrustedText, (volumeId, name, region) => {
      const resource = onVolume(volumeId, { name });
      const priceUnknownReason = { code: 'no-ebs-prices', region } as const;
      const recommendations = [aRecommendation({ monthlyUsdDelta: null, priceUnknownReason })];
      const first = [{ ...asRemembered(aFinding({ resource, recommendations })), url: null }];
      const { subject, text } = digestMail(aDigest({ first }));
      expect(subject).toMatch(/^[\x21-\x7e][\x20-\x7e]{0,98}$/);
      expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    }),
  );
});
