/** Logger, tracer and metrics: one of each for a function, made once. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';

/** The namespace of the metrics that the service publishes about itself; alarms look there. */
const metricNamespace = 'stripewise';
const serviceName = 'audit';

export const logger = new Logger({ serviceName });
export const tracer = new Tracer({ serviceName });
export const metrics = new Metrics({ namespace: metricNamespace, serviceName });
