/** Pages of a list that AWS gives in parts, with an end: a NextToken that comes again would be asked for without one. */
interface Page {
  NextToken?: string | undefined;
}

/** More than any list of ours has: of tokens that are all different, there is no end either. */
const mostPages = 1_000;

/**
 * The pages as they come.
 * @throws where a NextToken comes again, or pages without end: what was read is not the whole, and is not taken as it.
 */
export async function* pagesOnce<P extends Page>(pages: AsyncIterable<P>): AsyncGenerator<P> {
  const seen = new Set<string>();
  for await (const page of pages) {
    const { NextToken } = page;
    if (NextToken !== undefined && seen.has(NextToken))
      throw new Error(`the same NextToken came twice, after ${seen.size} pages: its list has no end`);
    if (seen.size >= mostPages) throw new Error(`more than ${mostPages} pages came: its list has no end`);
    if (NextToken !== undefined) seen.add(NextToken);
    yield page;
  }
}
