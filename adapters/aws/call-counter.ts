/** Counts every call that a client sends, each retry too: AWS bills and throttles those. */
import type { Pluggable } from '@smithy/types';

export class CallCounter {
  total = 0;

  /** For the middleware stack of any client. */
  plugin<Input extends object, Output extends object>(): Pluggable<Input, Output> {
    return {
      applyToStack: (stack) => {
        stack.add(
          (next) => (args) => {
            this.total++;
            return next(args);
          },
          // After the retry middleware, so that each attempt passes here.
          { step: 'finalizeRequest', name: 'stripewiseCallCounter', priority: 'low', override: true },
        );
      },
    };
  }
}
