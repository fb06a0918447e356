import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import type { VolumeType } from '../../../core/limits/volume-limits.ts';
import { plan } from '../../../core/plan/plan.ts';
import { type EbsPrices, priceBook } from '../../../core/prices/prices.ts';
import type { Planned, PlanOption, PlanReason } from '../../../core/schemas/plan-answer.ts';
import { anInstanceType, aRegionCatalog, ebs, ebsWithout } from '../../fixtures/region-catalog.ts';
import { aNeed, aRequest, rates } from './requests.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');

const planned = (...request: Parameters<typeof aRequest>): Planned =>
  plan(aRequest(...request), regionCatalog);

function option({ options }: Planned, members: number, volumeType = 'gp3', kind?: string): PlanOption {
  const found = options.find(
    ({ layout }) =>
      layout.members === members && layout.volumeType === volumeType && (kind ?? layout.kind) === layout.kind,
  );
  if (found === undefined) throw new Error(`no option has ${members} x ${volumeType}`);
  return found;
}

const short = ({ layout }: PlanOption): string => `${layout.members} x ${layout.volumeType}`;
const reason = ({ reasons }: PlanOption, code: PlanReason['code']): PlanReason | undefined =>
  reasons.find((one) => one.code === code);
const close = (value: number) => expect.closeTo(value, 6) as number;

describe('which options are shown', () => {
  test('the front of price against failure rate, the cheapest single, and more up to --top; cheapest first', () => {
    const need = rates(15_000, 625, 1_000);
    // Fewer members cost more and fail less often, one io2 least of all: that is the front.
    const always = ['5 x gp3', '4 x gp3', '3 x gp3', '2 x gp3', '1 x gp3', '1 x io2'];
    expect(planned(need, {}, 1).options.map(short)).toEqual(always);
    expect(planned(need, {}, 8).options.map(short)).toEqual([
      '5 x gp3',
      '8 x gp3', // 80.00 too
      '7 x gp3', // 143 GiB each: 7 x 143 x 0.08 = 80.08
      ...always.slice(1),
    ]);
  });

  test('the cheapest single volume is shown though it is not on the front', () => {
    // RAID10 of four has 12,000 reads for nothing, 4 x 50 x 0.08 = 16.00, and is lost less often than one volume.
    const need = { ...rates(12_000, 0, 100), readShare: 1 };
    const answer = planned(need, { types: ['gp3'], kinds: ['single', 'raid10'] }, 1);
    expect(answer.options.map(short)).toEqual(['4 x gp3', '1 x gp3']);
    expect(option(answer, 1).monthlyUsd.total).toBe(53); // 8 + 9,000 x 0.005
    expect(option(answer, 1).reasons[0]).toEqual({
      ...{ code: 'dearer', monthlyUsdMore: 37, isPricedElsewhere: false }, // 53 - 16
      ...{ shownAs: 'cheapest-single', lowerRisk: null },
    });
  });

  test('one gp3 of 80,000 IOPS stands beside the stripes at 685.00', () => {
    const answer = planned(rates(80_000, 625, 3_500));
    expect(short(answer.options[0] as PlanOption)).toBe('8 x gp3');
    const single = option(answer, 1);
    expect(single.layout).toMatchObject({ sizeGiB: 3_500, iops: 80_000, throughputMiBps: 625 });
    expect(single.monthlyUsd).toEqual({
      storage: 280, // 3,500 x 0.08
      iops: 385, // 77,000 x 0.005
      throughput: 20, // 500 x 0.04
      volumes: 685,
      instance: 0,
      total: 685,
    });
    expect(single.reasons[0]).toEqual({
      ...{ code: 'dearer', monthlyUsdMore: 124.68, isPricedElsewhere: false, shownAs: 'cheapest-single' },
      lowerRisk: { annualFailureRate: close(0.002), cheapestAnnualFailureRate: close(0.015_888) }, // 1 - 0.998^8
    });
  });

  test('on Outposts the same 80,000 IOPS are five of 16,000', () => {
    const answer = planned(rates(80_000, 625, 3_500), {
      deployment: 'outposts',
      maxMembers: 5,
      types: ['gp3'],
    });
    expect(answer.options.map(({ layout }) => layout)).toEqual([
      { kind: 'stripe', members: 5, volumeType: 'gp3', sizeGiB: 700, iops: 16_000, throughputMiBps: 125 },
    ]);
    expect(answer.notes).toContainEqual({
      code: 'deployment',
      note: { code: 'on-outposts', gp3: { maxSizeGiB: 16_384, maxIops: 16_000, maxMiBps: 1_000 } },
    });
    expect(answer.refused[1]).toEqual({
      what: [{ code: 'layouts', kind: 'stripe', volumeType: 'gp3', fewest: 2, most: 4 }],
      reason: {
        ...{ code: 'volume-limit', limit: 'iops', volumeType: 'gp3', deployment: 'outposts' },
        ...{ asked: 80_000, atMost: 16_000, countedFrom: null },
      },
      nearest: [
        { code: 'rates', iops: 64_000, throughputMiBps: 500, members: 4, volumeType: 'gp3' }, // 4 / 5 of both
        { code: 'members', members: 5 },
      ],
    });
  });
});

describe('reasons', () => {
  const five = option(planned(rates(15_000, 625, 1_000)), 5);

  test('the first says why it ranks where it does, and what is for nothing', () => {
    expect(five.bindingLimits).toEqual(['iops', 'throughput']); // 5 x 3,000 and 5 x 125
    expect(five.reasons).toEqual([
      { code: 'cheapest', layouts: 16 }, // 8 of gp3, 8 of io2
      {
        ...{ code: 'gp3-included', members: 5, iops: 3_000, throughputMiBps: 125 },
        ...{ paidIops: 0, paidMiBps: 0 },
      },
      { code: 'first-limit', limits: ['iops', 'throughput'], roomShare: 0 },
      { code: 'redundancy', kind: 'stripe' },
      { code: 'no-room-in-stripe', measuredEfficiency: 0.98, minRoomShare: 0.02 },
    ]);
  });

  test('what is paid above what is for nothing', () => {
    expect(option(planned(rates(15_000, 625, 1_000)), 3).reasons[1]).toMatchObject({
      ...{ code: 'gp3-included', members: 3, paidIops: 2_000, paidMiBps: 84 }, // 5,000 - 3,000 and 209 - 125
    });
  });

  const warned = (one: PlanOption): boolean => reason(one, 'no-room-in-stripe') !== undefined;

  test('less than 2 % of room is warned of, 2 % is not, nor one volume', () => {
    const twoGp3 = (iops: number) => option(planned(rates(iops, 0, 100), { types: ['gp3'] }), 2);
    expect(warned(twoGp3(5_900))).toBe(true); // 6,000 / 5,900 = 1.017
    expect(warned(twoGp3(5_880))).toBe(false); // 6,000 / 5,880 = 1.0204
    expect(warned(option(planned(rates(15_000, 625, 1_000)), 1))).toBe(false);
  });

  test('at efficiency 0.98 nothing is warned of: it is planned for', () => {
    const answer = planned(rates(15_000, 625, 1_000), { stripeEfficiency: 0.98 });
    const at98 = option(answer, 5);
    expect(at98.layout).toMatchObject({ iops: 3_062, throughputMiBps: 128 }); // 15,000 / 4.9, 625 / 4.9
    expect(answer.options.some(warned)).toBe(false);
  });

  test('an I/O of 256 KiB is four of the members at a chunk of 64 KiB, and none of 256 KiB', () => {
    const need = aNeed({ iops: 6_000, throughputMiBps: 1_500, capacityGiB: 100, ioSizeKiB: 256 });
    const at64 = option(planned(need, { types: ['gp3'] }, 20), 8);
    expect(at64.layout).toMatchObject({ iops: 3_000, throughputMiBps: 188 }); // 6,000 x 4 / 8; 1,500 / 8
    expect(at64.reasons).toContainEqual({ code: 'io-split', ioSizeKiB: 256, chunkKiB: 64, pieces: 4 });
    const at256 = option(planned(need, { types: ['gp3'], chunkKiB: 256 }, 20), 4);
    expect(at256.layout.iops).toBe(3_000);
    expect(reason(at256, 'io-split')).toBeUndefined();
  });

  test('RAID10 is priced with its second copy and its double writes, and says so', () => {
    const answer = planned(rates(10_000, 100, 1_000), { kinds: ['raid10'], types: ['gp3'] });
    const four = option(answer, 4, 'gp3', 'raid10');
    expect(four.layout).toMatchObject({ sizeGiB: 500, iops: 3_250 }); // 1,000 / 2; 10,000 x 1.3 / 4
    expect(four.monthlyUsd).toMatchObject({ storage: 160, iops: 5, total: 165 }); // 4 x 40; 4 x 250 x 0.005
    expect(four.deliveredIops).toBe(10_000);
    expect(reason(four, 'redundancy')).toEqual({ code: 'redundancy', kind: 'raid10' });
    expect(reason(four, 'write-penalty')).toEqual({
      ...{ code: 'write-penalty', writeShare: close(0.3), memberIoPerIo: close(1.3) }, // 0.7 + 0.3 x 2
    });
  });

  test('RAID5 is priced with its parity and four I/Os a write, and says so', () => {
    const answer = planned(rates(10_000, 100, 1_000), { kinds: ['raid5'], types: ['gp3'] });
    const five5 = option(answer, 5, 'gp3', 'raid5');
    expect(five5.layout).toMatchObject({ sizeGiB: 250, iops: 3_800 }); // 1,000 / 4; 10,000 x 1.9 / 5
    expect(five5.monthlyUsd).toMatchObject({ storage: 100, iops: 20, total: 120 }); // 5 x 20; 5 x 800 x 0.005
    expect(reason(five5, 'redundancy')).toEqual({ code: 'redundancy', kind: 'raid5' });
    expect(reason(five5, 'write-penalty')).toMatchObject({ memberIoPerIo: close(1.9) }); // 0.7 + 0.3 x 4
  });

  test('HDD is larger than asked where only size gives the speed, and says so', () => {
    const need = aNeed({ throughputMiBps: 160, capacityGiB: 100, access: 'sequential', ioSizeKiB: 1_024 });
    const [st1] = planned(need, { types: ['st1'], kinds: ['single'] }).options;
    expect(st1?.layout.sizeGiB).toBe(4_096); // 160 / 40 TiB
    expect(st1?.reasons).toContainEqual({ code: 'size-for-speed', volumeType: 'st1', totalGiB: 4_096 });
  });

  test('what io2 gives for its price', () => {
    expect(option(planned(rates(15_000, 625, 1_000)), 1, 'io2').reasons[1]).toEqual({
      code: 'io2-promises',
    });
  });
});

describe('an instance as part of the plan', () => {
  const card = ebs(40_000, 1_000);
  const types = [
    anInstanceType({ instanceType: 'm1.large', ebs: ebs(10_000, 500, { maximumIops: 20_000 }) }),
    anInstanceType({ instanceType: 'm2.large', ebs: ebs(80_000, 2_000), cards: [card, card] }),
  ];
  const chosen = { vcpus: 2, memoryGiB: 8, architecture: null };
  const some = aRegionCatalog(types, { 'm1.large': 0.1 });

  test('its price is added, its baseline and its maximum are distinguished', () => {
    const answer = plan(aRequest(rates(10_000, 250, 1_000), { instance: chosen }), some);
    const [first] = answer.options;
    expect(first).toMatchObject({ instanceType: 'm1.large', bindingLimits: ['instance-iops'] });
    expect(first?.monthlyUsd).toMatchObject({ volumes: 80, instance: 73, total: 153 }); // 0.1 x 730
    expect(first?.reasons).toContainEqual({
      ...{ code: 'instance-baseline', instanceType: 'm1.large', baselineIops: 10_000, baselineMiBps: 500 },
      maximumIops: 20_000,
    });
    expect(first?.reasons).toContainEqual({
      ...{ code: 'first-limit', limits: ['instance-iops'], roomShare: 0 },
    });
  });

  test('a price that is not known makes the total unknown, and is no number in a reason', () => {
    const answer = plan(aRequest(rates(60_000, 250, 1_000), { instance: chosen }), some);
    const [first] = answer.options;
    expect(first?.instanceType).toBe('m2.large');
    expect(first?.monthlyUsd).toMatchObject({ instance: null, total: null });
    expect(first?.monthlyUsd.volumes).toBeGreaterThan(0);
    expect(first?.reasons).toContainEqual({
      code: 'instance-price-unknown',
      reason: {
        ...{ code: 'no-instance-price', instanceType: 'm2.large', region: 'us-east-1' },
        asOf: '2026-11-21',
      },
    });
    expect(first?.reasons).toContainEqual({ code: 'ebs-cards', volumes: [4, 4] });
    expect(answer.options[1]?.reasons[0]).toMatchObject({ code: 'dearer', isPricedElsewhere: false });
  });

  test('an option whose instance has no known price comes after those that have one', () => {
    // A stripe of 64 KiB chunks makes four I/Os of each: 3,000 are 12,000, above the baseline of m1.large.
    const need = aNeed({ iops: 3_000, throughputMiBps: 100, capacityGiB: 100, ioSizeKiB: 256 });
    const { options } = plan(aRequest(need, { instance: chosen, types: ['gp3'] }, 10), some);
    expect(options.map(({ instanceType }) => instanceType).slice(0, 2)).toEqual(['m1.large', 'm2.large']);
    expect(options[1]?.reasons[0]).toMatchObject({ code: 'price-unknown' });
  });
});

describe('a type of volume without a price', () => {
  const prices = (ebs: EbsPrices) => priceBook({ region: 'us-east-1', ebs, instances: null });
  const of = (volumeType: VolumeType) =>
    plan(aRequest(rates(15_000, 625, 1_000)), {
      ...builtInRegionCatalog('us-east-1'),
      prices: prices({ ...ebsWithout(volumeType), asOf: '2026-11-20' }),
    });
  const noteOf = (volumeType: string) => ({
    ...{ code: 'prices-of-another-region', region: 'us-east-1', rankingRegion: 'us-east-1' },
    reason: { code: 'no-ebs-price', volumeType, region: 'us-east-1' },
  });
  const usdOf = ({ options }: Planned, type: string) =>
    options.filter(({ layout }) => layout.volumeType === type).map(({ monthlyUsd }) => monthlyUsd.volumes);

  test('is said, and options of other types keep their price', () => {
    const answer = of('io2');
    expect(answer.notes).toContainEqual(noteOf('io2'));
    expect(usdOf(answer, 'gp3')).toEqual(usdOf(planned(rates(15_000, 625, 1_000)), 'gp3'));
    expect(usdOf(answer, 'io2').length).toBeGreaterThan(0);
    expect(new Set(usdOf(answer, 'io2'))).toEqual(new Set([null]));
  });

  test('that is only compared with has a note of its own, and one that no part of the plan needs has none', () => {
    expect(of('io1').notes).toContainEqual(noteOf('io1'));
    expect(of('io1').options.every(({ monthlyUsd }) => monthlyUsd.volumes !== null)).toBe(true);
    const codes = of('standard').notes.map(({ code }) => code);
    expect(codes).not.toContain('prices-of-another-region');
  });
});

describe('a Region without prices', () => {
  const answer = plan(aRequest(rates(15_000, 625, 1_000)), builtInRegionCatalog('eu-west-3'));

  test('options are ranked as elsewhere, without a number for a price', () => {
    expect(answer.options.map(short).slice(0, 2)).toEqual(['5 x gp3', '4 x gp3']);
    for (const { monthlyUsd } of answer.options) {
      expect(monthlyUsd).toMatchObject({
        storage: null,
        iops: null,
        throughput: null,
        volumes: null,
        total: null,
      });
    }
  });

  test('it is said whose prices rank them', () => {
    expect(answer.notes).toContainEqual({
      ...{ code: 'prices-of-another-region', region: 'eu-west-3', rankingRegion: 'us-east-1' },
      reason: { code: 'no-ebs-prices', region: 'eu-west-3' },
    });
    expect(answer.options[1]?.reasons[0]).toMatchObject({ code: 'dearer', isPricedElsewhere: true });
    const older = answer.refused.filter(({ reason }) => reason.code === 'older-type');
    expect(older.map(({ reason }) => reason)).toEqual([
      expect.objectContaining({ volumeType: 'gp2', isPricedElsewhere: true }),
      expect.objectContaining({ volumeType: 'io1', isPricedElsewhere: true }),
    ]);
  });
});
