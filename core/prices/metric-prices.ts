/**
 * What CloudWatch bills for a metric requested with GetMetricData, by Region, in USD per 1,000. Source: CloudWatch User Guide,
 * "Retrieve metric data (GetMetricData)", read 2026-11-26: 0.01, without a word of Regions. Bills that were published show it
 * in us-east-1 (usage type CW:GMD-Metrics) and eu-west-2 (EUW2-CW:GMD-Metrics). Of other Regions nothing was seen: what is
 * said of them is at the price of us-east-1, and says so.
 */
const usdPer1000Metrics = { 'us-east-1': 0.01, 'eu-west-2': 0.01 } as const;

/** Whose price stands for a Region whose own is not known. */
export const metricPriceRegion = 'us-east-1';

export const isMetricPriceKnown = (region: string): boolean => Object.hasOwn(usdPer1000Metrics, region);

/** USD of one metric, in every Region of the table: where they differ, who counts must say of which Region. */
export const usdPerMetric = usdPer1000Metrics[metricPriceRegion] / 1_000;
