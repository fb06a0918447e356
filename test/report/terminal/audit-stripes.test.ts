/** Stripes as people read them: the row of one, and the line that says how they are known. */
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { auditText } from '../../../report/terminal/audit.ts';
import {
  aFinding,
  anEvaluation,
  aResult,
  onInstance,
  onStripe,
  type SomeFinding,
} from '../../fixtures/findings.ts';

const instanceId = 'i-0123456789abcdef0';
const members = [0, 1, 2, 3, 4].map((i) => `vol-0123456789abcdef${i}`);

const textOf = (findings: readonly Finding[], result: Partial<AuditResult> = {}): string =>
  auditText(aResult(findings, result), {
    columns: null,
    color: false,
    invokedAs: 'stripewise',
    recorded: false,
  }).join('\n');

const aboutStripe = (name: string | null, finding: SomeFinding = {}): Finding =>
  aFinding({
    resource: onStripe(`${instanceId}/${name ?? '0a1b2c3d4e5f'}`, {
      ...{ name: name ?? 'array-0', account: '111122223333' },
    }),
    ...finding,
    evidence: { members, stripeConfidence: 'high', ...finding.evidence },
  });

/** The titles of the blocks. */
const titles = (text: string): string[] => text.split('\n').filter((line) => /^\d+\. /.test(line));

describe('the block', () => {
  test('names the stripe, which names its instance, and how many volumes it has', () => {
    expect(titles(textOf([aboutStripe('data/data')]))).toEqual([
      `1.  warning ${instanceId}/data/data stripe of 5 volumes us-east-1 (throttled-volume-iops)`,
    ]);
  });

  test('of one without a name has its hash, whole, and what its first volume is called', () => {
    expect(titles(textOf([aboutStripe(null)]))[0]).toContain(
      ` ${instanceId}/0a1b2c3d4e5f "array-0" stripe of 5`,
    );
  });

  test('names its first volumes and counts the others', () => {
    expect(textOf([aboutStripe('data/data')])).toContain(
      `    Volumes   ${members.slice(0, 4).join(' ')} and 1 more\n`,
    );
  });

  test.each([
    ['low', 'Confidence low that they are one stripe.'],
    ['medium', null],
  ] as const)('of %s confidence in the stripe: %s', (stripeConfidence, said) => {
    const text = textOf([aboutStripe(null, { evidence: { stripeConfidence } })]);
    if (said === null) expect(text).not.toContain('that they are one stripe');
    else expect(text).toContain(said);
  });
});

test.each([
  ['medium', 'medium', 'Confidence medium: as sure as it is that they are one stripe'],
  ['medium', 'high', 'Confidence medium: latency in part from the queue length'],
] as const)(
  'a straggler of %s confidence in a stripe of %s says what to doubt',
  (confidence, stripeConfidence, said) => {
    const evidence = { stripeConfidence, members };
    expect(textOf([aFinding({ kind: 'stripe-straggler', confidence, evidence })])).toContain(said);
  },
);

describe('the lines of the run', () => {
  const stripe = (evidence: AuditResult['stripes'][number]['evidence']): AuditResult['stripes'][number] => ({
    ...{ stripeId: `${instanceId}/x`, name: null, instanceId, region: 'us-east-1', volumeIds: members },
    ...{ evidence, confidence: 'medium', kind: null, chunkKiB: null, builtWith: null, mountPoints: [] },
    ...{ limits: null, unlikeMembers: [] },
  });
  const lineOf = (...evidence: AuditResult['stripes'][number]['evidence'][]): string | undefined =>
    textOf([], { stripes: evidence.map(stripe) })
      .split('\n')
      .find((line) => /^\d+ stripes?: /.test(line));

  test.each([
    [[], undefined],
    [['host'], '1 stripe: 1 by the host.'],
    [
      ['inferred', 'tag', 'host'],
      '3 stripes: 1 by the host, 1 by tag, 1 inferred (tag its volumes stripewise:stripe, one value a stripe, to be sure).',
    ],
    [
      ['inferred', 'inferred'],
      '2 stripes: 2 inferred (tag their volumes stripewise:stripe, one value a stripe, to be sure).',
    ],
  ] as const)('%j', (evidence, line) => {
    expect(lineOf(...evidence)).toBe(line);
  });

  test('each stripe is listed: its id, who says so, its members, where it is mounted', () => {
    const named = { ...stripe('host'), name: 'data/data', mountPoints: ['/data', '/x\u001b[1m'] };
    const out = textOf([], { stripes: [named, stripe('inferred')] }).split('\n');
    expect(out).toContain(
      `  ${instanceId}/x (by the host): 5 volumes, ${members.join(' ')}; mounted at /data, /x\\u{1b}[1m`,
    );
    expect(out).toContain(`  ${instanceId}/x (inferred): 5 volumes, ${members.join(' ')}`);
  });

  test('of 25 stripes 20 are listed, of 20 members 16', () => {
    const many = Array.from({ length: 20 }, (_, i) => `vol-${i}`);
    const stripes = Array.from({ length: 25 }, () => ({ ...stripe('tag'), volumeIds: many }));
    const out = textOf([], { stripes });
    expect(out.match(/\(by tag\): /g)).toHaveLength(20);
    expect(out).toContain('vol-15 and 4 more\n');
    expect(out).toContain('  ... and 5 more (--json has them all)');
  });

  test('a finding on a stripe is none on an instance, though it names one', () => {
    const other = aFinding({
      kind: 'throttled-instance-iops',
      resource: onInstance(instanceId),
    });
    expect(textOf([aboutStripe('data/data'), other])).toContain('Findings  2; 1 of them on instances.\n');
  });

  test('what a stripe could cost less is reported of each of its volumes', () => {
    const volumes = members.map((volumeId) => anEvaluation({ volumeId, status: 'healthy' }));
    const saving = aboutStripe('data/data', { kind: 'over-provisioned', severity: 'info' });
    expect(textOf([saving], { volumes })).toContain('5 volumes can cost less with the same performance.');
  });
});
