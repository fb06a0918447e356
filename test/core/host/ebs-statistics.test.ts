/** What a host says that its volumes counted: taken as it is, or said why not. Hosts are not trusted. */
import { ebsStatistics } from '../../../core/host/ebs-statistics.ts';
import { hostEvidence } from '../../../core/stripes/host-evidence.ts';
import { hostDocument, lsblkText, rootDisk } from '../stripes/hosts.ts';

const serial = 'vol0123456789abcdef0';
const volumeId = 'vol-0123456789abcdef0';
const bootId = '0f0e0d0c-0b0a-4908-8706-050403020100';
const printed = (readings: string, more: object = {}) => ({
  ...{ reader: 'nvme', epochSeconds: 1_795_046_400, uptimeSeconds: 5_000.25, bootId, form: 'whole' },
  ...{ readings, failed: '', leftOut: '', ...more },
});
const counters = '3240000000,7,0,18014398509481985,11,9007199254740993,2,3,4,5,6';
const changes = '0,0,0,0,-2,1,2,3,4,5,6';

test.each([
  ['whole', `nvme1n1 ${serial} 12 1 3 ${counters} ${changes} 64-128:3 -\n`],
  ['without what changed', `nvme1n1 ${serial} 12 1 3 ${counters}\n`],
  ['exceeded time alone', `nvme1n1 ${serial} 12 1 3 3240000000,7,0,18014398509481985\n`],
])('a reading, %s', (_, line) => {
  const { reading, notes } = ebsStatistics(printed(line));
  expect(notes).toEqual([]);
  expect(reading).toMatchObject({ epochSeconds: 1_795_046_400, uptimeSeconds: 5_000.25, bootId });
  expect(reading?.volumes).toEqual([
    {
      ...{ volumeId, epochSeconds: 1_795_046_403, diskSequence: '12' },
      counters: expect.arrayContaining(['3240000000', '18014398509481985']),
    },
  ]);
});

test.each([
  ['newer-version', `nvme1n1 ${serial} 12 2 3 ${counters} ${changes} - -`],
  ['went-backwards', `nvme1n1 ${serial} 12 1 3 ${counters} 0,0,0,0,0,-96,0,0,0,0,0 - -`],
  ['went-backwards', `nvme1n1 ${serial} 12 1 3 ${counters} -1,0,0,0,0,0,0,0,0,0,0 - -`],
  ['not-readable', `nvme1n1 ${serial} 12 1 3 1,2,3 0,0,0 - -`],
  ['not-readable', `nvme1n1 ${serial} 12 1 3 1,2,3,four 0,0,0,0 - -`],
  ['not-readable', `nvme1n1 ${serial} 12 1 later ${counters} ${changes} - -`],
  ['not-readable', `nvme1n1 vol$(id) 12 1 3 ${counters} ${changes} - -`],
  ['not-readable', `nvme1n1 ${serial} -1 1 3 ${counters} ${changes} - -`],
  ['not-readable', `nvme1n1 ${serial} - x 3 ${counters} ${changes} - -`],
  ['not-readable', 'nvme1n1'],
] as const)('%s: %s', (reason, line) => {
  expect(ebsStatistics(printed(`${line}\n`))).toEqual({
    reading: null,
    notes: [{ code: 'statistics-of-volumes-unread', devices: ['nvme1n1'], count: 1, reason }],
  });
});

test('what failed and what was left out is said, the first few by name', () => {
  const failed = Array.from({ length: 7 }, (_, i) => `nvme${i}n1 no-answer\n`).join('');
  const more = { failed: `${failed}nvme8n1 other-page\nnvme9n1 <b>\n`, leftOut: 'nvme10n1 nvme11n1' };
  expect(ebsStatistics(printed('', more)).notes).toEqual([
    {
      code: 'statistics-of-volumes-unread',
      ...{ devices: [0, 1, 2, 3, 4].map((i) => `nvme${i}n1`), count: 7, reason: 'no-answer' },
    },
    { code: 'statistics-of-volumes-unread', devices: ['nvme8n1'], count: 1, reason: 'other-page' },
    { code: 'statistics-of-volumes-unread', devices: ['nvme9n1'], count: 1, reason: 'not-readable' },
    { code: 'statistics-left-out', devices: ['nvme10n1', 'nvme11n1'], count: 2 },
  ]);
});

test.each([
  [{ error: 'timeout is not there' }, 'timeout is not there'],
  ['a text', null],
  [{ ...printed(''), epochSeconds: 'now' }, null],
  // No date is so late: the report could not be written.
  [{ ...printed(`nvme1n1 ${serial} 12 1 3 ${counters}\n`), epochSeconds: 9e12 }, null],
])('%j is not read, and how the volumes are joined is', (ebs, text) => {
  const document = JSON.parse(hostDocument({ lsblk: lsblkText(rootDisk) }));
  const evidence = hostEvidence(JSON.stringify({ ...document, ebsStatistics: ebs }));
  expect(evidence).toMatchObject({
    known: true,
    value: { singleVolumeIds: [expect.any(String)], notes: [{ code: 'statistics-unread', text }] },
  });
  expect(evidence.known && evidence.value.readings).toBeUndefined();
});

test.each([undefined, null])(
  'the answer of an earlier script, or without such a volume, says nothing: %s',
  (ebs) => {
    expect(ebsStatistics(ebs)).toEqual({ reading: null, notes: [] });
  },
);
