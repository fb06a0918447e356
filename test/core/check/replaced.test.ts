/** What a plan replaces: a volume with its data, or an instance where EBS modifies its volumes in place. */
import { known, unknown } from '../../../core/known.ts';
import { checked, found, only } from '../../fixtures/checked.ts';
import { aDevice, anInstance, asked, aVolume } from '../../fixtures/planned.ts';

const grown = (address: string, gib: number) =>
  anInstance(
    'm5.large',
    [{ ...aDevice({ type: 'gp3', gib }), before: aVolume({ type: 'gp3', gib: 100 }).asked }],
    { address, action: 'replace', replacedFor: ['ebs_block_device'] },
  );

test('an instance for a volume that grows from 100 to 200 GiB', () => {
  expect(only('replaced', [grown('aws_instance.db', 200)])).toMatchObject({
    severity: 'critical',
    facts: { what: 'instance', devices: ['/dev/sdf'] },
    wayOut: [{ code: 'modify-in-place', changes: [{ device: '/dev/sdf', to: { sizeGiB: 200 } }] }],
  });
});

test('an instance not for a volume that is to shrink', () => {
  expect(found('replaced', [grown('aws_instance.db', 50)])).toEqual([]);
});

test('where a size is not known that is the reason; where the plan has no state of it, that', () => {
  const later = unknown({ code: 'known-after-apply' as const, detail: null });
  const replace = { action: 'replace' as const, replacedFor: ['size'] };
  const [from, to] = [asked({ type: 'gp3', gib: 100 }), asked({ type: 'gp3', gib: 200 })];
  const reasons = (...resources: Parameters<typeof checked>[0]) =>
    checked(resources)
      .notChecked.filter(({ rules }) => rules.includes('replaced'))
      .map(({ reason }) => reason);
  const unsized = { ...to, sizeGiB: later };
  expect(reasons(aVolume({}, null, { ...replace, asked: unsized, before: from }))).toMatchObject([
    { figure: 'size', why: 'known-after-apply' },
  ]);
  const instance = (device: object) =>
    anInstance('m5.large', [{ ...aDevice({}), ...device }], {
      ...{ action: 'replace', replacedFor: ['ebs_block_device'] },
    });
  expect(reasons(instance({ asked: unsized, before: from }))).toMatchObject([
    { figure: 'size', why: 'known-after-apply' },
  ]);
  expect(reasons(instance({ asked: to, before: null }))).toMatchObject([
    { figure: 'volumes', why: 'elsewhere' },
  ]);
  expect(reasons(instance({ asked: to, before: from }))).toEqual([]);
});

test('for another zone, or to shrink, a volume loses its data without a snapshot; with one it does not', () => {
  const gp3 = (gib: number) => ({ type: 'gp3', gib });
  const replaced = (gib: number, reason: string) =>
    aVolume(gp3(gib), gp3(100), { action: 'replace', replacedFor: [reason] });
  for (const one of [replaced(100, 'availability_zone'), replaced(50, 'size')])
    expect(only('replaced', [one])).toMatchObject({
      ...{ severity: 'warning', facts: { isInPlace: false }, wayOut: [{ code: 'snapshot-first' }] },
    });
  const volume = replaced(100, 'availability_zone');
  const snapshotId = known('snap-0123456789abcdef0');
  expect(found('replaced', [{ ...volume, asked: { ...volume.asked, snapshotId } }])).toEqual([]);
});

test.each(['tainted', 'requested'] as const)(
  'a volume that is %s: it is kept first, and no attribute is blamed',
  (replaceReason) => {
    const volume = aVolume({ type: 'gp3', gib: 100 }, null, { action: 'replace', replaceReason });
    expect(only('replaced', [volume])).toMatchObject({
      severity: 'warning',
      facts: { replaceReason, replacedFor: [] },
      wayOut: [{ code: 'keep', replaceReason }, { code: 'snapshot-first' }],
    });
  },
);

test('a volume of which the plan does not say why', () => {
  const volume = aVolume({ type: 'gp3', gib: 100 }, null, { action: 'replace' });
  expect(only('replaced', [volume])).toMatchObject({
    facts: { replaceReason: 'unknown' },
    wayOut: [{ code: 'snapshot-first' }],
  });
});
