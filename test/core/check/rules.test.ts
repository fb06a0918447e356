/** Each rule: a case that it finds, and one beside it that it must not. Prices are those of us-east-1 that come with stripewise. */
import type { Asked } from '../../../core/check/planned.ts';
import { known, unknown } from '../../../core/known.ts';
import type { CheckAnswer } from '../../../core/schemas/check-answer.ts';
import { checkNotes } from '../../../report/wording/check.ts';
import { checkFindingText } from '../../../report/wording/check-finding.ts';
import { checked, found, only } from '../../fixtures/checked.ts';
import {
  aClaim,
  aDevice,
  aGroup,
  anInstance,
  aStorageClass,
  aTemplate,
  aVolume,
  type Said,
} from '../../fixtures/planned.ts';

const set = (...changes: object[]) =>
  expect.objectContaining({
    code: 'set-volumes',
    changes: changes.map((to) => expect.objectContaining({ to })),
  });

describe('refused-by-aws', () => {
  test('gp3 has 500 IOPS a GiB at most: 5,000 of 10 GiB; 16,000 take 32 GiB', () => {
    const finding = only('refused-by-aws', [aVolume({ type: 'gp3', gib: 10, iops: 16_000 })]);
    expect(finding).toMatchObject({ severity: 'critical', facts: { code: 'configuration-refused' } });
    expect(finding.wayOut).toEqual([
      set({ volumeType: 'gp3', sizeGiB: 10, iops: 5_000, throughputMiBps: 125 }), // 10 x 500
      set({ volumeType: 'gp3', sizeGiB: 32, iops: 16_000, throughputMiBps: 125 }), // 16,000 / 500
    ]);
    expect(found('refused-by-aws', [aVolume({ type: 'gp3', gib: 32, iops: 16_000 })])).toEqual([]);
  });

  test('1,000 MiB/s take 4,000 IOPS: 0.25 MiB/s for each', () => {
    const finding = only('refused-by-aws', [aVolume({ type: 'gp3', gib: 100, mibps: 1_000 })]);
    expect(finding.wayOut).toEqual([
      set({ volumeType: 'gp3', sizeGiB: 100, iops: 4_000, throughputMiBps: 1_000 }),
    ]);
    expect(found('refused-by-aws', [aVolume({ type: 'gp3', gib: 100, iops: 4_000, mibps: 1_000 })])).toEqual(
      [],
    );
  });

  test('IOPS that somebody sets on gp2 are refused; those that EC2 reports of it are not', () => {
    expect(only('refused-by-aws', [aVolume({ type: 'gp2', gib: 100, iops: 3_000 })]).wayOut).toEqual([
      set({ volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null }),
    ]);
    const reported = { type: 'gp2', gib: 100, iops: 300 };
    expect(found('refused-by-aws', [aVolume({ ...reported, gib: 200 }, reported)])).toEqual([]);
  });

  test('a volume does not shrink, and grows', () => {
    const facts = only('refused-by-aws', [
      aVolume({ type: 'gp3', gib: 50 }, { type: 'gp3', gib: 100 }),
    ]).facts;
    expect(facts).toEqual({ code: 'volume-shrinks', fromGiB: 100, toGiB: 50 });
    expect(found('refused-by-aws', [aVolume({ type: 'gp3', gib: 100 }, { type: 'gp3', gib: 50 })])).toEqual(
      [],
    );
  });

  test('no HDD boots, and one beside the root volume is good', () => {
    const hdd = { type: 'st1', gib: 500 };
    expect(
      only('refused-by-aws', [anInstance('m5.large', [aDevice(hdd, { isRoot: true })])]).facts.code,
    ).toBe('boot-volume-type');
    expect(found('refused-by-aws', [anInstance('m5.large', [aDevice(hdd)])])).toEqual([]);
  });

  test('Multi-Attach is for io1 and io2', () => {
    const shared = { gib: 100, iops: 5_000, multiAttach: true };
    expect(only('refused-by-aws', [aVolume({ ...shared, type: 'gp3' })]).facts.code).toBe(
      'multi-attach-type',
    );
    expect(found('refused-by-aws', [aVolume({ ...shared, type: 'io2' })])).toEqual([]);
  });

  test('of a class, which has no size, what no size allows', () => {
    expect(found('refused-by-aws', [aStorageClass({ type: 'gp3', iops: 90_000 })])).toHaveLength(1); // 80,000 at most
    expect(found('refused-by-aws', [aStorageClass({ type: 'gp3', iops: 80_000 })])).toEqual([]);
    expect(only('refused-by-aws', [aStorageClass({ type: 'gp4' })]).facts.code).toBe('no-such-volume-type');
  });
});

describe('figures that the driver of Kubernetes makes', () => {
  test('io1 with IOPS by GiB has those of its claim: the class alone is not refused, and says what it hangs on', () => {
    const byGiB = aStorageClass({ type: 'io1' }, { iopsPerGiB: known(50) });
    const alone = checked([byGiB]);
    expect(alone.findings).toEqual([]);
    expect(alone.notChecked).toMatchObject([
      { address: 'StorageClass/fast', reason: { figure: 'IOPS', why: 'size-of-claim' } },
    ]);
    expect(checkNotes(alone)).toContain('Not checked in part: 1 x IOPS depending on the size of a claim.');
    // 100 GiB have 5,000 of them: nothing is left unknown.
    const { notChecked, price } = checked([byGiB, aClaim(100)]);
    expect([notChecked, price.monthlyUsdDifference]).toEqual([[], 337.5]); // 100 x 0.125 + 5,000 x 0.065
    // Without them io1 has no IOPS at all.
    expect(found('refused-by-aws', [aStorageClass({ type: 'io1' })])).toHaveLength(1);
  });

  test('10 GiB with 12,000 IOPS get 10 x 500 = 5,000: 2,000 x 0.005 + 0.80 = 10.80 USD', () => {
    const fast = aStorageClass({ type: 'gp3', iops: 12_000 });
    const { findings, price } = checked([fast, aClaim(10)]);
    expect(findings.filter(({ rule }) => rule === 'refused-by-aws')).toEqual([]);
    expect(price.monthlyUsdDifference).toBe(10.8);
    // 5 GiB would have 2,500 of them, less than the least: they are not lowered, and AWS refuses them.
    expect(found('refused-by-aws', [fast, aClaim(5)])).toHaveLength(1);
  });

  test('10 GiB with 50 IOPS a GiB are 500, raised to 3,000 where the class allows it; else AWS refuses them', () => {
    const byGiB = (mayRaise: Asked<boolean>) =>
      checked([
        aStorageClass({ type: 'gp3' }, { iopsPerGiB: known(50), allowAutoIopsPerGiBIncrease: mayRaise }),
        aClaim(10),
      ]);
    const rulesOf = ({ findings }: CheckAnswer) => findings.map(({ rule }) => rule);
    expect(rulesOf(byGiB(known(true)))).toEqual([]);
    expect(rulesOf(byGiB(known(false)))).toEqual(['refused-by-aws']);
    expect(rulesOf(byGiB(known(null)))).toEqual(['refused-by-aws']);
    const raised = aStorageClass({ iops: 500 }, { allowAutoIopsPerGiBIncrease: known(true) });
    expect(found('refused-by-aws', [raised, aClaim(10)])).toEqual([]);
    const later = byGiB(unknown({ code: 'known-after-apply', detail: null }));
    expect(rulesOf(later)).toEqual([]);
    expect(later.notChecked).toContainEqual(
      expect.objectContaining({
        address: 'PersistentVolumeClaim/data',
        reason: expect.objectContaining({ figure: 'IOPS', why: 'known-after-apply' }),
      }),
    );
  });
});

describe('instance-limit', () => {
  // m5.large: 3,600 IOPS all the time, 18,750 at most.
  test('20,000 and 3,000 IOPS are more than 18,750 ever', () => {
    const root = aDevice({ type: 'gp3', gib: 20 }, { isRoot: true, device: '/dev/xvda' });
    const finding = only('instance-limit', [
      anInstance('m5.large', [root, aDevice({ type: 'gp3', gib: 500, iops: 20_000 })]),
    ]);
    expect(finding).toMatchObject({
      severity: 'warning',
      facts: { together: { iops: 23_000, throughputMiBps: 250 }, isAboveMaximum: true, volumes: 2 },
    });
    const [instance] = finding.wayOut;
    if (instance?.code !== 'set-instance-type') throw new Error('another type is the first way out');
    expect(instance.baselineIops).toBeGreaterThanOrEqual(23_000);
  });

  test('two volumes as they come are nobody’s choice: 6,000 IOPS are above the baseline alone', () => {
    const as = (device: string) => aDevice({ type: 'gp3', gib: 20 }, { device });
    expect(found('instance-limit', [anInstance('m5.large', [as('/dev/sdf'), as('/dev/sdg')])])).toEqual([]);
    // What m5.8xlarge carries all the time: 30,000 IOPS.
    expect(
      found('instance-limit', [anInstance('m5.8xlarge', [aDevice({ type: 'gp3', gib: 500, iops: 20_000 })])]),
    ).toEqual([]);
  });

  test('io1 of 2,000 IOPS brings 500 MiB/s that nobody set: t3.medium has 260.6; 500 MiB/s of gp3 are a choice', () => {
    const on = (volume: Said) => anInstance('t3.medium', [aDevice(volume)]);
    expect(only('instance-limit', [on({ type: 'io1', gib: 100, iops: 2_000 })])).toMatchObject({
      severity: 'info',
      facts: { together: { iops: 2_000, throughputMiBps: 500 }, isAboveMaximum: true }, // 2,000 x 256 KiB
    });
    expect(only('instance-limit', [on({ type: 'gp3', gib: 100, mibps: 500 })]).severity).toBe('warning');
  });

  test('an instance whose launch template is in no file: a note without a verb for one and for many', () => {
    const launchTemplate = { address: null, id: 'lt-0123456789abcdef0' };
    const notes = checkNotes(checked([anInstance('m5.large', [], { launchTemplate })]));
    expect(notes).toContain('Not checked in part: 1 x volumes defined elsewhere.');
  });

  test('an instance type that nobody knows is not checked, and said', () => {
    const { notChecked } = checked([anInstance('m99.large', [aDevice({ type: 'gp3', gib: 20 })])]);
    expect(notChecked).toMatchObject([
      { address: 'aws_instance.db', reason: { code: 'no-such-instance-type' } },
    ]);
  });
});

describe('unused-performance', () => {
  test('of 40,000 IOPS on an m5.large 21,250 are paid for nothing: 21,250 x 0.005 = 106.25 USD', () => {
    const finding = only('unused-performance', [
      anInstance('m5.large', [aDevice({ type: 'gp3', gib: 1_000, iops: 40_000 })]),
    ]);
    expect(finding).toMatchObject({
      severity: 'warning',
      facts: { unusedIops: 21_250, unusedMiBps: 0, monthlyUsd: 106.25 }, // 40,000 - 18,750
    });
    expect(finding.wayOut.map(({ code }) => code)).toEqual(['set-volumes', 'set-instance-type']);
    expect(finding.wayOut.slice(0, 1)).toEqual([
      expect.objectContaining({
        monthlyUsdDifference: -106.25,
        changes: [expect.objectContaining({ to: expect.objectContaining({ iops: 18_750 }) })],
      }),
    ]);
  });

  test('of two volumes each keeps the same share of what is paid for: 18,750 - 6,000 of 54,000 are 23.6 %', () => {
    const disk = (device: string, iops: number) => aDevice({ type: 'gp3', gib: 1_000, iops }, { device });
    const finding = only('unused-performance', [
      anInstance('m5.large', [disk('/dev/sdf', 40_000), disk('/dev/sdg', 20_000)]),
    ]);
    // 3,000 + 37,000 x 12,750 / 54,000 and 3,000 + 17,000 x 12,750 / 54,000; one more where they fall short of 18,750.
    expect(finding.wayOut.slice(0, 1)).toMatchObject([
      { changes: [{ to: { iops: 11_736 } }, { to: { iops: 7_014 } }] },
    ]);
  });

  test('a volume with Multi-Attach is not only of this instance, and keeps what it has: 18,750 - 10,000 are left for the other', () => {
    const shared = aDevice({ type: 'io2', gib: 1_000, iops: 10_000 }, { device: '/dev/sdf' });
    const asked = { ...shared.asked, multiAttach: known(true) };
    const own = aDevice({ type: 'gp3', gib: 1_000, iops: 30_000 }, { device: '/dev/sdg' });
    const finding = only('unused-performance', [anInstance('m5.large', [{ ...shared, asked }, own])]);
    expect(finding.wayOut.slice(0, 1)).toMatchObject([
      { changes: [{ device: '/dev/sdg', to: { iops: 8_750 } }] },
    ]);
  });

  test('what nobody pays for is not named: 250 MiB/s of gp2, and 125 that come with gp3', () => {
    const disks = [
      aDevice({ type: 'gp2', gib: 1_000 }, { device: '/dev/sdf' }),
      ...['g', 'h', 'i', 'j'].map((x) => aDevice({ type: 'gp3', gib: 100 }, { device: `/dev/sd${x}` })),
      aDevice({ type: 'gp3', gib: 1_000, iops: 30_000 }, { device: '/dev/sdk' }),
    ];
    // 250 + 5 x 125 = 875 MiB/s are more than the 566.2 of an m5.large, and none is paid for.
    expect(only('unused-performance', [anInstance('m5.large', disks)])).toMatchObject({
      facts: { unusedMiBps: 0, unusedIops: 26_250 }, // 3,000 + 4 x 3,000 + 30,000 - 18,750; of 27,000 that are paid for
    });
  });

  test('of a launch template under a group of 10 the cost is that of 10', () => {
    const template = aTemplate('m5.large', { devices: [aDevice({ type: 'gp3', gib: 1_000, iops: 40_000 })] });
    expect(only('unused-performance', [template, aGroup(10)]).wayOut.slice(0, 1)).toMatchObject([
      { monthlyUsdDifference: -1_062.5 }, // 10 x 21,250 x 0.005
    ]);
  });

  test('18,750 IOPS are all usable', () => {
    expect(
      found('unused-performance', [
        anInstance('m5.large', [aDevice({ type: 'gp3', gib: 1_000, iops: 18_750 })]),
      ]),
    ).toEqual([]);
  });
});

describe('gp2-to-gp3', () => {
  test('500 GiB: 50.00 as gp2; as gp3 with its 250 MiB/s 500 x 0.08 + 125 x 0.04 = 45.00 USD', () => {
    const finding = only('gp2-to-gp3', [aVolume({ type: 'gp2', gib: 500 })]);
    expect(finding.wayOut).toEqual([
      expect.objectContaining({
        monthlyUsdDifference: -5,
        changes: [
          expect.objectContaining({
            to: { volumeType: 'gp3', sizeGiB: 500, iops: 3_000, throughputMiBps: 250 },
          }),
        ],
      }),
    ]);
  });

  test('4 GiB as gp3 would cost more: 0.32 + 3 x 0.04 = 0.44 instead of 0.40 USD', () => {
    expect(found('gp2-to-gp3', [aVolume({ type: 'gp2', gib: 4 })])).toEqual([]);
  });

  test('from 1 USD a month on, as in the audit: 50 GiB save 5.00 - (4.00 + 3 x 0.04) = 0.88, three of them 2.64', () => {
    const disk = aDevice({ type: 'gp2', gib: 50 });
    expect(found('gp2-to-gp3', [anInstance('m5.large', [disk])])).toEqual([]);
    expect(found('gp2-to-gp3', [aTemplate('m5.large', { devices: [disk] }), aGroup(3)])).toHaveLength(1);
    expect(found('gp2-to-gp3', [aVolume({ type: 'gp2', gib: 60 })])).toHaveLength(1); // 6.00 - 4.92
  });

  test('no type is gp2 where EC2 creates the volume, and gp3 where the driver does', () => {
    expect(found('gp2-to-gp3', [aVolume({ gib: 500 })])).toHaveLength(1);
    expect(found('gp2-to-gp3', [aStorageClass({})])).toEqual([]);
    expect(found('gp2-to-gp3', [aStorageClass({ type: 'gp2' })])).toHaveLength(1);
  });

  test('a class keeps what its largest claim can do: 4,000 GiB cost 400 as gp2, 320 + 45 + 5 as gp3', () => {
    expect(only('gp2-to-gp3', [aStorageClass({ type: 'gp2' }), aClaim(4_000)])).toMatchObject({
      facts: { now: { iops: 12_000, throughputMiBps: 250 } },
      wayOut: [{ changes: [{ to: { iops: 12_000, throughputMiBps: 250 } }], monthlyUsdDifference: -30 }],
    });
    // 20 GiB: 2.00 - (1.60 + 3 x 0.04)
    expect(found('gp2-to-gp3', [aStorageClass({ type: 'gp2' }), aClaim(20)])).toEqual([]);
  });

  test('a Region without prices has the order of us-east-1, and no USD', () => {
    const elsewhere = { region: 'eu-central-1' };
    const { findings, price } = checked([aVolume({ type: 'gp2', gib: 500 }, null, elsewhere)]);
    expect(findings.find(({ rule }) => rule === 'gp2-to-gp3')?.wayOut[0]).toMatchObject({
      monthlyUsdDifference: null,
    });
    expect(price.notPriced).toMatchObject([{ reason: { code: 'no-prices', region: 'eu-central-1' } }]);
  });
});

describe('lower-throughput', () => {
  test('gp2 of 500 GiB has 250 MiB/s, gp3 125 where nothing is set: 125 x 0.04 = 5.00 USD keep them', () => {
    const finding = only('lower-throughput', [
      aVolume({ type: 'gp3', gib: 500 }, { type: 'gp2', gib: 500, iops: 1_500 }),
    ]);
    expect(finding).toMatchObject({
      facts: { before: { throughputMiBps: 250 }, after: { throughputMiBps: 125 }, isSet: false },
      wayOut: [{ monthlyUsdDifference: 5, changes: [{ to: { iops: 3_000, throughputMiBps: 250 } }] }],
    });
  });

  test('of a launch template under a group of 3 it is 3 times as much: 3 x 5.00 USD', () => {
    const before = aVolume({ type: 'gp2', gib: 500 }).asked;
    const template = aTemplate('m5.large', {
      ...{ action: 'update', devices: [{ ...aDevice({ type: 'gp3', gib: 500 }), before }] },
    });
    expect(only('lower-throughput', [template, aGroup(3)]).wayOut).toMatchObject([
      { monthlyUsdDifference: 15 },
    ]);
  });

  test('up to 170 GiB gp2 has 128 MiB/s: 125 are as good', () => {
    expect(
      found('lower-throughput', [aVolume({ type: 'gp3', gib: 170 }, { type: 'gp2', gib: 170, iops: 510 })]),
    ).toEqual([]);
  });

  test('of an HDD there are no IOPS to name: 2,048 GiB of st1 have 500 MiB/s, more than 125; 125 GiB have 30.5', () => {
    const gp3 = { type: 'gp3', gib: 125 };
    const problemOf = (gib: number): string =>
      checkFindingText(only('lower-throughput', [aVolume({ type: 'st1', gib }, { ...gp3, gib })])).problem;
    expect(problemOf(125)).toBe('gp3 -> st1 lowers 125 -> 30.5 MiB/s.'); // 125 x 250 / 1,024
    expect(problemOf(2_048)).toBe('gp3 -> st1 lowers its 3,000 IOPS to those of a hard disk.');
  });

  test('with 250 MiB/s nothing is lower', () => {
    const to = { type: 'gp3', gib: 500, mibps: 250 };
    expect(found('lower-throughput', [aVolume(to, { type: 'gp2', gib: 500, iops: 1_500 })])).toEqual([]);
  });
});

describe('stripe-cheaper', () => {
  // One gp3 of 1,000 GiB with 40,000 IOPS, 1,000 MiB/s: 80 + 37,000 x 0.005 + 875 x 0.04 = 300.00 USD.
  const large = { type: 'gp3', gib: 1_000, iops: 40_000, mibps: 1_000 };

  test('8 x 125 GiB with 5,000 IOPS and 125 MiB/s each: 80 + 8 x 2,000 x 0.005 = 160.00 USD', () => {
    expect(only('stripe-cheaper', [aVolume(large)]).wayOut).toMatchObject([
      {
        code: 'stripe',
        layout: { members: 8, sizeGiB: 125, iops: 5_000, throughputMiBps: 125 },
        monthlyUsdDifference: -140,
      },
    ]);
  });

  test('not of a volume that stands, nor of one of two alike, nor of 3,000 IOPS', () => {
    expect(found('stripe-cheaper', [aVolume(large, large)])).toEqual([]);
    const member = (i: number) => aVolume(large, null, { address: `aws_ebs_volume.data[${i}]` });
    expect(found('stripe-cheaper', [member(0), member(1)])).toEqual([]);
    expect(found('stripe-cheaper', [aVolume({ type: 'gp3', gib: 1_000 })])).toEqual([]);
  });

  test('of two that are not alike each is looked at, as are two alike of other resources; not two of one instance', () => {
    const member = (i: number, gib: number) =>
      aVolume({ ...large, gib }, null, { address: `aws_ebs_volume.data[${i}]` });
    expect(found('stripe-cheaper', [member(0, 1_000), member(1, 2_000)])).toHaveLength(2);
    const named = (name: string) => aVolume(large, null, { address: `aws_ebs_volume.${name}` });
    expect(found('stripe-cheaper', [named('a'), named('b')])).toHaveLength(2);
    const [a, b] = [aDevice(large, { device: '/dev/sdf' }), aDevice(large, { device: '/dev/sdg' })];
    expect(found('stripe-cheaper', [anInstance('m5.16xlarge', [a])])).toHaveLength(1);
    expect(found('stripe-cheaper', [anInstance('m5.16xlarge', [a, b])])).toEqual([]);
  });

  test('not where the instance cannot use what the volume has: less of it comes first', () => {
    const instance = anInstance('m5.8xlarge', [aDevice(large)]); // 30,000 IOPS at most
    expect(found('unused-performance', [instance])).toHaveLength(1);
    expect(found('stripe-cheaper', [instance])).toEqual([]);
  });
});

describe('credits', () => {
  // gp2 of 100 GiB: 5,400,000 credits / (3,000 - 300) = 2,000 s, less than the hour of a batch.
  test('a gp2 of 100 GiB lasts 2,000 s', () => {
    expect(only('credits', [aVolume({ type: 'gp2', gib: 100 })], { loadClass: 'batch' })).toMatchObject({
      severity: 'warning',
      facts: { of: 'volume', lastsSeconds: 2_000, baseline: 300, loadHours: 1 },
      wayOut: [{ changes: [{ to: { volumeType: 'gp3', iops: 3_000, throughputMiBps: 128 } }] }],
    });
  });

  test('without a class of load no volume and no instance uses up its credits, and a note says what adds them', () => {
    const both = [
      aVolume({ type: 'gp2', gib: 100 }),
      anInstance('t3.medium', [aDevice({ type: 'gp3', gib: 100 })]),
    ];
    expect(found('credits', both)).toEqual([]);
    expect(found('credits', both, { loadClass: 'database' })).toHaveLength(2);
    const note = 'Burst credits are not checked: --load (general, batch, database) adds them.';
    expect(checkNotes(checked(both))).toContain(note);
    expect(checkNotes(checked(both, { loadClass: 'database' }))).not.toContain(note);
  });

  test('half an hour it lasts; of 600 GiB it lasts 4,500 s, an hour and not 8', () => {
    expect(found('credits', [aVolume({ type: 'gp2', gib: 100 })], { loadClass: 'general' })).toEqual([]);
    expect(found('credits', [aVolume({ type: 'gp2', gib: 600 })], { loadClass: 'batch' })).toEqual([]); // 5.4 M / 1,200
    expect(only('credits', [aVolume({ type: 'gp2', gib: 600 })], { loadClass: 'database' }).severity).toBe(
      'warning',
    );
    expect(found('credits', [aVolume({ type: 'gp3', gib: 600 })], { loadClass: 'database' })).toEqual([]);
  });

  test('a t3.medium does 2,000 IOPS all the time: a database uses up its credits, not those of m5.4xlarge', () => {
    const volume = aDevice({ type: 'gp3', gib: 100 });
    const finding = only('credits', [anInstance('t3.medium', [volume])], { loadClass: 'database' });
    expect(finding).toMatchObject({
      facts: { of: 'instance', name: 't3.medium' },
      wayOut: [{ code: 'set-instance-type' }],
    });
    expect(found('credits', [anInstance('m5.4xlarge', [volume])], { loadClass: 'database' })).toEqual([]);
  });
});

describe('what the volumes cost', () => {
  test('created 40.00, deleted 8.00, 3,000 IOPS less 15.00 USD: 17.00 more', () => {
    const { price } = checked([
      aVolume({ type: 'gp3', gib: 500 }, null, { address: 'a' }), // 500 x 0.08
      aVolume({ type: 'gp3', gib: 100 }, null, { address: 'b', action: 'delete' }), // 100 x 0.08
      aVolume({ type: 'gp3', gib: 100 }, { type: 'gp3', gib: 100, iops: 6_000 }, { address: 'c' }), // 3,000 x 0.005
      aVolume({ type: 'gp3', gib: 900 }, { type: 'gp3', gib: 900 }, { address: 'd', action: 'none' }),
    ]);
    expect(price.monthlyUsdDifference).toBe(17);
    expect(
      price.resources.map(({ address, monthlyUsdDifference }) => [address, monthlyUsdDifference]),
    ).toEqual([
      ['a', 40],
      ['c', -15],
      ['b', -8],
    ]);
  });

  test('a size that is known after the apply has no price, and is not zero', () => {
    const volume = aVolume({ type: 'gp3' });
    const later = { ...volume.asked, sizeGiB: unknown({ code: 'known-after-apply' as const, detail: null }) };
    const { price, findings } = checked([{ ...volume, asked: later }]);
    expect(findings).toEqual([]);
    expect(price.resources).toEqual([]);
    expect(price.notPriced).toMatchObject([
      { reason: { code: 'figure-unknown', figure: 'size', why: 'known-after-apply' } },
    ]);
  });
});

describe('what is left out', () => {
  const gp2 = { type: 'gp2', gib: 500 };

  test('a tag leaves out one rule of its resource, with its reason, and is counted', () => {
    const ignoredRules = [
      { rule: 'gp2-to-gp3', reason: 'old image' },
      { rule: 'no-rule', reason: null },
    ];
    const answer = checked([aVolume(gp2, null, { ignoredRules })]);
    expect(answer.findings.map(({ rule }) => rule)).toEqual([]);
    expect(answer.ignored).toEqual([
      { rule: 'gp2-to-gp3', severity: 'info', address: 'aws_ebs_volume.data', reason: 'old image' },
    ]);
    expect(answer.unknownIgnoredRules).toEqual([{ address: 'aws_ebs_volume.data', rule: 'no-rule' }]);
  });

  test('--changed-only leaves out what stays as it is', () => {
    const stays = aVolume(gp2, gp2, { action: 'none' });
    expect(found('gp2-to-gp3', [stays])).toHaveLength(1);
    const answer = checked([stays], { changedOnly: true });
    expect([answer.findings, answer.coverage.unchanged]).toEqual([[], 1]);
  });

  test('an instance of an attached volume that changes is looked at', () => {
    const volume = aVolume({ type: 'gp3', gib: 500, iops: 30_000 }, { type: 'gp3', gib: 500 });
    const instance = anInstance('m5.large', [], { action: 'none' });
    const attachment = {
      ...{
        ...volume,
        kind: 'attachment' as const,
        type: 'aws_volume_attachment',
        address: 'aws_volume_attachment.a',
      },
      ...{
        volume: { address: volume.address, id: null },
        instance: { address: instance.address, id: null },
        device: '/dev/sdf',
      },
      action: 'none' as const,
    };
    const both = found('unused-performance', [volume, instance, attachment], { changedOnly: true });
    expect(both).toMatchObject([{ address: 'aws_instance.db', facts: { unusedIops: 11_250 } }]); // 30,000 - 18,750
    expect(instance.instanceType).toEqual(known('m5.large'));
  });
});
