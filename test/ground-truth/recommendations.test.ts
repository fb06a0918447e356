/**
 * Recommendation against what throttled, tried: what the simulator played is played again with the top recommendation of each finding. No
 * recommendation may make it worse, and what is promised by replay must come about. The simulator knows every second; the audit saw
 * minutes.
 */

import { join } from 'node:path';
import { readDescribeInstances, readDescribeVolumes } from '../../adapters/files/aws-cli-inventory.ts';
import { fileAt } from '../../adapters/files/read-file.ts';
import { audit } from '../../core/audit/audit.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { collectedMetrics } from '../fixtures/collected-metrics.ts';
import type { MetricResult } from '../fixtures/replies.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { readScenarios } from '../scenarios/scenario-file.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { publish } from '../simulator/publish.ts';
import { runScenario } from '../simulator/scenario-plan.ts';
import { type SimulatedInstance, simulateInstance, type Window } from '../simulator/simulate.ts';
import {
  isBroken,
  isMismeasured,
  isWorse,
  saysThrottling,
  simulatedRegionCatalogs,
  type TriedRecommendation,
  triedText,
  tryTopRecommendation,
} from '../tried-recommendation.ts';

const directory = temporaryDirectory();

function audited(name: string, instances: readonly SimulatedInstance[], window: Window): AuditResult {
  const { describeVolumes, describeInstances, getMetricData } = publish(instances, window);
  const file = (what: string, content: object): string => directory.write(`${name}/${what}.json`, content);
  return audit({
    runId: name,
    inventory: {
      volumes: readDescribeVolumes(fileAt(file('describe-volumes', describeVolumes))),
      instances: readDescribeInstances(fileAt(file('describe-instances', describeInstances))),
    },
    read: {
      // The simulator gives what the AWS CLI prints as plain objects.
      metrics: collectedMetrics(getMetricData.MetricDataResults as unknown as MetricResult[]),
      window: 'of-all',
    },
    rules: { regionCatalogs: simulatedRegionCatalogs, thresholds: defaultThresholds },
  });
}

interface Played {
  findings: number;
  tried: TriedRecommendation[];
}

const texts = (tried: readonly TriedRecommendation[]): string[] => tried.map(triedText);

function print(title: string, { tried }: Played): void {
  process.stdout.write(
    `${title}: minutes throttled, before and after the top recommendation (true / said)\n${texts(tried).join('\n')}\n`,
  );
}

/** Each instance of the fleet of the demo alone. */
function playFleet(seed: number): Played {
  const minutes = 26 * 60;
  // 2026-11-20T00:00:00Z
  const window: Window = { startEpochSeconds: 1_795_132_800 - minutes * 60, minutes, seed };
  const played: Played = { findings: 0, tried: [] };
  for (const plan of fleetPlan.instances.filter(({ state }) => state !== 'stopped')) {
    const instances = [simulateInstance(plan, window)];
    const found = audited(`${seed} ${plan.name}`, instances, window).findings.filter(saysThrottling);
    played.findings += found.length;
    for (const finding of found) {
      const tried = tryTopRecommendation(finding.resource.name ?? '', finding, instances, window, (plans) =>
        plans.map((one) => simulateInstance(one, window)),
      );
      if (tried !== null) played.tried.push(tried);
    }
  }
  return played;
}

function playScenarios(): Played {
  const played: Played = { findings: 0, tried: [] };
  for (const scenario of readScenarios(join(process.cwd(), 'test', 'scenarios'))) {
    const { instances, window } = runScenario(scenario);
    const found = audited(scenario.name, instances, window).findings.filter(saysThrottling);
    played.findings += found.length;
    for (const finding of found) {
      const tried = tryTopRecommendation(scenario.name, finding, instances, window);
      if (tried !== null) played.tried.push(tried);
    }
  }
  return played;
}

describe.each([
  { name: 'the fleet of the demo', tryable: 0.85, promised: 0.65, play: () => playFleet(1) },
  {
    name: 'the fleet of the demo with other noise',
    tryable: 0.85,
    promised: 0.65,
    play: () => playFleet(4_711),
  },
  // A fifth of them are micro-bursts of clients that wait: how much they demanded does not show, nothing is there to be tried.
  { name: 'the scenarios', tryable: 0.75, promised: 0.33, play: playScenarios },
])('$name', ({ name, tryable, promised, play }) => {
  const played = play();
  const { findings, tried } = played;
  print(name, played);

  test('nearly every finding comes with figures that can be tried, and most with a promise', () => {
    expect(tried.length).toBeGreaterThanOrEqual(tryable * findings);
    expect(tried.filter(({ saidAfter }) => saidAfter !== null).length).toBeGreaterThanOrEqual(
      promised * findings,
    );
  });

  test('what is said of before is what was, but where figures are missing', () => {
    const whole = tried.filter((one) => !one.name.startsWith('missing-'));
    expect(texts(whole.filter(isMismeasured))).toEqual([]);
  });

  test('no recommendation makes it worse', () => {
    expect(texts(tried.filter(isWorse))).toEqual([]);
  });

  test('what is promised comes about', () => {
    expect(texts(tried.filter(isBroken))).toEqual([]);
  });
});
