/** The factory of handlers as Node runs it: what it is made of has no form that Jest can load. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const file = join(__dirname, '../../../lambdas/shared/create-handler.ts');

/** What comes of a function with so much time left that takes 60 ms, or what it throws. */
async function outcome(event: object, remainingMs: number): Promise<string> {
  const script = `
    import { setTimeout as after } from 'node:timers/promises';
    import { z } from 'zod';
    import { createHandler } from ${JSON.stringify(file)};
    const handler = createHandler(z.object({ runId: z.string() }), async () => { await after(60); return 'done'; });
    const context = { functionName: 'f', getRemainingTimeInMillis: () => ${remainingMs} };
    const came = await handler(${JSON.stringify(event)}, context).catch((error) => error.name + ': ' + error.message);
    process.stdout.write('\\n' + came);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(__dirname, '../../..'),
  });
  return stdout.split('\n').at(-1) as string;
}

test('nothing but Lambda ends a function whose time is over: only its name for that is retried', async () => {
  expect(await outcome({ runId: 'r' }, 20)).toBe('done');
});

test('an event that is not as it must be is refused in one line', async () => {
  expect(await outcome({ runId: 1 }, 1_000)).toMatch(/^BadInput: the input: runId: /);
});
