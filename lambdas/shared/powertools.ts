/** Of every function: its environment by contract, its logger, tracer and metrics, each made once. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';
import type { z } from 'zod';
import { sanitize } from '../../core/sanitize.ts';
import { type ServiceMetric, serviceMetrics } from '../../core/service-metrics.ts';

/** Reads a function's environment by its contract, once, when it is first needed. */
export function environmentOf<T>(schema: z.ZodType<T>): () => T {
  let read: T | undefined;
  return () => {
    read ??= schema.parse(process.env);
    return read;
  };
}

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
export const metrics = new Metrics({ namespace, serviceName });

export const addMetric = (
  name: ServiceMetric,
  value: number,
  unit: (typeof MetricUnit)[keyof typeof MetricUnit] = MetricUnit.Count,
): Metrics => metrics.addMetric(serviceMetrics[name], unit, value);

/** One that differs from Region to Region: each is billed as a metric of its own. */
export function addMetricOfRegion(
  name: ServiceMetric,
  region: string,
  value: number,
  unit: (typeof MetricUnit)[keyof typeof MetricUnit],
): void {
  const one = metrics.singleMetric();
  one.addDimension('Region', region);
  one.addMetric(serviceMetrics[name], unit, value);
}

/** A record of a finding that was skipped, its form not being known here: logged, and counted for the alarm. */
export function skippedRecord(findingId: string, reason: string): void {
  logger.error('the record of a finding was skipped', { findingId, reason });
  addMetric('recordsSkipped', 1);
}
