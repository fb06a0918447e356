/** What a finding is on, and which volumes it is about. */
import { findingSchema, resourceIdOf, volumeIdsOf } from '../../../core/schemas/finding.ts';
import { aFinding } from '../../fixtures/findings.ts';

const place = { region: 'us-east-1', account: null };
const members = ['vol-1', 'vol-2'];

test.each([
  ['a volume', { volumeId: 'vol-1' }, 'vol-1', ['vol-1']],
  // It names its instance too, and is not on it.
  ['a stripe', { stripeId: 'i-1/data', instanceId: 'i-1' }, 'i-1/data', members],
  ['an instance', { instanceId: 'i-1' }, 'i-1', []],
  ['nothing', {}, '', []],
])('a finding on %s', (_, resource, id, volumeIds) => {
  const finding = aFinding({ resource: { ...resource, ...place }, evidence: { members } });
  expect(resourceIdOf(finding.resource)).toBe(id);
  expect(volumeIdsOf(finding)).toEqual(volumeIds);
});

test('of a straggler, which names its siblings, the volume is the one', () => {
  const finding = aFinding({ kind: 'stripe-straggler', evidence: { stripeId: 'i-1/data', members } });
  expect(volumeIdsOf(finding)).toEqual(['vol-1']);
});

test.each([undefined, null, 'vol-1', 2])('a stripe whose members are %j has none', (other) => {
  const evidence = other === undefined ? {} : { members: other };
  expect(volumeIdsOf({ resource: { stripeId: 'i-1/data', ...place }, evidence })).toEqual([]);
});

test('a finding on a stripe comes through the schema as it is', () => {
  const resource = { stripeId: 'i-1/data', instanceId: 'i-1', name: 'data', ...place };
  const finding = aFinding({ resource, evidence: { members, unlikeMembers: [] } });
  expect(findingSchema.parse(JSON.parse(JSON.stringify(finding)))).toEqual(finding);
});
