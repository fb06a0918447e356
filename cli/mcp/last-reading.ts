/** Keeps what a list was made of, so that all its parts are of one reading: nothing is lost between them, or comes twice. */

/** The next part is asked for soon: after ten minutes it is read anew. */
const keptMs = 600_000;

export class LastReading<T> {
  private kept: { asked: string; value: T; atMs: number } | null = null;

  /**
   * @param asked what it is a reading of.
   * @param cursor of the part; without one it is read anew.
   */
  async of(
    asked: object,
    { cursor, now }: { cursor: string | undefined; now: Date },
    read: () => Promise<T>,
  ): Promise<T> {
    const { kept } = this;
    const key = JSON.stringify(asked);
    const atMs = now.getTime();
    if (cursor !== undefined && kept?.asked === key && atMs - kept.atMs < keptMs) return kept.value;
    const value = await read();
    this.kept = { asked: key, value, atMs };
    return value;
  }
}
