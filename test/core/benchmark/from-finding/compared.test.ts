/** The volumes as they are against what is recommended, and the instance that both are measured on. */
import {
  comparedFor,
  type FindingInAccount,
  type NotComparable,
} from '../../../../core/benchmark/from-finding/compared.ts';
import { hostsOf, seenFinding } from '../../../../core/benchmark/from-finding/found.ts';
import { nitroHost } from '../../../../core/benchmark/from-finding/host-type.ts';
import { known, unknown } from '../../../../core/known.ts';
import type { Layout } from '../../../../core/plan/layout.ts';
import type { AuditResult } from '../../../../core/schemas/audit-result.ts';
import type { Finding, FindingKind } from '../../../../core/schemas/finding.ts';
import { aFinding, changeTo, onInstance, onStripe } from '../../../fixtures/findings.ts';
import { anInstance, aVolume } from '../../../fixtures/inventory.ts';
import { metricSet } from '../../../fixtures/metric-set.ts';
import { anInstanceType, aRegionCatalog, ebs } from '../../../fixtures/region-catalog.ts';
import { diagnosed, times } from '../../audit/diagnosed.ts';

const old = anInstanceType({ instanceType: 'm0.large', nitro: false, currentGeneration: false });
const more = anInstanceType({
  instanceType: 'm1.xlarge',
  vcpus: 8,
  memoryMiB: 32_768,
  ebs: ebs(20_000, 1_000),
});
const regionCatalog = aRegionCatalog([anInstanceType(), more, old], {
  'm0.large': 0.05,
  'm1.large': 0.1,
  'm1.xlarge': 0.2,
});

const recommended: Layout = {
  ...{ kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: 100 },
  ...{ iops: 6_000, throughputMiBps: 125 },
};
const advising = (change: Partial<Finding['recommendations'][number]>): Finding['recommendations'] =>
  aFinding().recommendations.map((one) => ({ ...one, ...change }));
const found = (change: Partial<FindingInAccount> = {}): FindingInAccount => ({
  finding: aFinding({ recommendations: advising({ change: changeTo(recommended) }) }),
  ...{ stripe: null, volumes: [aVolume()], instance: anInstance({ instanceType: 'm1.large' }) },
  ...change,
});
const compared = (change: Partial<FindingInAccount> = {}) => {
  const made = comparedFor(found(change), regionCatalog);
  if (!made.known) throw new Error(made.reason.code);
  return made.value;
};
const reason = (change: Partial<FindingInAccount>): NotComparable | null => {
  const made = comparedFor(found(change), regionCatalog);
  return made.known ? null : made.reason;
};

const stripe = (change: Partial<AuditResult['stripes'][number]> = {}): AuditResult['stripes'][number] => ({
  ...{
    stripeId: 'i-1/data',
    name: 'data',
    instanceId: 'i-1',
    region: 'us-east-1',
    volumeIds: ['vol-1', 'vol-2'],
  },
  ...{
    evidence: 'host',
    confidence: 'high',
    kind: 'stripe',
    chunkKiB: 64,
    builtWith: 'lvm',
    mountPoints: [],
  },
  ...{ limits: null, unlikeMembers: [] },
  ...change,
});
const ofStripe = (change: Partial<FindingInAccount> = {}): Partial<FindingInAccount> => ({
  finding: aFinding({
    resource: onStripe('i-1/data'),
    recommendations: advising({ change: changeTo(recommended) }),
  }),
  ...{ stripe: stripe(), volumes: [aVolume(), aVolume({ volumeId: 'vol-2' })] },
  ...change,
});

test('one volume keeps its size, its IOPS and its instance type', () => {
  const { layouts, instanceTypes, current, recommended: recommendedOne, notes } = compared();
  expect(layouts.map(({ name, sizeGiB, iops, kind }) => [name, kind, sizeGiB, iops])).toEqual([
    ['current', 'single', 100, 3_000],
    ['recommended', 'single', 100, 6_000],
  ]);
  expect(instanceTypes).toEqual(['m1.large']);
  expect(current).toEqual({ layout: layouts[0], instanceType: 'm1.large' });
  expect(recommendedOne).toEqual({ layout: layouts[1], instanceType: 'm1.large' });
  expect(notes).toEqual([]);
});

test('of gp2 the IOPS follow from the size and are not asked for', () => {
  const volume = aVolume({ volumeType: 'gp2', sizeGiB: 500, iops: 1_500, throughputMiBps: null });
  const [current] = compared({ volumes: [volume] }).layouts;
  expect(current).toMatchObject({ volumeType: 'gp2', sizeGiB: 500 });
  expect(current).not.toHaveProperty('iops');
});

test('a single volume that would be a stripe', () => {
  const layout: Layout = { ...recommended, kind: 'stripe', members: 4, sizeGiB: 25, iops: 3_000 };
  const { layouts } = compared({
    finding: aFinding({ recommendations: advising({ change: changeTo(layout) }) }),
  });
  expect(layouts[1]).toMatchObject({ kind: 'stripe', members: 4, sizeGiB: 25 });
});

describe('a stripe', () => {
  test('is built as the host says, of members that change alike', () => {
    const { layouts, notes } = compared(ofStripe());
    expect(layouts.map(({ kind, members, iops, chunkKiB }) => [kind, members, iops, chunkKiB])).toEqual([
      ['stripe', 2, 3_000, 64],
      ['stripe', 2, 6_000, 64],
    ]);
    expect(notes).toEqual([]);
  });

  test('that is inferred is assumed to be striped, and that is a note', () => {
    const { layouts, notes } = compared(ofStripe({ stripe: stripe({ kind: null, chunkKiB: null }) }));
    expect(layouts[0]).toMatchObject({ kind: 'stripe', chunkKiB: 128 });
    expect(notes).toEqual([{ code: 'stripe-assumed' }, { code: 'chunk-assumed', chunkKiB: 128 }]);
  });

  test('of a kind that a campaign does not build, or of unlike members, is refused', () => {
    expect(reason(ofStripe({ stripe: stripe({ kind: 'mirror' }) }))).toEqual({
      ...{ code: 'array-not-built', kind: 'mirror' },
    });
    const unlike = [aVolume(), aVolume({ volumeId: 'vol-2', iops: 4_000 })];
    expect(reason(ofStripe({ volumes: unlike }))).toEqual({ code: 'members-not-alike' });
  });

  test('what its host said is handed on to another look', () => {
    const hosts = hostsOf({
      stripes: [stripe(), stripe({ evidence: 'inferred', name: null, instanceId: 'i-2' })],
    });
    expect([...hosts.keys()]).toEqual(['i-1']);
    expect(hosts.get('i-1')?.arrays).toMatchObject([
      { name: 'data', kind: 'stripe', chunkKiB: 64, memberVolumeIds: ['vol-1', 'vol-2'] },
    ]);
  });
});

describe('an instance that is the limit', () => {
  const finding = aFinding({
    kind: 'throttled-instance-iops',
    resource: onInstance('i-1'),
    recommendations: advising({ change: { of: 'instance', from: 'm1.large', to: 'm1.xlarge' } }),
  });

  test('is compared with the type that is recommended, by the same volumes', () => {
    const { layouts, instanceTypes, recommended: then } = compared({ finding });
    expect(layouts).toHaveLength(1);
    expect(instanceTypes).toEqual(['m1.large', 'm1.xlarge']);
    expect(then).toEqual({ layout: layouts[0], instanceType: 'm1.xlarge' });
  });

  test('is not where it is not on Nitro', () => {
    expect(reason({ finding, instance: anInstance({ instanceType: 'm0.large' }) })).toEqual({
      code: 'not-on-nitro',
      instanceType: 'm0.large',
    });
  });

  test('volumes without load are left out', () => {
    const seen = (volumeId: string, iops: number) => ({
      diagnosed: diagnosed({ volumeId }, { iops: times(10, iops) }),
      metrics: metricSet({}),
    });
    // 5 of 1,005 are less than one in a hundred.
    const { found: about } = seenFinding(
      finding,
      { stripes: [] },
      [seen('vol-1', 1_000), seen('vol-2', 5)],
      () => null,
    );
    expect(about.volumes.map(({ volumeId }) => volumeId)).toEqual(['vol-1']);
  });
});

test.each<FindingKind>([
  ...(['idle', 'unattached', 'stalled', 'stripe-straggler', 'ebs-card-imbalance', 'uninitialized'] as const),
  ...(['instance-credits-exhausted', 'unreachable-performance'] as const),
])('%s is refused', (kind) => {
  expect(reason({ finding: aFinding({ kind }) })).toEqual({ code: 'kind-not-measurable', kind });
});

test('recommendation without a configuration, an Outpost, a type that is not known', () => {
  expect(reason({ finding: aFinding({ recommendations: advising({ change: null }) }) })).toEqual({
    code: 'no-configuration-recommended',
  });
  expect(reason({ volumes: [aVolume({ deployment: 'outposts' })] })).toEqual({ code: 'on-outpost' });
  expect(reason({ volumes: [aVolume({ volumeType: 'gp9' })] })).toMatchObject({
    ...{
      code: 'volume-unknown',
      volumeId: 'vol-1',
      reason: { code: 'volume-type-unknown', volumeType: 'gp9' },
    },
  });
});

describe('the host', () => {
  const need = { iops: 6_000, mibps: 125, volumes: 1 };
  test.each([
    ['is of today’s type where that is on Nitro', 'm1.xlarge', { instanceType: 'm1.xlarge', note: null }],
    [
      'else of the cheapest with no less',
      'm0.large',
      {
        instanceType: 'm1.large',
        note: { code: 'host-not-nitro', from: 'm0.large', to: 'm1.large' },
      },
    ],
    [
      'of an instance that nobody described, of the cheapest that carries the volumes',
      null,
      {
        instanceType: 'm1.large',
        note: { code: 'host-type-unknown', to: 'm1.large' },
      },
    ],
    [
      'of a type that is not known, likewise',
      'm9.large',
      {
        instanceType: 'm1.large',
        note: { code: 'host-type-not-in-region', from: 'm9.large', region: 'us-east-1', to: 'm1.large' },
      },
    ],
  ])('%s', (_, type, expected) => {
    expect(nitroHost(type, need, regionCatalog)).toEqual(known(expected));
  });

  test('is unknown where none carries them', () => {
    expect(nitroHost(null, { ...need, iops: 50_000 }, regionCatalog)).toEqual(
      unknown({ code: 'no-host-type', region: 'us-east-1' }),
    );
  });
});
