import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type ServiceMetric, serviceMetrics } from '../../core/service-metrics.ts';

/** One of the metrics that our functions publish. */
export const ownMetric = (
  name: ServiceMetric,
  statistic: 'Sum' | 'Maximum',
  period: Duration = Duration.minutes(5),
): Metric =>
  new Metric({
    namespace: serviceMetrics.namespace,
    metricName: serviceMetrics[name],
    dimensionsMap: { service: serviceMetrics.service },
    statistic,
    period,
  });
