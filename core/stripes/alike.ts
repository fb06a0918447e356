/**
 * Do two volumes carry parts of one load? A stripe deals its I/O out chunk by chunk, so over a minute its members have the
 * same number of operations and bytes, but for chance. Volumes that something else keeps in balance (data directories of a
 * Cassandra or Kafka node, disks of a Ceph node) can look like it, since their load rises and falls together too. What
 * guards against taking them for one: many busy periods, a narrow tolerance, neither having more in the long run, a load
 * that varies by much more than the two differ (two steady loads may be equal by chance), and no word from periods in
 * which a limit makes both equal. What is left of the doubt is said: inferred stripes are labelled, and of low confidence
 * unless the parts are as even as dealing out makes them.
 */
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeLoad } from '../load/volume-load.ts';

/** Numbers of n events that are dealt out at random differ by so many times the root of n, seldom by more. */
const chanceSigmas = 4;

/** On average over the periods that count, their operations differ by so much of the larger. */
export interface Likeness {
  spread: number;
}

type LimitFigures = Pick<VolumeLimits, 'burstIops' | 'burstMiBps' | 'baselineIops' | 'baselineMiBps'>;

/** At the limit, with or without credits: what is throttled there is equal whatever it demanded. */
function isPinned(iops: number, mibps: number, limits: LimitFigures): boolean {
  const share = fixedThresholds.atLimitShare;
  return (
    iops >= share * limits.burstIops ||
    mibps >= share * limits.burstMiBps ||
    (iops >= share * limits.baselineIops && iops * share <= limits.baselineIops) ||
    (mibps >= share * limits.baselineMiBps && mibps * share <= limits.baselineMiBps)
  );
}

const differs = (a: number, b: number, within: number): boolean => Math.abs(a - b) > within * Math.max(a, b);

/** What the periods say in which at least one of the two is busy and no limit decides. */
class Tally {
  counted = 0;
  missed = 0;
  /** Of periods in which they agree: that one of them alone is busy now and then makes no load that they share. */
  private sum = 0;
  private squares = 0;
  /** By how much of the larger the two differ, and by how much more the first has, added up. */
  private differences = 0;
  private firstMore = 0;

  add(a: number, b: number, isMiss: boolean): void {
    this.counted++;
    const most = Math.max(a, b);
    if (isMiss) this.missed++;
    else {
      this.sum += most;
      this.squares += most * most;
    }
    this.differences += Math.abs(a - b) / most;
    this.firstMore += (a - b) / most;
  }

  get likeness(): Likeness | null {
    const { counted, missed, sum, squares } = this;
    if (counted < fixedThresholds.stripeBusyPeriods) return null;
    if (missed > (1 - fixedThresholds.stripeAlikeShare) * counted) return null;
    if (Math.abs(this.firstMore) > fixedThresholds.stripeMostBias * counted) return null;
    const agreed = counted - missed;
    const mean = sum / agreed;
    const variation = Math.sqrt(Math.max(0, squares / agreed - mean * mean)) / mean;
    const spread = this.differences / counted;
    const isTogether =
      variation >= fixedThresholds.stripeLeastVariation &&
      variation >= fixedThresholds.stripeVariationTimes * spread;
    return isTogether ? { spread } : null;
  }
}

/**
 * Whether operations (reads and writes) and bytes of two volumes are nearly the same in nearly all busy periods.
 * @param limits of both: they are configured alike.
 * @returns null where they are not, or where too few periods tell.
 */
export function likeness(a: VolumeLoad, b: VolumeLoad, limits: LimitFigures): Likeness | null {
  if (a.periodSeconds !== b.periodSeconds) return null;
  const mostMisses = (1 - fixedThresholds.stripeAlikeShare) * Math.min(a.ops.length, b.ops.length);
  const { periodSeconds } = a;
  const tally = new Tally();
  let [i, j] = [0, 0];
  while (i < a.ops.length && j < b.ops.length && tally.missed <= mostMisses) {
    const step = (a.epochSeconds[i] as number) - (b.epochSeconds[j] as number);
    if (step < 0) i++;
    else if (step > 0) j++;
    else {
      const [opsA, opsB] = [a.ops[i] as number, b.ops[j] as number];
      const [mibA, mibB] = [a.mibps[i] as number, b.mibps[j] as number];
      const most = Math.max(opsA, opsB);
      // Not with NaN: what is unknown says nothing.
      const isBusy = most >= fixedThresholds.stripeLeastOps && mibA + mibB >= 0;
      if (isBusy && !isPinned(most / periodSeconds, Math.max(mibA, mibB), limits)) {
        const within = Math.max(fixedThresholds.stripeAlikeWithin, chanceSigmas / Math.sqrt(most));
        tally.add(opsA, opsB, differs(opsA, opsB, within) || differs(mibA, mibB, within));
      }
      i++;
      j++;
    }
  }
  return tally.likeness;
}
