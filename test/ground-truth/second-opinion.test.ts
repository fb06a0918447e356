/**
 * The second opinion against ground truth: what the stand-in of Compute Optimizer recommends for the simulated fleet is compared by the
 * audit, and each recommendation that changes a volume is followed in the simulator. It knows every second; the audit saw minutes.
 */

import { builtInRegionCatalog, type RegionCatalogs } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { type OpinionLabel, opinionLabels, type SecondOpinion } from '../../core/schemas/second-opinion.ts';
import { matched } from '../../core/second-opinion/given.ts';
import { computeOptimizerRows, hubRows } from '../../core/second-opinion/recommendations.ts';
import { evaluateBatch } from '../../lambdas/evaluate-batch/evaluate-batch.ts';
import { planted, recommendationsOf } from '../../local/compute-optimizer/recommendations.ts';
import { recordedAccount } from '../fixtures/recorded-account.ts';
import { type Followed, followedRows } from '../followed-recommendation.ts';
import { type SimulatedFleet, simulateFleet } from '../simulator/fleet.ts';
import { withMinutePeaks as plan } from '../simulator/plans/minute-peaks.ts';
import { type RuleLevel, ruleLevels } from '../simulator/rules.ts';

/** The prices of one Region for both: what is recommended does not depend on where a volume stands. */
const sameEverywhere: RegionCatalogs = (region) => ({ ...builtInRegionCatalog('us-east-1'), region });

const account = '111122223333';

interface Compared {
  fleet: SimulatedFleet;
  /** ARNs of recommendations that the stand-in made. */
  recommendedIds: string[];
  result: AuditResult;
  followed: Followed[];
}

async function compared(seed: number, rules: RuleLevel['rules']): Promise<Compared> {
  const fleet = simulateFleet({ seed, rules, plan });
  const { volumes: recommendations, hub } = recommendationsOf(fleet, { accountOf: () => account });
  const recorded = recordedAccount(fleet.regions);
  const { volumes, instances, published } = recorded;
  const asked = { volumes, accounts: [account], account, region: null };
  const opinions = [
    computeOptimizerRows([{ volumeRecommendations: recommendations }]),
    hubRows(hub.map(({ recommendation, details }) => ({ ...recommendation, ...details }))),
  ].map((rows) => matched(rows, asked).given);
  const { startEpochSeconds, endEpochSeconds } = fleet;
  const result = await evaluateBatch(
    {
      ...{ runId: 'second-opinion', notices: [], incomplete: [] },
      batch: { volumes, instances, published, opinions },
      plan: { startEpochSeconds, endEpochSeconds, periodSeconds: finestEbsPeriodSeconds },
      ...{ regionCatalogs: sameEverywhere, thresholds: defaultThresholds },
    },
    recorded,
  );
  const rows = ofComputeOptimizer(result);
  return {
    ...{ fleet, result },
    recommendedIds: recommendations.map(({ volumeArn }) => volumeArn.replace(/.*\//, '')),
    followed: followedRows(rows, { plan, fleet, seed, rules }),
  };
}

const ofComputeOptimizer = ({ secondOpinion = [] }: AuditResult): SecondOpinion[] =>
  secondOpinion.filter(({ source }) => source === 'compute-optimizer');

const texts = (followed: readonly Followed[]): string[] =>
  followed.map(
    ({ row: { name, label, reason }, before, after }) =>
      `${name} ${label} ${reason.code}: ${before} -> ${after}`,
  );

const isUnsafe = ({ row }: Followed): boolean => row.reason.code === 'throttled-if-followed';
const isSaidSafe = ({ row: { label } }: Followed): boolean => label === 'agree' || label === 'leaves-money';
const isHarmful = ({ before, after }: Followed): boolean => after > before;

describe.each([1, 20_261, 4_711])('the fleet of the demo and peaks of a minute, noise of seed %d', (seed) => {
  let all: Compared;
  let rows: SecondOpinion[];
  beforeAll(async () => {
    all = await compared(seed, {});
    rows = ofComputeOptimizer(all.result);
  });

  test('every recommendation for a volume of the fleet has one row with a label and a reason', () => {
    const ids = rows.map(({ volumeId }) => volumeId);
    expect(new Set(ids).size).toBe(ids.length);
    const inFleet = new Set(all.result.volumes.map(({ volumeId }) => volumeId));
    expect(ids.toSorted()).toEqual([...inFleet].toSorted());
    const ofFleet = all.recommendedIds.filter((id) => inFleet.has(id));
    expect(ofFleet.length).toBeGreaterThan(100);
    for (const id of ofFleet) expect(ids).toContain(id);
  });

  test('each label is there at least five times', () => {
    const countOf = (label: OpinionLabel): number => rows.filter((row) => row.label === label).length;
    process.stdout.write(
      `${seed}: ${opinionLabels.map((label) => `${label} ${countOf(label)}`).join(', ')}\n${texts(
        all.followed.filter(isHarmful),
      ).join('\n')}\n`,
    );
    for (const label of opinionLabels) expect([label, Math.min(5, countOf(label))]).toEqual([label, 5]);
  });

  test('what is odd has its reason', () => {
    const codesOf = (names: readonly string[]): string[] =>
      rows.flatMap(({ name, reason }) => (names.includes(name ?? '') ? [reason.code] : []));
    expect(codesOf(planted.stale)).toEqual(['stale', 'stale']);
    expect(codesOf(planted.otherLookBack)).toEqual(['other-window', 'other-window']);
    expect(codesOf(planted.unknownType)).toEqual(['option-unknown', 'option-unknown']);
    expect(codesOf(planted.changedSince)).toEqual(['configuration-changed', 'configuration-changed']);
  });

  test('whoever follows what is called unsafe waits for more minutes than today', () => {
    const unsafe = all.followed.filter(isUnsafe);
    expect(unsafe.length).toBeGreaterThanOrEqual(5);
    expect(texts(unsafe.filter((one) => !isHarmful(one)))).toEqual([]);
  });

  test('whoever follows what is not called so waits for none more', () => {
    const safe = all.followed.filter(isSaidSafe);
    expect(safe.length).toBeGreaterThanOrEqual(20);
    expect(texts(safe.filter(isHarmful))).toEqual([]);
  });
});

/** Of each assumption about AWS that changes what is recommended or what waits: its worst level. */
const levels: RuleLevel[] = [
  ...(ruleLevels['check'] ?? []).filter(({ rules: { check } }) => check === null || check === 'whole-minute'),
  ...(ruleLevels['delivered'] ?? []).slice(-1),
  ...(ruleLevels['limiter'] ?? []).slice(-1),
];

test.each(levels)('where $name, unsafe is unsafe and safe is safe', async ({ rules }) => {
  const { followed } = await compared(1, rules);
  const unsafe = followed.filter(isUnsafe);
  expect(unsafe.length).toBeGreaterThanOrEqual(5);
  expect(texts(unsafe.filter((one) => !isHarmful(one)))).toEqual([]);
  const harmful = followed.filter(isSaidSafe).filter(isHarmful);
  // A volume that has less than it was given is throttled by an option that was cut to the load: nobody who simulates what is
  // documented sees that.
  if (rules.deliveredShare !== undefined) expect(harmful.length).toBeGreaterThan(0);
  else expect(texts(harmful)).toEqual([]);
});
