/** A function as a step of a workflow: retried by cause. */
import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { JitterType, TaskInput } from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';

export const payload = '{% $states.result.Payload %}';

/** AWS asked us to slow down: long, growing waits. */
export const whenThrottled = {
  errors: ['Throttled', 'Lambda.TooManyRequestsException'],
  interval: Duration.seconds(20),
  maxAttempts: 4,
  backoffRate: 2,
  jitterStrategy: JitterType.FULL,
};
/** Something failed that passes. */
export const whenUnavailable = {
  errors: [
    'Unavailable',
    'Lambda.ServiceException',
    'Lambda.AWSLambdaException',
    'Lambda.SdkClientException',
    'Lambda.ClientExecutionTimeoutException',
    'Sandbox.Timedout',
    // The runtime died: by its memory, or with the machine below it. Older forms of both come as Unknown.
    'Runtime.ExitError',
    'Lambda.Unknown',
  ],
  interval: Duration.seconds(5),
  maxAttempts: 3,
  backoffRate: 2,
  jitterStrategy: JitterType.FULL,
};

interface Step {
  name: string;
  run: IFunction;
  input: Record<string, unknown> | string;
  assign?: Record<string, unknown>;
  outputs?: unknown;
}

/** One function, retried by cause. */
export function step(scope: Construct, { name, run, input, ...rest }: Step): LambdaInvoke {
  const invoke = LambdaInvoke.jsonata(scope, name, {
    lambdaFunction: run,
    payload: typeof input === 'string' ? TaskInput.fromText(input) : TaskInput.fromObject(input),
    retryOnServiceExceptions: false,
    outputs: payload,
    ...rest,
  });
  invoke.addRetry(whenThrottled);
  invoke.addRetry(whenUnavailable);
  return invoke;
}
