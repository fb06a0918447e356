/** Logger, tracer and metrics: one of each for a function, made once. */
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { serviceMetrics } from '../../core/service-metrics.ts';

const { namespace, service: serviceName } = serviceMetrics;

export const logger = new Logger({ serviceName });
/** Without the addresses of outgoing calls: that of the Slack webhook is a secret. */
export const tracer = new Tracer({ serviceName, captureHTTPsRequests: false });
export const metrics = new Metrics({ namespace, serviceName });
