/** What the audit makes of an AWS that follows other rules than usual: measured for the table and held by a small grid in the tests. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtInRegionCatalog } from '../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds } from '../core/load/metrics.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import type { Finding } from '../core/schemas/finding.ts';
import { secondsPerDay } from '../core/units.ts';
import { evaluateBatch } from '../lambdas/evaluate-batch/evaluate-batch.ts';
import { compareWithTruth } from './compare-with-truth.ts';
import { demandContained } from './demand-against-truth.ts';
import { type RecordedRegion, recordedAccount } from './fixtures/recorded-account.ts';
import { healthyFleet } from './healthy-fleet.ts';
import { type ComparedMinute, comparedMinutes, isRight, isThrottled } from './scenarios/compare-minutes.ts';
import { evaluateScenario } from './scenarios/evaluate-scenario.ts';
import { simulateFleet } from './simulator/fleet.ts';
import { type RuleLevel, type Rules, ruleLevels } from './simulator/rules.ts';
import type { Scenario } from './simulator/scenario-schema.ts';

const seed = 1;

/** A planted trouble counts where I/O waited for so long; one that nobody waited for may go unseen. */
const leastWaitedMinutes = 15;

/** How much is measured at a level. */
export interface RobustnessSize {
  scenarios: readonly Scenario[];
  healthyVolumes: number;
  /** A day more is audited a day later: what is new then is notified. */
  isSecondDay: boolean;
  isWithFleet: boolean;
  /** Throttled minutes of each kind of worker; 0: not measured. */
  demandOfEach: number;
}

/** What one level comes to; null where it was not measured. */
export interface Outcome {
  name: string;
  /** Of the throttled minutes of the scenarios: named by their cause, or called unknown; the rest is wrong. */
  throttledMinutes: number;
  right: number;
  unknown: number;
  /** Healthy volumes with a finding of throttling or credits, of so many. */
  falseVolumes: number;
  healthy: number;
  /** Findings of the second day that the first did not have, of warnings and worse. */
  newOnSecondDay: number | null;
  /** Planted troubles with enough waiting, and those missed; an information is no notice. */
  fleet: { troubles: number; missed: number; shortMissed: number; falseWarnings: number } | null;
  /** Throttled periods whose demand is shown, and those of them in which it is contained. */
  demand: { shown: number; contained: number } | null;
}

type Times = Pick<ReturnType<typeof healthyFleet>, 'startEpochSeconds' | 'endEpochSeconds'>;

async function audited(regions: readonly RecordedRegion[], times: Times): Promise<AuditResult> {
  const account = recordedAccount(regions);
  const { volumes, instances, published } = account;
  return evaluateBatch(
    {
      ...{ runId: 'robustness', notices: [], incomplete: [] },
      batch: { volumes, instances, published },
      plan: { ...times, periodSeconds: finestEbsPeriodSeconds },
      regionCatalogs: builtInRegionCatalog,
      thresholds: defaultThresholds,
    },
    account,
  );
}

/** The throttled minutes of all scenarios. */
function throttledMinutes(scenarios: readonly Scenario[], rules: Partial<Rules>): ComparedMinute[] {
  const path = mkdtempSync(join(tmpdir(), 'stripewise-robustness-'));
  const write = (name: string, content: object | string): string => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  try {
    return scenarios.flatMap((scenario) =>
      comparedMinutes(evaluateScenario(scenario, { write }, rules)).filter(isThrottled),
    );
  } finally {
    rmSync(path, { recursive: true });
  }
}

const isHarm = ({ kind }: Finding): boolean =>
  kind.startsWith('throttled-') || kind.startsWith('credits-') || kind === 'instance-credits-exhausted';

/** Volumes that are well: what is said of them, and what is new a day later. */
async function ofHealthy({ healthyVolumes, isSecondDay }: RobustnessSize, rules: Partial<Rules>) {
  const days = isSecondDay ? 2 : 1;
  const healthy = healthyFleet({ seed, volumes: healthyVolumes, days, rules });
  const { startEpochSeconds, endEpochSeconds } = healthy;
  const dayBefore = endEpochSeconds - (days - 1) * secondsPerDay;
  const first = await audited([healthy], { startEpochSeconds, endEpochSeconds: dayBefore });
  const falseVolumes = new Set(first.findings.filter(isHarm).map(({ resource }) => resource.id)).size;
  if (!isSecondDay) return { falseVolumes, newOnSecondDay: null };
  const second = await audited([healthy], {
    startEpochSeconds: startEpochSeconds + secondsPerDay,
    endEpochSeconds,
  });
  const known = new Set(first.findings.map(({ id, severity }) => `${id} ${severity}`));
  const isNew = ({ id, severity }: Finding): boolean =>
    severity !== 'info' && !known.has(`${id} ${severity}`) && !known.has(`${id} critical`);
  return { falseVolumes, newOnSecondDay: second.findings.filter(isNew).length };
}

/** The demo's fleet: planted troubles that were missed, and what was made up. */
async function ofFleet(rules: Partial<Rules>): Promise<Outcome['fleet']> {
  const fleet = simulateFleet({ seed, rules });
  const result = await audited(fleet.regions, fleet);
  const isNotice = ({ kind, severity }: Finding): boolean => kind !== 'micro-burst' || severity !== 'info';
  const { missed, falseWarnings } = compareWithTruth(fleet, {
    ...result,
    findings: result.findings.filter(isNotice),
  });
  const isLong = ({ waitedMinutes }: { waitedMinutes: number | null }): boolean =>
    waitedMinutes === null || waitedMinutes >= leastWaitedMinutes;
  return {
    troubles: fleet.troubles.filter(isLong).length,
    missed: missed.filter(isLong).length,
    shortMissed: missed.filter((trouble) => !isLong(trouble)).length,
    falseWarnings: falseWarnings.length,
  };
}

export async function outcomeOf({ name, rules }: RuleLevel, size: RobustnessSize): Promise<Outcome> {
  const minutes = throttledMinutes(size.scenarios, rules);
  const count = (test: (minute: ComparedMinute) => boolean): number => minutes.filter(test).length;
  return {
    ...{ name, throttledMinutes: minutes.length, right: count(isRight) },
    unknown: count((minute) => !isRight(minute) && minute.cause === 'unknown'),
    ...(await ofHealthy(size, rules)),
    healthy: size.healthyVolumes,
    fleet: size.isWithFleet ? await ofFleet(rules) : null,
    demand: size.demandOfEach === 0 ? null : demandContained(rules, size.demandOfEach),
  };
}

/** The usual level, and all others one at a time. */
export const singleLevels: readonly RuleLevel[] = [
  { name: 'as usual', rules: {} },
  ...Object.values(ruleLevels).flat(),
];

/** Two levels of different assumptions at once: all of them. */
export function pairsOfLevels(): RuleLevel[] {
  const assumptions = Object.values(ruleLevels);
  return assumptions.flatMap((levels, i) =>
    assumptions
      .slice(i + 1)
      .flat()
      .flatMap((other) =>
        levels.map((one) => ({
          name: `${one.name}; ${other.name}`,
          rules: { ...one.rules, ...other.rules },
        })),
      ),
  );
}
