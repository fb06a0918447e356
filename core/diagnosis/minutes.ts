/** The diagnosis as rows: each period in which something was throttled, or in which nobody can tell. */
import { narrowHigh } from '../demand/demand.ts';
import { isoFromEpochSeconds } from '../units.ts';
import { alsoCauses, causeCode, causes, confidences, proofs } from './causes.ts';
import type { DiagnosedVolume } from './diagnosed-volume.ts';
import { limitsInForce } from './limits-in-force.ts';

/** The columns of a row, in order; what is not known is empty. */
export const minuteColumns = [
  'timestamp',
  'volume_id',
  'cause',
  'also',
  'confidence',
  'proved_by',
  'throttled_minutes',
  'micro_burst',
  'iops',
  'mibps',
  'active_time_iops',
  'queue_length',
  'latency_ms',
  'balance_percent',
  'demand_iops_low',
  'demand_iops_high',
  'demand_mibps_low',
  'demand_mibps_high',
  'limit_iops',
  'limit_mibps',
  'volume_name',
  'instance_id',
] as const;

const digits = 3;
const known = (value: number | undefined): number | '' =>
  value === undefined || !Number.isFinite(value) ? '' : Number(value.toFixed(digits));

/** One row a period that is not quiet, in time order; empty text where a figure is unknown. */
export function* notQuiet(diagnosed: DiagnosedVolume): Generator<(string | number)[]> {
  const { volume, load, attribution, demand } = diagnosed;
  const { cause, also, confidence, proof, throttledMinutes, microBurst, balance } = attribution;
  const instanceIds = volume.attachments.map(({ instanceId }) => instanceId).join(' ');
  for (let i = 0; i < cause.length; i++) {
    const code = cause[i] as number;
    if (code === causeCode.none) continue;
    const isUnknown = code === causeCode.unknown;
    const limit = limitsInForce(diagnosed, i);
    yield [
      isoFromEpochSeconds(load.epochSeconds[i] as number),
      volume.volumeId,
      causes[code] as string,
      alsoCauses(also[i] as number).join(' '),
      isUnknown ? '' : (confidences[confidence[i] as number] as string),
      isUnknown ? '' : (proofs[proof[i] as number] as string),
      isUnknown ? '' : known(throttledMinutes[i]),
      isUnknown ? '' : microBurst[i] === 1 ? 'yes' : 'no',
      known(load.iops[i]),
      known(load.mibps[i]),
      known(load.activeTimeIops?.[i]),
      known(load.queueLength?.[i]),
      known(load.latencyMs?.[i]),
      known(balance?.percent[i]),
      known(demand.lowIops[i]),
      known(narrowHigh(demand.lowIops[i] as number, demand.highIops[i] as number)),
      known(demand.lowMiBps[i]),
      known(narrowHigh(demand.lowMiBps[i] as number, demand.highMiBps[i] as number)),
      known(limit.iops),
      known(limit.mibps),
      volume.name ?? '',
      instanceIds,
    ];
  }
}
