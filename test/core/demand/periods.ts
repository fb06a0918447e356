/** A load with what throttled it, from a few words a period. */
import type { Attribution } from '../../../core/diagnosis/attribute.ts';
import { type Cause, causeCode } from '../../../core/diagnosis/causes.ts';
import type { VolumeLoad } from '../../../core/load/volume-load.ts';

export interface Period {
  iops: number;
  /** 16 unless given. */
  ioKiB?: number;
  latencyMs?: number;
  queue?: number;
  /** Whatever is not none was throttled. */
  cause?: Cause;
  isMicroBurst?: boolean;
  /** I/O a second while not idle; as on average unless given. */
  activeTimeIops?: number;
}

interface ThrottledLoad {
  load: VolumeLoad;
  attribution: Attribution;
}

const column = (periods: readonly Period[], value: (period: Period) => number | undefined): Float64Array =>
  Float64Array.from(periods, (period) => value(period) ?? Number.NaN);

/** Minutes in a row. A metric that no period has is not there. */
export function throttledLoad(periods: readonly Period[], periodSeconds = 60): ThrottledLoad {
  const metric = (value: (period: Period) => number | undefined): Float64Array | null => {
    const values = column(periods, value);
    return values.every(Number.isNaN) ? null : values;
  };
  const { length } = periods;
  return {
    load: {
      periodSeconds,
      epochSeconds: Float64Array.from(periods, (_, i) => i * periodSeconds),
      ops: column(periods, ({ iops }) => iops * periodSeconds),
      iops: column(periods, ({ iops }) => iops),
      mibps: column(periods, ({ iops, ioKiB = 16 }) => (iops * ioKiB) / 1024),
      activeTimeIops: metric(({ iops, activeTimeIops }) => activeTimeIops ?? iops),
      busyMiBps: null,
      queueLength: metric(({ queue }) => queue),
      latencyMs: metric(({ latencyMs }) => latencyMs),
      knownSeconds: length * periodSeconds,
    },
    attribution: {
      cause: Uint8Array.from(periods, ({ cause = 'none' }) => causeCode[cause]),
      also: new Uint16Array(length),
      throttledMinutes: column(periods, ({ cause }) => (cause === undefined ? 0 : periodSeconds / 60)),
      throttledAt: Int32Array.from(periods.flatMap(({ cause }, i) => (cause === undefined ? [] : [i]))),
      microBurst: Uint8Array.from(periods, ({ isMicroBurst }) => (isMicroBurst ? 1 : 0)),
      timesCalmQueue: null,
      proof: new Uint8Array(length),
      confidence: new Uint8Array(length),
      balance: null,
      atBaseline: null,
    },
  };
}

/** Calm minutes of a few workers whose I/O take now a little less, now a little more than a millisecond. */
export const calmWorkers = (count: number, workers: number, thinkMs: number): Period[] =>
  Array.from({ length: count }, (_, i) => {
    const latencyMs = i % 2 === 0 ? 0.95 : 1.05;
    const iops = workers / ((latencyMs + thinkMs) / 1_000);
    return { iops, latencyMs, queue: (iops * latencyMs) / 1_000 };
  });

/** Minutes alike. */
export const times = (count: number, period: Period): Period[] => Array.from({ length: count }, () => period);
