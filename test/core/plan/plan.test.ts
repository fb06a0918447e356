import { builtInMarket } from '../../../core/catalogue/market.ts';
import { plan } from '../../../core/plan/plan.ts';
import type { PlanAnswer, PlanOption } from '../../../core/schemas/plan-answer.ts';
import { aMarket, anInstanceType, ebs } from '../../fixtures/market.ts';
import { aNeed, aRequest, rates } from './requests.ts';

const market = builtInMarket('us-east-1');

const planned = (...request: Parameters<typeof aRequest>): PlanAnswer => plan(aRequest(...request), market);

function option({ options }: PlanAnswer, members: number, volumeType = 'gp3', kind?: string): PlanOption {
  const found = options.find(
    ({ layout }) =>
      layout.members === members && layout.volumeType === volumeType && (kind ?? layout.kind) === layout.kind,
  );
  if (found === undefined) throw new Error(`no option has ${members} x ${volumeType}`);
  return found;
}

const short = ({ layout }: PlanOption): string => `${layout.members} x ${layout.volumeType}`;

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
    expect(option(answer, 1).reasons[0]).toBe(
      'the cheapest single volume: 37.00 USD a month more than the cheapest',
    );
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
    expect(single.reasons[0]).toBe(
      'the cheapest single volume: 124.68 USD a month more than the cheapest, for an annual failure rate of 0.2 % instead of 1.5888 %',
    );
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
    expect(answer.notes.join()).toContain('on-outposts');
    expect(answer.refused[1]).toEqual({
      what: 'a stripe of 2 to 4 gp3',
      because: '80,000 IOPS are asked; a gp3 volume on Outposts has at most 16,000 IOPS',
      nearest: '64,000 IOPS and 500 MiB/s with 4 x gp3; 5 members can',
    });
  });
});

describe('reasons', () => {
  const five = option(planned(rates(15_000, 625, 1_000)), 5);

  test('the first says why it ranks where it does, and what is for nothing', () => {
    expect(five.bindingLimit).toBe('iops+throughput'); // 5 x 3,000 and 5 x 125
    expect(five.reasons).toEqual([
      'the cheapest of 16 layouts that are legal and good enough', // 8 of gp3, 8 of io2
      'each member brings 3,000 IOPS and 125 MiB/s for nothing: storage alone is paid',
      'what a growing load meets first: its volumes’ IOPS and throughput, without room above what was asked',
      'it is lost when any member is',
      expect.stringMatching(/^a stripe was measured to give about 98 %/),
    ]);
  });

  test('what is paid above what is for nothing', () => {
    expect(option(planned(rates(15_000, 625, 1_000)), 3).reasons[1]).toMatch(
      /; 2,000 IOPS and 84 MiB\/s a member are paid above it$/, // 5,000 - 3,000 and 209 - 125
    );
  });

  const warned = ({ reasons }: PlanOption): boolean => reasons.some((reason) => /98 %/.test(reason));

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
    expect(at64.reasons).toContain('an I/O of 256 KiB is 4 I/Os of the members at a chunk of 64 KiB');
    const at256 = option(planned(need, { types: ['gp3'], chunkKiB: 256 }, 20), 4);
    expect(at256.layout.iops).toBe(3_000);
    expect(at256.reasons.join()).not.toMatch(/chunk/);
  });

  test('RAID10 is priced with its second copy and its double writes, and says so', () => {
    const answer = planned(rates(10_000, 100, 1_000), { kinds: ['raid10'], types: ['gp3'] });
    const four = option(answer, 4, 'gp3', 'raid10');
    expect(four.layout).toMatchObject({ sizeGiB: 500, iops: 3_250 }); // 1,000 / 2; 10,000 x 1.3 / 4
    expect(four.monthlyUsd).toMatchObject({ storage: 160, iops: 5, total: 165 }); // 4 x 40; 4 x 250 x 0.005
    expect(four.deliveredIops).toBe(10_000);
    expect(four.reasons.join('; ')).toMatch(
      /half of the capacity is the second copy, and every write is two I\/Os; with 30 % writes, 100 I\/Os are 130 on the members/,
    );
  });

  test('RAID5 is priced with its parity and four I/Os a write, and says so', () => {
    const answer = planned(rates(10_000, 100, 1_000), { kinds: ['raid5'], types: ['gp3'] });
    const five5 = option(answer, 5, 'gp3', 'raid5');
    expect(five5.layout).toMatchObject({ sizeGiB: 250, iops: 3_800 }); // 1,000 / 4; 10,000 x 1.9 / 5
    expect(five5.monthlyUsd).toMatchObject({ storage: 100, iops: 20, total: 120 }); // 5 x 20; 5 x 800 x 0.005
    expect(five5.reasons.join('; ')).toMatch(/a write costs four I\/Os .*100 I\/Os are 190 on the members/);
  });

  test('HDD is larger than asked where only size gives the speed, and says so', () => {
    const need = aNeed({ throughputMiBps: 160, capacityGiB: 100, access: 'sequential', ioSizeKiB: 1_024 });
    const [st1] = planned(need, { types: ['st1'], kinds: ['single'] }).options;
    expect(st1?.layout.sizeGiB).toBe(4_096); // 160 / 40 TiB
    expect(st1?.reasons.join()).toMatch(/4,096 GiB in all: more than was asked, because st1 gives so much/);
  });

  test('what io2 gives for its price', () => {
    expect(option(planned(rates(15_000, 625, 1_000)), 1, 'io2').reasons[1]).toMatch(
      /99\.9 % of the time.*99\.999 % durable/,
    );
  });
});

describe('an instance as part of the plan', () => {
  const card = ebs(40_000, 1_000);
  const types = [
    anInstanceType({ instanceType: 'm1.large', ebs: ebs(10_000, 500, { maximumIops: 20_000 }) }),
    anInstanceType({ instanceType: 'm2.large', ebs: ebs(80_000, 2_000), cards: [card, card] }),
  ];
  const chosen = { vcpus: 2, memoryGiB: 8, architecture: null };
  const some = aMarket(types, { 'm1.large': 0.1 });

  test('its price is added, its baseline and its maximum are told apart', () => {
    const answer = plan(aRequest(rates(10_000, 250, 1_000), { instance: chosen }), some);
    const [first] = answer.options;
    expect(first).toMatchObject({ instanceType: 'm1.large', bindingLimit: 'instance-iops' });
    expect(first?.monthlyUsd).toMatchObject({ volumes: 80, instance: 73, total: 153 }); // 0.1 x 730
    expect(first?.reasons).toContain(
      'm1.large carries 10,000 IOPS and 500 MiB/s all the time (its baseline); its maximum of 20,000 is only promised for 30 minutes in 24 h',
    );
  });

  test('a price that is not known makes the total unknown, and is no number in a reason', () => {
    const answer = plan(aRequest(rates(60_000, 250, 1_000), { instance: chosen }), some);
    const [first] = answer.options;
    expect(first?.instanceType).toBe('m2.large');
    expect(first?.monthlyUsd).toMatchObject({ instance: null, total: null });
    expect(first?.monthlyUsd.volumes).toBeGreaterThan(0);
    expect(first?.reasons).toContain('its price is unknown: no-instance-price');
    expect(first?.reasons.join()).toMatch(/put 4 on EBS card 0, 4 on EBS card 1/);
    expect(answer.options[1]?.reasons[0]).toMatch(/^\d+\.?\d* USD a month more than the cheapest/);
  });

  test('an option whose instance has no known price comes after those that have one', () => {
    // A stripe of 64 KiB chunks makes four I/Os of each: 3,000 are 12,000, above the baseline of m1.large.
    const need = aNeed({ iops: 3_000, throughputMiBps: 100, capacityGiB: 100, ioSizeKiB: 256 });
    const { options } = plan(aRequest(need, { instance: chosen, types: ['gp3'] }, 10), some);
    expect(options.map(({ instanceType }) => instanceType).slice(0, 2)).toEqual(['m1.large', 'm2.large']);
    expect(options[1]?.reasons[0]).toMatch(/^after those with a known price/);
  });
});

describe('a Region without prices', () => {
  const answer = plan(aRequest(rates(15_000, 625, 1_000)), builtInMarket('eu-west-3'));

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
    expect(answer.notes.join()).toMatch(
      /no-ebs-prices: options are ranked by the prices of us-east-1; `catalog refresh --region eu-west-3` reads them/,
    );
    expect(answer.options[1]?.reasons[0]).toMatch(/more than the cheapest, by the prices of another Region/);
    expect(answer.refused.find(({ what }) => what === 'gp2')?.because).toMatch(
      /by the prices of another Region/,
    );
  });
});
