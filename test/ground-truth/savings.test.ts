/**
 * Recommendation to pay less, tried: the simulated fleet runs again with what was recommended, and nothing may be throttled that was
 * not before. The simulator knows every second; the audit saw minutes.
 */

import { audit } from '../../core/audit/audit.ts';
import { queriesOfBatch } from '../../core/audit/batches.ts';
import { builtInRegionCatalog, type RegionCatalogs } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import type { VolumeType } from '../../core/limits/volume-limits.ts';
import { finestEbsPeriodSeconds, MetricCollector } from '../../core/load/metrics.ts';
import type { AnyEvidence, Finding } from '../../core/schemas/finding.ts';
import { type SimulatedAccount, simulatedAccount } from '../fixtures/simulated-account.ts';
import { causeOf } from '../simulator/causes.ts';
import type { SimulatedFleet } from '../simulator/fleet.ts';
import type { InstancePlan, VolumePlan } from '../simulator/plan.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { type SimulatedVolume, simulateInstance, volumeIdOf } from '../simulator/simulate.ts';

const savingKinds = ['over-provisioned', 'cheaper-type', 'cheaper-stripe'];

/** The prices of one Region for both: what is recommended does not depend on where a volume stands. */
const sameEverywhere: RegionCatalogs = (region) => ({ ...builtInRegionCatalog('us-east-1'), region });

async function savingsOf({ volumes, instances, plan, readMetrics }: SimulatedAccount): Promise<Finding[]> {
  const collector = new MetricCollector(finestEbsPeriodSeconds);
  const queries = queriesOfBatch({ volumes, instances, published: null }, finestEbsPeriodSeconds);
  await readMetrics(queries, plan, () => collector);
  const { findings } = audit({
    runId: 'savings',
    inventory: { volumes, instances },
    read: { metrics: collector.finish(), window: 'of-all' },
    rules: { regionCatalogs: sameEverywhere, thresholds: defaultThresholds },
  });
  return findings.filter(({ kind }) => savingKinds.includes(kind));
}

/** A volume with the figures of a recommendation; a stripe as one volume that has the sum. */
function recommended(plan: VolumePlan, { evidence }: Finding): VolumePlan {
  const { iops: _, throughputMiBps: __, ...rest } = plan;
  const {
    recommendedMembers: members = Number.NaN,
    recommendedVolumeType,
    recommendedIops = Number.NaN,
    recommendedThroughputMiBps = Number.NaN,
  }: AnyEvidence = evidence;
  const volumeType = recommendedVolumeType as VolumeType;
  const iops = members * recommendedIops;
  return {
    ...rest,
    volumeType,
    // One volume must be large enough for the IOPS of all members.
    sizeGiB: members === 1 ? plan.sizeGiB : Math.max(plan.sizeGiB, Math.ceil(iops / 500)),
    ...(volumeType === 'st1' || volumeType === 'sc1' ? {} : { iops }),
    ...(volumeType === 'gp3' ? { throughputMiBps: members * recommendedThroughputMiBps } : {}),
  };
}

const isOfVolume = (cause: string): boolean => cause.startsWith('volume-');

const throttledMinutes = ({ ledger }: SimulatedVolume): number =>
  [...(ledger?.cause ?? [])].filter((code) => isOfVolume(causeOf(code))).length;

interface Tried {
  before: number;
  after: number;
}

/** The volume as the fleet has it, and its instance simulated anew with one recommendation taken. */
function tried(finding: Finding, fleet: SimulatedFleet, seed: number): Tried {
  const { id: volumeId } = finding.resource;
  const isIt = (volume: VolumePlan): boolean => volumeIdOf(volume, seed) === volumeId;
  const plan = fleetPlan.instances.find(({ volumes }) => volumes.some(isIt)) as InstancePlan;
  const { startEpochSeconds, endEpochSeconds } = fleet;
  const window = { startEpochSeconds, minutes: (endEpochSeconds - startEpochSeconds) / 60, seed };
  const volumes = plan.volumes.map((volume) => (isIt(volume) ? recommended(volume, finding) : volume));
  const after = simulateInstance({ ...plan, volumes }, window).volumes.find(
    (volume) => volume.volumeId === volumeId,
  );
  return {
    before: (fleet.causesByVolume.get(volumeId) as string[]).filter(isOfVolume).length,
    after: throttledMinutes(after as SimulatedVolume),
  };
}

describe.each([1, 20_261, 4_711])('the fleet of the demo, noise of seed %d', (seed) => {
  const account = simulatedAccount({ seed });
  const { fleet } = account;
  let savings: Finding[];
  beforeAll(async () => {
    savings = await savingsOf(account);
  });

  test('every kind of saving is found', () => {
    for (const kind of savingKinds) expect(savings.map((finding) => finding.kind)).toContain(kind);
  });

  test('no recommendation to pay less throttles a volume for a minute more than before', () => {
    const worse = savings
      .map((finding) => ({ finding, ...tried(finding, fleet, seed) }))
      .filter(({ before, after }) => after > before)
      .map(
        ({ finding, before, after }) => `${finding.kind} on ${finding.resource.id}: ${before} -> ${after}`,
      );
    expect(worse).toEqual([]);
  });

  test('each saving is what the recommendation says, and at least what its kind is reported from', () => {
    const least: Record<string, number> = { 'over-provisioned': 5, 'cheaper-type': 1, 'cheaper-stripe': 20 };
    for (const { kind, evidence, recommendations: recommendation } of savings) {
      const { monthlyUsd, recommendedMonthlyUsd }: AnyEvidence = evidence;
      const saved = Number(monthlyUsd) - Number(recommendedMonthlyUsd);
      expect(saved).toBeGreaterThanOrEqual((least[kind] as number) - 0.01);
      expect(Math.min(...recommendation.map(({ monthlyUsdDelta }) => monthlyUsdDelta as number))).toBeCloseTo(
        -saved,
        1,
      );
      for (const { steps } of recommendation) expect(steps.length).toBeGreaterThan(0);
    }
  });
});
