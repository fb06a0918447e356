/** The message about a run: what it holds, and that SNS can carry it. */
import fc from 'fast-check';
import { advisoryOf } from '../../../core/advisory/advisory.ts';
import { advisorySchema } from '../../../core/schemas/advisory.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { advisoryMail } from '../../../report/mail/advisory-mail.ts';
import {
  aFinding,
  anAdvisory,
  aResult,
  asNews,
  aVerdict,
  findingsOnVolumes,
  someLinks,
} from '../../fixtures/findings.ts';
import { hostileText } from '../../fixtures/hostile-text.ts';

const location = 's3://bucket/runs/run-1/summary.json';
const snsBytes = 256 * 1_024;

/** Bytes of the message as it is published: the JSON inside of JSON, with the text of the mail beside it. */
const publishedBytes = (findings: readonly Finding[]): number => {
  const advisory = anAdvisory(findings, 'new', someLinks);
  const message = { default: JSON.stringify(advisory), email: advisoryMail(advisory).text };
  return Buffer.byteLength(JSON.stringify(message), 'utf8');
};

test('tells the news with what they are on, and counts what goes on', () => {
  const [first, second] = findingsOnVolumes(2);
  const all = [first, second] as Finding[];
  const volumes = [
    aVerdict({ volumeId: 'vol-0', volumeType: 'gp2', sizeGiB: 500 }),
    aVerdict({ volumeId: 'vol-1' }),
  ];
  const advisory = advisoryOf(aResult(all, { volumes }), asNews(all.slice(0, 1), 'worse'), location);
  expect(advisorySchema.parse(advisory)).toEqual(advisory);
  expect(advisory).toMatchObject({
    runId: 'run-1',
    volumes: 2,
    openFindings: 2,
    notShown: 0,
    partial: false,
    location,
  });
  expect(advisory.told).toMatchObject([{ id: 'finding-0', change: 'worse', volumeText: 'gp2 500 GiB' }]);
  expect(advisory.told[0]).not.toHaveProperty('evidence');
});

test('a finding on an instance has no volume to describe', () => {
  const resource = { instanceId: 'i-1', region: 'us-east-1', account: null };
  const [told] = anAdvisory([aFinding({ kind: 'throttled-instance-iops', resource })]).told;
  expect(told?.volumeText).toBeNull();
});

test('a run that could not read something is partial', () => {
  const result = aResult([aFinding()]);
  result.coverage.incomplete.push('eu-central-1: denied');
  expect(advisoryOf(result, asNews([aFinding()]), location).partial).toBe(true);
});

test('its id is that of the claims in it', () => {
  expect(anAdvisory([aFinding()]).id).toBe('message-1');
});

test('without links there are none, with them each finding has its own and the run has one', () => {
  const findings = findingsOnVolumes(2);
  const plain = anAdvisory(findings);
  expect([plain.reportUrl, ...plain.told.map(({ url }) => url)]).toEqual([null, null, null]);
  const linked = anAdvisory(findings, 'new', someLinks);
  expect(advisorySchema.parse(linked)).toEqual(linked);
  expect([linked.reportUrl, ...linked.told.map(({ url }) => url)]).toEqual(
    [null, 'finding-0', 'finding-1'].map(someLinks),
  );
});

test('an advisory of before there were links is one without', () => {
  const { reportUrl: _, told, ...rest } = anAdvisory([aFinding()]);
  const before = { ...rest, told: told.map(({ url: __, ...one }) => one) };
  expect(advisorySchema.parse(before)).toEqual(anAdvisory([aFinding()]));
});

test('5,000 findings: JSON and mail together are below 256 KiB, and told + not shown = 5,000', () => {
  const findings = findingsOnVolumes(5_000);
  const { told, notShown } = anAdvisory(findings, 'new', someLinks);
  expect(told.length).toBeGreaterThan(100);
  expect(told.length + notShown).toBe(5_000);
  // The most urgent are kept: findings come in that order.
  expect(told.map(({ id }) => id)).toEqual(findings.slice(0, told.length).map(({ id }) => id));
  expect(publishedBytes(findings)).toBeLessThan(snsBytes);
});

test('also where every name and reason is made of what JSON must escape, and escape again', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constant('"'.repeat(256)), fc.constant('\\'.repeat(256)), hostileText),
      (text) => {
        const resource = { volumeId: 'vol-1', name: text, region: 'us-east-1', account: '111122223333' };
        const findings = findingsOnVolumes(1_000, { reason: text, resource });
        expect(publishedBytes(findings)).toBeLessThan(snsBytes);
      },
    ),
    { numRuns: 40 },
  );
});
