import type { InstanceType } from '../../../core/catalog/instance-types.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import {
  firstThatCarries,
  instancesAllowed,
  shortfallOf,
  spreadOverCards,
} from '../../../core/plan/instance-choice.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const load = (iops: number, throughputMiBps: number) => ({ iops, throughputMiBps });

const names = (types: readonly { type: InstanceType }[]): string[] =>
  types.map(({ type }) => type.instanceType);

describe('whether an instance carries a load all the time', () => {
  const bursting = anInstanceType({ ebs: ebs(12_000, 274, { maximumIops: 18_750, maximumMiBps: 566 }) });

  test('its baseline counts, not its maximum', () => {
    expect(shortfallOf(bursting, load(12_000, 274), 1)).toBeNull();
    expect(shortfallOf(bursting, load(12_001, 100), 1)).toBe('limits');
    expect(shortfallOf(bursting, load(100, 275), 1)).toBe('limits');
  });

  test('the last digits of a sum are no reason to refuse it', () => {
    expect(shortfallOf(bursting, load(12_000.000_000_002, 274), 1)).toBeNull();
  });

  test('its root volume takes one of its attachments', () => {
    const four = anInstanceType({ attachments: { most: 4, shared: false } });
    expect(shortfallOf(four, load(100, 10), 3)).toBeNull(); // 4 - 1
    expect(shortfallOf(four, load(100, 10), 4)).toBe('attachments');
  });

  test('what EC2 does not tell is not taken for enough', () => {
    expect(shortfallOf(anInstanceType({ ebs: null }), load(1, 1), 1)).toBe('unknown-limits');
    expect(shortfallOf(anInstanceType({ attachments: null }), load(1, 1), 1)).toBe('attachments');
  });

  test('nothing asked is carried', () => {
    expect(shortfallOf(bursting, load(0, 0), 1)).toBeNull();
  });
});

describe('two EBS cards of 100,000 IOPS and 1,000 MiB/s each', () => {
  const card = ebs(100_000, 1_000);
  const twoCards = anInstanceType({ ebs: ebs(200_000, 2_000), cards: [card, card] });

  test.each([
    // IOPS, MiB/s, members, shortfall, on each card
    [100_000, 1_000, 1, null, [1, 0]],
    [150_000, 100, 1, 'cards', null], // one volume is on one card
    [200_000, 2_000, 2, null, [1, 1]],
    [200_000, 2_000, 3, 'cards', null], // 66,667 each: one a card
    [150_000, 1_500, 3, null, [2, 1]], // 50,000 each: 2 x 50,000 fit one card
    [180_000, 100, 5, 'cards', null], // 36,000 each: 2 a card make 4
    [200_000, 2_000, 4, null, [2, 2]],
    [0, 0, 5, null, [3, 2]],
  ])('%d IOPS and %d MiB/s on %d members: %j, %j', (iops, mibps, members, shortfall, spread) => {
    expect(shortfallOf(twoCards, load(iops, mibps), members)).toBe(shortfall);
    if (spread !== null) expect(spreadOverCards(twoCards, load(iops, mibps), members)).toEqual(spread);
  });

  test('one card is none to spread over', () => {
    expect(spreadOverCards(anInstanceType(), load(100, 10), 4)).toEqual([]);
  });
});

describe('what may be taken', () => {
  const small = anInstanceType({
    instanceType: 'm1.small',
    vcpus: 2,
    memoryMiB: 8_192,
    ebs: ebs(3_000, 100),
  });
  const large = anInstanceType({ instanceType: 'm1.large' }); // 4 vCPU, 16 GiB
  const old = anInstanceType({ instanceType: 'm0.large', currentGeneration: false });
  const arm = anInstanceType({ instanceType: 'a1.large', architectures: ['arm64'] });
  const mac = anInstanceType({ instanceType: 'mac1.metal', architectures: ['x86_64_mac'] });
  const unpriced = anInstanceType({ instanceType: 'm9.large', ebs: ebs(90_000, 900) });
  const regionCatalog = aRegionCatalog([arm, mac, unpriced, old, large, small], {
    'm1.small': 0.1,
    'm1.large': 0.2,
    'm0.large': 0.2,
    'a1.large': 0.15,
    'mac1.metal': 0.01,
  });
  const allowed = (vcpus: number, memoryGiB: number, architecture: 'x86_64' | 'arm64' | null = null) =>
    instancesAllowed(regionCatalog, regionCatalog.prices, { vcpus, memoryGiB, architecture });

  test('cheapest first, of the same price those sold today first, without a price last; no macOS', () => {
    expect(names(allowed(1, 0))).toEqual(['m1.small', 'a1.large', 'm1.large', 'm0.large', 'm9.large']);
  });

  test('vCPU, memory and architecture are the least that is taken', () => {
    expect(names(allowed(4, 0))).not.toContain('m1.small');
    expect(names(allowed(1, 16))).toEqual(['a1.large', 'm1.large', 'm0.large', 'm9.large']); // 16,384 MiB are 16 GiB
    expect(names(allowed(1, 16.1))).toEqual([]);
    expect(names(allowed(1, 0, 'arm64'))).toEqual(['a1.large']);
  });

  test('a price is of a month, or unknown with its reason', () => {
    const [first] = allowed(1, 0);
    expect(first?.monthlyUsd).toEqual({ known: true, value: 73 }); // 0.1 x 730 h
    const last = allowed(1, 0).at(-1);
    expect(last?.monthlyUsd).toEqual({
      known: false,
      reason: {
        code: 'no-instance-price',
        instanceType: 'm9.large',
        region: 'us-east-1',
        asOf: '2026-11-21',
      },
    });
  });

  test('the first that carries is taken: an unknown price only where nothing else does', () => {
    expect(firstThatCarries(allowed(1, 0), load(3_000, 100), 2)?.type.instanceType).toBe('m1.small');
    expect(firstThatCarries(allowed(1, 0), load(3_001, 100), 2)?.type.instanceType).toBe('a1.large');
    expect(firstThatCarries(allowed(1, 0), load(10_001, 100), 2)?.type.instanceType).toBe('m9.large');
    expect(firstThatCarries(allowed(1, 0), load(90_001, 100), 2)).toBeUndefined();
  });

  test('an instance that is named is the only one, whatever its architecture', () => {
    expect(
      names(instancesAllowed(regionCatalog, regionCatalog.prices, { instanceType: 'mac1.metal' })),
    ).toEqual(['mac1.metal']);
    expect(instancesAllowed(regionCatalog, regionCatalog.prices, { instanceType: 'z9.huge' })).toEqual([]);
  });
});

test('of the catalog: m5.2xlarge carries 12,000 IOPS all the time, though it reaches 18,750', () => {
  const type = builtInRegionCatalog('us-east-1').instanceTypes.get('m5.2xlarge') as InstanceType;
  expect(type.ebs).toMatchObject({ baselineIops: 12_000, maximumIops: 18_750 });
  expect(shortfallOf(type, load(12_000, 100), 1)).toBeNull();
  expect(shortfallOf(type, load(18_750, 100), 1)).toBe('limits');
});
