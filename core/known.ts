/** A value that may be unknown. Unknown is never zero, an average or a fallback: it says why. */
export type Known<T, Reason = string> = { known: true; value: T } | { known: false; reason: Reason };

export const known = <T>(value: T): { known: true; value: T } => ({ known: true, value });
export const unknown = <Reason>(reason: Reason): { known: false; reason: Reason } => ({
  known: false,
  reason,
});
