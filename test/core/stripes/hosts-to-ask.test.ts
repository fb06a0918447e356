/** Whom to ask how volumes are joined, and what is said of those who did not say. */
import { hostsToAsk, remarksOnHosts } from '../../../core/stripes/host-evidence.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

const [two, one, none] = ['i-2', 'i-1', 'i-0'].map((instanceId) => anInstance({ instanceId }));
if (two === undefined || one === undefined || none === undefined) throw new Error('three instances');
const volumes = [
  aVolume({ volumeId: 'vol-1', attachments: on('i-2') }),
  aVolume({ volumeId: 'vol-2', attachments: on('i-2') }),
  aVolume({ volumeId: 'vol-3', attachments: on('i-1') }),
];

test('a running instance with two volumes is asked; with one, or none, there is nothing to ask', () => {
  expect(hostsToAsk({ volumes, instances: [none, one, two] })).toEqual(['i-2']);
});

test.each(['stopped', 'stopping', 'pending', 'shutting-down'])('one that is %s is not asked', (state) => {
  expect(hostsToAsk({ volumes, instances: [{ ...two, state }] })).toEqual([]);
});

test('one that nobody described is not asked: whether it runs is not known', () => {
  expect(hostsToAsk({ volumes, instances: [] })).toEqual([]);
});

test('each is asked once, however many volumes it has, in the order of the instances', () => {
  const third = aVolume({ volumeId: 'vol-4', attachments: on('i-2', 'i-1') });
  expect(hostsToAsk({ volumes: [...volumes, third], instances: [two, one] })).toEqual(['i-2', 'i-1']);
});

test('why a host did not say is a notice each; a call that is not allowed makes the run partial', () => {
  const late = { code: 'no-answer', seconds: 180 } as const;
  const refused = { code: 'call-failed', reason: 'no' } as const;
  const many = ['i-1', 'i-2', 'i-3', 'i-4', 'i-5', 'i-6'];
  const notRead = [
    { instanceIds: ['i-1'], reason: late },
    { instanceIds: many, reason: refused },
  ];
  expect(remarksOnHosts({ notRead, denied: ['ssm:SendCommand in us-east-1 failed: no'] })).toEqual({
    notices: [
      { code: 'host-not-read', instanceIds: ['i-1'], count: 1, reason: late },
      { code: 'host-not-read', instanceIds: many.slice(0, 5), count: 6, reason: refused },
    ],
    incomplete: [{ code: 'hosts-denied', reason: 'ssm:SendCommand in us-east-1 failed: no' }],
  });
  expect(remarksOnHosts(null)).toEqual({ notices: [], incomplete: [] });
});
