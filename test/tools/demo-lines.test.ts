/** What a demo says while a step takes long. */
import { DemoLines } from '../../tools/demo-lines.ts';

let said: string[];
beforeEach(() => {
  said = [];
  jest.useFakeTimers();
  jest.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const after = (milliseconds: number): Promise<string> =>
  new Promise((resolve) => setTimeout(() => resolve('done'), milliseconds));

test('a step that takes less than two seconds is said once', async () => {
  const lines = new DemoLines();
  lines.step('begun');
  const working = lines.during(() => 'half of it', after(1_700));
  await jest.advanceTimersByTimeAsync(1_700);
  expect(await working).toBe('done');
  expect(said).toEqual(['[  0 s] begun']);
});

test('every two seconds of silence it is said how far the step is', async () => {
  const lines = new DemoLines();
  let posts = 0;
  const working = lines.during(async () => `${++posts} posts`, after(4_700));
  await jest.advanceTimersByTimeAsync(3_000);
  lines.step('something else');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await working).toBe('done');
  await jest.advanceTimersByTimeAsync(10_000);
  // After 1.8 s; at 3 s something else was said, and 1.7 s later it was over.
  expect(said).toEqual(['[  2 s]   ... 1 posts', '[  3 s] something else']);
});

test('where nobody can tell how far it is, it goes on', async () => {
  const lines = new DemoLines();
  const working = lines.during(() => Promise.reject(new Error('the server is gone')), after(2_500));
  await jest.advanceTimersByTimeAsync(2_500);
  await working;
  expect(said).toEqual(['[  2 s]   ... it goes on']);
});

test('the trouble of a step is its own', async () => {
  const lines = new DemoLines();
  await expect(lines.during(() => 'x', Promise.reject(new Error('cdk deploy failed')))).rejects.toThrow(
    'cdk deploy failed',
  );
  await jest.advanceTimersByTimeAsync(10_000);
  expect(said).toEqual([]);
});
