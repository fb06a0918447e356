/** What the service publishes about itself: names that functions, alarms and the dashboard share. */
export const serviceMetrics = {
  namespace: 'stripewise',
  /** The value of the dimension `service`. */
  service: 'audit',
  volumesEvaluated: 'VolumesEvaluated',
  volumesUnknown: 'VolumesUnknown',
  findings: 'Findings',
  /** Metrics that the audit asked for. */
  metricsRequested: 'MetricsRequested',
  partialRuns: 'PartialRuns',
  findingsNotified: 'FindingsNotified',
  digestsSent: 'DigestsSent',
  /** Records of findings that were skipped, their form not being known; one that is read twice counts twice. */
  recordsSkipped: 'RecordsSkipped',
  delivered: 'Delivered',
  refused: 'Refused',
  /** USD that reading cost since the month began, audits and monitoring together. */
  apiUsdOfMonth: 'ApiUsdOfMonth',
  /** Metrics that monitoring asked for. */
  monitoringMetrics: 'MonitoringMetrics',
  /** Volumes that monitoring could not look at. */
  monitoringUnread: 'MonitoringUnread',
  /** Accounts that monitoring could not enter: of several accounts alone. */
  monitoringAccountsRefused: 'MonitoringAccountsRefused',
  /** The longest that a look waited for the budget, in seconds. */
  monitoringLateSeconds: 'MonitoringLateSeconds',
  /** How old CloudWatch's newest minutes were when monitoring read them, by Region. */
  publicationSeconds: 'PublicationSeconds',
} as const;
export type ServiceMetric = Exclude<keyof typeof serviceMetrics, 'namespace' | 'service'>;
