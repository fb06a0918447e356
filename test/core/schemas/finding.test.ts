/** What a finding is on, and which volumes it is about. */
import { findingSchema, instanceIdOf, volumeIdsOf } from '../../../core/schemas/finding.ts';
import { aFinding, onInstance, onStripe, onVolume } from '../../fixtures/findings.ts';

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

test.each([undefined, null, 'vol-1', 2])('a stripe whose members are %j has none', (other) => {
  const evidence = other === undefined ? {} : { members: other };
  expect(volumeIdsOf({ resource: onStripe('i-1/data'), evidence })).toEqual([]);
});

test('a finding on a stripe comes through the schema as it is', () => {
  const resource = onStripe('i-1/data', { name: 'data' });
  const finding = aFinding({ resource, evidence: { members, unlikeMembers: [] } });
  expect(findingSchema.parse(JSON.parse(JSON.stringify(finding)))).toEqual(finding);
});
