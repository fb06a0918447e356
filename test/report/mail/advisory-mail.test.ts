/** An advisory by e-mail: a subject that SNS takes, a text with everything that fits, and a count of the rest. */
import fc from 'fast-check';
import { advisoryMail } from '../../../report/mail/advisory-mail.ts';
import {
  aFinding,
  anAdvisory,
  anAdvisoryBetweenRuns,
  aRecommendation,
  findingsOnVolumes,
  onInstance,
  onVolume,
  someLinks,
} from '../../fixtures/findings.ts';
import { hostileText } from '../../fixtures/hostile-text.ts';

test('one finding: what, why, what to do, and what the run was', () => {
  const { subject, text } = advisoryMail(anAdvisory([aFinding()]));
  expect(subject).toBe('stripewise: throttled-volume-iops on vol-1');
  const lines = text.split('\n');
  expect(lines.slice(0, 5)).toEqual([
    'stripewise: throttled-volume-iops on vol-1',
    '',
    'vol-1 · "db" · gp3 100 GiB · us-east-1 · 111122223333',
    '  warning: throttled-volume-iops: held back for 12 minutes by its 3,000 IOPS; first 2026-11-19 14:00 UTC',
    '    -> provision 4,000 IOPS (+5.00 USD a month)',
  ]);
  expect(text).toContain('2026-11-06 00:00 to 2026-11-20 00:00 UTC: 1 volume, 1 open in all, 0 unknown.');
  expect(text).toContain('All of it: s3://bucket/runs/run-1/summary.json');
});

test('what a benchmark of it showed stands behind the advice, and in the subject', () => {
  const advisory = anAdvisory([aFinding()], 'proved');
  const proof = 'Proved on 2026-11-22 (campaign c1): present 3,000 IOPS, advised 12,000 IOPS';
  const { subject, text } = advisoryMail({
    ...advisory,
    told: advisory.told.map((one) => ({ ...one, proof })),
  });
  expect(subject).toBe('stripewise: throttled-volume-iops on vol-1 (benchmarked)');
  const lines = text.split('\n');
  expect(lines[3]).toMatch(/, benchmarked since it was told$/);
  expect(lines.slice(4, 6)).toEqual(['    -> provision 4,000 IOPS (+5.00 USD a month)', `    => ${proof}`]);
});

test('links stand on lines of their own, behind what they are about, and before what the run was', () => {
  const { text } = advisoryMail(anAdvisory([aFinding({ id: 'f1' })], 'opened', someLinks));
  const lines = text.split('\n');
  expect(lines[4]).toMatch(/^ {4}-> /);
  expect(lines[5]).toBe(`    ${someLinks('f1')}`);
  expect(lines[7]).toBe(`Open report: ${someLinks(null)}`);
  expect(lines[8]).toMatch(/^2026-11-06 00:00 to /);
});

test('no finding gives way to a link: 5,000 are shown and counted as without, the most urgent with a link', () => {
  const all = findingsOnVolumes(5_000, { reason: 'x'.repeat(400) });
  const plain = anAdvisory(all);
  const { text: without } = advisoryMail(plain);
  const told = plain.told.map((one) => ({ ...one, url: someLinks(one.id) }));
  const { text } = advisoryMail({
    ...plain,
    told,
    reportUrl: someLinks(null),
  });
  expect(Buffer.byteLength(text, 'utf8')).toBeLessThan(66 * 1_024);
  const shownIn = (mail: string): number => mail.match(/^ {2}warning: /gm)?.length ?? 0;
  expect(shownIn(text)).toBe(shownIn(without));
  expect(text.includes(`    ${someLinks('finding-0')}\n`)).toBe(true);
});

test('an instance: where the advice has no price it says why itself, and nothing is added', () => {
  const resource = onInstance('i-1');
  const text = 'A larger instance. Which type is the cheapest is not known: no prices.';
  const recommendations = [aRecommendation({ text, monthlyUsdDelta: null })];
  const findings = [aFinding({ kind: 'throttled-instance-iops', resource, recommendations })];
  expect(advisoryMail(anAdvisory(findings)).text.split('\n')).toContain(`    -> ${text}`);
});

test('5,000 findings: at most 60 KiB, and shown + left = 5,000', () => {
  const { text } = advisoryMail(anAdvisory(findingsOnVolumes(5_000)));
  expect(Buffer.byteLength(text, 'utf8')).toBeLessThan(62 * 1_024);
  const shown = text.match(/^ {2}warning: /gm)?.length ?? 0;
  const left = Number(/and more, less urgent: (\d+)/.exec(text)?.[1]);
  expect(shown).toBeGreaterThan(100);
  expect(shown + left).toBe(5_000);
});

test('findings are counted as left, not volumes: two on each of 500', () => {
  const findings = findingsOnVolumes(500).flatMap((finding) => [
    finding,
    { ...finding, id: `${finding.id} b`, kind: 'micro-burst' as const, reason: 'x'.repeat(400) },
  ]);
  const { text } = advisoryMail(anAdvisory(findings));
  const shown = text.match(/^ {2}warning: /gm)?.length ?? 0;
  expect(shown + Number(/and more, less urgent: (\d+)/.exec(text)?.[1])).toBe(1_000);
});

test('a subject is ASCII: what is not is a question mark', () => {
  const resource = onVolume('vol-é数');
  expect(advisoryMail(anAdvisory([aFinding({ resource })])).subject).toBe(
    'stripewise: throttled-volume-iops on vol-??',
  );
});

test('whatever stands in the account: the subject is printable ASCII of at most 99, the text has no control characters', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (volumeId, name, reason) => {
      const resource = onVolume(volumeId, { name });
      const { subject, text } = advisoryMail(anAdvisory([aFinding({ resource, reason })]));
      // SNS: ASCII, fewer than 100 characters, no line breaks or control characters.
      expect(subject).toMatch(/^[\x21-\x7e][\x20-\x7e]{0,98}$/);
      expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    }),
  );
});

test.each([
  [[['opened', 1]], 'throttled-volume-iops on vol-0'],
  [[['better', 1]], 'throttled-volume-iops on vol-0 (better)'],
  [[['reopened', 1]], 'throttled-volume-iops on vol-0 (back)'],
  [[['opened', 2]], '2 findings to look at'],
  [[['resolved', 2]], '2 findings: 2 resolved'],
  [
    [
      ['resolved', 2],
      ['better', 1],
    ],
    '3 findings: 2 resolved, 1 better',
  ],
  [
    [
      ['opened', 1],
      ['worse', 2],
      ['reopened', 1],
      ['resolved', 2],
      ['better', 1],
    ],
    '4 findings to look at (2 worse, 1 back), 2 resolved, 1 better',
  ],
] as const)('%j reads: %s', (changes, subject) => {
  const told = changes.flatMap(([change, count]) => anAdvisory(findingsOnVolumes(count), change).told);
  expect(advisoryMail({ ...anAdvisory([]), told }).subject).toBe(`stripewise: ${subject}`);
});

test('what is over says so, without advice; and no run is named where there was none', () => {
  const { text } = advisoryMail(anAdvisoryBetweenRuns([aFinding()], 'resolved'));
  expect(text.split('\n')).toEqual([
    'stripewise: throttled-volume-iops on vol-1 (resolved)',
    '',
    'vol-1 · "db" · gp3 100 GiB · us-east-1 · 111122223333',
    '  warning: throttled-volume-iops: held back for 12 minutes by its 3,000 IOPS; first 2026-11-19 14:00 UTC, resolved since',
    '',
    'Told between two audits, at 2026-11-20 00:00 UTC.',
  ]);
});
