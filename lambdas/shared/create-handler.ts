/** What every function begins with: parse the event, log, trace and publish metrics around the use case. */
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { logger, metrics, tracer } from './powertools.ts';

/** What is wrong with an event in one line, as it is shown where the workflow failed. */
function parsed<T>(schema: z.ZodType<T>, event: unknown): T {
  const read = schema.safeParse(event);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new BadInput(`the input: ${issue?.path.join('.') || 'as a whole'}: ${issue?.message}`);
}

const publish = (): void => {
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
};
/** Also where the function fails; most functions have none, and that is nothing to warn of. */
const publishMetrics = { after: publish, onError: publish };

/**
 * A function whose time is over is ended by Lambda, under the one name that workflows retry (Sandbox.Timedout): middy would
 * end it a moment before, most times, under a name of its own.
 *
 * @param handle the use case, wired; what it throws reaches the caller under its own name, so that a workflow can retry
 * by cause.
 */
export const createHandler = <Event, Result>(
  schema: z.ZodType<Event>,
  handle: (event: Event, context: Context) => Promise<Result>,
) =>
  middy({ timeoutEarlyInMillis: 0 })
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use(captureLambdaHandler(tracer, { captureResponse: false }))
    .use(publishMetrics)
    .handler(async (event: unknown, context: Context) => {
      try {
        return await handle(parsed(schema, event), context);
      } catch (error) {
        logger.error('failed', error as Error);
        throw error;
      }
    });
