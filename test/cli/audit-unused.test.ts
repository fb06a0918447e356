/** Volumes that do nothing, and the identity of a finding. */
import { day, describeInstances, load } from '../fixtures/aws-cli.ts';
import { auditOf, calm, instance, kindsOf, minutes, only, vol } from './one-volume.ts';

describe('unused volumes', () => {
  test('idle: fewer than one operation a minute over a day; a warning from 20 USD a month', async () => {
    const ops = day(0, minutes(0, 700, 1)); // 700 operations in 1,440 minutes
    expect(kindsOf(await auditOf({ Size: 249 }, load(vol, ops)))).toEqual(['idle info']); // 19.92 USD
    const finding = only(await auditOf({ Size: 250 }, load(vol, ops))); // 20.00 USD
    expect(finding).toMatchObject({
      kind: 'idle',
      severity: 'warning',
      evidence: { operations: 700, monthlyUsd: 20 },
    });
    expect(finding.recommendations[0]?.monthlyUsdDelta).toBe(-20);
  });

  test('one operation a minute is not idle, and a shorter window says nothing', async () => {
    expect(kindsOf(await auditOf({}, load(vol, day(1))))).toEqual([]);
    expect(kindsOf(await auditOf({}, load(vol, day(0).slice(0, 1_439))))).toEqual([]);
  });

  test('half a day of figures in a day is too little to call it idle', async () => {
    const half = day(0).map((value, i) => (i < 720 ? undefined : value));
    const wholeDay = { label: `${instance} InstanceEBSIOPSExceededCheck`, values: day(0) };
    const result = await auditOf({}, [...load(vol, half), wholeDay]);
    expect(kindsOf(result)).toEqual([]);
    expect(result.volumes[0]).toMatchObject({ status: 'healthy', knownMinutes: 720, unknownMinutes: 720 });
  });

  test('unattached needs no metrics; its price is part of it', async () => {
    const volume = {
      State: 'available',
      Attachments: [],
      VolumeType: 'io1',
      Size: 500,
      Iops: 5_000,
      Throughput: undefined,
    };
    // 500 x 0.125 + 5,000 x 0.065 = 387.50
    expect(only(await auditOf(volume, []))).toMatchObject({
      kind: 'unattached',
      severity: 'warning',
      status: 'standing',
      firstSeen: null,
      evidence: { monthlyUsd: 387.5 },
    });
  });

  test('where the price of a Region is unknown it is said, not guessed', async () => {
    const volume = { State: 'available', Attachments: [], Size: 4_000, AvailabilityZone: 'eu-central-1b' };
    const finding = only(await auditOf(volume, []));
    expect(finding).toMatchObject({
      severity: 'info',
      evidence: { monthlyUsd: null, priceUnknownReason: { code: 'no-ebs-prices', region: 'eu-central-1' } },
    });
    expect(finding.recommendations[0]?.monthlyUsdDelta).toBeNull();
  });
});

test('the id of a trouble does not depend on what else is known, but on the Region', async () => {
  const volume = { State: 'available', Attachments: [] };
  const here = only(await auditOf(volume, [])).id;
  expect(only(await auditOf(volume, [], describeInstances())).id).toBe(here);
  expect(only(await auditOf({ ...volume, AvailabilityZone: 'eu-central-1a' }, [])).id).not.toBe(here);
});

test('the same trouble has the same id in another run, another kind another', async () => {
  const metrics = load(vol, day(calm), { VolumeStalledIOCheck: day(0, { 700: 1 }) });
  const later = load(vol, day(calm), { VolumeStalledIOCheck: day(0, { 900: 1 }) });
  expect(only(await auditOf({}, later)).id).toBe(only(await auditOf({}, metrics)).id);
  expect(only(await auditOf({}, metrics)).id).toMatch(/^[0-9a-f]{16}$/);
});
