/** The load of a volume, a stripe or an instance as the report draws it: the whole window, and its worst hours closer. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import { causeCode } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import type { InstanceEvidence } from '../diagnosis/instance-evidence.ts';
import { commonAxis, loadOnAxis, type StripeLimits } from '../stripes/load-as-one.ts';
import { secondsPerHour } from '../units.ts';
import { type ColumnsOverTime, type Envelope, envelope, type TimeSpan } from './envelope.ts';

/** All the time, and at its best (on credits, or at the maximum of an instance). */
interface LimitsNow {
  baselineIops: number | null;
  burstIops: number | null;
  baselineMiBps: number | null;
  burstMiBps: number | null;
}

/** What the top recommendation of a finding would let through all the time; null where it is not known. */
export interface RecommendedLimits {
  iops: number | null;
  mibps: number | null;
}

export interface ResourceSeries {
  resourceId: string;
  kind: 'volume' | 'stripe' | 'instance';
  limits: LimitsNow | null;
  /** By the id of the finding. */
  recommended: Record<string, RecommendedLimits>;
  whole: Envelope;
  /** The hours with the most throttled minutes, point by point; null where nothing was throttled, or the whole is that short. */
  closeUp: Envelope | null;
}

const closeUpSeconds = 6 * secondsPerHour;

/** From the hours in which the most was throttled; null where nothing was. */
function peakHours({ epochSeconds, periodSeconds, throttledMinutes }: ColumnsOverTime): TimeSpan | null {
  let [from, sum, most, bestFrom, bestTo] = [0, 0, 0, 0, 0];
  for (let to = 0; to < epochSeconds.length; to++) {
    sum += throttledMinutes[to] as number;
    while ((epochSeconds[to] as number) + periodSeconds - (epochSeconds[from] as number) > closeUpSeconds)
      sum -= throttledMinutes[from++] as number;
    if (sum > most) [most, bestFrom, bestTo] = [sum, from, to];
  }
  if (most === 0) return null;
  // Nothing before the first throttled period of the best span matters: its middle is in the middle.
  while ((throttledMinutes[bestFrom] as number) === 0) bestFrom++;
  const middle = ((epochSeconds[bestFrom] as number) + (epochSeconds[bestTo] as number)) / 2;
  const wished = Math.floor((middle - closeUpSeconds / 2) / periodSeconds) * periodSeconds;
  const first = epochSeconds[0] as number;
  const latest = (epochSeconds.at(-1) as number) + periodSeconds - closeUpSeconds;
  const startEpochSeconds = Math.max(first, Math.min(wished, latest));
  return { startEpochSeconds, endEpochSeconds: startEpochSeconds + closeUpSeconds };
}

function seriesOf(
  of: Pick<ResourceSeries, 'resourceId' | 'kind' | 'limits'>,
  columns: ColumnsOverTime,
): ResourceSeries {
  const { epochSeconds, periodSeconds } = columns;
  const whole = {
    startEpochSeconds: epochSeconds[0] as number,
    endEpochSeconds: (epochSeconds.at(-1) as number) + periodSeconds,
  };
  const isLong = whole.endEpochSeconds - whole.startEpochSeconds > closeUpSeconds;
  const worst = isLong ? peakHours(columns) : null;
  return {
    ...of,
    recommended: {},
    whole: envelope(columns, whole),
    closeUp: worst && envelope(columns, worst),
  };
}

const noInstanceBalance = { ioBalancePercent: null, byteBalancePercent: null };

export function volumeSeries({ volume, limits, load, attribution, demand }: DiagnosedVolume): ResourceSeries {
  const { baselineIops, burstIops, baselineMiBps, burstMiBps } = limits;
  return seriesOf(
    {
      resourceId: volume.volumeId,
      kind: 'volume',
      limits: { baselineIops, burstIops, baselineMiBps, burstMiBps },
    },
    {
      ...load,
      ...noInstanceBalance,
      balancePercent: attribution.balance?.percent ?? null,
      demandIops: demand.lowIops,
      demandMiBps: demand.lowMiBps,
      cause: attribution.cause,
      throttledMinutes: attribution.throttledMinutes,
    },
  );
}

/** In each period what the member that was throttled longest says; unknown where one is unknown and none was throttled. */
function throttledOfStripe(
  members: readonly DiagnosedVolume[],
  positions: readonly Int32Array[],
  length: number,
): Pick<ColumnsOverTime, 'cause' | 'throttledMinutes'> {
  const cause = new Uint8Array(length);
  const throttledMinutes = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    members.forEach(({ attribution }, m) => {
      const at = (positions[m] as Int32Array)[i] as number;
      const code = at < 0 ? causeCode.unknown : (attribution.cause[at] as number);
      const held = at < 0 ? 0 : (attribution.throttledMinutes[at] as number);
      if (held > (throttledMinutes[i] as number)) {
        throttledMinutes[i] = held;
        cause[i] = code;
      } else if (code === causeCode.unknown && throttledMinutes[i] === 0) cause[i] = code;
    });
  }
  return { cause, throttledMinutes };
}

/** The sum of what its members want, where all are known. */
function demandOfStripe(
  members: readonly DiagnosedVolume[],
  positions: readonly Int32Array[],
  length: number,
  column: (member: DiagnosedVolume) => Float64Array,
): Float64Array {
  const total = new Float64Array(length);
  members.forEach((member, m) => {
    for (let i = 0; i < length; i++) {
      const at = (positions[m] as Int32Array)[i] as number;
      total[i] = at < 0 ? Number.NaN : (total[i] as number) + (column(member)[at] as number);
    }
  });
  return total;
}

/** Null where its members' loads do not add up. */
export function stripeSeries(
  stripeId: string,
  members: readonly DiagnosedVolume[],
  limits: StripeLimits | null,
): ResourceSeries | null {
  const loads = members.map(({ load }) => load);
  const axis = commonAxis(loads);
  if (!axis.known) return null;
  const asOne = loadOnAxis(axis.value, loads);
  if (asOne === null) return null;
  const { positions } = axis.value;
  const { length } = asOne.epochSeconds;
  return seriesOf(
    { resourceId: stripeId, kind: 'stripe', limits },
    {
      ...asOne,
      ...noInstanceBalance,
      balancePercent: null,
      demandIops: demandOfStripe(members, positions, length, ({ demand }) => demand.lowIops),
      demandMiBps: demandOfStripe(members, positions, length, ({ demand }) => demand.lowMiBps),
      ...throttledOfStripe(members, positions, length),
    },
  );
}

const numberOrNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** What passes through an instance against what it can do: its queue and latency are those of its volumes. */
export function instanceSeries(
  instanceId: string,
  evidence: InstanceEvidence,
  figures: EbsFigures | null,
): ResourceSeries {
  return seriesOf(
    {
      resourceId: instanceId,
      kind: 'instance',
      limits: figures && {
        baselineIops: numberOrNull(figures.baselineIops),
        burstIops: numberOrNull(figures.maximumIops),
        baselineMiBps: numberOrNull(figures.baselineMiBps),
        burstMiBps: numberOrNull(figures.maximumMiBps),
      },
    },
    {
      periodSeconds: evidence.periodSeconds,
      epochSeconds: evidence.epochSeconds,
      ...evidence.load,
      ...{ queueLength: null, latencyMs: null, balancePercent: null, demandIops: null, demandMiBps: null },
      ioBalancePercent: evidence.balance.io,
      byteBalancePercent: evidence.balance.bytes,
      cause: evidence.cause,
      throttledMinutes: evidence.minutes,
    },
  );
}
