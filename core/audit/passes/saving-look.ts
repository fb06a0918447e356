/** Could a volume cost less, depending on its load? Asked with the least that it may need, before its load is known. */
import { presentUsd, stripe } from '../../advice/savings/candidates.ts';
import { type ObservedNeed, observedNeed } from '../../advice/savings/observed-need.ts';
import {
  type Saving,
  type SavingsBeside,
  type SavingsOf,
  volumeSavings,
} from '../../advice/savings/volume-savings.ts';
import { type AuditWindow, secondsOf } from '../../diagnosis/audit-window.ts';
import { known, unknown } from '../../known.ts';
import type { VolumeLoad } from '../../load/volume-load.ts';

export interface SavingLook {
  /** A saving that is told whatever its load is. */
  isToldAnyway(): boolean;
  /** @param load averages of the volume; null before they are read: it may need nothing at all. */
  dependsOnLoad(load: VolumeLoad | null): boolean;
}

const never: SavingLook = { dependsOnLoad: () => false, isToldAnyway: () => false };

/** Kind and severity: what is told of money. */
const toldOf = (savings: readonly Saving[]): string[] =>
  savings.map(({ draft }) => `${draft.kind} ${draft.severity}`);

const advisedUsd = ({ draft }: Saving): number => draft.evidence.advisedMonthlyUsd;

/**
 * A stripe is told where it beats what can be had in place. That costs most where nothing can be lowered, and a stripe
 * least where least is needed: so much is the most that it saves.
 */
function couldStripe(of: SavingsOf, sure: readonly Saving[], least: ObservedNeed): boolean {
  const { present, alike, freeAttachments, thresholds } = of;
  if (alike.length > 0 || freeAttachments === null) return false;
  if (present.config.volumeType !== 'gp2' && present.config.volumeType !== 'gp3') return false;
  const found = stripe(present, least.rates, freeAttachments);
  const inPlaceUsd = Math.min(presentUsd(present), ...sure.map(advisedUsd));
  const saved = found === null ? 0 : inPlaceUsd - found.monthlyUsd;
  return saved >= thresholds.cheaperStripeUsd && saved >= thresholds.cheaperStripeShare * inPlaceUsd;
}

/** @param of null where prices are not known: then no saving is looked for. */
export function savingLook(of: SavingsBeside | null, window: AuditWindow, periodSeconds: number): SavingLook {
  if (of === null) return never;
  const { present, thresholds } = of;
  // Without a replay that would refuse some of them: the most that could be told.
  const asking = { ...of, atItsLimit: false, heldBackMinutesWith: null };
  const savings = (seen: SavingsOf['seen']): Saving[] => volumeSavings({ ...asking, seen });
  const told = (): Saving[] => savings(unknown({ code: 'not-read' }));
  return {
    isToldAnyway: () => told().length > 0,
    dependsOnLoad(load) {
      if (secondsOf(window) < thresholds.savingWindowSeconds) return false;
      const rates =
        load === null
          ? { iops: 0, throughputMiBps: 0 }
          : observedNeed(load, present.config.volumeType, window, 0, thresholds).least;
      const least: ObservedNeed = {
        peak: { iops: 0, throughputMiBps: 0 },
        rates,
        cutIops: 0,
        knownSeconds: secondsOf(window),
        periodSeconds,
        confidence: 'high',
      };
      const sure = told();
      const atMost = savings(known(least));
      // Of io1 the load decides which of two ways is told: lower figures, or another type.
      if (present.config.volumeType === 'io1' && atMost.length > 0) return true;
      const sureKinds = toldOf(sure);
      return (
        toldOf(atMost).some((one) => !sureKinds.includes(one)) ||
        couldStripe({ ...asking, seen: known(least) }, sure, least)
      );
    },
  };
}
