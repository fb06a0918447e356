/**
 * What the audit makes of an AWS that is not as the engine assumes: one row for each level of each rule, and for the worst pairs of
 * them, printed as a table. Nothing is asserted here: targets are in docs/contribute/performance.md, and a small grid is held by
 * test/ground-truth/robustness.test.ts.
 */
import { join } from 'node:path';
import Table from 'cli-table3';
import { secondsPerMinute } from '../../core/units.ts';
import {
  type Outcome,
  outcomeOf,
  pairsOfLevels,
  type RobustnessSize,
  singleLevels,
} from '../../test/robustness.ts';
import { readScenarios } from '../../test/scenarios/scenario-file.ts';
import { type RuleLevel, type Rules, usualRules } from '../../test/simulator/rules.ts';
import type { Measure } from './measure.ts';
import { monitoringFleet } from './monitoring-fleet.ts';
import { runMonitoring } from './monitoring-run.ts';
import { scoreOf, sumOf } from './monitoring-score.ts';
import { truthOf } from './monitoring-truth.ts';
import { minutes } from './two-pass-series.ts';

const scenarios = readScenarios(join(process.cwd(), 'test', 'scenarios'));

const ofSingle: RobustnessSize = {
  ...{ scenarios, healthyVolumes: 500, isSecondDay: true, isWithFleet: true, demandOfEach: 3_000 },
};
/** Pairs are many: a third of the scenarios, and few volumes. */
const ofPair: RobustnessSize = {
  scenarios: scenarios.filter((_, i) => i % 3 === 0),
  ...{ healthyVolumes: 50, isSecondDay: false, isWithFleet: true, demandOfEach: 400 },
};
const shownPairs = 10;

/** Of the fleet that monitoring is measured on, one volume in so many. */
const monitoredOf = 10;

interface Monitored {
  couldBeWarned: number;
  warned: number;
  missed: number;
}

/** Do the minutes of a load show this rule? Of what an instance has, or seconds may save, they tell nothing. */
const isOfMinutes = ({ spareSeconds, instanceStartPercent }: Partial<Rules>): boolean =>
  spareSeconds === undefined && instanceStartPercent === undefined;

/** Buckets that ran dry in 14 days of monitoring: warned of in time, where that could be, and missed. */
async function monitoredUnder(rules: Partial<Rules>): Promise<Monitored | null> {
  if (!isOfMinutes(rules)) return null;
  const all = monitoringFleet(1, { ...usualRules, ...rules });
  const fleet = all.filter((_, i) => i % monitoredOf === 0);
  const run = await runMonitoring(fleet, { everyMinutes: 1, metricsPerMonth: null, lastMinute: minutes });
  return sumOf(
    fleet.map((one) =>
      scoreOf(
        truthOf(one, secondsPerMinute),
        run.notified.get(one.volume.volumeId) ?? [],
        one.history.balance,
      ),
    ),
  );
}

type Level = Outcome & { monitored: Monitored | null };

const percent = (part: number, whole: number): string =>
  whole === 0 ? '' : ((100 * part) / whole).toFixed(1);

const rightOf = ({ right, throttledMinutes }: Outcome): number => (100 * right) / throttledMinutes;
const wrongOf = ({ right, unknown, throttledMinutes }: Outcome): number =>
  (100 * (throttledMinutes - right - unknown)) / throttledMinutes;
const falseOf = ({ falseVolumes, healthy }: Outcome): number => (100 * falseVolumes) / healthy;
const containedOf = ({ demand }: Outcome): number =>
  demand === null || demand.shown === 0 ? 100 : (100 * demand.contained) / demand.shown;
const warnedOf = ({ monitored }: Level): number =>
  monitored === null ? 100 : (100 * monitored.warned) / monitored.couldBeWarned;
/** What unknown is not: made up, missed or wrong. */
const harmOf = (one: Outcome): number =>
  falseOf(one) + wrongOf(one) + 10 * ((one.fleet?.missed ?? 0) + (one.fleet?.falseWarnings ?? 0));

function tableOf(outcomes: readonly Level[]): string {
  const table = new Table({
    head: [
      ...['level', 'minutes', 'right, %', 'unknown, %', 'wrong, %', 'false of healthy, %'],
      ...['new a day of 1,000', 'troubles', 'missed', 'short missed', 'false', 'demand in, %', 'shown'],
      ...['warned in time, %', 'missed there'],
    ],
    style: { head: [], border: [] },
  });
  for (const one of outcomes) {
    const { fleet, demand, newOnSecondDay, healthy, monitored } = one;
    table.push([
      ...[one.name, one.throttledMinutes, percent(one.right, one.throttledMinutes)],
      ...[percent(one.unknown, one.throttledMinutes), wrongOf(one).toFixed(1)],
      percent(one.falseVolumes, healthy),
      newOnSecondDay === null ? '' : ((1_000 * newOnSecondDay) / healthy).toFixed(1),
      ...[fleet?.troubles ?? '', fleet?.missed ?? '', fleet?.shortMissed ?? '', fleet?.falseWarnings ?? ''],
      ...[demand === null ? '' : containedOf(one).toFixed(1), demand?.shown ?? ''],
      ...[monitored === null ? '' : percent(monitored.warned, monitored.couldBeWarned)],
      monitored?.missed ?? '',
    ]);
  }
  return table.toString();
}

async function measured(
  levels: readonly RuleLevel[],
  size: RobustnessSize,
  isMonitored: boolean,
): Promise<Level[]> {
  const outcomes: Level[] = [];
  for (const level of levels) {
    const monitored = isMonitored ? await monitoredUnder(level.rules) : null;
    outcomes.push({ ...(await outcomeOf(level, size)), monitored });
    console.error(`robustness: ${outcomes.length} of ${levels.length}, ${level.name}`);
  }
  return outcomes;
}

const most = (outcomes: readonly Level[], of: (one: Level) => number): Level =>
  outcomes.reduce((worst, one) => (of(one) > of(worst) ? one : worst));

export async function robustness(): Promise<Measure[]> {
  const outcomes = await measured(singleLevels, ofSingle, true);
  console.log(tableOf(outcomes));
  const worst = most(outcomes, (one) => -rightOf(one));
  const falsest = most(outcomes, falseOf);
  const missed = most(outcomes, ({ fleet }) => fleet?.missed ?? 0);
  const demand = most(outcomes, (one) => -containedOf(one));
  const latest = most(outcomes, (one) => -warnedOf(one));
  const newest = most(outcomes, ({ newOnSecondDay }) => newOnSecondDay ?? 0);
  const levels = `${outcomes.length} levels, simulated`;
  return [
    {
      name: 'robustness-causes-right',
      value: Number(rightOf(worst).toFixed(1)),
      unit: '% of throttled minutes at the worst level',
      conditions: `${worst.name}; ${levels}, ${scenarios.length} scenarios each`,
    },
    {
      name: 'robustness-false-findings',
      value: Number(falseOf(falsest).toFixed(1)),
      unit: '% of healthy volumes at the worst level',
      conditions: `${falsest.name}; ${levels}, ${ofSingle.healthyVolumes} healthy volumes each, 26 h`,
    },
    {
      name: 'robustness-missed',
      value: missed.fleet?.missed ?? 0,
      unit: 'planted troubles with 15 minutes of waiting, at the worst level',
      conditions: `${missed.name}; ${levels}, the fleet of the demo`,
    },
    {
      name: 'robustness-new-findings-a-day',
      value: ((newest.newOnSecondDay ?? 0) * 1_000) / ofSingle.healthyVolumes,
      unit: 'warnings of 1,000 healthy volumes on the second day, at the worst level',
      conditions: `${newest.name}; ${levels}`,
    },
    {
      name: 'robustness-demand-contained',
      value: Number(containedOf(demand).toFixed(1)),
      unit: '% of the throttled periods whose demand is shown, at the worst level',
      conditions: `${demand.name}; ${levels}`,
    },
    {
      name: 'robustness-warned-in-time',
      value: Number(warnedOf(latest).toFixed(1)),
      unit: '% of the exhaustions that could be warned of, at the worst level',
      conditions: `${latest.name}; ${levels}, one in ${monitoredOf} of the volumes of monitoring-metrics-share, 14 days`,
    },
  ];
}

export async function robustnessOfPairs(): Promise<Measure[]> {
  const outcomes = await measured(pairsOfLevels(), ofPair, false);
  const worst = outcomes.toSorted((a, b) => harmOf(b) - harmOf(a)).slice(0, shownPairs);
  console.log(tableOf(worst));
  const count = (test: (one: Outcome) => boolean): number => outcomes.filter(test).length;
  return [
    {
      name: 'robustness-pairs-with-false-findings',
      value: count((one) => falseOf(one) > 1 || (one.fleet?.falseWarnings ?? 0) > 0),
      unit: `of ${outcomes.length} pairs of levels`,
      conditions: `more than 1 % of ${ofPair.healthyVolumes} healthy volumes, or any on the demo's fleet; simulated`,
    },
  ];
}
