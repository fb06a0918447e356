/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import { only, outputOf, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

describe('the end of a workflow', () => {
  const succeed = only({ Type: 'Succeed', Output: { doubled: '{% $states.input.n * 2 %}' } });

  test('is the input of a Succeed state, whatever its Output says, without its patch', async () => {
    expect(outputOf(await servers.stock.run(succeed, { n: 21 }))).toEqual({ n: 21 });
  });

  test('is the Output of its Succeed state, also of an item of a Map', async () => {
    expect(outputOf(await servers.patched.run(succeed, { n: 21 }))).toEqual({ doubled: 42 });
    const map = only({ Type: 'Map', Items: [{ n: 1 }, { n: 2 }], ItemProcessor: succeed, End: true });
    expect(outputOf(await servers.patched.run(map, {}))).toEqual([{ doubled: 2 }, { doubled: 4 }]);
  });

  test('is the Error and Cause that a Fail state computes: nothing to patch', async () => {
    const fail = only({
      Type: 'Fail',
      Error: "{% 'Too' & 'Many' %}",
      Cause: '{% $string($states.input.n) %}',
    });
    expect(await servers.stock.run(fail, { n: 21 })).toMatchObject({
      status: 'FAILED',
      error: 'TooMany',
      cause: '21',
    });
  });
});

describe('an inline Map', () => {
  test('selects, keeps its order, and catches inside its items: nothing to patch', async () => {
    const mapped = only({
      Type: 'Map',
      Items: '{% $states.input.items %}',
      MaxConcurrency: 2,
      ItemSelector: {
        id: '{% $states.context.Map.Item.Value %}',
        of: '{% $states.context.Execution.Name %}',
      },
      ItemProcessor: {
        StartAt: 'Try',
        States: {
          Try: {
            Type: 'Task',
            Resource: 'arn:aws:states:::lambda:invoke',
            Arguments: { FunctionName: 'no-such-function', Payload: { id: '{% $states.input.id %}' } },
            Assign: { never: true },
            Catch: [
              {
                ErrorEquals: ['States.ALL'],
                Assign: { caught: '{% $states.errorOutput.Error %}' },
                Output: { id: '{% $states.input.id %}', of: '{% $states.input.of %}' },
                Next: 'Count',
              },
            ],
            End: true,
          },
          Count: {
            Type: 'Pass',
            Output: "{% $states.input.id & ' ' & $caught & ' ' & $states.input.of %}",
            End: true,
          },
        },
      },
      Output: '{% $join($states.result, ", ") %}',
      End: true,
    });
    const notified = await servers.stock.run(mapped, { items: ['a', 'b', 'c'] });
    const one = (id: string): string => `${id} Lambda.ResourceNotFoundException ${notified.name}`;
    expect(outputOf(notified)).toBe(`${one('a')}, ${one('b')}, ${one('c')}`);
  });
});
