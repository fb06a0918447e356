/** What an instance throttled, on the time axis of one of its volumes. */
import { sameTimes, type TimeAxis } from '../load/series.ts';
import { secondsPerMinute } from '../units.ts';
import type { InstanceEvidence, InstanceShares } from './instance-evidence.ts';

/** One entry a period of the volume; as in `InstanceEvidence`. */
export interface InstanceOnAxis {
  cause: Uint8Array;
  /** Any cause is one, in the evidence at least. */
  isAnyThrottled: boolean;
  also: Uint16Array;
  minutes: Float64Array;
  proof: Uint8Array;
  /** 1 where the sum over the volumes is the limit itself, all the time that the cause throttled. */
  saturated: Uint8Array;
  /** Of its limits in force; null where they are not known period by period. */
  shares: InstanceShares | null;
  /** False: some of what passes through the instance is unseen, so that it says nothing is no proof. */
  isWhole: boolean;
  /** Its figures stand for longer than a period of the volume: which of the periods it was, only the volume shows. */
  isCoarse: boolean;
  /** The volume was seen to wait for the instance in this period. */
  feel: (period: number) => void;
}

/** Of the periods [from, to) of the evidence: the cause of the most minutes with its proof, all else beside it. */
function mostOf(evidence: InstanceEvidence, from: number, to: number) {
  const minutesOf = new Map<number, number>();
  const proofOf = new Map<number, number>();
  const found = { code: 0, also: 0, proof: 0, minutes: 0, saturated: 1 };
  for (let j = from; j < to; j++) {
    const code = evidence.cause[j] as number;
    if (code === 0) continue;
    minutesOf.set(code, (minutesOf.get(code) ?? 0) + (evidence.minutes[j] as number));
    proofOf.set(code, evidence.proof[j] as number);
    found.saturated &= evidence.saturated[j] as number;
    found.also |= (evidence.also[j] as number) | (1 << code);
  }
  let most = 0;
  for (const [code, minutes] of minutesOf) {
    if (minutes > most) found.code = code;
    most = Math.max(most, minutes);
    found.minutes += minutes;
  }
  found.also &= ~(1 << found.code);
  found.proof = proofOf.get(found.code) ?? 0;
  return found;
}

const nothingThrottled = (length: number) => ({
  cause: new Uint8Array(length),
  also: new Uint16Array(length),
  minutes: new Float64Array(length),
  proof: new Uint8Array(length),
  saturated: new Uint8Array(length),
});

/** The periods of the evidence inside each of the volume's. */
function gather(evidence: InstanceEvidence, axis: TimeAxis): InstanceOnAxis {
  const { length } = axis.epochSeconds;
  const periodMinutes = axis.periodSeconds / secondsPerMinute;
  const view = nothingThrottled(length);
  const first = new Int32Array(length);
  const after = new Int32Array(length);
  for (let i = 0, j = 0; i < length; i++) {
    const from = axis.epochSeconds[i] as number;
    while (j < evidence.cause.length && (evidence.epochSeconds[j] as number) < from) j++;
    first[i] = j;
    const to = from + axis.periodSeconds;
    while (j < evidence.cause.length && (evidence.epochSeconds[j] as number) < to) j++;
    after[i] = j;
    const found = mostOf(evidence, first[i] as number, j);
    view.cause[i] = found.code;
    view.also[i] = found.also;
    view.proof[i] = found.proof;
    view.saturated[i] = found.code === 0 ? 0 : found.saturated;
    view.minutes[i] = Math.min(periodMinutes, found.minutes);
  }
  const feel = (i: number): void => {
    evidence.felt.fill(1, first[i] as number, after[i] as number);
  };
  const { isWhole, isAnyThrottled } = evidence;
  return { ...view, shares: null, isWhole, isAnyThrottled, isCoarse: false, feel };
}

/** Each period of the volume gets what the longer one of the evidence says. */
function spread(evidence: InstanceEvidence, axis: TimeAxis): InstanceOnAxis {
  const { length } = axis.epochSeconds;
  const periodMinutes = axis.periodSeconds / secondsPerMinute;
  const view = nothingThrottled(length);
  const at = new Int32Array(length).fill(-1);
  for (let i = 0, j = 0; i < length && evidence.cause.length > 0; i++) {
    const from = axis.epochSeconds[i] as number;
    while (j + 1 < evidence.cause.length && (evidence.epochSeconds[j + 1] as number) <= from) j++;
    const since = from - (evidence.epochSeconds[j] as number);
    if (since < 0 || since >= evidence.periodSeconds || evidence.cause[j] === 0) continue;
    at[i] = j;
    view.cause[i] = evidence.cause[j] as number;
    view.also[i] = evidence.also[j] as number;
    view.minutes[i] = Math.min(periodMinutes, evidence.minutes[j] as number);
    view.proof[i] = evidence.proof[j] as number;
    view.saturated[i] = evidence.saturated[j] as number;
  }
  const feel = (i: number): void => {
    if ((at[i] as number) >= 0) evidence.felt[at[i] as number] = 1;
  };
  const { isWhole, isAnyThrottled } = evidence;
  return { ...view, shares: null, isWhole, isAnyThrottled, isCoarse: true, feel };
}

export function instanceOnAxis(evidence: InstanceEvidence, axis: TimeAxis): InstanceOnAxis {
  if (evidence.periodSeconds > axis.periodSeconds) return spread(evidence, axis);
  if (evidence.periodSeconds < axis.periodSeconds || !sameTimes(evidence.epochSeconds, axis.epochSeconds))
    return gather(evidence, axis);
  const { cause, isAnyThrottled, also, minutes, proof, felt, saturated, shares, isWhole } = evidence;
  const feel = (i: number): void => {
    felt[i] = 1;
  };
  return { cause, isAnyThrottled, also, minutes, proof, saturated, shares, isWhole, isCoarse: false, feel };
}
