/** What the service publishes about itself: names that functions and alarms share. */
export const serviceMetrics = {
  namespace: 'stripewise',
  /** The value of the dimension `service`. */
  service: 'audit',
  partialRuns: 'PartialRuns',
} as const;
