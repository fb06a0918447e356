/** Pages with an end. */
import { pagesWithEnd } from '../../../adapters/aws/pages.ts';

async function* of(tokens: Iterable<string | undefined>): AsyncGenerator<{ NextToken: string | undefined }> {
  for (const NextToken of tokens) yield { NextToken };
}
function* endless(): Generator<string> {
  for (let page = 0; ; page += 1) yield `${page}`;
}

async function count(tokens: Iterable<string | undefined>): Promise<number> {
  let pages = 0;
  for await (const _ of pagesWithEnd(of(tokens))) pages += 1;
  return pages;
}

test.each([
  [[undefined], 1],
  [['a', 'b', undefined], 3],
])('%j are %p pages', async (tokens, pages) => {
  expect(await count(tokens)).toBe(pages);
});

test('a page that comes again, three times even, is passed through', async () => {
  expect(await count(['a', 'b', 'b', 'b', 'b', 'c', undefined])).toBe(7);
});

test('one that comes a fifth time has no end', async () => {
  await expect(count(['a', 'b', 'b', 'b', 'b', 'b'])).rejects.toThrow(
    'the same NextToken came 5 times in 6 pages: its list has no end',
  );
});

test('nor have tokens that are all different', async () => {
  await expect(count(endless())).rejects.toThrow('more than 1000 pages came');
});
