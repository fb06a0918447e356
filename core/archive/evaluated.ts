/** What evaluation says of each minute of a volume, as the archive keeps it: its status, the limit that was the cause, and whose it is. */
import { type Cause, causes } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import type { EvaluationColumn } from './columns.ts';
import type { ResourceMinutes } from './resource-minutes.ts';

/** Of a minute with figures. A minute without any has no status. */
export type MinuteStatus = 'ok' | 'throttled' | 'stalled' | 'unknown';

type Said = Readonly<Record<EvaluationColumn, string | null>>;

const said = (
  status: MinuteStatus,
  cause: string | null = null,
  limit_scope: string | null = null,
): Said => ({
  status,
  cause,
  limit_scope,
});

const ok = said('ok');

const saidOf: Readonly<Record<Cause, Said>> = {
  none: ok,
  'volume-iops': said('throttled', 'iops', 'volume'),
  'volume-throughput': said('throttled', 'throughput', 'volume'),
  'volume-credits': said('throttled', 'credits', 'volume'),
  'instance-iops': said('throttled', 'iops', 'instance'),
  'instance-throughput': said('throttled', 'throughput', 'instance'),
  'instance-credits': said('throttled', 'credits', 'instance'),
  stalled: said('stalled'),
  unknown: said('unknown'),
};

/** By the start of its minute, in seconds since 1970. */
export type EvaluatedMinutes = ReadonlyMap<number, Said>;

export function evaluatedMinutes({
  load: { epochSeconds },
  attribution: { cause },
}: {
  load: Pick<DiagnosedVolume['load'], 'epochSeconds'>;
  attribution: Pick<DiagnosedVolume['attribution'], 'cause'>;
}): EvaluatedMinutes {
  return new Map(
    Array.from(epochSeconds, (time, i) => [time, saidOf[causes[cause[i] as number] as Cause]] as const),
  );
}

/** Of a volume that few metrics cleared: each minute of which they say something. */
export function clearedMinutes({
  epochSeconds,
  metrics,
}: Pick<ResourceMinutes, 'epochSeconds' | 'metrics'>): EvaluatedMinutes {
  const queue = metrics.get('VolumeQueueLength');
  const known = Array.from(epochSeconds).filter((_, i) => !Number.isNaN(queue?.[i] ?? Number.NaN));
  return new Map(known.map((time) => [time, ok]));
}

export function withEvaluation(minutes: ResourceMinutes, evaluated: EvaluatedMinutes): ResourceMinutes {
  const of = (column: EvaluationColumn): (string | null)[] =>
    Array.from(minutes.epochSeconds, (time) => evaluated.get(time)?.[column] ?? null);
  const status = of('status');
  if (status.every((one) => one === null)) return minutes;
  return { ...minutes, evaluation: { status, cause: of('cause'), limit_scope: of('limit_scope') } };
}
