/** Text from elsewhere that should be JSON, for a schema to look at: null, which no document of ours is, where it is not. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
