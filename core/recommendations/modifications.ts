/** What is known of the earlier modifications of a volume: how long the next one may take. */
import { type Known, known, unknown } from '../known.ts';
import { secondsPerMinute } from '../units.ts';

export const modificationStates = ['modifying', 'optimizing', 'completed', 'failed'] as const;

/** As EC2 reports it. */
export interface VolumeModification {
  state: (typeof modificationStates)[number];
  startEpochSeconds: number;
  /** Null while it goes on. */
  endEpochSeconds: number | null;
}

/** By volume id; a volume that is not there: nothing is known of its modifications. */
export type Modifications = ReadonlyMap<string, readonly VolumeModification[]>;

export interface ModificationTime {
  longestMinutes: number;
  /** That were completed. */
  count: number;
}

/** Why nobody can say how long the next one takes. */
export type ModificationTimeUnknown =
  | { code: 'modifications-unknown' }
  | { code: 'modification-not-completed'; state: 'modifying' | 'optimizing' };

/**
 * By the longest of those that were completed: one that goes on may take longer than all of them. The end is that of `optimizing`.
 * A record that ends before it began says nothing of how long one takes.
 */
export function modificationTimeOf(
  earlier: readonly VolumeModification[],
): Known<ModificationTime, ModificationTimeUnknown> {
  let [longestSeconds, count] = [0, 0];
  for (const { state, startEpochSeconds, endEpochSeconds } of earlier) {
    if (state === 'modifying' || state === 'optimizing')
      return unknown({ code: 'modification-not-completed', state });
    // What failed says nothing of how long one takes.
    if (state === 'failed' || endEpochSeconds === null || endEpochSeconds < startEpochSeconds) continue;
    longestSeconds = Math.max(longestSeconds, endEpochSeconds - startEpochSeconds);
    count++;
  }
  return count === 0
    ? unknown({ code: 'modifications-unknown' })
    : known({ longestMinutes: Math.ceil(longestSeconds / secondsPerMinute), count });
}
