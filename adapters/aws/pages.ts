/**
 * Pages of a list that AWS gives in parts, with an end. A page that comes again is passed through: who reads the list takes
 * each thing once. One that comes again and again would be asked for without end.
 */

/** So often a page may come again. */
const maxRepeats = 3;
/** More than any list of ours has: of tokens that are all different, there is no end either. */
const maxPages = 1_000;

/** Looks at the token of each page as it comes. */
export class PagesWithEnd {
  private readonly seen = new Map<string, number>();
  private pages = 0;

  /** @throws where the list has no end: what was read of it is not the whole, and is not taken as it. */
  look(nextToken: string | undefined): void {
    if (nextToken === undefined) return;
    this.pages++;
    const times = (this.seen.get(nextToken) ?? 0) + 1;
    this.seen.set(nextToken, times);
    if (times > maxRepeats + 1) {
      throw new Error(`the same NextToken came ${times} times in ${this.pages} pages: its list has no end`);
    }
    if (this.pages >= maxPages) throw new Error(`more than ${maxPages} pages came: its list has no end`);
  }
}

/** The pages as they come. @throws where there is no end of them. */
export async function* pagesWithEnd<P extends { NextToken?: string | undefined }>(
  pages: AsyncIterable<P>,
): AsyncGenerator<P> {
  const seen = new PagesWithEnd();
  for await (const page of pages) {
    seen.look(page.NextToken);
    yield page;
  }
}
