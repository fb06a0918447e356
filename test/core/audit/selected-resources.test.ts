/** Some volumes of a fleet evaluated alone: they get what they get in the whole, and what is not there is said. */

import { type AuditInput, audit } from '../../../core/audit/audit.ts';
import { queriesOfBatch } from '../../../core/audit/batches.ts';
import { narrowed, type Picked, SelectedResources } from '../../../core/audit/selected-resources.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { BadInput } from '../../../core/errors.ts';
import { MetricCollector } from '../../../core/load/metrics.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { AnyEvidence, Finding } from '../../../core/schemas/finding.ts';
import { aFinding, anEvaluation, aResult, onInstance } from '../../fixtures/findings.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';
import { simulatedAccount } from '../../fixtures/simulated-account.ts';

const fleet = {
  volumes: [
    aVolume({ volumeId: 'vol-a', attachments: on('i-1'), name: 'orders', tags: { team: 'shop' } }),
    aVolume({ volumeId: 'vol-b', attachments: on('i-1'), name: 'logs' }),
    aVolume({ volumeId: 'vol-c', attachments: on('i-2') }),
    aVolume({ volumeId: 'vol-shared', attachments: on('i-2', 'i-3'), multiAttach: true }),
    aVolume({ volumeId: 'vol-d', attachments: on('i-4') }), // of which nobody described the instance
    aVolume({ volumeId: 'vol-free', attachments: [], name: 'logs', tags: { team: 'a=b' } }),
  ],
  instances: [
    ...['i-1', 'i-2', 'i-empty'].map((instanceId) => anInstance({ instanceId })),
    anInstance({ instanceId: 'i-3', name: 'shop', tags: { team: 'shop' } }),
  ],
};
const arn = (resource: string, place = 'us-east-1:111122223333'): string =>
  `arn:aws:ec2:${place}:${resource}`;

const allOfShop = ['vol-a', 'vol-b', 'vol-c', 'vol-shared'];

test.each([
  ['a volume', ['vol-a'], ['vol-a', 'vol-b'], ['i-1']],
  ['an instance', ['i-1'], ['vol-a', 'vol-b'], ['i-1']],
  ['a volume on two instances', ['vol-shared'], ['vol-c', 'vol-shared'], ['i-2', 'i-3']],
  ['the neighbour of one', ['i-3'], ['vol-c', 'vol-shared'], ['i-2', 'i-3']],
  ['a stripe, which is called after its instance', ['i-1/data'], ['vol-a', 'vol-b'], ['i-1']],
  ['an instance that nobody described', ['i-4'], ['vol-d'], []],
  ['an instance without a volume', ['i-empty'], [], ['i-empty']],
  ['a volume on no instance', ['vol-free'], ['vol-free'], []],
  ['two', ['vol-free', 'vol-d'], ['vol-d', 'vol-free'], []],
  ['what is not there', ['vol-nowhere'], [], []],
  ['the beginning of an id', ['vol'], [], []],
  ['the Name of a volume', ['orders'], ['vol-a', 'vol-b'], ['i-1']],
  ['the Name of an instance', ['shop'], ['vol-c', 'vol-shared'], ['i-2', 'i-3']],
  ['the ARN of a volume', [arn('volume/vol-free')], ['vol-free'], []],
  ['the ARN of an instance', [arn('instance/i-3')], ['vol-c', 'vol-shared'], ['i-2', 'i-3']],
  ['the ARN of an instance that nobody described', [arn('instance/i-4')], ['vol-d'], []],
  ['an ARN of another Region', [arn('volume/vol-free', 'eu-west-1:111122223333')], [], []],
  ['an ARN of another account', [arn('volume/vol-free', 'us-east-1:999999999999')], [], []],
  ['a tag of a volume and of an instance', ['tag:team=shop'], allOfShop, ['i-1', 'i-2', 'i-3']],
  ['a tag whose value has a =', ['tag:team=a=b'], ['vol-free'], []],
  ['a tag with any value', ['tag:team=*'], [...allOfShop, 'vol-free'].sort(), ['i-1', 'i-2', 'i-3']],
  ['a tag that all have from their prototype', ['tag:constructor=*'], [], []],
] as const)('%s', (_, ids, volumeIds, instanceIds) => {
  const selected = new SelectedResources(ids);
  const { volumes, instances } = selected.narrow(fleet);
  expect(volumes.map(({ volumeId }) => volumeId).sort()).toEqual([...volumeIds]);
  expect(instances.map(({ instanceId }) => instanceId).sort()).toEqual([...instanceIds]);
});

test('what is nowhere is missing, over several Regions; a stripe when none of that name was evaluated', () => {
  const selected = new SelectedResources(['vol-a', 'i-empty', 'i-4', 'vol-nowhere', 'i-1/data', 'i-1/other']);
  selected.narrow({ volumes: fleet.volumes.slice(0, 2), instances: [] });
  selected.narrow({ volumes: fleet.volumes.slice(2), instances: fleet.instances });
  const stripes = [{ stripeId: 'i-1/data' }] as AuditResult['stripes'];
  expect(selected.isNowhere({ stripes })).toBe(false);
  expect(selected.missing({ stripes })).toEqual(['vol-nowhere', 'i-1/other']);
});

/** The ids that these mean, of what is in the fleet. */
const idsBy = (...texts: string[]): string[] => {
  const selected = new SelectedResources(texts);
  selected.narrow(fleet);
  return [...selected.ids].sort();
};

test('each way means the same resource, and one that is meant twice is there once', () => {
  expect(idsBy('vol-a', 'orders', arn('volume/vol-a'))).toEqual(['vol-a']);
  expect(idsBy('tag:team=shop')).toEqual(['i-3', 'vol-a']); // not what shares their instances
});

test('an id goes before a Name: nobody takes it away by naming something so', () => {
  const named = aVolume({ volumeId: 'vol-x', name: 'vol-a', attachments: [] });
  const selected = new SelectedResources(['vol-a']);
  selected.narrow({ ...fleet, volumes: [named, ...fleet.volumes] });
  expect([...selected.ids]).toEqual(['vol-a']);
});

test('a Name that several have is refused with their ids; the tag Name means them all', () => {
  const two =
    /^--resource logs: 2 resources have this Name tag \(vol-b, vol-free\): give an id, or tag:Name=logs/;
  expect(() => idsBy('logs')).toThrow(BadInput);
  expect(() => idsBy('logs')).toThrow(two);
  const apart = new SelectedResources(['logs']); // in two Regions
  apart.narrow({ volumes: fleet.volumes.slice(0, 2), instances: [] });
  expect(() => apart.narrow({ volumes: fleet.volumes.slice(2), instances: [] })).toThrow(two);
});

test('a tag that 500 have is asked for, one that 501 have is too much', () => {
  const volumes = Array.from({ length: 501 }, (_, i) =>
    aVolume({ volumeId: `vol-${i}`, attachments: [], tags: { environment: 'prod' } }),
  );
  const byTag = (count: number) => {
    const selected = new SelectedResources(['tag:environment=prod']);
    return selected.narrow({ volumes: volumes.slice(0, count), instances: [] }).volumes.length;
  };
  expect(byTag(500)).toBe(500);
  expect(() => byTag(501)).toThrow(/more than 500 resources have this tag/);
});

describe('of Kubernetes', () => {
  const claimed = (volumeId: string, namespace: string | null, claim: string | null) =>
    aVolume({
      ...{ volumeId, attachments: [] },
      kubernetes: { claim, namespace, volume: null, cluster: null, isOfDriver: true },
    });
  const volumes = [
    claimed('vol-1', 'payments', 'orders'),
    claimed('vol-2', 'payments', 'invoices'),
    claimed('vol-3', 'shop', 'orders'),
    claimed('vol-4', null, 'orders'),
    aVolume({ volumeId: 'vol-5', attachments: [] }),
    claimed('vol-6', 'payments', 'orders'), // of another cluster
  ];
  const idsOfKubernetes = (text: string) => {
    const selected = new SelectedResources([text]);
    selected.narrow({ volumes, instances: [] });
    return [...selected.ids];
  };

  test.each([
    ['claim:payments/orders', ['vol-1', 'vol-6']],
    ['claim:shop/orders', ['vol-3']],
    ['claim:shop/invoices', []],
    ['namespace:payments', ['vol-1', 'vol-2', 'vol-6']],
    ['namespace:none', []],
  ])('%s', (text, ids) => {
    expect(idsOfKubernetes(text)).toEqual(ids);
  });

  test('what is missing says so', () => {
    const selected = new SelectedResources(['claim:shop/none', 'namespace:none']);
    selected.narrow({ volumes, instances: [] });
    expect(selected.missing({ stripes: [] }).map((text) => selected.kindOfMissing(text))).toEqual([
      ...['claim', 'namespace'],
    ]);
  });

  test('a namespace of which 501 volumes are is too much', () => {
    const many = Array.from({ length: 501 }, (_, i) => claimed(`vol-${i}`, 'payments', `data-${i}`));
    const selected = new SelectedResources(['namespace:payments']);
    expect(() => selected.narrow({ volumes: many, instances: [] })).toThrow(
      /more than 500 resources have this namespace/,
    );
  });
});

test('the keys of tags that have to be read', () => {
  expect(new SelectedResources(['vol-a', 'tag:team=shop', 'tag:env=*']).tagKeys).toEqual(['team', 'env']);
});

test.each([
  ['tag:team', /a tag is asked for as tag:KEY=VALUE/],
  ['tag:team=', /a tag is asked for as tag:KEY=VALUE/], // a variable that is not set
  ['tag:=shop', /a tag is asked for as tag:KEY=VALUE/],
  ['claim:orders', /a claim of Kubernetes is asked for as claim:NAMESPACE\/NAME/],
  ['claim:shop/', /a claim of Kubernetes is asked for as claim:NAMESPACE\/NAME/],
  ['claim:shop/orders/data', /a claim of Kubernetes is asked for as claim:NAMESPACE\/NAME/],
  ['claim:shop/$(reboot)', /a claim of Kubernetes is asked for as claim:NAMESPACE\/NAME/],
  ['namespace:', /a namespace of Kubernetes is asked for as namespace:NAME/],
  ['namespace:Shop', /a namespace of Kubernetes is asked for as namespace:NAME/],
  ['arn:aws:s3:::bucket', /is the ARN of no volume or instance/],
  [arn('snapshot/snap-1'), /is the ARN of no volume or instance/],
  [arn('volume/'), /is the ARN of no volume or instance/],
  ['arn:aws:ec2:us-east-1::volume/vol-a', /is the ARN of no volume or instance/],
])('%s is nothing that can be looked for', (text, line) => {
  expect(() => new SelectedResources([text])).toThrow(BadInput);
  expect(() => new SelectedResources([text])).toThrow(line);
});

test('what is missing says how it was asked for, and whether it is excluded or of the benchmark', () => {
  const left = ['vol-left', arn('volume/vol-left'), 'vol-bench'];
  const gone = ['vol-gone', 'tag:team=none', arn('volume/vol-gone'), ...left];
  const selected = new SelectedResources(gone);
  selected.narrow(fleet);
  selected.excluded(['vol-left']);
  selected.ofBenchmark(['vol-bench']);
  expect(selected.missing({ stripes: [] })).toEqual(gone);
  const kinds = gone.map((text) => selected.kindOfMissing(text));
  expect(kinds).toEqual(['id-or-name', 'tag', 'arn', 'excluded', 'excluded', 'benchmark']);
  expect(selected.excludedVolumes).toBe(2);
});

/** The simulated fleet with all its metrics in memory. */
async function wholeFleet(): Promise<AuditInput> {
  const { volumes, instances, plan, readMetrics } = simulatedAccount();
  const collector = new MetricCollector();
  await readMetrics(queriesOfBatch({ volumes, instances, published: null }, 60), plan, () => collector);
  return {
    runId: 'run-1',
    inventory: { volumes, instances },
    read: { metrics: collector.finish(), window: 'of-all' },
    rules: { regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
  };
}

/** Which other instance has room for a volume is known of the whole alone. */
const withoutDestination = (finding: Finding): Finding => ({
  ...finding,
  recommendations: finding.recommendations.filter(({ action }) => action !== 'move-volume'),
});

test('each group of the simulated fleet: evaluations, findings and stripes as in the whole, nothing lost and nothing twice', async () => {
  const all = await wholeFleet();
  const whole = audit(all);
  const notified = new Set<string>();
  const left = new Set(whole.volumes.map(({ volumeId }) => volumeId));
  for (const { volumeId } of whole.volumes) {
    if (!left.has(volumeId)) continue;
    const selected = new SelectedResources([volumeId]);
    const alone = audit(narrowed(all, selected));
    expect(alone.window).toEqual(whole.window);
    expect(alone.coverage.metricsWithoutResource).toEqual([]);
    const ids = new Set(alone.volumes.map((one) => one.volumeId));
    expect(alone.volumes).toEqual(whole.volumes.filter((one) => ids.has(one.volumeId)));
    expect(alone.stripes).toEqual(
      whole.stripes.filter(({ volumeIds }) => volumeIds.some((id) => ids.has(id))),
    );
    const findingIds = new Set(alone.findings.map(({ id }) => id));
    const ofThese = whole.findings.filter(({ id }) => findingIds.has(id));
    expect(alone.findings.map(withoutDestination)).toEqual(ofThese.map(withoutDestination));
    // The finding of an instance is picked for each volume that it throttled.
    const { result: picked } = selected.pick(alone);
    expect(picked.volumes.map((one) => one.volumeId)).toEqual([volumeId]);
    const [status] = picked.volumes;
    expect(picked.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining([...(status?.findings ?? []), ...(status?.instanceFindings ?? [])]),
    );
    for (const id of ids) left.delete(id);
    for (const id of findingIds) notified.add(id);
  }
  expect(notified.size).toBe(whole.findings.length);
}, 120_000);

test.each([
  ['', 'a variable that is not set'],
  [' ', 'a blank'],
])('"%s" asks for nothing: %s', (id) => {
  expect(() => new SelectedResources(['vol-a', id])).toThrow(BadInput);
});

describe('what is picked', () => {
  const onAnInstance = (id: string, evidence: AnyEvidence = {}): Finding =>
    aFinding({
      ...{ id, kind: 'ebs-card-imbalance', evidence },
      resource: onInstance('i-1'),
    });
  const resultOf = (findings: Finding[], instanceFindings: string[] = []): AuditResult => {
    const { coverage } = aResult([]);
    return aResult(findings, {
      volumes: [
        anEvaluation({ volumeId: 'vol-a', status: 'healthy', instanceFindings }),
        anEvaluation({ volumeId: 'vol-b', status: 'unknown' }),
      ],
      coverage: {
        ...coverage,
        ...{
          volumes: 2,
          evaluated: 1,
          unknown: [{ volumeId: 'vol-b', reason: { code: 'no-window' }, nothingToRead: false }],
        },
        instances: {
          total: 1,
          evaluated: 0,
          notEvaluated: [{ instanceId: 'i-1', reason: { code: 'no-operations' } }],
        },
      },
    });
  };
  const pickedBy = (ids: string[], result: AuditResult) => {
    const selected = new SelectedResources(ids);
    selected.narrow(fleet);
    return selected.pick(result);
  };
  const idsOf = ({ result }: Picked): string[] => result.findings.map(({ id }) => id);

  test('the counts are of what is asked for: an unknown neighbour does not make it partial', () => {
    const { coverage } = pickedBy(['vol-a'], resultOf([])).result;
    expect(coverage).toMatchObject({ volumes: 1, evaluated: 1, unknown: [] });
    expect(coverage.instances).toEqual({
      total: 1,
      evaluated: 0,
      notEvaluated: [{ instanceId: 'i-1', reason: { code: 'no-operations' } }],
    });
    expect(pickedBy(['vol-b'], resultOf([])).result.coverage).toMatchObject({ volumes: 1, evaluated: 0 });
    expect(pickedBy(['i-1'], resultOf([])).result.coverage).toMatchObject({ volumes: 2, evaluated: 1 });
  });

  test('what is not asked for is not gone: no Region of it is whole', () => {
    const whole = { ...resultOf([]), wholeRegions: ['us-east-1'] };
    expect(pickedBy(['vol-a'], whole).result.wholeRegions).toEqual([]);
  });

  test('findings of its neighbour are not its own; those of its instance are where they throttled it or name it', () => {
    const neighbour = aFinding({ id: 'neighbour', resource: { ...aFinding().resource, id: 'vol-b' } });
    const named = onAnInstance('named', { volumes: ['vol-b', 'vol-a'] });
    const findings = [neighbour, onAnInstance('throttled'), onAnInstance('of others'), named];
    const result = resultOf(findings, ['throttled']);
    expect(idsOf(pickedBy(['vol-a'], result))).toEqual(['throttled', 'named']);
    expect(idsOf(pickedBy(['vol-b'], result))).toEqual(['neighbour', 'named']);
    expect(idsOf(pickedBy(['i-1'], result))).toEqual(['neighbour', 'throttled', 'of others', 'named']);
    expect(idsOf(pickedBy(['i-2'], result))).toEqual([]);
  });

  test('an asked instance is there with what it is', () => {
    expect(pickedBy(['i-1'], resultOf([])).instances.map(({ instanceId }) => instanceId)).toEqual(['i-1']);
    expect(pickedBy(['vol-a'], resultOf([])).instances).toEqual([]);
    expect(pickedBy(['i-4'], resultOf([])).instances).toEqual([]); // nobody described it
  });
});
