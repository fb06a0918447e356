/** What cannot be had: which limit is in the way, and how near one can come. */
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { plan } from '../../../core/plan/plan.ts';
import type { Planned } from '../../../core/schemas/plan-answer.ts';
import type { Refused, RefusedWhat } from '../../../core/schemas/plan-refused.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';
import { aNeed, aRequest, rates } from './requests.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');

const planned = (...request: Parameters<typeof aRequest>): Planned =>
  plan(aRequest(...request), regionCatalog);
/** What all of these are refused for. */
const refused = ({ refused: all }: Planned, ...what: RefusedWhat[]): Refused | undefined =>
  all.find((one) => JSON.stringify(one.what) === JSON.stringify(what));
const type = (volumeType: 'gp2' | 'io1' | 'st1' | 'sc1' | 'standard'): RefusedWhat => ({
  code: 'volume-type',
  volumeType,
});
const one = (volumeType: 'gp3' | 'io2'): RefusedWhat => ({
  ...{ code: 'layouts', kind: 'single', volumeType },
  ...{ fewest: 1, most: 1 },
});

function expectNone(answer: Planned): void {
  expect(answer.options).toEqual([]);
  expect(answer.refused.length).toBeGreaterThan(0);
  for (const { what, nearest } of answer.refused) {
    expect(what).not.toEqual([]);
    expect(nearest).not.toEqual([]);
  }
}

describe('types', () => {
  test('HDD for random I/O, both at once', () => {
    const answer = planned(rates(3_000, 125, 100));
    expect(refused(answer, type('st1'), type('sc1'))).toMatchObject({
      reason: { code: 'hdd-random' },
      nearest: [{ code: 'sequential', minKiB: 64 }],
    });
  });

  test('HDD for small sequential I/O: 64 KiB is the least', () => {
    const need = (ioSizeKiB: number) =>
      aNeed({ throughputMiBps: 40, capacityGiB: 2_000, access: 'sequential', ioSizeKiB });
    expect(refused(planned(need(63)), type('st1'), type('sc1'))?.reason).toEqual({
      ...{ code: 'hdd-small-io', ioSizeKiB: 63, minKiB: 64 },
    });
    expect(planned(need(64)).options[0]?.layout.volumeType).toBe('sc1');
  });

  test('magnetic volumes are never planned, whatever is asked', () => {
    for (const access of ['random', 'sequential'] as const) {
      const answer = planned(aNeed({ iops: 1, capacityGiB: 10, access, ioSizeKiB: 1_024 }), {
        types: ['standard'],
      });
      expectNone(answer);
      expect(refused(answer, type('standard'))).toEqual({
        what: [type('standard')],
        reason: { code: 'no-promise' },
        nearest: [{ code: 'gp3', iops: 3_000, fromGiB: 1 }],
      });
    }
    const options = planned(rates(1, 0, 1), { types: ['gp3', 'standard'] }, 50).options;
    expect(options.every(({ layout }) => layout.volumeType === 'gp3')).toBe(true);
  });

  test('types of before are compared where nobody named types, with what they cost more', () => {
    const answer = planned(rates(3_000, 125, 1_000));
    // gp2: 1,000 GiB x 0.10 = 100; gp3: 80
    expect(refused(answer, type('gp2'))).toEqual({
      what: [type('gp2')],
      reason: {
        ...{ code: 'older-type', volumeType: 'gp2', members: 1, sizeGiB: 1_000 },
        ...{ monthlyUsdMore: 20, isPricedElsewhere: false },
        gp3SavesShare: expect.closeTo(0.2, 9), // 0.08 instead of 0.10
      },
      nearest: [{ code: 'plan-with-type', volumeType: 'gp2' }],
    });
    // io1: 125 + 3,000 x 0.065 = 320
    expect(refused(answer, type('io1'))?.reason).toMatchObject({
      ...{ members: 1, sizeGiB: 1_000, monthlyUsdMore: 240, gp3SavesShare: null },
    });
    expect(refused(planned(rates(3_000, 125, 1_000), { types: ['gp3'] }), type('gp2'))).toBeUndefined();
  });
});

describe('impossible needs have no option, the limit and what is nearest', () => {
  test('3 million IOPS', () => {
    const answer = planned(rates(3_000_000, 46_875, 500));
    expectNone(answer);
    const stripes = { code: 'layouts', kind: 'stripe', volumeType: 'io2', fewest: 2, most: 8 } as const;
    expect(refused(answer, stripes)).toEqual({
      what: [stripes],
      reason: {
        ...{ code: 'volume-limit', limit: 'iops', volumeType: 'io2', deployment: 'region' },
        ...{ asked: 3_000_000, atMost: 256_000, countedFrom: null },
      },
      // 8 x 256,000, and 46,875 MiB/s by the same share
      nearest: [{ code: 'rates', iops: 2_048_000, throughputMiBps: 32_000, members: 8, volumeType: 'io2' }],
    });
    expect(refused(answer, { code: 'instance-store' })?.reason).toEqual({
      ...{ code: 'data-on-the-instance', isOnlyWay: true },
    });
  });

  test('100 TiB on one member: the most is 64 TiB, and two could', () => {
    const answer = planned(rates(0, 0, 102_400), { maxMembers: 1 });
    expectNone(answer);
    expect(refused(answer, one('gp3'))).toMatchObject({
      reason: { code: 'volume-limit', limit: 'capacity', asked: 102_400, atMost: 65_536 },
      nearest: [{ code: 'capacity', capacityGiB: 65_536, members: 1, volumeType: 'gp3' }],
    });
    const stripes = { code: 'layouts', kind: 'stripe', volumeType: null, fewest: 2, most: null } as const;
    expect(refused(answer, stripes)).toMatchObject({
      reason: { code: 'max-members', maxMembers: 1 },
      nearest: [{ code: 'allow-members', members: 2 }],
    });
  });

  test('a failure rate of 0.0001 % a year: io2 alone comes near it', () => {
    const answer = planned(rates(100, 1, 1), { maxAnnualFailureRate: 0.000_001 });
    expectNone(answer);
    expect(refused(answer, one('io2'))).toMatchObject({
      reason: {
        ...{ code: 'failure-rate', ceiling: 0.000_001, volumeAnnualFailureRate: 0.000_01 },
        annualFailureRate: expect.closeTo(0.000_01, 9) as number,
      },
      nearest: [{ code: 'failure-rate', members: 1, volumeType: 'io2' }],
    });
  });

  test('a ceiling that io2 meets: what is lowest of the options is named', () => {
    const answer = planned(rates(100, 1, 1), { maxAnnualFailureRate: 0.000_01 });
    expect(answer.options.map(({ layout }) => layout.volumeType)).toEqual(['io2']); // 0.001 % is not above 0.001 %
    expect(refused(answer, one('gp3'))?.nearest).toEqual([
      { code: 'failure-rate-offered', annualFailureRate: expect.closeTo(0.000_01, 9) },
    ]);
  });

  test.each([
    ['raid10', 3, 4],
    ['raid5', 2, 3],
  ] as const)('%s of %d members: it has %d or more', (kind, maxMembers, fewest) => {
    const answer = planned(rates(100, 1, 1), { kinds: [kind], maxMembers });
    expectNone(answer);
    expect(answer.refused[0]).toEqual({
      what: [{ code: 'layouts', kind, volumeType: null, fewest, most: null }],
      reason: { code: 'max-members', maxMembers },
      nearest: [{ code: 'allow-members', members: fewest }],
    });
  });

  test('many IOPS on one RAID10: its writes count twice in what is nearest', () => {
    const answer = planned(rates(300_000, 0, 100), { kinds: ['raid10'], types: ['gp3'], maxMembers: 4 });
    expectNone(answer);
    expect(answer.refused[0]?.nearest).toEqual([
      { code: 'rates', iops: 246_153, throughputMiBps: null, members: 4, volumeType: 'gp3' }, // 4 x 80,000 / 1.3
    ]);
  });
});

describe('instances', () => {
  test('m5.2xlarge with 20,000 IOPS: at most 18,750, and 12,000 all the time', () => {
    const answer = planned(rates(20_000, 200, 500), { instance: { instanceType: 'm5.2xlarge' } });
    expectNone(answer);
    expect(answer.refused[0]).toEqual({
      what: [{ code: 'instance-type', instanceType: 'm5.2xlarge', under: [] }],
      reason: {
        ...{ code: 'instance-limits', strongest: null, throughputMiBps: null },
        iops: { asked: 20_000, maximum: 18_750, baseline: 12_000 },
      },
      nearest: [
        expect.objectContaining({ code: 'instance', instanceType: 'm6in.2xlarge', baselineIops: 25_000 }),
        expect.objectContaining({ code: 'instance', instanceType: 'm5.8xlarge' }), // of its family
      ],
    });
  });

  test('an instance whose limits EC2 does not tell is refused, and one of its architecture named', () => {
    const answer = planned(rates(5_000, 50, 10), { instance: { instanceType: 't2.micro' } });
    expectNone(answer);
    const [first] = answer.refused;
    expect(first?.reason).toEqual({
      ...{ code: 'instance-limits-unknown', strongest: null },
      reason: { code: 'no-ebs-limits', instanceType: 't2.micro' },
    });
    const [nearest] = first?.nearest ?? [];
    const instanceType = nearest?.code === 'instance' ? nearest.instanceType : '';
    expect(regionCatalog.instanceTypes.get(instanceType)?.architectures).toContain('x86_64');
  });

  const small = anInstanceType({ attachments: { most: 4, shared: false } }); // 10,000 IOPS, 500 MiB/s
  const chosen = { vcpus: 2, memoryGiB: 8, architecture: null };

  test('attachments: four members are one too many beside a root volume', () => {
    const need = rates(10_000, 500, 1_000);
    const request = aRequest(need, {
      kinds: ['raid10'],
      types: ['gp3'],
      instance: { instanceType: 'm1.large' },
    });
    const reads = { ...request, need: { ...need, readShare: 1 } };
    const answer = plan(reads, aRegionCatalog([small]));
    expectNone(answer);
    expect(answer.refused[0]?.reason).toEqual({
      ...{ code: 'attachments', strongest: null, dataVolumes: 3 }, // 4, and one is its root volume
    });
  });

  test('none that may be chosen carries it: the strongest and what is in its way', () => {
    const answer = plan(aRequest(rates(20_000, 100, 10), { instance: chosen }), aRegionCatalog([small]));
    expectNone(answer);
    expect(answer.refused[0]).toEqual({
      what: [{ code: 'instances', ...chosen, under: [] }],
      reason: {
        ...{ code: 'instance-limits', strongest: 'm1.large', throughputMiBps: null },
        iops: { asked: 20_000, maximum: 10_000, baseline: 10_000 },
      },
      nearest: [
        {
          code: 'no-instance-carries',
          strongest: {
            ...{ instanceType: 'm1.large', baselineIops: 10_000, baselineMiBps: 500 },
            monthlyUsd: null, // nobody knows its price
          },
        },
      ],
    });
  });

  test('there is no such instance', () => {
    const answer = plan(
      aRequest(rates(1, 1, 1), { instance: { ...chosen, vcpus: 99 } }),
      aRegionCatalog([small]),
    );
    expectNone(answer);
    expect(answer.refused[0]?.reason).toEqual({ code: 'no-such-instance' });
    expect(answer.refused[0]?.nearest).toEqual([
      {
        code: 'largest-instances',
        vcpus: { instanceType: 'm1.large', vcpus: small.vcpus },
        memory: { instanceType: 'm1.large', memoryGiB: small.memoryMiB / 1_024 },
      },
    ]);
  });

  test('one volume is on one EBS card', () => {
    const card = ebs(40_000, 1_000);
    const two = anInstanceType({ ebs: ebs(80_000, 2_000), cards: [card, card] });
    const asked = {
      instance: { instanceType: 'm1.large' },
      kinds: ['single' as const],
      types: ['gp3' as const],
    };
    const answer = plan(aRequest(rates(60_000, 100, 200), asked), aRegionCatalog([two]));
    expectNone(answer);
    expect(answer.refused[0]?.reason).toEqual({
      ...{ code: 'ebs-cards', strongest: null, cards: 2, baselineIopsEach: 40_000, volumes: 1 },
    });
  });

  test('2 million IOPS: eight io2 have them, no instance carries them', () => {
    const need = rates(2_000_000, 31_250, 4_000);
    const unasked = planned(need, { types: ['io2'] });
    expect(unasked.options.map(({ layout }) => layout.members)).toEqual([8]); // 8 x 256,000
    const note = expect.objectContaining({
      ...{ code: 'no-instance-carries', iops: 2_000_000, throughputMiBps: 31_250 },
      baselineIops: 1_440_000,
    });
    expect(unasked.notes).toContainEqual(note);
    const asked = planned(need, { types: ['io2'], instance: { ...chosen, vcpus: 1, memoryGiB: 0 } });
    expectNone(asked);
    expect(asked.notes).toContainEqual(note);
    expect(asked.refused[0]?.reason).toMatchObject({
      code: 'instance-limits',
      iops: { asked: 2_000_000, baseline: 1_440_000 },
    });
  });

  test('an unknown instance type names the sizes of its family', () => {
    expect(() => planned(rates(1, 1, 1), { instance: { instanceType: 'm5.3xlarge' } })).toThrow(
      /"m5.3xlarge" is not in the catalog of us-east-1: of m5 there are .*m5.2xlarge, m5.4xlarge/,
    );
    expect(() => planned(rates(1, 1, 1), { instance: { instanceType: 'z99.big' } })).toThrow(/give one like/);
  });
});
