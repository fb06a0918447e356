/**
 * What the audit makes of an AWS that is not as the engine assumes: one row for each level of each rule, printed as a table. Nothing is
 * asserted here: targets are in docs/contribute/performance.md.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Table from 'cli-table3';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { evaluateBatch } from '../../lambdas/evaluate-batch/evaluate-batch.ts';
import { compareWithTruth } from '../../test/compare-with-truth.ts';
import { type RecordedRegion, recordedAccount } from '../../test/fixtures/recorded-account.ts';
import {
  type ComparedMinute,
  comparedMinutes,
  isRight,
  isThrottled,
} from '../../test/scenarios/compare-minutes.ts';
import { evaluateScenario } from '../../test/scenarios/evaluate-scenario.ts';
import { readScenarios } from '../../test/scenarios/scenario-file.ts';
import { type SimulatedFleet, simulateFleet } from '../../test/simulator/fleet.ts';
import { type Rules, ruleLevels } from '../../test/simulator/rules.ts';
import type { Measure } from './measure.ts';
import { healthyFleet } from './robustness-fleet.ts';

const seed = 1;
const healthyVolumes = 500;

/** What one level comes to. */
interface Outcome {
  name: string;
  /** Of the throttled minutes of the scenarios: named by their cause, called unknown, given another cause or none. */
  throttledMinutes: number;
  right: number;
  unknown: number;
  /** Healthy volumes with a finding of throttling or credits, of so many. */
  falseVolumes: number;
  healthy: number;
  /** Planted troubles of the demo's fleet. */
  troubles: number;
  missed: number;
  falseWarnings: number;
}

async function audited(
  regions: readonly RecordedRegion[],
  { startEpochSeconds, endEpochSeconds }: Pick<SimulatedFleet, 'startEpochSeconds' | 'endEpochSeconds'>,
): Promise<AuditResult> {
  const account = recordedAccount(regions);
  const { volumes, instances, published } = account;
  return evaluateBatch(
    {
      ...{ runId: 'robustness', notices: [], incomplete: [] },
      batch: { volumes, instances, published },
      plan: { startEpochSeconds, endEpochSeconds, periodSeconds: finestEbsPeriodSeconds },
      regionCatalogs: builtInRegionCatalog,
      thresholds: defaultThresholds,
    },
    account,
  );
}

/** The throttled minutes of all scenarios. */
function throttledMinutes(rules: Partial<Rules>): ComparedMinute[] {
  const path = mkdtempSync(join(tmpdir(), 'stripewise-robustness-'));
  const write = (name: string, content: object | string): string => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  try {
    return readScenarios(join(process.cwd(), 'test', 'scenarios')).flatMap((scenario) =>
      comparedMinutes(evaluateScenario(scenario, { write }, rules)).filter(isThrottled),
    );
  } finally {
    rmSync(path, { recursive: true });
  }
}

const isHarm = (kind: string): boolean =>
  kind.startsWith('throttled-') || kind.startsWith('credits-') || kind === 'instance-credits-exhausted';

async function outcomeOf(name: string, rules: Partial<Rules>): Promise<Outcome> {
  const minutes = throttledMinutes(rules);
  const count = (test: (minute: ComparedMinute) => boolean): number => minutes.filter(test).length;
  const healthy = healthyFleet({ seed, volumes: healthyVolumes, rules });
  const found = await audited([healthy], healthy);
  const falsely = new Set(
    found.findings.filter(({ kind }) => isHarm(kind)).map(({ resource }) => resource.id),
  );
  const fleet = simulateFleet({ seed, rules });
  const { missed, falseWarnings } = compareWithTruth(fleet, await audited(fleet.regions, fleet));
  return {
    ...{ name, throttledMinutes: minutes.length, right: count(isRight) },
    unknown: count((minute) => !isRight(minute) && minute.cause === 'unknown'),
    ...{ falseVolumes: falsely.size, healthy: healthyVolumes },
    ...{ troubles: fleet.troubles.length, missed: missed.length, falseWarnings: falseWarnings.length },
  };
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : ((100 * part) / whole).toFixed(1);

function tableOf(outcomes: readonly Outcome[]): string {
  const table = new Table({
    head: [
      'level',
      'throttled minutes',
      'right, %',
      'unknown, %',
      'false of healthy, %',
      'troubles',
      'missed',
      'false',
    ],
    style: { head: [], border: [] },
  });
  for (const one of outcomes) {
    table.push([
      one.name,
      one.throttledMinutes,
      percent(one.right, one.throttledMinutes),
      percent(one.unknown, one.throttledMinutes),
      percent(one.falseVolumes, one.healthy),
      one.troubles,
      one.missed,
      one.falseWarnings,
    ]);
  }
  return table.toString();
}

export async function robustness(): Promise<Measure[]> {
  const levels = [{ name: 'as usual', rules: {} }, ...Object.values(ruleLevels).flat()];
  const outcomes: Outcome[] = [];
  for (const { name, rules } of levels) {
    outcomes.push(await outcomeOf(name, rules));
    console.error(`robustness: ${outcomes.length} of ${levels.length}, ${name}`);
  }
  console.log(tableOf(outcomes));
  const rightOf = ({ right, throttledMinutes }: Outcome): number => (100 * right) / throttledMinutes;
  const worst = outcomes.reduce((lowest, one) => (rightOf(one) < rightOf(lowest) ? one : lowest));
  const most = outcomes.reduce((highest, one) => (one.falseVolumes > highest.falseVolumes ? one : highest));
  return [
    {
      name: 'robustness-causes-right',
      value: Number(rightOf(worst).toFixed(1)),
      unit: '% of throttled minutes at the worst level',
      conditions: `${worst.name}; ${levels.length} levels, 120 scenarios each, simulated`,
    },
    {
      name: 'robustness-false-findings',
      value: Number(((100 * most.falseVolumes) / most.healthy).toFixed(1)),
      unit: '% of healthy volumes at the worst level',
      conditions: `${most.name}; ${most.healthy} healthy volumes a level, 26 h, full mode, simulated`,
    },
  ];
}
