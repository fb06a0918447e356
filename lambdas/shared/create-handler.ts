/** What every function begins with: parse the event, log, trace and publish metrics around the use case. */

import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { sanitize } from '../../core/sanitize.ts';
import { type ServiceMetric, serviceMetrics } from '../../core/service-metrics.ts';

// Reads a function's environment by its contract, once, when it is first needed.

export function environmentOf<T>(schema: z.ZodType<T>): () => T {
  let read: T | undefined;
  return () => {
    read ??= schema.parse(process.env);
    return read;
  };
}

// Logger, tracer and metrics: one of each for a function, made once.

const { namespace, service: serviceName } = serviceMetrics;

/**
 * CloudWatch Logs takes 1 MB an event (PutLogEvents, read 2026-11-21). An error can carry a document as its message and
 * every trouble in it as a list; of both the beginning tells.
 */
const maxCharacters = 4_000;
const maxInList = 20;

/** What JSON.stringify leaves as it is and a terminal acts on is sanitized; the lines of a stack stay, JSON escapes them. */
const sanitizeLines = (text: string): string =>
  cut(text)
    .split('\n')
    .map((line) => sanitize(line, maxCharacters))
    .join('\n');
const cut = (text: string): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;

const jsonReplacerFn = (_: string, value: unknown): unknown => {
  if (typeof value === 'string') return sanitizeLines(value);
  return Array.isArray(value) && value.length > maxInList
    ? [...value.slice(0, maxInList), `... and ${value.length - maxInList} more`]
    : value;
};

export const logger = new Logger({ serviceName, jsonReplacerFn });
/** Without the addresses of outgoing calls: that of the Slack webhook is a secret. */
export const tracer = new Tracer({ serviceName, captureHTTPsRequests: false });
const metrics = new Metrics({ namespace, serviceName });

export const addMetric = (
  name: ServiceMetric,
  value: number,
  unit: (typeof MetricUnit)[keyof typeof MetricUnit] = MetricUnit.Count,
): Metrics => metrics.addMetric(serviceMetrics[name], unit, value);

/** A record of a finding that was skipped, its form not being known here: logged, and counted for the alarm. */
export function skippedRecord(findingId: string, reason: string): void {
  logger.error('the record of a finding was skipped', { findingId, reason });
  addMetric('recordsSkipped', 1);
}

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
