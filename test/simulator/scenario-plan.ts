/** A scenario as instances and volumes that the simulator runs, and the run. */
import { secondsPerMinute } from '../../core/units.ts';
import { isClosedLoop } from './loads.ts';
import { simulateInstances } from './move.ts';
import type { InstancePlan, MissingMetric, VolumePlan } from './plan.ts';
import type { Rules } from './rules.ts';
import { loadOf } from './scenario-loads.ts';
import type { Scenario, ScenarioInstance, ScenarioMissing, ScenarioVolume } from './scenario-schema.ts';
import type { SimulatedInstance, Window } from './simulate.ts';
import { stripeMembers } from './stripe-plans.ts';

const region = 'us-east-1';
const zone = 'us-east-1a';
/** 2026-11-19T00:00:00Z */
const startEpochSeconds = 1_795_046_400;
const seed = 1;

/** Leaves out what is not said: an absent property is not an undefined one. */
const said = <T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

const missingOf = (missing: ScenarioMissing = []): MissingMetric[] =>
  missing.map((one) => {
    if (typeof one === 'string') return { metric: one };
    const { metric, fromMinute, minutes } = one;
    return { metric, span: { fromMinute, minutes } };
  });

function volumePlans(scenario: string, volume: ScenarioVolume): VolumePlan[] {
  const { type: volumeType, stripe, missing, load: written, name: own, ...rest } = volume;
  const name = `${scenario} ${own}`;
  const load = loadOf(written);
  const { movedFrom, alsoOn, ...plain } = rest;
  const shared = said({
    ...plain,
    missing: missing && missingOf(missing),
    movedFrom: movedFrom && { ...movedFrom, instance: `${scenario} ${movedFrom.instance}` },
    alsoOn: alsoOn?.map((other) => `${scenario} ${other}`),
  });
  if (stripe === undefined || isClosedLoop(load)) return [{ name, volumeType, load, ...shared }];
  const { sizeGiB, iops, throughputMiBps } = volume;
  const { members, straggler } = stripe;
  return stripeMembers({
    ...said({ iops, throughputMiBps, straggler }),
    ...{ name, members, volumeType, sizeGiB, load },
  }).map((member) => ({ ...member, ...shared }));
}

/** Names of resources carry the scenario's: two scenarios never share an id or their luck. */
const instancePlan = (scenario: string, instance: ScenarioInstance): InstancePlan => {
  const { name, type: instanceType, volumes, missing, ...rest } = instance;
  return {
    name: `${scenario} ${name}`,
    region,
    zone,
    instanceType,
    volumes: volumes.flatMap((volume) => volumePlans(scenario, volume)),
    ...said({ ...rest, missing: missing && missingOf(missing) }),
  };
};

export interface RunScenario {
  window: Window;
  instances: SimulatedInstance[];
}

export const minuteEpochSeconds = ({ startEpochSeconds: start }: Window, minute: number): number =>
  start + minute * secondsPerMinute;

/** @param rules what differs from the usual ones. */
export function runScenario({ name, hours, instances }: Scenario, rules: Partial<Rules> = {}): RunScenario {
  const window: Window = { startEpochSeconds, minutes: hours * 60, seed, rules };
  const plans = instances.map((instance) => instancePlan(name, instance));
  return { window, instances: simulateInstances(plans, window) };
}
