/** Pages with an end. */
import { pagesOnce } from '../../../adapters/aws/pages.ts';

async function* of(tokens: Iterable<string | undefined>): AsyncGenerator<{ NextToken: string | undefined }> {
  for (const NextToken of tokens) yield { NextToken };
}
function* endless(): Generator<string> {
  for (let page = 0; ; page += 1) yield `${page}`;
}

async function count(tokens: Iterable<string | undefined>): Promise<number> {
  let pages = 0;
  for await (const _ of pagesOnce(of(tokens))) pages += 1;
  return pages;
}

test.each([
  [[undefined], 1],
  [['a', 'b', undefined], 3],
])('%j are %p pages', async (tokens, pages) => {
  expect(await count(tokens)).toBe(pages);
});

test('a token that comes again has no end', async () => {
  await expect(count(['a', 'b', 'c', 'b'])).rejects.toThrow('the same NextToken came twice, after 3 pages');
});

test('nor have tokens that are all different', async () => {
  await expect(count(endless())).rejects.toThrow('more than 1000 pages came');
});
