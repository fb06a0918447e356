/** Replies that the SDK cannot read, cut short on their way say: they pass, and are asked for again. */
import type { Pluggable } from '@smithy/types';
import { Unavailable } from '../../core/errors.ts';

/**
 * The SDK adds the reply to any error that comes of one, `$fault` to one that AWS named. What S3 sends it holds against the
 * checksum beside it.
 */
export const isGarbled = (error: object): boolean =>
  ('$response' in error && !('$fault' in error)) ||
  (error instanceof Error && error.message.startsWith('Checksum mismatch'));

/** The SDK itself tries again only what AWS or the network says has failed. */
export function retryGarbled<Input extends object, Output extends object>(): Pluggable<Input, Output> {
  return {
    applyToStack: (stack) => {
      stack.add(
        (next) => async (args) => {
          try {
            return await next(args);
          } catch (error) {
            if (isGarbled(error as object))
              Object.assign(error as object, { $retryable: { throttling: false } });
            throw error;
          }
        },
        // Around what reads the reply, inside of what tries again.
        { step: 'deserialize', name: 'stripewiseRetryGarbled', priority: 'high', override: true },
      );
    },
  };
}

/**
 * The list of a reply. An empty one is there all the same: without it the reply was something else, a proxy's page or
 * nothing at all, and would be read as an account that has nothing.
 */
export function listed<T>(list: T[] | undefined, name: string): T[] {
  if (list === undefined) throw new Unavailable(`a reply came without ${name}: it is no list of them`);
  return list;
}
