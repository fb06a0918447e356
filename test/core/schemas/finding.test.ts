/** What a finding is on, which volumes it is about, and what each kind has as evidence. */
import { rememberedEvidenceOf, rememberedKeys } from '../../../core/schemas/evidence.ts';
import { findingSchema, instanceIdOf, volumeIdsOf } from '../../../core/schemas/finding.ts';
import { findingKinds } from '../../../core/schemas/finding-kinds.ts';
import { aFinding, onInstance, onStripe, onVolume } from '../../fixtures/findings.ts';
import { aWholeFinding, wholeEvidence } from '../../fixtures/whole-findings.ts';

const members = ['vol-1', 'vol-2'];

test.each([
  ['a volume', onVolume('vol-1'), null, ['vol-1']],
  ['a stripe', onStripe('i-1/data'), 'i-1', members],
  ['an instance', onInstance('i-1'), 'i-1', []],
])('a finding on %s', (_, resource, instanceId, volumeIds) => {
  const finding = aFinding({ resource, evidence: { members } });
  expect(instanceIdOf(finding.resource)).toBe(instanceId);
  expect(volumeIdsOf(finding)).toEqual(volumeIds);
});

test('of a straggler, which names its siblings, the volume is the one', () => {
  const finding = aFinding({ kind: 'stripe-straggler', evidence: { stripeId: 'i-1/data', members } });
  expect(volumeIdsOf(finding)).toEqual(['vol-1']);
});

test('a stripe whose members are not said has none', () => {
  expect(volumeIdsOf({ resource: onStripe('i-1/data'), evidence: {} })).toEqual([]);
});

describe.each(findingKinds)('the evidence of %s', (kind) => {
  const finding = { ...aFinding({ kind }), evidence: wholeEvidence(kind) };
  const evidenceWith = (evidence: object) => findingSchema.safeParse({ ...finding, evidence });

  test('comes through the schema as it is', () => {
    expect(findingSchema.parse(JSON.parse(JSON.stringify(finding)))).toEqual(finding);
  });

  test('is refused with a key that it does not have', () => {
    expect(evidenceWith({ ...finding.evidence, somethingElse: 1 }).success).toBe(false);
  });

  test('is refused without any of its figures', () => {
    const keys = Object.keys(finding.evidence);
    expect(keys.length).toBeGreaterThan(2);
    for (const key of keys) {
      const { [key]: _, ...rest } = finding.evidence;
      expect([key, evidenceWith(rest).success]).toEqual([key, false]);
    }
  });

  test('is remembered with the keys that it has and lines are made from, and any of them may be missing', () => {
    const schema = rememberedEvidenceOf(kind);
    const kept = rememberedKeys.filter((key) => key in finding.evidence);
    expect(schema.parse({})).toEqual({});
    expect(schema.parse(finding.evidence)).toEqual(
      Object.fromEntries(kept.map((key) => [key, finding.evidence[key]])),
    );
  });
});

test('a kind does not take the evidence of another', () => {
  const evidence = wholeEvidence('idle');
  expect(findingSchema.safeParse({ ...aFinding({ kind: 'unattached' }), evidence }).success).toBe(false);
});

test('a finding on a stripe comes through the schema as it is', () => {
  const resource = onStripe('i-1/data', { name: 'data' });
  const onIt = aWholeFinding({ resource, evidence: { members, unlikeMembers: [] } });
  expect(findingSchema.parse(JSON.parse(JSON.stringify(onIt)))).toEqual(onIt);
});
