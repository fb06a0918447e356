/** The time that an audit looks at, and how much of it must be known. */
import { fixedThresholds } from './thresholds.ts';

export interface AuditWindow {
  startEpochSeconds: number;
  endEpochSeconds: number;
}

export const secondsOf = ({ startEpochSeconds, endEpochSeconds }: AuditWindow): number =>
  endEpochSeconds - startEpochSeconds;

/** Is enough known for the absence of a finding to mean something? */
export const isEnoughKnown = (knownSeconds: number, window: AuditWindow): boolean =>
  knownSeconds >=
  Math.min(fixedThresholds.healthyKnownSeconds, fixedThresholds.healthyKnownShare * secondsOf(window));
