/** Changes of the deployed service: where their function is, and what is asked of it. */
import { callChanges, changesUrl } from '../adapters/aws/changes-url.ts';
import type { ChangesAnswerTo, ChangesRequest } from '../core/schemas/changes-answers.ts';
import type { Io } from './io.ts';
import { inStack, type StackOptions } from './stack.ts';

/** So long nobody wonders. */
const quietMs = 2_000;

/** Says that it is asked, where that takes longer. */
async function orSaid<T>(io: Io, ask: () => Promise<T>): Promise<T> {
  const timer = io.errIsTerminal
    ? setTimeout(() => io.err('asking the deployed changes ...'), quietMs)
    : undefined;
  try {
    return await ask();
  } finally {
    clearTimeout(timer);
  }
}

export type AskChanges = <Asked extends ChangesRequest>(request: Asked) => Promise<ChangesAnswerTo<Asked>>;

/**
 * Runs what asks the changes of a stack.
 * @throws BadInput where there is no stack, or changes are not turned on in it.
 */
export const withChanges = <T>(
  options: StackOptions,
  io: Io,
  run: (ask: AskChanges, place: string) => Promise<T>,
): Promise<T> =>
  inStack(options, 'changes', async (session, stack) => {
    const url = await orSaid(io, () => changesUrl(session, stack));
    const ask: AskChanges = (request) => orSaid(io, () => callChanges(session, url, request));
    return run(ask, `the stack ${stack} in ${session.region}`);
  });
