/** Volumes of one instance that form stripes: what each of them said is reported once, and evaluations name what is reported. */

import { evaluateStripes } from '../../../core/audit/evaluate-stripes.ts';
import type { EvaluatedVolume } from '../../../core/audit/evaluate-volume.ts';
import { Observed } from '../../../core/audit/observed.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { type Cause, causeCode } from '../../../core/diagnosis/causes.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { MetricCollector } from '../../../core/load/metrics.ts';
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import type { VolumeEvaluation } from '../../../core/schemas/audit-result.ts';
import { type Finding, isSaving } from '../../../core/schemas/finding.ts';
import type { Stripe } from '../../../core/stripes/stripes.ts';
import { aFinding, anEvaluation, evidenceIn } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { repeat } from '../../fixtures/metric-set.ts';
import { ids } from '../stripes/hosts.ts';
import { loadBy } from '../stripes/loads.ts';
import { id, on, saving, throttled } from '../stripes/member-findings.ts';
import { aStripe } from '../stripes/stripes.ts';

const evaluatedAs = (
  number: number,
  findings: Finding[] = [],
  evaluation: Partial<VolumeEvaluation> = {},
): EvaluatedVolume => ({
  evaluation: anEvaluation({
    volumeId: id(number),
    status: findings.every(isSaving) ? 'healthy' : 'finding',
    findings: findings.map((finding) => finding.id),
    ...evaluation,
  }),
  findings,
  nothingToRead: false,
  need: null,
});

/** An hour at 200 IOPS, an operation of so many milliseconds. */
const hourAt = (ms: number): VolumeLoad =>
  loadBy(repeat(60, 12_000), { latencyMs: new Float64Array(60).fill(ms) });

/** Diagnosed volumes 1, 2 and so on; in all minutes of each the one cause, if any. */
function observe(loads: readonly VolumeLoad[] = [], causes: Partial<Record<number, Cause>> = {}): Observed {
  const observed = new Observed(
    new MetricCollector().finish(),
    builtInRegionCatalog,
    [],
    new Map(),
    defaultThresholds,
  );
  loads.forEach((load, i) => {
    const periods = load.ops.length;
    const { iops, mibps } = load;
    observed.note({
      volume: aVolume({ volumeId: id(i + 1) }),
      limits: volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' }),
      load,
      attribution: {
        cause: new Uint8Array(periods).fill(causeCode[causes[i + 1] ?? 'none']),
        also: new Uint16Array(periods),
        throttledMinutes: new Float64Array(periods),
        throttledAt: new Int32Array(0),
        microBurst: new Uint8Array(periods),
        timesCalmQueue: null,
        proof: new Uint8Array(periods),
        confidence: new Uint8Array(periods),
        balance: null,
        atBaseline: null,
      },
      demand: { lowIops: iops, highIops: iops, lowMiBps: mibps, highMiBps: mibps, assumptions: [] },
    });
  });
  return observed;
}

/** The second stripe of an instance, of these volumes. */
const anotherStripe = (...numbers: number[]): Stripe =>
  aStripe(
    numbers.map((number) => ({ volumeId: id(number) })),
    { stripeId: 'i-0123456789abcdef0/log/log', name: 'log/log' },
  );

const evaluationsOf = (volumes: readonly EvaluatedVolume[]) =>
  volumes.map(({ evaluation }) => [evaluation.status, evaluation.findings]);

test('without a stripe all stays as it is', () => {
  const evaluated = [evaluatedAs(1, [throttled(1, 12)]), evaluatedAs(2)];
  const { volumes, findings } = evaluateStripes(evaluated, [], observe(), defaultThresholds);
  expect(volumes).toEqual(evaluated);
  expect(findings).toEqual([throttled(1, 12)]);
});

test('what all members say is one finding, and all of their evaluations name that', () => {
  const evaluated = [1, 2, 3].map((number) => evaluatedAs(number, [throttled(number, 12)]));
  const { volumes, findings } = evaluateStripes(
    evaluated,
    [aStripe(3)],
    observe(repeat(3, hourAt(1))),
    defaultThresholds,
  );
  expect(findings).toHaveLength(1);
  // 3 x 200 IOPS
  expect(findings[0]?.evidence).toMatchObject({ members: ids(1, 2, 3), topAverageIops: 600 });
  expect(evaluationsOf(volumes)).toEqual(repeat(3, ['finding', [findings[0]?.id]]));
  expect(volumes.flatMap((volume) => volume.findings)).toEqual([]);
});

test('a member that says nothing is healthy; its stripe has its finding all the same', () => {
  const evaluated = [evaluatedAs(1, [throttled(1, 12)]), evaluatedAs(2)];
  const { volumes, findings } = evaluateStripes(evaluated, [aStripe(2)], observe(), defaultThresholds);
  expect(findings[0]?.evidence).toMatchObject({ members: ids(1, 2), membersConcerned: ids(1) });
  expect(evaluationsOf(volumes)).toEqual([
    ['finding', [findings[0]?.id]],
    ['healthy', []],
  ]);
});

test('what one member asks is no sum: with a member that was not diagnosed the load of all is not known', () => {
  const evaluated = [1, 2].map((number) => evaluatedAs(number, [throttled(number, 12)]));
  const { findings } = evaluateStripes(evaluated, [aStripe(2)], observe([hourAt(1)]), defaultThresholds);
  expect(evidenceIn(findings[0]).topAverageIops).toBeNull();
});

test('two kinds of trouble of a member are two findings of the stripe', () => {
  const burst = (number: number) => throttled(number, 12, { id: `burst-${number}`, kind: 'micro-burst' });
  const evaluated = [1, 2].map((number) => evaluatedAs(number, [throttled(number, 12), burst(number)]));
  const { volumes, findings } = evaluateStripes(evaluated, [aStripe(2)], observe(), defaultThresholds);
  expect(findings.map(({ kind }) => kind)).toEqual(['throttled-volume-iops', 'micro-burst']);
  expect(evaluationsOf(volumes)).toEqual(repeat(2, ['finding', findings.map((finding) => finding.id)]));
});

test('what all could cost less is reported once, and they stay healthy', () => {
  const evaluated = [1, 2].map((number) => evaluatedAs(number, [saving(number)]));
  const { volumes, findings } = evaluateStripes(evaluated, [aStripe(2)], observe(), defaultThresholds);
  expect(findings).toMatchObject([{ kind: 'over-provisioned', recommendations: [{ monthlyUsdDelta: -20 }] }]);
  expect(evaluationsOf(volumes)).toEqual(repeat(2, ['healthy', [findings[0]?.id]]));
});

test.each([
  ['one member alone could cost less', saving(1)],
  ['one member alone is idle', aFinding({ id: 'idle-1', kind: 'idle', resource: on(1) })],
  ['a member could be a stripe of its own', saving(1, { kind: 'cheaper-stripe' })],
])('that %s is not reported, and the member is healthy', (_, finding) => {
  const evaluated = [evaluatedAs(1, [finding]), evaluatedAs(2)];
  const { volumes, findings } = evaluateStripes(evaluated, [aStripe(2)], observe(), defaultThresholds);
  expect(findings).toEqual([]);
  expect(evaluationsOf(volumes)).toEqual(repeat(2, ['healthy', []]));
});

test('the slow member is reported of itself: the others are healthy', () => {
  const evaluated = [1, 2, 3].map((number) => evaluatedAs(number));
  const observed = observe([hourAt(1), hourAt(5), hourAt(1)]);
  const { volumes, findings } = evaluateStripes(evaluated, [aStripe(3)], observed, defaultThresholds);
  expect(findings).toMatchObject([{ kind: 'stripe-straggler', resource: { id: id(2) } }]);
  expect(evaluationsOf(volumes)).toEqual([
    ['healthy', []],
    ['finding', [findings[0]?.id]],
    ['healthy', []],
  ]);
});

test.each([
  ['none', 1],
  // What nobody knows does not excuse it.
  ['unknown', 1],
  ['volume-iops', 0],
  ['instance-throughput', 0],
  ['stalled', 0],
] as const)('slow in minutes of cause %s: %d straggler', (cause, stragglers) => {
  const evaluated = [1, 2, 3].map((number) => evaluatedAs(number));
  const observed = observe([hourAt(1), hourAt(5), hourAt(1)], { 2: cause });
  expect(evaluateStripes(evaluated, [aStripe(3)], observed, defaultThresholds).findings).toHaveLength(
    stragglers,
  );
});

test('a volume that is unknown stays so, whatever is reported of its stripe', () => {
  const evaluated = [
    evaluatedAs(1, [], { status: 'unknown', reason: { code: 'no-operations' } }),
    evaluatedAs(2),
  ];
  const observed = observe([hourAt(5), hourAt(1)]);
  const { volumes, findings } = evaluateStripes(evaluated, [aStripe(2)], observed, defaultThresholds);
  expect(findings.map(({ resource }) => resource.id)).toEqual([id(1)]);
  expect(volumes.map(({ evaluation }) => evaluation.status)).toEqual(['unknown', 'healthy']);
});

test('two stripes and a volume beside them: each has its own, and nothing is reported twice', () => {
  const evaluated = [1, 2, 3, 4, 5].map((number) => evaluatedAs(number, [throttled(number, 12)]));
  const { volumes, findings } = evaluateStripes(
    evaluated,
    [aStripe(2), anotherStripe(3, 4)],
    observe(),
    defaultThresholds,
  );
  const of = (stripeId: string) => findings.find(({ resource }) => resource.id === stripeId)?.id;
  const [data, log] = ['data/data', 'log/log'].map((name) => of(`i-0123456789abcdef0/${name}`));
  expect(findings).toHaveLength(3);
  expect(evaluationsOf(volumes)).toEqual([
    ['finding', [data]],
    ['finding', [data]],
    ['finding', [log]],
    ['finding', [log]],
    ['finding', ['throttled-5']],
  ]);
});
