/** The tags by which routes decide where a finding is reported. */
import { withTags } from '../../../core/audit/audit.ts';
import type { AnyEvidence, Finding } from '../../../core/schemas/finding.ts';
import { aFinding, onInstance, onStripe, onVolume } from '../../fixtures/findings.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';

const volumes = [
  aVolume({ volumeId: 'vol-1', tags: { team: 'payments', tier: '1' } }),
  aVolume({ volumeId: 'vol-2', tags: { team: 'payments', tier: '2' } }),
  aVolume({ volumeId: 'vol-3', tags: {} }),
];
const instances = [
  anInstance({ instanceId: 'i-1', tags: { team: 'hosts' } }),
  anInstance({ instanceId: 'i-2' }),
];
const on = (resource: Finding['resource'], evidence: AnyEvidence = {}): Finding =>
  aFinding({ resource, evidence });

test.each([
  ['of a volume its own', on(onVolume('vol-1')), { team: 'payments', tier: '1' }],
  ['of a volume without any none', on(onVolume('vol-3')), undefined],
  ['of a volume that nobody described none', on(onVolume('vol-9')), undefined],
  [
    'of a stripe those that all members share with their value, and not those of its instance',
    on(onStripe('i-1/data'), { members: ['vol-1', 'vol-2'] }),
    { team: 'payments' },
  ],
  [
    'of a stripe none where one member has none',
    on(onStripe('i-1/data'), { members: ['vol-1', 'vol-3'] }),
    undefined,
  ],
  ['of an instance its own', on(onInstance('i-1')), { team: 'hosts' }],
  ['of an instance of which none are reported none', on(onInstance('i-2')), undefined],
])('%s', (_, finding, tags) => {
  expect(withTags([finding], volumes, instances)[0]?.resource.tags).toEqual(tags);
});
