/** Logger, tracer and metrics: one of each for a function, made once. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { sanitize } from '../../core/sanitize.ts';
import { type ServiceMetric, serviceMetrics } from '../../core/service-metrics.ts';

const { namespace, service: serviceName } = serviceMetrics;

/**
 * CloudWatch Logs takes 1 MB an event (PutLogEvents, read 2026-11-21). An error can carry a document as its message and
 * every trouble in it as a list; of both the beginning tells.
 */
const mostCharacters = 4_000;
const mostInList = 20;

/** What JSON.stringify leaves as it is and a terminal acts on is sanitized; the lines of a stack stay, JSON escapes them. */
const sanitizeLines = (text: string): string =>
  cut(text)
    .split('\n')
    .map((line) => sanitize(line, mostCharacters))
    .join('\n');
const cut = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;

const jsonReplacerFn = (_: string, value: unknown): unknown => {
  if (typeof value === 'string') return sanitizeLines(value);
  return Array.isArray(value) && value.length > mostInList
    ? [...value.slice(0, mostInList), `... and ${value.length - mostInList} more`]
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
