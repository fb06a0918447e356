/** Where the output may have colors: on a terminal that has them, and where NO_COLOR is not set; nowhere else. */
import { mayColor } from '../../cli/process-io.ts';

type Stream = Parameters<typeof mayColor>[0];

const terminal = (has = true): Stream => ({ isTTY: true, hasColors: () => has });

test.each<[string, Stream, NodeJS.ProcessEnv, boolean]>([
  ['a terminal', terminal(), {}, true],
  ['a terminal and NO_COLOR=1', terminal(), { NO_COLOR: '1' }, false],
  ['a terminal and NO_COLOR of any text', terminal(), { NO_COLOR: 'false' }, false],
  ['a terminal and an empty NO_COLOR, which is none', terminal(), { NO_COLOR: '' }, true],
  ['a terminal, NO_COLOR and FORCE_COLOR', terminal(), { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ['a terminal without colors', terminal(false), {}, false],
  ['a pipe or a file', {}, {}, false],
  ['a pipe and FORCE_COLOR', { hasColors: (): boolean => true }, { FORCE_COLOR: '1' }, false],
])('%s', (_, stream, env, expected) => {
  expect(mayColor(stream, env)).toBe(expected);
});

test('the stream is asked about this environment', () => {
  const asked: NodeJS.ProcessEnv[] = [];
  const env = { TERM: 'dumb' };
  mayColor({ isTTY: true, hasColors: (given) => asked.push(given) > 0 }, env);
  expect(asked).toEqual([env]);
});
