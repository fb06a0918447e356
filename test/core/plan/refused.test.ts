/** What cannot be had: which limit is in the way, and how near one can come. */
import { builtInMarket } from '../../../core/catalogue/market.ts';
import { plan } from '../../../core/plan/plan.ts';
import type { PlanAnswer } from '../../../core/schemas/plan-answer.ts';
import { aMarket, anInstanceType, ebs } from '../../fixtures/market.ts';
import { aNeed, aRequest, rates } from './requests.ts';

const market = builtInMarket('us-east-1');

const planned = (...request: Parameters<typeof aRequest>): PlanAnswer => plan(aRequest(...request), market);
const refused = ({ refused: all }: PlanAnswer, what: string) => all.find((one) => one.what === what);

function expectNone(answer: PlanAnswer): void {
  expect(answer.options).toEqual([]);
  expect(answer.refused.length).toBeGreaterThan(0);
  for (const { because, nearest } of answer.refused) {
    expect(because).toMatch(/./);
    expect(nearest).toMatch(/./);
  }
}

describe('types', () => {
  test('HDD for random I/O, both at once', () => {
    const answer = planned(rates(3_000, 125, 100));
    expect(refused(answer, 'st1, sc1')).toMatchObject({
      because: expect.stringMatching(/each random I\/O counts as a whole MiB there/) as string,
      nearest: '--access sequential with --io-size-kib 64 or more',
    });
  });

  test('HDD for small sequential I/O: 64 KiB is the least', () => {
    const need = (ioSizeKiB: number) =>
      aNeed({ throughputMiBps: 40, capacityGiB: 2_000, access: 'sequential', ioSizeKiB });
    expect(refused(planned(need(63)), 'st1, sc1')?.because).toBe(
      'HDD is for sequential I/O of 64 KiB and more; 63 KiB was asked',
    );
    expect(planned(need(64)).options[0]?.layout.volumeType).toBe('sc1');
  });

  test('magnetic volumes are never planned, whatever is asked', () => {
    for (const access of ['random', 'sequential'] as const) {
      const answer = planned(aNeed({ iops: 1, capacityGiB: 10, access, ioSizeKiB: 1_024 }), {
        types: ['standard'],
      });
      expectNone(answer);
      expect(refused(answer, 'standard (magnetic)')).toEqual({
        what: 'standard (magnetic)',
        because: 'AWS promises no figure: about 100 IOPS on average, 40 to 200, unfit for most databases',
        nearest: 'gp3: 3,000 IOPS from 1 GiB on',
      });
    }
    const options = planned(rates(1, 0, 1), { types: ['gp3', 'standard'] }, 50).options;
    expect(options.every(({ layout }) => layout.volumeType === 'gp3')).toBe(true);
  });

  test('types of before are compared where nobody named types, with what they cost more', () => {
    const answer = planned(rates(3_000, 125, 1_000));
    // gp2: 1,000 GiB x 0.10 = 100; gp3: 80
    expect(refused(answer, 'gp2')).toEqual({
      what: 'gp2',
      because:
        'the cheapest with it, 1 x 1,000 GiB, costs 20.00 USD a month more than the cheapest option; gp3 costs 20 % less a GiB and brings 3,000 IOPS for nothing',
      nearest: '--types gp2 plans with it',
    });
    // io1: 125 + 3,000 x 0.065 = 320
    expect(refused(answer, 'io1')?.because).toMatch(
      /1 x 1,000 GiB, costs 240.00 USD a month more.*io2 is more durable/,
    );
    expect(refused(planned(rates(3_000, 125, 1_000), { types: ['gp3'] }), 'gp2')).toBeUndefined();
  });
});

describe('impossible needs have no option, the limit and what is nearest', () => {
  test('3 million IOPS', () => {
    const answer = planned(rates(3_000_000, 46_875, 500));
    expectNone(answer);
    expect(refused(answer, 'a stripe of 2 to 8 io2')).toMatchObject({
      because: '3,000,000 IOPS are asked; an io2 volume has at most 256,000 IOPS',
      nearest: '2,048,000 IOPS and 32,000 MiB/s with 8 x io2',
    });
    expect(refused(answer, 'instance store (disks of the instance itself)')?.because).toMatch(
      /^no EBS layout within these limits does it; instance store may, but its data are lost/,
    );
  });

  test('100 TiB on one member: the most is 64 TiB, and two could', () => {
    const answer = planned(rates(0, 0, 102_400), { maxMembers: 1 });
    expectNone(answer);
    expect(refused(answer, 'one gp3')).toMatchObject({
      because: '102,400 GiB are asked; a gp3 volume has at most 65,536 GiB',
      nearest: '65,536 GiB with 1 x gp3',
    });
    expect(refused(answer, 'a stripe of 2 or more')).toMatchObject({
      because: 'at most 1 member is allowed',
      nearest: '--max-members 2',
    });
  });

  test('a failure rate of 0.0001 % a year: io2 alone comes near it', () => {
    const answer = planned(rates(100, 1, 1), { maxAnnualFailureRate: 0.000_001 });
    expectNone(answer);
    expect(refused(answer, 'one io2')).toMatchObject({
      because: 'its annual failure rate is 0.001 % or more, above the ceiling of 0.0001 % (0.001 % a volume)',
      nearest: '0.001 % with 1 x io2',
    });
  });

  test('a ceiling that io2 meets: what is lowest of the options is named', () => {
    const answer = planned(rates(100, 1, 1), { maxAnnualFailureRate: 0.000_01 });
    expect(answer.options.map(({ layout }) => layout.volumeType)).toEqual(['io2']); // 0.001 % is not above 0.001 %
    expect(refused(answer, 'one gp3')?.nearest).toBe('0.001 % with an option that is offered');
  });

  test.each([
    ['raid10', 3, 'RAID10 of 4 or more', '--max-members 4'],
    ['raid5', 2, 'RAID5 of 3 or more', '--max-members 3'],
  ] as const)('%s of %d members', (kind, maxMembers, what, nearest) => {
    const answer = planned(rates(100, 1, 1), { kinds: [kind], maxMembers });
    expectNone(answer);
    expect(answer.refused[0]).toEqual({
      what,
      because: `at most ${maxMembers} members are allowed`,
      nearest,
    });
  });

  test('many IOPS on one RAID10: its writes count twice in what is nearest', () => {
    const answer = planned(rates(300_000, 0, 100), { kinds: ['raid10'], types: ['gp3'], maxMembers: 4 });
    expectNone(answer);
    expect(answer.refused[0]?.nearest).toBe('246,153 IOPS with 4 x gp3'); // 4 x 80,000 / 1.3
  });
});

describe('instances', () => {
  test('m5.2xlarge with 20,000 IOPS: at most 18,750, and 12,000 all the time', () => {
    const answer = planned(rates(20_000, 200, 500), { instance: { instanceType: 'm5.2xlarge' } });
    expectNone(answer);
    expect(answer.refused[0]).toEqual({
      what: 'instance m5.2xlarge',
      because:
        '20,000 IOPS are asked; its EBS limit is 18,750 IOPS at most and 12,000 all the time (baseline)',
      nearest: expect.stringMatching(/^m6in\.2xlarge \(25,000 IOPS .*, or m5\.8xlarge /) as string, // of its family
    });
  });

  test('an instance whose limits EC2 does not tell is refused, and one of its architecture named', () => {
    const answer = planned(rates(5_000, 50, 10), { instance: { instanceType: 't2.micro' } });
    expectNone(answer);
    expect(answer.refused[0]?.because).toBe('no-ebs-limits: whether it carries the load is unknown');
    const nearest = answer.refused[0]?.nearest.split(' (')[0] ?? '';
    expect(market.instanceTypes.get(nearest)?.architectures).toContain('x86_64');
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
    const answer = plan(reads, aMarket([small]));
    expectNone(answer);
    expect(answer.refused[0]?.because).toBe('it takes 3 volumes beside its root volume');
  });

  test('none that may be chosen carries it: the strongest and what is in its way', () => {
    const answer = plan(aRequest(rates(20_000, 100, 10), { instance: chosen }), aMarket([small]));
    expectNone(answer);
    expect(answer.refused[0]).toEqual({
      what: 'any instance with 2 vCPU, 8 GiB',
      because:
        'the strongest of them is m1.large: 20,000 IOPS are asked; its EBS limit is 10,000 IOPS at most and 10,000 all the time (baseline)',
      nearest:
        'no instance type carries it; the most has m1.large (10,000 IOPS and 500 MiB/s all the time, price unknown)',
    });
  });

  test('there is no such instance', () => {
    const answer = plan(aRequest(rates(1, 1, 1), { instance: { ...chosen, vcpus: 99 } }), aMarket([small]));
    expectNone(answer);
    expect(answer.refused[0]?.because).toBe('there is no such instance type');
  });

  test('one volume is on one EBS card', () => {
    const card = ebs(40_000, 1_000);
    const two = anInstanceType({ ebs: ebs(80_000, 2_000), cards: [card, card] });
    const asked = {
      instance: { instanceType: 'm1.large' },
      kinds: ['single' as const],
      types: ['gp3' as const],
    };
    const answer = plan(aRequest(rates(60_000, 100, 200), asked), aMarket([two]));
    expectNone(answer);
    expect(answer.refused[0]?.because).toBe(
      'its 2 EBS cards carry 40,000 IOPS each, and one volume is on one or few of them',
    );
  });

  test('2 million IOPS: eight io2 have them, no instance carries them', () => {
    const need = rates(2_000_000, 31_250, 4_000);
    const unasked = planned(need, { types: ['io2'] });
    expect(unasked.options.map(({ layout }) => layout.members)).toEqual([8]); // 8 x 256,000
    const note =
      /no instance type carries 2,000,000 IOPS and 31,250 MiB\/s: the most is \S+ with 1,440,000 IOPS/;
    expect(unasked.notes.join()).toMatch(note);
    const asked = planned(need, { types: ['io2'], instance: { ...chosen, vcpus: 1, memoryGiB: 0 } });
    expectNone(asked);
    expect(asked.notes.join()).toMatch(note);
    expect(asked.refused[0]?.because).toMatch(/2,000,000 IOPS are asked; its EBS limit is 1,440,000 IOPS/);
  });

  test('an unknown instance type names the sizes of its family', () => {
    expect(() => planned(rates(1, 1, 1), { instance: { instanceType: 'm5.3xlarge' } })).toThrow(
      /"m5.3xlarge" is not in the catalogue of us-east-1: of m5 there are .*m5.2xlarge, m5.4xlarge/,
    );
    expect(() => planned(rates(1, 1, 1), { instance: { instanceType: 'z99.big' } })).toThrow(/give one like/);
  });
});
