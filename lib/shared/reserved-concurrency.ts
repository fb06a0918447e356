/** Keeps concurrency of the account for functions, and lets none of them have more. */
import type { CfnFunction, IFunction } from 'aws-cdk-lib/aws-lambda';

export interface Reserved {
  /** Null where there is none. */
  function: IFunction | null;
  /** Calls at one time. */
  calls: number;
}

/** AWS leaves 100 of an account to functions without a reservation, and refuses what would take of them. */
export function reserveConcurrency(functions: readonly Reserved[]): void {
  for (const { function: one, calls } of functions)
    if (one !== null) (one.node.defaultChild as CfnFunction).reservedConcurrentExecutions = calls;
}
