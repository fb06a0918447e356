/**
 * Two passes against one of one-minute points: on the fleet of the demo, in every scenario whose truth is known, and under
 * loads with the shapes of recordings. What is reported must be the same, with its severity, and so must every evaluation.
 */
import { join } from 'node:path';
import { type Finding, isSaving } from '../../core/schemas/finding.ts';
import { knownFleet } from '../fixtures/known-fleet.ts';
import { burstyDisk, byteSeries, loadOfByteSeries, onSeveralTypes } from '../fixtures/recorded-shapes.ts';
import { type BothWays, notifiedOf, regionsBothWays, shareOfMetrics } from '../fixtures/two-passes.ts';
import { readScenarios } from '../scenarios/scenario-file.ts';
import { diurnal, windows, workers } from '../simulator/loads.ts';
import type { InstancePlan } from '../simulator/plan.ts';
import { publish } from '../simulator/publish.ts';
import { runScenario } from '../simulator/scenario-plan.ts';
import { type SimulatedInstance, simulateInstance, type Window } from '../simulator/simulate.ts';
import { stripedInstance } from '../simulator/stripe-plans.ts';

const evaluationsOf = ({ volumes }: BothWays['one']): string[] =>
  volumes.map(({ volumeId, status }) => `${volumeId} ${status}`).sort();

function expectTheSame({ one, two }: BothWays): void {
  expect(notifiedOf(two)).toEqual(notifiedOf(one));
  expect(evaluationsOf(two)).toEqual(evaluationsOf(one));
  expect(two.coverage.instances.evaluated).toBe(one.coverage.instances.evaluated);
}

function runBothWays(instances: readonly SimulatedInstance[], window: Window): Promise<BothWays> {
  const { startEpochSeconds, minutes } = window;
  return regionsBothWays([{ region: 'us-east-1', ...publish(instances, window) }], {
    startEpochSeconds,
    endEpochSeconds: startEpochSeconds + minutes * 60,
  });
}

const clearedIn = ({ two }: BothWays): number =>
  two.volumes.filter(({ evaluatedBy }) => evaluatedBy === 'coarse').length;

test.each([1, 20_261, 4_711])('the fleet of the demo, seed %i', async (seed) => {
  const fleet = knownFleet({ seed });
  const both = await regionsBothWays(fleet.regions, fleet);
  expectTheSame(both);
  expect(both.one.findings.length).toBeGreaterThan(50);
  expect(both.one.findings.some(isSaving)).toBe(true);
  process.stdout.write(
    `the fleet of the demo, seed ${seed}: the same ${both.two.findings.length} findings with ${(100 * shareOfMetrics(both)).toFixed(0)} % of the metrics, ${clearedIn(both)} volumes cleared by the first pass\n`,
  );
});

const scenarios = readScenarios(join(process.cwd(), 'test', 'scenarios'));

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  'the scenario %s',
  async (_, scenario) => {
    const { instances, window } = runScenario(scenario);
    expectTheSame(await runBothWays(instances, window));
  },
);

const minutes = 26 * 60;
const window: Window = { startEpochSeconds: 1_795_046_400, minutes, seed: 1, firstPlanMinute: 0 };
const evaluated = (plan: InstancePlan): Promise<BothWays> =>
  runBothWays([simulateInstance(plan, window)], window);

describe('a stripe that nobody told of is one in two passes too', () => {
  const wave = { load: workers(16, diurnal(800, 4_000, 14)) };
  const onWhat = ({ resource: { type } }: Finding): string => type;

  test.each([
    ['quiet', wave, []],
    [
      'of gp2, which is reported once that it could be gp3',
      { ...wave, volumeType: 'gp2', sizeGiB: 500 },
      ['cheaper-type of a stripe'],
    ],
    ['paid for in vain, which is reported once', { ...wave, iops: 7_000 }, ['over-provisioned of a stripe']],
    [
      'throttled',
      { load: workers(8, windows(4_000, [600, 30, 14_000])) },
      ['throttled-volume-iops of a stripe'],
    ],
    [
      'with a straggler',
      { ...wave, straggler: { member: 2, serviceFactor: 6 } },
      ['stripe-straggler of a volume'],
    ],
  ] satisfies [string, Parameters<typeof stripedInstance>[0], string[]][])(
    '%s',
    async (_, options, notified) => {
      const both = await evaluated(stripedInstance(options));
      expectTheSame(both);
      expect(both.two.findings.map((finding) => `${finding.kind} of a ${onWhat(finding)}`)).toEqual(notified);
    },
  );
});

describe('loads with the shapes of recordings', () => {
  const points = minutes / 5;

  test.each(
    [1, 2].flatMap((seed) => [1, 8, 64].flatMap((scale) => [8, 128].map((ioKiB) => [seed, scale, ioKiB]))),
  )('bytes in five minutes, series %i x %i in I/O of %i KiB', async (seed, scale, ioKiB) => {
    const load = loadOfByteSeries(byteSeries(seed, points), { ioKiB, scale, firstMinute: 0 });
    expectTheSame(await evaluated(onSeveralTypes(`series ${seed} x ${scale} of ${ioKiB} KiB`, load)));
  });

  test.each([1, 2].flatMap((seed) => [1_000, 2_900, 4_000, 9_000].map((most) => [seed, most])))(
    'a quiet disk with bursts, seed %i, up to %i I/O a second',
    async (seed, most) => {
      expectTheSame(await evaluated(onSeveralTypes(`disk ${seed} with ${most}`, burstyDisk(seed, most))));
    },
  );
});
