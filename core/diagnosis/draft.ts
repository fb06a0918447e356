/** A finding in the making: what a rule says before its resource gives it an identity. */
import { createHash } from 'node:crypto';
import { median } from 'simple-statistics';
import { type Demand, narrowDemand } from '../demand/demand.ts';
import { isInstanceId, isRegionName, isVolumeId } from '../ids.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { maximum } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Evidence } from '../schemas/evidence.ts';
import {
  type ByKind,
  type FindingDemand,
  type FindingFields,
  type FindingKind,
  type FindingResource,
  instanceIdOf,
  type Limit,
  type RateUnit,
  type Severity,
} from '../schemas/finding.ts';
import type { Stripe } from '../stripes/stripes.ts';
import type { Attribution } from './attribute.ts';
import { type Cause, causeCode, causes as causeNames, type Proof, proofs } from './causes.ts';
import type { Thresholds } from './thresholds.ts';
import { countEvidence, countThrottled, evidenceOver, type Throttled, whenSeen } from './throttled.ts';

// What a finding is on, and its identity over time: what it is about, never when, nor what else is known about it.

/** First 16 hex digits of SHA-256 over kind, Region and resource id (which no two accounts share). */
export function findingId(kind: FindingKind, { region, id }: Pick<FindingResource, 'region' | 'id'>): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, region, id]))
    .digest('hex')
    .slice(0, 16);
}

/** Source: AWS General Reference, "Amazon Resource Names", partitions; read 2026-11-23. */
function partitionOf(region: string): string {
  if (region.startsWith('cn-')) return 'aws-cn';
  if (region.startsWith('us-gov-')) return 'aws-us-gov';
  if (region.startsWith('eusc-')) return 'aws-eusc';
  return 'aws';
}

interface Place {
  region: string;
  account: string | null;
}

/** Null where the account or the Region is not known, or the id is none. */
function arnOf(kind: 'volume' | 'instance', id: string, { region, account }: Place): string | null {
  const isId = kind === 'volume' ? isVolumeId(id) : isInstanceId(id);
  if (!isId || account === null || !/^\d{12}$/.test(account) || !isRegionName(region)) return null;
  return `arn:${partitionOf(region)}:ec2:${region}:${account}:${kind}/${id}`;
}

export const volumeResource = ({
  volumeId: id,
  name,
  region,
  account,
}: Pick<Volume, 'volumeId' | 'name' | 'region' | 'account'>): FindingResource => ({
  ...{ type: 'volume', id, arn: arnOf('volume', id, { region, account }) },
  ...{ name, region, account },
});

export const instanceResource = ({
  instanceId: id,
  name,
  region,
  account,
}: Pick<Instance, 'instanceId' | 'name' | 'region' | 'account'>): FindingResource => ({
  ...{ type: 'instance', id, arn: arnOf('instance', id, { region, account }) },
  ...{ name, region, account },
});

/** A stripe is called as its name says, and where it has none, as its first volume is. AWS knows no stripes. */
export const stripeResource = ({ stripeId, name, volumes, region, account }: Stripe): FindingResource => ({
  ...{ type: 'stripe', id: stripeId, arn: null },
  ...{ name: name ?? volumes[0]?.name ?? null, region, account },
});

/** For a channel that groups by them: made anew, since what a message says is no ARN until its parts are what they should be. */
export function resourceArns({ type, id, region, account }: FindingResource): string[] {
  const instanceId = instanceIdOf({ type, id });
  const arn =
    instanceId === null
      ? arnOf('volume', id, { region, account })
      : arnOf('instance', instanceId, { region, account });
  return arn === null ? [] : [arn];
}

type DraftFields = Omit<FindingFields, 'id' | 'resource' | 'recommendations'>;
/** Of one of some kinds; of any where none are named. */
export type Draft<Kind extends FindingKind = FindingKind> = ByKind<DraftFields, Evidence, Kind>;

/** A volume's load with what throttled it, period by period. */
export interface EvaluatedLoad {
  limits: VolumeLimits;
  load: VolumeLoad;
  attribution: Attribution;
  demand: Demand;
  /** Where the audit ends; the load may end earlier. */
  windowEndEpochSeconds: number;
  thresholds: Thresholds;
}

/** Which periods count for a finding. */
export interface Counted {
  causes: readonly Cause[];
  onlyMicroBursts?: boolean;
}

/** An active-time rate that no queue confirms is a hint at a burst, and no throttled minute. */
const isOnlyHint = ({ load, attribution }: EvaluatedLoad, i: number): boolean =>
  load.queueLength === null && proofs[attribution.proof[i] as number] === 'active-time-rate';

/** One figure a period: the minutes that count, 0 elsewhere. */
function countedMinutes(evaluated: EvaluatedLoad, { causes, onlyMicroBursts }: Counted): Float64Array {
  const { cause, throttledMinutes, microBurst } = evaluated.attribution;
  const counts = new Uint8Array(causeNames.length);
  for (const one of causes) counts[causeCode[one]] = 1;
  const minutes = new Float64Array(cause.length);
  for (let i = 0; i < cause.length; i++) {
    if (counts[cause[i] as number] === 0) continue;
    const isCounted = onlyMicroBursts ? microBurst[i] === 1 : !isOnlyHint(evaluated, i);
    if (isCounted) minutes[i] = throttledMinutes[i] as number;
  }
  return minutes;
}

export const throttledMinutesBy = (evaluated: EvaluatedLoad, counted: Counted): Throttled =>
  countThrottled(evaluated.load, countedMinutes(evaluated, counted), evaluated.windowEndEpochSeconds);

/** Counted periods by what proved them. */
function periodsByProof(evaluated: EvaluatedLoad, minutes: Float64Array): Record<Proof, number> {
  const periods: Record<Proof, number> = { check: 0, rate: 0, 'active-time-rate': 0, balance: 0 };
  for (let i = 0; i < minutes.length; i++) {
    const proof = minutes[i] === 0 ? undefined : proofs[evaluated.attribution.proof[i] as number];
    if (proof !== undefined) periods[proof]++;
  }
  return periods;
}

/** What most of the periods rest on: AWS's own word or balance, a rate with its queue, or a rate nothing confirms. */
function confidenceOf(
  { load, attribution }: EvaluatedLoad,
  periods: Record<Proof, number>,
): 'high' | 'medium' | 'low' {
  const published = attribution.balance?.source === 'published' ? periods.balance : 0;
  const all = Object.values(periods).reduce((total, count) => total + count, 0);
  if (periods.check + published >= all / 2) return 'high';
  const withQueue = load.queueLength === null ? 0 : periods.rate + periods['active-time-rate'];
  return periods.check + published + withQueue >= all / 2 ? 'medium' : 'low';
}

function medianWhere(column: Float64Array | null, counts: (period: number) => boolean): number | null {
  const values: number[] = [];
  for (let i = 0; column !== null && i < column.length; i++) {
    const value = column[i] as number;
    if (!Number.isNaN(value) && counts(i)) values.push(value);
  }
  return values.length === 0 ? null : Number(median(values).toFixed(3));
}

/** What every finding of a load rests on. */
type LoadEvidence = Evidence['stalled'];

function loadEvidence(evaluated: EvaluatedLoad, minutes: Float64Array, periods: Record<Proof, number>) {
  const { limits, load, attribution } = evaluated;
  return {
    limitIops: limits.burstIops,
    limitMiBps: limits.burstMiBps,
    baselineIops: limits.baselineIops,
    baselineMiBps: limits.baselineMiBps,
    topAverageIops: maximum(load.iops),
    topAverageMiBps: maximum(load.mibps),
    topActiveTimeIops: maximum(load.activeTimeIops),
    topQueueLength: maximum(load.queueLength),
    medianLatencyMs: medianWhere(load.latencyMs, (i) => attribution.cause[i] === causeCode.none),
    medianLatencyMsThrottled: medianWhere(load.latencyMs, (i) => (minutes[i] as number) > 0),
    periodsProvedByCheck: periods.check,
    periodsProvedByRate: periods.rate,
    periodsProvedByActiveTimeRate: periods['active-time-rate'],
    periodsProvedByBalance: periods.balance,
    ...demandEvidence(evaluated),
  };
}

/** The most that was demanded at one time, at least and at most; null where nothing tells. */
function demandEvidence({ load, demand }: EvaluatedLoad) {
  if (demand.highIops === load.iops) return {};
  return {
    demandIopsAtLeast: maximum(demand.lowIops),
    demandIopsAtMost: maximum(demand.highIops),
    demandMiBpsAtLeast: maximum(demand.lowMiBps),
    demandMiBpsAtMost: maximum(demand.highMiBps),
    demandAssumptions: [...demand.assumptions],
  };
}

/** The demand at its highest; the likely figure takes the replay. Null where nothing was throttled. */
function demandOf({ load, demand }: EvaluatedLoad, unit: RateUnit): FindingDemand | null {
  if (demand.highIops === load.iops) return null;
  const [low, high] =
    unit === 'IOPS' ? [demand.lowIops, demand.highIops] : [demand.lowMiBps, demand.highMiBps];
  const [atLeast, highest] = [maximum(low), maximum(high)];
  const atMost = highest !== null && highest >= (atLeast ?? 0) ? highest : null;
  const known = atLeast !== null && atMost !== null && atMost <= narrowDemand * atLeast;
  return { known, atLeast, likely: null, atMost, unit };
}

interface DraftInput {
  severity: Severity | null;
  counted: Counted;
  held: Throttled;
  limit: Limit | null;
}

/** A finding before it has a kind. */
interface LoadDraft extends DraftFields {
  evidence: LoadEvidence;
}

/** One where there is a severity, none where there is none. */
export function loadDrafts(evaluated: EvaluatedLoad, input: DraftInput): LoadDraft[] {
  const { severity, counted, held, limit } = input;
  if (severity === null) return [];
  const minutes = countedMinutes(evaluated, counted);
  const periods = periodsByProof(evaluated, minutes);
  return [
    {
      ...{ severity, ...whenSeen(held), limit },
      confidence: confidenceOf(evaluated, periods),
      ...evidenceOver(evaluated.load, evaluated.load.knownSeconds),
      demand: limit && demandOf(evaluated, limit.unit),
      evidence: { ...countEvidence(held), ...loadEvidence(evaluated, minutes, periods) },
    },
  ];
}
