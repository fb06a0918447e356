/** Samples of a union of codes: of each code at least one, or it does not compile. */
type NotEmpty<T> = readonly [T, ...T[]];

export const samplesOf = <T extends { code: string }>(
  byCode: {
    [C in T['code']]: NotEmpty<Omit<Extract<T, { code: C }>, 'code'>>;
  },
): T[] =>
  // A code with what stands beside it is of the union: the compiler does not follow that through the entries.
  Object.entries<readonly object[]>(byCode).flatMap(([code, many]) =>
    many.map((one) => ({ code, ...one }) as unknown as T),
  );
