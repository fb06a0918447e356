/** What is wrong at a place of the configuration, in a line: what stands there, and what would be right. */
export interface Problem {
  /** Where in the file. */
  path: readonly PropertyKey[];
  text: string;
  /** The key that is wrong, in the section at `path`. */
  key?: string;
}

/** `routes[0].to`. */
export const placeText = (path: readonly PropertyKey[]): string =>
  path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('');
