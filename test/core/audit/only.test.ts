/** Some volumes of a fleet judged alone: they get what they get in the whole, and what is not there is said. */

import { type AuditInput, audit } from '../../../core/audit/audit.ts';
import { queriesOfBatch } from '../../../core/audit/batches.ts';
import { narrowed, Only, type Picked } from '../../../core/audit/only.ts';
import { builtInMarket } from '../../../core/catalogue/market.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { BadInput } from '../../../core/errors.ts';
import { MetricCollector } from '../../../core/load/fleet-metrics.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { aFinding, aResult, aVerdict } from '../../fixtures/findings.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';
import { simulatedAccount } from '../../fixtures/simulated-account.ts';

const fleet = {
  volumes: [
    aVolume({ volumeId: 'vol-a', attachments: on('i-1') }),
    aVolume({ volumeId: 'vol-b', attachments: on('i-1') }),
    aVolume({ volumeId: 'vol-c', attachments: on('i-2') }),
    aVolume({ volumeId: 'vol-shared', attachments: on('i-2', 'i-3'), multiAttach: true }),
    aVolume({ volumeId: 'vol-d', attachments: on('i-4') }), // of which nobody described the instance
    aVolume({ volumeId: 'vol-free', attachments: [] }),
  ],
  instances: ['i-1', 'i-2', 'i-3', 'i-empty'].map((instanceId) => anInstance({ instanceId })),
};

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
] as const)('%s', (_, ids, volumeIds, instanceIds) => {
  const only = new Only(ids);
  const { volumes, instances } = only.narrow(fleet);
  expect(volumes.map(({ volumeId }) => volumeId).sort()).toEqual([...volumeIds]);
  expect(instances.map(({ instanceId }) => instanceId).sort()).toEqual([...instanceIds]);
});

test('what is nowhere is missing, over several Regions; a stripe when none of that name was judged', () => {
  const only = new Only(['vol-a', 'i-empty', 'i-4', 'vol-nowhere', 'i-1/data', 'i-1/other']);
  only.narrow({ volumes: fleet.volumes.slice(0, 2), instances: [] });
  only.narrow({ volumes: fleet.volumes.slice(2), instances: fleet.instances });
  const stripes = [{ stripeId: 'i-1/data' }] as AuditResult['stripes'];
  expect(only.isNowhere({ stripes })).toBe(false);
  expect(only.missing({ stripes })).toEqual(['vol-nowhere', 'i-1/other']);
});

/** The simulated fleet with all its metrics in memory. */
async function wholeFleet(): Promise<AuditInput> {
  const { volumes, instances, plan, readMetrics } = simulatedAccount();
  const collector = new MetricCollector();
  await readMetrics(queriesOfBatch({ volumes, instances, published: null }, 60), plan, collector);
  return {
    ...{ runId: 'run-1', volumes, instances, metrics: collector.finish(), markets: builtInMarket },
    ...{
      window: 'of-all',
      thresholds: defaultThresholds,
      cost: { apiCalls: 0, metricsRequested: 0, usd: 0 },
      notices: [],
      incomplete: [],
    },
  };
}

test('each group of the simulated fleet: verdicts, findings and stripes as in the whole, nothing lost and nothing twice', async () => {
  const all = await wholeFleet();
  const whole = audit(all);
  const told = new Set<string>();
  const left = new Set(whole.volumes.map(({ volumeId }) => volumeId));
  for (const { volumeId } of whole.volumes) {
    if (!left.has(volumeId)) continue;
    const only = new Only([volumeId]);
    const alone = audit(narrowed(all, only));
    expect(alone.window).toEqual(whole.window);
    expect(alone.coverage.metricsWithoutResource).toEqual([]);
    const ids = new Set(alone.volumes.map((one) => one.volumeId));
    expect(alone.volumes).toEqual(whole.volumes.filter((one) => ids.has(one.volumeId)));
    expect(alone.stripes).toEqual(
      whole.stripes.filter(({ volumeIds }) => volumeIds.some((id) => ids.has(id))),
    );
    const findingIds = new Set(alone.findings.map(({ id }) => id));
    expect(alone.findings).toEqual(whole.findings.filter(({ id }) => findingIds.has(id)));
    // The finding of an instance is picked for each volume that it held back.
    const { result: picked } = only.pick(alone);
    expect(picked.volumes.map((one) => one.volumeId)).toEqual([volumeId]);
    const [verdict] = picked.volumes;
    expect(picked.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining([...(verdict?.findings ?? []), ...(verdict?.instanceFindings ?? [])]),
    );
    for (const id of ids) left.delete(id);
    for (const id of findingIds) told.add(id);
  }
  expect(told.size).toBe(whole.findings.length);
}, 120_000);

test.each([
  ['', 'a variable that is not set'],
  [' ', 'a blank'],
])('"%s" asks for nothing: %s', (id) => {
  expect(() => new Only(['vol-a', id])).toThrow(BadInput);
});

describe('what is picked', () => {
  const onInstance = (id: string, evidence: Finding['evidence'] = {}): Finding =>
    aFinding({
      ...{ id, kind: 'ebs-card-imbalance', evidence: { confidence: 'high', ...evidence } },
      resource: { instanceId: 'i-1', name: null, region: 'us-east-1', account: null },
    });
  const resultOf = (findings: Finding[], instanceFindings: string[] = []): AuditResult => {
    const { coverage } = aResult([]);
    return aResult(findings, {
      volumes: [
        aVerdict({ volumeId: 'vol-a', verdict: 'healthy', instanceFindings }),
        aVerdict({ volumeId: 'vol-b', verdict: 'unknown' }),
      ],
      coverage: {
        ...coverage,
        ...{ volumes: 2, judged: 1, unknown: [{ volumeId: 'vol-b', because: 'gp9', nothingToRead: false }] },
        instances: { total: 1, judged: 0, notJudged: [{ instanceId: 'i-1', because: 'it is Xen' }] },
      },
    });
  };
  const pickedBy = (ids: string[], result: AuditResult) => {
    const only = new Only(ids);
    only.narrow(fleet);
    return only.pick(result);
  };
  const idsOf = ({ result }: Picked): string[] => result.findings.map(({ id }) => id);

  test('the counts are of what is asked for: an unknown neighbour does not make it partial', () => {
    const { coverage } = pickedBy(['vol-a'], resultOf([])).result;
    expect(coverage).toMatchObject({ volumes: 1, judged: 1, unknown: [] });
    expect(coverage.instances).toEqual({
      total: 1,
      judged: 0,
      notJudged: [{ instanceId: 'i-1', because: 'it is Xen' }],
    });
    expect(pickedBy(['vol-b'], resultOf([])).result.coverage).toMatchObject({ volumes: 1, judged: 0 });
    expect(pickedBy(['i-1'], resultOf([])).result.coverage).toMatchObject({ volumes: 2, judged: 1 });
  });

  test('findings of its neighbour are not its own; those of its instance are where they held it back or name it', () => {
    const neighbour = aFinding({ id: 'neighbour', resource: { ...aFinding().resource, volumeId: 'vol-b' } });
    const named = onInstance('named', { volumes: ['vol-b', 'vol-a'] });
    const findings = [neighbour, onInstance('held-back'), onInstance('of others'), named];
    const result = resultOf(findings, ['held-back']);
    expect(idsOf(pickedBy(['vol-a'], result))).toEqual(['held-back', 'named']);
    expect(idsOf(pickedBy(['vol-b'], result))).toEqual(['neighbour', 'named']);
    expect(idsOf(pickedBy(['i-1'], result))).toEqual(['neighbour', 'held-back', 'of others', 'named']);
    expect(idsOf(pickedBy(['i-2'], result))).toEqual([]);
  });

  test('an asked instance is there with what it is', () => {
    expect(pickedBy(['i-1'], resultOf([])).instances.map(({ instanceId }) => instanceId)).toEqual(['i-1']);
    expect(pickedBy(['vol-a'], resultOf([])).instances).toEqual([]);
    expect(pickedBy(['i-4'], resultOf([])).instances).toEqual([]); // nobody described it
  });
});
