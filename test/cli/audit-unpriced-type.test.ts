/** One type of volume has no price: what needs it is unknown with the reason, all else is as it is with all prices. */
import { volumeTypes } from '../../core/limits/volume-limits.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { day, load } from '../fixtures/aws-cli.ts';
import { aStoredCatalog, ebsWithout, somePrices } from '../fixtures/region-catalog.ts';
import { catalogAccount } from './catalog-account.ts';
import { auditOf, calm, only } from './one-volume.ts';

const region = 'eu-central-1';
const { cached } = catalogAccount();
const unpriced = (volumeType: (typeof volumeTypes)[number]) =>
  cached(aStoredCatalog({ prices: somePrices({ ebs: { ...ebsWithout(volumeType), asOf: '2026-11-15' } }) }));

const ids = {
  gp2: 'vol-0123456789abcdef0',
  io1: 'vol-0123456789abcdef1',
  gp3: 'vol-0123456789abcdef2',
  st1: 'vol-0123456789abcdef3',
};
const AvailabilityZone = `${region}a`;
const oneOfEach = () =>
  auditOf(
    { VolumeType: 'gp2', Size: 1_000, Throughput: undefined, AvailabilityZone },
    Object.values(ids).flatMap((id) => load(id, day(calm))),
    undefined,
    [
      {
        VolumeId: ids.io1,
        VolumeType: 'io1',
        Size: 500,
        Iops: 8_000,
        Throughput: undefined,
        AvailabilityZone,
      },
      { VolumeId: ids.gp3, Size: 500, Iops: 12_000, Throughput: 125, AvailabilityZone },
      {
        VolumeId: ids.st1,
        VolumeType: 'st1',
        Size: 2_000,
        Iops: undefined,
        Throughput: undefined,
        AvailabilityZone,
      },
    ],
  );
const savingsIn = ({ findings }: AuditResult) =>
  Object.fromEntries(
    findings
      .filter(({ resource }) => resource.type === 'volume')
      .map(({ kind, resource, recommendations }) => [
        `${kind} ${resource.id}`,
        recommendations.map(({ monthlyUsdDelta }) => monthlyUsdDelta),
      ]),
  );

describe('volumes of every type are audited, and savings between types with a price are found', () => {
  test.each(volumeTypes)('without a price of %s', async (volumeType) => {
    cached(aStoredCatalog());
    const whole = savingsIn(await oneOfEach());
    unpriced(volumeType);
    const result = await oneOfEach();
    expect(result.coverage).toMatchObject({ volumes: 4, evaluated: 4, unknown: [] });
    expect(result.prices).toMatchObject([{ region, ebsAsOf: '2026-11-15', unpricedTypes: [volumeType] }]);
    expect(result.notices).toEqual([
      { code: 'volume-type-prices-unknown', region, volumeTypes: [volumeType] },
    ]);
    // What is left needs no price of the type; what is gone had one of its two types, or went to it.
    const found = savingsIn(result);
    const needs = (of: string): boolean =>
      (volumeType in ids && of.endsWith(ids[volumeType as keyof typeof ids])) ||
      (volumeType === 'gp3' && /^cheaper-/.test(of)) ||
      (volumeType === 'sc1' && of.endsWith(ids.st1));
    for (const [of, usd] of Object.entries(whole))
      if (!needs(of) && volumeType !== 'io2') expect(found[of]).toEqual(usd);
    for (const of of Object.keys(found)) expect(Object.keys(whole)).toContain(of);
  });

  test('without a price of io1 the gp2 volume still goes to gp3', async () => {
    unpriced('io1');
    const found = savingsIn(await oneOfEach());
    // 1,000 GiB: 100 on gp2; gp3 as fast is 80, and 100 IOPS need no more
    expect(found[`cheaper-type ${ids.gp2}`]).toContain(-20);
    expect(Object.keys(found).some((of) => of.endsWith(ids.io1))).toBe(false);
  });
});

test('an unattached volume of the type is reported without a price, and one of another type with it', async () => {
  unpriced('io1');
  const unattached = { State: 'available', Attachments: [], Size: 500, AvailabilityZone };
  const io1 = only(await auditOf({ ...unattached, VolumeType: 'io1', Throughput: undefined }, []));
  const reason = { code: 'no-ebs-price', volumeType: 'io1', region };
  expect(io1).toMatchObject({
    kind: 'unattached',
    evidence: { monthlyUsd: null, priceUnknownReason: reason },
  });
  expect(io1.recommendations[0]).toMatchObject({ monthlyUsdDelta: null, priceUnknownReason: reason });
  expect(only(await auditOf(unattached, []))).toMatchObject({ evidence: { monthlyUsd: 40 } }); // 500 x 0.08
});

test('what helps a throttled volume is recommended; its price is unknown where it goes to the type', async () => {
  unpriced('gp3');
  const throttled = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [100 + i, 180_000]));
  const queue = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [100 + i, 8]));
  const finding = only(
    await auditOf(
      { VolumeType: 'gp2', Size: 1_000, Throughput: undefined, AvailabilityZone },
      load(ids.gp2, day(calm, throttled), { VolumeQueueLength: day(0.1, queue) }),
    ),
  );
  const [first] = finding.recommendations;
  expect(first).toMatchObject({
    change: { to: { volumeType: 'gp3' } },
    monthlyUsdDelta: null,
    priceUnknownReason: { code: 'no-ebs-price', volumeType: 'gp3', region },
  });
});
