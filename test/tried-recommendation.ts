/** The top recommendation of a finding, applied to what the simulator played, and played again. */
import { InstanceCatalog } from '../core/catalog/instance-types.ts';
import { builtInRegionCatalog, type RegionCatalogs } from '../core/catalog/region-catalog.ts';
import type { VolumeType } from '../core/limits/volume-limits.ts';
import { type AnyFinding, type Finding, instanceIdOf, type Recommendation } from '../core/schemas/finding.ts';
import { commandsOf } from './fixtures/findings.ts';
import { causeOf } from './simulator/causes.ts';
import { type InstanceTypeName, instanceTypeNames } from './simulator/instance-types.ts';
import { simulateInstances } from './simulator/move.ts';
import type { InstancePlan, VolumePlan } from './simulator/plan.ts';
import type { SimulatedInstance, SimulatedVolume, Window } from './simulator/simulate.ts';

/** Of us-east-1 for every Region, and with the instance types that the simulator has: others could not be tried. */
export const simulatedRegionCatalogs: RegionCatalogs = (region) => {
  const regionCatalog = builtInRegionCatalog('us-east-1');
  const { asOf, source, types } = regionCatalog.instanceTypes;
  const known = types.filter(({ instanceType }) => instanceTypeNames.some((name) => name === instanceType));
  return { ...regionCatalog, region, instanceTypes: new InstanceCatalog({ asOf, source, types: known }) };
};

const throttlingKinds = [
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'credits-exhausted',
  'credits-will-exhaust',
  'micro-burst',
  'throttled-instance-iops',
  'throttled-instance-throughput',
  'instance-credits-exhausted',
];
export const saysThrottling = ({ kind }: Finding): boolean => throttlingKinds.includes(kind);

const figureOf = (line: string, option: string): number | undefined => {
  const found = new RegExp(`--${option} (\\d+)`).exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** A volume with the figures of the commands; several new ones in its place as one volume that has their sum. */
function withFigures(plan: VolumePlan, lines: readonly string[]): VolumePlan {
  const { iops: _, throughputMiBps: __, ...rest } = plan;
  const [line = ''] = lines;
  const iops = figureOf(line, 'iops');
  const throughputMiBps = figureOf(line, 'throughput');
  return {
    ...rest,
    volumeType: /--volume-type (\w+)/.exec(line)?.[1] as VolumeType,
    sizeGiB: lines.length === 1 ? (figureOf(line, 'size') ?? plan.sizeGiB) : plan.sizeGiB,
    ...(iops === undefined ? {} : { iops: lines.length * iops }),
    ...(throughputMiBps === undefined ? {} : { throughputMiBps: lines.length * throughputMiBps }),
  };
}

function recommendedVolume(
  { plan, volumeId }: SimulatedVolume,
  { resource }: Finding,
  how: readonly string[],
) {
  const modified = how.filter((line) => line.includes(' modify-volume ') && line.includes(volumeId));
  const created = resource.id === volumeId ? how.filter((line) => / create-volume /.test(line)) : [];
  const lines = modified.length > 0 ? modified : created;
  return lines.length === 0 ? plan : withFigures(plan, lines);
}

const recommendedType = (how: readonly string[]): string | undefined =>
  how.map((line) => /--instance-type Value=(\S+)/.exec(line)?.[1]).find((type) => type !== undefined);

function recommendedWeighting(how: readonly string[]): 'default' | 'ebs-1' | undefined {
  const [found] = how.flatMap((line) => /--bandwidth-weighting (default|ebs-1)/.exec(line)?.[1] ?? []);
  return found as 'default' | 'ebs-1' | undefined;
}

/** With one volume on another instance, where that is recommended: on one of these, or on a new one. */
function withMove(
  plans: readonly InstancePlan[],
  instances: readonly SimulatedInstance[],
  change: Recommendation['change'] | undefined,
): InstancePlan[] {
  if (change?.of !== 'volume-move') return [...plans];
  const from = instances.findIndex(({ instanceId }) => instanceId === change.from);
  const place = instances[from]?.volumes.findIndex(({ volumeId }) => volumeId === change.volumeId) ?? -1;
  const left = plans[from];
  const volume = left?.volumes[place];
  if (left === undefined || volume === undefined) throw new Error(`${change.volumeId} is not there`);
  const next = plans.map((plan, i): InstancePlan => {
    if (i === from) return { ...plan, volumes: plan.volumes.filter((one) => one !== volume) };
    return instances[i]?.instanceId === change.to ? { ...plan, volumes: [...plan.volumes, volume] } : plan;
  });
  if (change.to !== null) return next;
  const { region, zone } = left;
  const instanceType = change.instanceType as InstanceTypeName;
  return [...next, { name: `${left.name} new`, region, zone, instanceType, volumes: [volume] }];
}

function recommendedPlan({ plan, volumes, instanceId }: SimulatedInstance, finding: Finding): InstancePlan {
  const how = commandsOf(finding.recommendations[0]);
  const instanceType = instanceIdOf(finding.resource) === instanceId ? recommendedType(how) : undefined;
  const weighting = instanceIdOf(finding.resource) === instanceId ? recommendedWeighting(how) : undefined;
  return {
    ...plan,
    instanceType: (instanceType ?? plan.instanceType) as InstanceTypeName,
    ...(weighting === undefined ? {} : { bandwidthWeighting: weighting }),
    volumes: volumes.map((volume) => recommendedVolume(volume, finding, how)),
  };
}

const isOf = ({ resource, evidence }: AnyFinding, { volumeId }: SimulatedVolume): boolean =>
  resource.id === volumeId || evidence.members?.includes(volumeId) === true;

/** Minutes in which anything throttled the volume, any member of the stripe, or the volumes of the instance. */
function throttledMinutes(finding: Finding, instances: readonly SimulatedInstance[]): number {
  const { type, id } = finding.resource;
  const change = finding.recommendations[0]?.change;
  const destination = change?.of === 'volume-move' ? change.to : null;
  const columns = instances.flatMap((instance): (Uint8Array | undefined)[] => {
    // What is moved to another instance must be served there.
    const isDestination = instance.instanceId === destination || instance.plan.name.endsWith(' new');
    if (type === 'instance')
      return instance.instanceId === id || isDestination ? [instance.ledger.cause] : [];
    return instance.volumes.filter((volume) => isOf(finding, volume)).map(({ ledger }) => ledger?.cause);
  });
  const [longest] = columns
    .map((cause) => [...(cause ?? [])].filter((code) => causeOf(code) !== 'none').length)
    .sort((a, b) => b - a);
  return longest ?? Number.NaN;
}

export interface TriedRecommendation {
  finding: Finding;
  /** What was played: a scenario, or the name of the resource. */
  name: string;
  saidBefore: number | null;
  saidAfter: number | null;
  before: number;
  after: number;
}

/** Null where nothing with figures is recommended first. */
export function tryTopRecommendation(
  name: string,
  finding: Finding,
  instances: readonly SimulatedInstance[],
  window: Window,
  play: typeof simulateInstances = simulateInstances,
): TriedRecommendation | null {
  const [first] = finding.recommendations;
  const changed = instances.map((instance) => recommendedPlan(instance, finding));
  const next = withMove(changed, instances, first?.change);
  const isSame = next.every((plan, i) => JSON.stringify(plan) === JSON.stringify(instances[i]?.plan));
  if (first === undefined || isSame) return null;
  return {
    finding,
    name,
    saidBefore: first.effect.throttledMinutesBefore,
    // What is estimated promises nothing.
    saidAfter: first.effect.method === 'simulated' ? first.effect.throttledMinutesAfter : null,
    before: throttledMinutes(finding, instances),
    after: throttledMinutes(finding, play(next, window)),
  };
}

const cell = (value: number | null): string => `${value ?? '-'}`.padStart(5);

/** What was recommended, and its minutes before and after: true / said. */
export const triedText = ({
  finding,
  name,
  before,
  after,
  saidBefore,
  saidAfter,
}: TriedRecommendation): string =>
  `  ${finding.kind.padEnd(30)}${name.padEnd(38)}${cell(before)} /${cell(saidBefore)}${cell(after)} /${cell(saidAfter)}`;

/** What may be off: a twentieth of what it was, or three minutes. */
const tolerance = ({ before }: TriedRecommendation): number => Math.max(3, before / 20);

export const isWorse = ({ before, after }: TriedRecommendation): boolean => after > before;

export const isBroken = (tried: TriedRecommendation): boolean =>
  tried.saidAfter !== null && tried.after > tried.saidAfter + tolerance(tried);

/** Of what is coming nothing was measured. */
export const isMismeasured = (tried: TriedRecommendation): boolean =>
  tried.finding.kind !== 'credits-will-exhaust' &&
  tried.saidBefore !== null &&
  Math.abs(tried.saidBefore - tried.before) > tolerance(tried);
