/** What was seen of the volumes and instances under evaluation, and forgotten after it. */

import { ebsFiguresOfInstance, instancesToEvaluate, Observed } from '../../../core/audit/observed.ts';
import type { RegionCatalogs } from '../../../core/catalog/region-catalog.ts';
import { attribute } from '../../../core/diagnosis/attribute.ts';
import { causes } from '../../../core/diagnosis/causes.ts';
import type { DiagnosedVolume } from '../../../core/diagnosis/diagnosed-volume.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Instance, Volume } from '../../../core/inventory.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { MetricCollector, type MetricName } from '../../../core/load/metrics.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../fixtures/region-catalog.ts';

const regionCatalogs: RegionCatalogs = () =>
  aRegionCatalog([
    anInstanceType({ instanceType: 'm1.large', ebs: ebs(10_000, 500) }),
    anInstanceType({ instanceType: 'm1.small', ebs: ebs(1_000, 100, { maximumMiBps: 110 }) }),
    anInstanceType({ instanceType: 'm1-flex.8xlarge', ebs: ebs(1_000, 100, { maximumMiBps: 400 }) }),
    anInstanceType({ instanceType: 'm1-flex.large', ebs: ebs(1_000, 100, { maximumMiBps: 400 }) }),
    anInstanceType({ instanceType: 't1.micro', ebs: null }),
  ]);

describe('what an instance does with EBS', () => {
  const of = (instance: Partial<Instance>) => ebsFiguresOfInstance(anInstance(instance), regionCatalogs);

  test.each([
    { instanceType: 'm1.large', weighting: null, baseline: 500, maximum: 500 },
    { instanceType: 'm1.large', weighting: 'default', baseline: 500, maximum: 500 },
    { instanceType: 'm1.large', weighting: 'ebs-1', baseline: 625, maximum: 625 }, // 500 x 1.25
    { instanceType: 'm1.small', weighting: 'ebs-1', baseline: 125, maximum: 125 }, // above the 110 of its burst
    { instanceType: 'm1-flex.8xlarge', weighting: 'ebs-1', baseline: 125, maximum: 425 }, // both by 25
    { instanceType: 'm1-flex.large', weighting: 'ebs-1', baseline: 125, maximum: 400 }, // up to 4xlarge as others
    // What vpc-1 leaves for EBS nobody tells
    { instanceType: 'm1.large', weighting: 'vpc-1', baseline: Number.NaN, maximum: Number.NaN },
  ])(
    '$instanceType, $weighting: $baseline and $maximum MiB/s',
    ({ instanceType, weighting, baseline, maximum }) => {
      const figures = of({ instanceType, bandwidthWeighting: weighting });
      expect(figures).toMatchObject({ baselineMiBps: baseline, maximumMiBps: maximum });
      expect(figures?.maximumIops).toBe(instanceType === 'm1.large' ? 10_000 : 1_000);
    },
  );

  test.each([
    ['of a type that nobody described', null],
    ['of a type that is not in the catalog', 'x99.huge'],
    ['of a type whose limits EC2 does not tell', 't1.micro'],
  ])('%s is not known', (_what, instanceType) => {
    expect(of({ instanceType })).toBeNull();
  });
});

type Points = Partial<Record<MetricName, (number | undefined)[]>>;

/** An account whose metrics are these, in minutes. */
function observe(volumes: Volume[], instance: Partial<Instance>, points: Record<string, Points>) {
  const collector = new MetricCollector(60);
  for (const [id, metrics] of Object.entries(points)) {
    for (const [name, values] of Object.entries(metrics)) {
      const known = values.flatMap((value, i) => (value === undefined ? [] : [[i * 60, value] as const]));
      collector.add(
        id,
        name as MetricName,
        known.map(([time]) => time),
        known.map(([, value]) => value),
      );
    }
  }
  const toEvaluate = instancesToEvaluate([anInstance({ instanceType: 'm1.large', ...instance })], volumes);
  const metrics = collector.finish();
  return {
    observed: new Observed(metrics, regionCatalogs, toEvaluate, new Map(), defaultThresholds),
    collector,
  };
}

const load = (iops: number, mibps = iops / 64): Points => ({
  ...(readsOf16KiB(repeat(3, iops * 60)) as Points),
  VolumeReadBytes: repeat(3, mibps * 60 * 1_048_576),
});
const two = [aVolume({ volumeId: 'vol-1' }), aVolume({ volumeId: 'vol-2' })];
const causesOf = (observed: Observed, id = 'i-1') =>
  [...(observed.evidenceOf(id)?.cause ?? [])].map((code) => causes[code]);

describe('the evidence of an instance', () => {
  test('is made from the loads of its volumes and the limits of its type', () => {
    const { observed } = observe(two, {}, { 'vol-1': load(6_000), 'vol-2': load(4_000) });
    expect([...(observed.evidenceOf('i-1')?.load.iops ?? [])]).toEqual(repeat(3, 10_000));
    expect(causesOf(observed)).toEqual(repeat(3, 'instance-iops'));
    expect(observed.evidenceOf('i-1')?.isWhole).toBe(true);
  });

  test('its bandwidth weighting counts: 500 MiB/s are the limit, 80 % of it, or nobody knows', () => {
    const points = { 'vol-1': load(2_000, 300), 'vol-2': load(2_000, 200) };
    const by = (bandwidthWeighting: string | null) =>
      causesOf(observe(two, { bandwidthWeighting }, points).observed);
    expect(by(null)).toEqual(repeat(3, 'instance-throughput'));
    expect(by('ebs-1')).toEqual(repeat(3, 'none')); // 500 of 625
    expect(by('vpc-1')).toEqual(repeat(3, 'none'));
  });

  test('with vpc-1 its IOPS are evaluated all the same', () => {
    const points = { 'vol-1': load(6_000), 'vol-2': load(4_000) };
    const { observed } = observe(two, { bandwidthWeighting: 'vpc-1' }, points);
    expect(causesOf(observed)).toEqual(repeat(3, 'instance-iops'));
  });

  test('leaves out a Multi-Attach volume, whose load is of other instances too: then not all is seen', () => {
    const shared = aVolume({ volumeId: 'vol-2', multiAttach: true, attachments: on('i-1', 'i-2') });
    const points = { 'vol-1': load(6_000), 'vol-2': load(4_000) };
    const { observed } = observe([aVolume(), shared], {}, points);
    expect([...(observed.evidenceOf('i-1')?.load.iops ?? [])]).toEqual(repeat(3, 6_000));
    expect(observed.evidenceOf('i-1')?.isWhole).toBe(false);
    expect(observed.evidenceOf('i-2')).toBeNull(); // nobody described it
  });

  test('a volume without figures leaves the others, and not all is seen', () => {
    const { observed } = observe(two, {}, { 'vol-1': load(6_000) });
    expect([...(observed.evidenceOf('i-1')?.load.iops ?? [])]).toEqual(repeat(3, 6_000));
    expect(observed.evidenceOf('i-1')?.isWhole).toBe(false);
  });

  test('there is none of an instance that is not evaluated, or of whose metrics nothing can be used', () => {
    const points = { 'vol-1': load(6_000), 'vol-2': load(4_000) };
    const { observed, collector } = observe(two, {}, points);
    expect(observed.evidenceOf('i-9')).toBeNull();
    collector.unread('i-1', { code: 'conflicting-points' });
    expect(observed.evidenceOf('i-1')).toBeNull();
  });

  test('is the same until it is forgotten, and with it who felt it', () => {
    const { observed } = observe(two, {}, { 'vol-1': load(6_000), 'vol-2': load(4_000) });
    const evidence = observed.evidenceOf('i-1');
    evidence?.felt.fill(1);
    expect(observed.evidenceOf('i-1')).toBe(evidence);
    observed.forget();
    expect(observed.evidenceOf('i-1')).not.toBe(evidence);
    expect([...(observed.evidenceOf('i-1')?.felt ?? [])]).toEqual([0, 0, 0]);
  });
});

describe('the load of a volume', () => {
  test('is made once, and again after it was forgotten', () => {
    const { observed } = observe(two, {}, { 'vol-1': load(100) });
    const before = observed.loadOf('vol-1');
    expect(before).toMatchObject({ known: true, value: { periodSeconds: 60 } });
    expect(observed.loadOf('vol-1')).toBe(before);
    observed.forget();
    expect(observed.loadOf('vol-1')).not.toBe(before);
    expect(observed.loadOf('vol-1')).toEqual(before);
  });

  test('is unknown with the reason, where nothing is there and where what is there cannot be used', () => {
    const { observed, collector } = observe(two, {}, { 'vol-1': load(100) });
    collector.unread('vol-1', { code: 'conflicting-points' });
    expect(observed.loadOf('vol-1')).toEqual({ known: false, reason: { code: 'conflicting-points' } });
    expect(observed.loadOf('vol-2')).toEqual({
      known: false,
      reason: { code: 'no-operations' },
    });
  });
});

test('the stripes of an instance are found once, and again after they were forgotten', () => {
  const tagged = two.map((volume) => ({ ...volume, stripeTag: 'data' }));
  const { observed } = observe(tagged, {}, { 'vol-1': load(100), 'vol-2': load(100) });
  const before = observed.stripesOn('i-1');
  expect(before).toHaveLength(1);
  expect(observed.stripesOn('i-1')).toBe(before);
  expect(observed.stripesOn('i-9')).toEqual([]);
  observed.forget();
  expect(observed.stripesOn('i-1')).not.toBe(before);
  expect(observed.stripesOn('i-1')).toEqual(before);
});

test('a diagnosis is kept until it is forgotten', () => {
  const metrics = metricSet(readsOf16KiB(repeat(3, 6_000)));
  const limits = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
  const ofVolume = loadOf(metrics);
  const { iops, mibps } = ofVolume;
  const diagnosed: DiagnosedVolume = {
    volume: aVolume({ volumeId: 'vol-1' }),
    limits,
    load: ofVolume,
    attribution: attribute(limits, ofVolume, metrics, [], defaultThresholds),
    demand: { lowIops: iops, highIops: iops, lowMiBps: mibps, highMiBps: mibps, assumptions: [] },
  };
  const { observed } = observe(two, {}, {});
  expect(observed.diagnosisOf('vol-1')).toBeUndefined();
  observed.note(diagnosed);
  expect(observed.diagnosisOf('vol-1')).toBe(diagnosed);
  expect(observed.diagnosisOf('vol-2')).toBeUndefined();
  observed.forget();
  expect(observed.diagnosisOf('vol-1')).toBeUndefined();
});
