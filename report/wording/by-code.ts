/** Words of a union of codes: one function a code, none left out. */
export type WordsByCode<T extends { code: string }> = {
  [C in T['code']]: (one: Extract<T, { code: C }>) => string;
};

export function wordsOf<T extends { code: string }>(words: WordsByCode<T>, one: T): string {
  // The function of a code takes what has this code.
  const byCode = words as unknown as Record<T['code'], (one: T) => string>;
  return byCode[one.code as T['code']](one);
}
