import type { InstanceType } from '../../../core/catalog/instance-types.ts';
import { type BindingLimit, deliveredOf, isEnoughFor, notified } from '../../../core/plan/delivered.ts';
import type { Need } from '../../../core/plan/layout.ts';
import { type Candidate, offersOf, search } from '../../../core/plan/search.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';
import { aNeed, rates, someConstraints, usEast1Ranking } from './requests.ts';

const ranking = usEast1Ranking();

/** So many gp3, on an instance or none. */
function gp3(need: Need, members: number, instance: InstanceType | null = null): Candidate {
  const constraints = someConstraints({
    types: ['gp3'],
    instance: instance === null ? null : { instanceType: instance.instanceType },
  });
  const offers = offersOf(aRegionCatalog(instance === null ? [] : [instance]), ranking, constraints);
  const { candidates } = search(need, constraints, offers);
  const found = candidates.find(({ layout }) => layout.members === members);
  if (found === undefined) throw new Error(`${members} x gp3 do not do it`);
  return found;
}

describe('the limit that a growing load meets first', () => {
  test.each<[BindingLimit[], Need, number, number]>([
    // limits, need, members, room above what is asked
    [['iops'], rates(6_000, 100, 1), 1, 0], // 6,000 of 6,000; 125 of 100
    [['throughput'], rates(2_000, 125, 1), 1, 0], // 3,000 of 2,000; 125 of 125
    [['iops', 'throughput'], rates(15_000, 625, 1_000), 5, 0], // 5 x 3,000 and 5 x 125
    [['iops', 'throughput'], aNeed({ iops: 16_000, ioSizeKiB: 8, capacityGiB: 500 }), 1, 0], // 16,000 x 8 KiB = 125 MiB
    [['iops'], rates(2_500, 50, 1), 1, 0.2], // 3,000 / 2,500
    [['throughput'], rates(0, 100, 1), 1, 0.25], // no IOPS are asked
    [['iops'], aNeed({ iops: 1_000, throughputMiBps: 10, ioSizeKiB: 256 }), 2, 0.5], // 2 x 3,000 / 4 pieces
  ])('%j: %j on %d', (bindingLimits, need, members, headroom) => {
    const delivered = deliveredOf(need, gp3(need, members));
    expect(delivered.bindingLimits).toEqual(bindingLimits);
    expect(delivered.headroom).toBeCloseTo(headroom, 9);
  });

  test('where nothing but capacity is asked there is none', () => {
    const need = rates(0, 0, 100);
    expect(deliveredOf(need, gp3(need, 1))).toMatchObject({
      iops: 3_000,
      bindingLimits: [],
      headroom: Number.POSITIVE_INFINITY,
    });
  });

  test('an instance that ends before the volumes, by its baseline', () => {
    const small = anInstanceType({
      ebs: ebs(4_000, 500, { maximumIops: 20_000, maximumMiBps: 1_000 }),
    });
    const need = rates(4_000, 100, 1);
    const delivered = deliveredOf(need, gp3(need, 2, small)); // volumes: 6,000 and 250
    expect(delivered).toMatchObject({ iops: 4_000, throughputMiBps: 250, bindingLimits: ['instance-iops'] });
    expect(delivered.headroom).toBe(0);
  });

  test('volumes and instance at once', () => {
    const need = rates(6_000, 250, 1);
    const twin = anInstanceType({ ebs: ebs(6_000, 250) });
    expect(deliveredOf(need, gp3(need, 2, twin)).bindingLimits).toEqual([
      ...(['iops', 'throughput', 'instance-iops', 'instance-throughput'] as const),
    ]);
  });

  test('pieces of an I/O are what the instance carries: 4,000 of them are 1,000 I/Os of 256 KiB', () => {
    const need = aNeed({ iops: 1_000, throughputMiBps: 10, ioSizeKiB: 256 });
    const delivered = deliveredOf(need, gp3(need, 2, anInstanceType({ ebs: ebs(4_000, 500) })));
    expect(delivered).toMatchObject({ iops: 1_000, bindingLimits: ['instance-iops'] });
  });
});

test('an answer tells hundredths of IOPS and MiB/s, never more than there is', () => {
  expect(notified({ iops: 12_631.9, throughputMiBps: 526.319 })).toEqual({
    iops: 12_631.9,
    throughputMiBps: 526.31,
  });
  // 2,400 x 4 x 0.98 / 1.3 and the like end just below what they are
  expect(notified({ iops: 2_351.999_999_999_9, throughputMiBps: 999.999_999_999_9 })).toEqual({
    iops: 2_352,
    throughputMiBps: 1_000,
  });
});

test('enough is all that is asked, but for the last digits of a quotient', () => {
  const need = rates(15_000, 625, 1);
  expect(isEnoughFor(need, { iops: 15_000, throughputMiBps: 625 })).toBe(true);
  expect(isEnoughFor(need, { iops: 14_999.999_999_999, throughputMiBps: 625 })).toBe(true);
  expect(isEnoughFor(need, { iops: 14_999, throughputMiBps: 625 })).toBe(false);
  expect(isEnoughFor(need, { iops: 15_000, throughputMiBps: 624 })).toBe(false);
});
