/** A list that may be long, in a sentence. */
const maxNamed = 5;

/** The first few of them: how many there are is reported beside them. */
export const firstFew = <T>(all: readonly T[]): T[] => all.slice(0, maxNamed);

/** The first few of them, and how many more there are. */
export const fewOf = (names: readonly string[]): string =>
  [...names.slice(0, maxNamed), ...(names.length > maxNamed ? [`${names.length - maxNamed} more`] : [])].join(
    ', ',
  );
