/** What the tracer must not see: the address of the Slack webhook is a secret, and it is posted to with fetch. */
import { hasSubscribers } from 'node:diagnostics_channel';

const ofLambda = {
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  LAMBDA_TASK_ROOT: '/var/task',
  _X_AMZN_TRACE_ID: 'Root=1-00000000-000000000000000000000000;Sampled=1',
};

test('outgoing requests are not traced with their addresses, in a function as AWS runs it', async () => {
  Object.assign(process.env, ofLambda);
  try {
    const { tracer } = await import('../../../lambdas/shared/powertools.ts');
    expect(tracer.isTracingEnabled()).toBe(true);
    // Where the tracer looks at requests, addresses and all, it listens here.
    expect(hasSubscribers('undici:request:create')).toBe(false);
  } finally {
    for (const name of Object.keys(ofLambda)) delete process.env[name];
  }
});
