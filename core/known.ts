/** A value that may be unknown. Unknown is never zero, an average or a fallback: it says why. */
export type Known<T, Because = string> = { known: true; value: T } | { known: false; because: Because };

export const known = <T>(value: T): { known: true; value: T } => ({ known: true, value });
export const unknown = <Because>(because: Because): { known: false; because: Because } => ({
  known: false,
  because,
});
