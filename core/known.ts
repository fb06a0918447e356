/** A value that may be unknown. Unknown is never zero, an average or a fallback: it says why. */
export type Known<T> = { known: true; value: T } | { known: false; because: string };

export const known = <T>(value: T): Known<T> => ({ known: true, value });
export const unknown = (because: string): { known: false; because: string } => ({ known: false, because });
