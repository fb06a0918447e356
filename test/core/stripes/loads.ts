/** Loads of volumes as a stripe makes them, and as something else keeps them in balance. */
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import { uniformSource } from '../../simulator/random.ts';

/** A load by its operations a period (16 KiB each unless `kib` says otherwise), from time 0 on. */
export function loadBy(
  ops: readonly number[],
  more: Partial<VolumeLoad> & { kib?: number } = {},
): VolumeLoad {
  const { kib = 16, periodSeconds = 60, ...others } = more;
  const counts = Float64Array.from(ops);
  return {
    periodSeconds,
    epochSeconds: counts.map((_, i) => i * periodSeconds),
    ops: counts,
    iops: counts.map((count) => count / periodSeconds),
    mibps: counts.map((count) => (count * kib) / 1024 / periodSeconds),
    activeTimeIops: null,
    busyMiBps: null,
    queueLength: null,
    latencyMs: null,
    knownSeconds: counts.length * periodSeconds,
    ...others,
  };
}

/** A normal number, nearly: of twelve uniform ones. */
function normal(uniform: () => number): number {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += uniform();
  return sum;
}

/** Operations of a whole that rises and falls over the day, `most` a minute. */
export const daily = (minutes: number, most: number): number[] =>
  Array.from({ length: minutes }, (_, i) => most * (0.55 - 0.45 * Math.cos((2 * Math.PI * i) / 1_440)));

/** So many members with equal chances at each operation: their counts differ by chance alone. */
export function dealtOut(whole: readonly number[], members: number, name = 'stripe'): VolumeLoad[] {
  return Array.from({ length: members }, (_, member) => {
    const uniform = uniformSource(7, `${name} ${member}`);
    const share = 1 / members;
    return loadBy(
      whole.map((ops) =>
        Math.max(0, Math.round(ops * share + normal(uniform) * Math.sqrt(ops * share * (1 - share)))),
      ),
    );
  });
}

/** Volumes whose load rises and falls together, each minute off by a share of its own. */
export const balanced = (whole: readonly number[], members: number, off: number): VolumeLoad[] =>
  Array.from({ length: members }, (_, member) => {
    const uniform = uniformSource(11, `balanced ${member}`);
    return loadBy(whole.map((ops) => Math.round((ops / members) * Math.max(0, 1 + off * normal(uniform)))));
  });

/** 1,000 IOPS at most. */
export const twoDays = daily(2 * 1_440, 60_000);

/** Loads in the order of vol-1, vol-2 and so on. */
export const loadsIn =
  (loads: readonly VolumeLoad[]) =>
  (volumeId: string): VolumeLoad | null =>
    loads[Number(volumeId.slice('vol-'.length)) - 1] ?? null;
