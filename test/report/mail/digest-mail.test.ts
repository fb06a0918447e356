/** A digest by e-mail: the figures of the span, then what is most urgent of what is open. */
import fc from 'fast-check';
import type { Digest } from '../../../core/schemas/digest.ts';
import { digestMail } from '../../../report/mail/digest-mail.ts';
import {
  aFinding,
  aRecommendation,
  asRemembered,
  findingsOnVolumes,
  onVolume,
  someLinks,
} from '../../fixtures/findings.ts';
import { hostileText } from '../../fixtures/hostile-text.ts';

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
  expect(subject).toBe('stripewise: 1 finding open (1 warning)');
  expect(text.split('\n')).toEqual([
    'stripewise: 1 finding open (1 warning)',
    '',
    '2026-11-16 07:00 to 2026-11-23 07:00 UTC: 1 opened, 2 resolved.',
    'Of those open 0 are muted and 0 acknowledged.',
    '',
    'vol-1 · "db" · gp3 100 GiB · us-east-1 · 111122223333',
    '  warning: throttled-volume-iops: held back for 12 minutes by its 3,000 IOPS; first 2026-11-19 14:00 UTC',
    '    -> provision 4,000 IOPS (+5.00 USD a month)',
    '',
  ]);
});

test('what is left out is counted, and links stand on lines of their own', () => {
  const url = someLinks('finding-1');
  const { text } = digestMail(
    aDigest({ notShown: 7, first: [{ ...asRemembered(aFinding()), url }], reportUrl: someLinks(null) }),
  );
  const lines = text.split('\n');
  expect(lines).toContain(`    ${url}`);
  expect(lines.slice(-2)).toEqual(['… and 7 more open.', `Open report: ${someLinks(null)}`]);
});

test('ten that are as long as can be are below 64 KiB, and shown + left = 10', () => {
  const recommendations = Array.from({ length: 40 }, () => aRecommendation({ text: 'x'.repeat(5_000) }));
  const first = findingsOnVolumes(10, { recommendations }).map((one) => ({
    ...asRemembered(one),
    url: null,
  }));
  const { text } = digestMail(aDigest({ first }));
  expect(Buffer.byteLength(text, 'utf8')).toBeLessThan(64 * 1_024);
  const shown = text.match(/^ {2}warning: /gm)?.length ?? 0;
  expect(shown).toBeGreaterThan(1);
  expect(shown + Number(/and (\d+) more open/.exec(text)?.[1])).toBe(10);
});

test('whatever stands in the account: the subject is printable ASCII of at most 99, the text has no control characters', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (volumeId, name, reason) => {
      const resource = onVolume(volumeId, { name });
      const first = [{ ...asRemembered(aFinding({ resource, reason })), url: null }];
      const { subject, text } = digestMail(aDigest({ first }));
      expect(subject).toMatch(/^[\x21-\x7e][\x20-\x7e]{0,98}$/);
      expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    }),
  );
});
