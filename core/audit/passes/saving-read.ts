/** Could a volume cost less, depending on its load? Asked with the least that it may need, before its load is known. */

import { type AuditWindow, secondsOf } from '../../diagnosis/thresholds.ts';
import { known, unknown } from '../../known.ts';
import type { VolumeLoad } from '../../load/volume-load.ts';
import { currentUsd, stripe } from '../../recommendations/candidates.ts';
import {
  type ObservedNeed,
  observedNeed,
  type Saving,
  type SavingsBeside,
  type SavingsOf,
  volumeSavings,
} from '../../recommendations/savings.ts';

export interface SavingRead {
  /** A saving that is reported whatever its load is. */
  isReportedAnyway(): boolean;
  /** @param load averages of the volume; null before they are read: it may need nothing at all. */
  dependsOnLoad(load: VolumeLoad | null): boolean;
}

const never: SavingRead = { dependsOnLoad: () => false, isReportedAnyway: () => false };

/** Kind and severity: what is reported of money. */
const notifiedOf = (savings: readonly Saving[]): string[] =>
  savings.map(({ draft }) => `${draft.kind} ${draft.severity}`);

const recommendedUsd = ({ draft }: Saving): number => draft.evidence.recommendedMonthlyUsd;

/**
 * A stripe is reported where it beats what can be had in place. That costs most where nothing can be lowered, and a stripe
 * least where least is needed: so much is the most that it saves.
 */
function couldStripe(of: SavingsOf, sure: readonly Saving[], least: ObservedNeed): boolean {
  const { current, alike, freeAttachments, thresholds } = of;
  if (alike.length > 0 || freeAttachments === null) return false;
  if (current.config.volumeType !== 'gp2' && current.config.volumeType !== 'gp3') return false;
  const found = stripe(current, least.rates, freeAttachments);
  const inPlaceUsd = Math.min(currentUsd(current), ...sure.map(recommendedUsd));
  const saved = found === null ? 0 : inPlaceUsd - found.monthlyUsd;
  return saved >= thresholds.cheaperStripeUsd && saved >= thresholds.cheaperStripeShare * inPlaceUsd;
}

/** @param of null where prices are not known: then no saving is looked for. */
export function savingRead(of: SavingsBeside | null, window: AuditWindow, periodSeconds: number): SavingRead {
  if (of === null) return never;
  const { current, thresholds } = of;
  // Without a replay that would refuse some of them: the most that could be reported.
  const asking = { ...of, atItsLimit: false, throttledMinutesWith: null };
  const savings = (seen: SavingsOf['seen']): Saving[] => volumeSavings({ ...asking, seen });
  const notified = (): Saving[] => savings(unknown({ code: 'not-read' }));
  return {
    isReportedAnyway: () => notified().length > 0,
    dependsOnLoad(load) {
      if (secondsOf(window) < thresholds.savingWindowSeconds) return false;
      const rates =
        load === null
          ? { iops: 0, throughputMiBps: 0 }
          : observedNeed(load, current.config.volumeType, window, 0, thresholds).least;
      const least: ObservedNeed = {
        peak: { iops: 0, throughputMiBps: 0 },
        rates,
        cutIops: 0,
        knownSeconds: secondsOf(window),
        periodSeconds,
        confidence: 'high',
      };
      const sure = notified();
      const atMost = savings(known(least));
      // Of io1 the load decides which of two ways is reported: lower figures, or another type.
      if (current.config.volumeType === 'io1' && atMost.length > 0) return true;
      const sureKinds = notifiedOf(sure);
      return (
        notifiedOf(atMost).some((one) => !sureKinds.includes(one)) ||
        couldStripe({ ...asking, seen: known(least) }, sure, least)
      );
    },
  };
}
