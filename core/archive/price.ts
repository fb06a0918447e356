/** What an archive takes in a month: metrics that are asked for, and bytes that are kept; and what questions to it take. */
import { usdOfMetrics } from '../load/metrics.ts';
import { hoursPerMonth } from '../units.ts';
import type { ArchivedMetrics } from './columns.ts';

/**
 * A volume with its part of its instance, in one audit. All: as one pass asks (two-pass-metrics-share). Default: at most what two
 * passes ask where one volume in twenty is in trouble, and the four rates of each volume that they do not ask for.
 */
const metricsPerVolume: Readonly<Record<ArchivedMetrics, number>> = { default: 4.7 + 4, all: 15.2 };

/** Measured (docs/contribute/performance.md): eight metrics at 1.75 bytes a point, twelve at 2.81, each minute of a day. */
const bytesAVolumeAndDay: Readonly<Record<ArchivedMetrics, number>> = {
  default: 8 * 1_440 * 1.75,
  all: 12 * 1_440 * 2.81,
};

/** S3 Standard in us-east-1, a GB (10^9 bytes) and month. Source: Amazon S3 pricing, as known 2026-11; not looked up again. */
const usdAGBMonth = 0.023;
/** S3 in us-east-1, PUT and LIST. Same source. */
const usdAPut = 5e-6;
/** A target puts its stage, its objects and two manifests; some five hundred volumes share them. */
const putsAnAudit = 8;
const volumesAPut = 500;

const bytesPerGB = 1e9;

/** Athena in us-east-1, a TB (10^12 bytes) that a question reads. Source: Amazon Athena pricing, as known 2026-11; not looked up again. */
const usdATBScanned = 5;
const bytesPerTB = 1e12;
/** What is charged of a question at least. Same source. */
const leastScannedBytes = 10e6;
/** Who asks for one volume reads the row group that it is in (write-metrics.ts), and what each object says of its row groups. */
const volumesARowGroup = 14;
/** Measured: 45,614 bytes of a day of 250 volumes. */
const footerBytesAVolumeAndDay = 182;

const usdOfScan = (bytes: number): number =>
  (Math.max(leastScannedBytes, bytes) / bytesPerTB) * usdATBScanned;

export interface ArchivePrice {
  metricsPerVolume: number;
  metrics: number;
  /** Of CloudWatch, audits included: they read each metric once. */
  apiUsd: number;
  /** Of S3, when all days are there. */
  storageUsd: number;
  requestsUsd: number;
  /** Of Athena, for what it reads: a year of one volume. */
  volumeYearUsd: number;
  /** A quarter of all volumes, every column. */
  fleetQuarterUsd: number;
}

const daysPerYear = 365;
const daysPerQuarter = 91;

export function archivePrice(
  volumes: number,
  everyHours: number,
  { metrics: archived, keepDays }: { metrics: ArchivedMetrics; keepDays: number },
): ArchivePrice {
  const audits = hoursPerMonth / everyHours;
  const each = metricsPerVolume[archived];
  const metrics = Math.round(volumes * each * audits);
  const bytesADay = bytesAVolumeAndDay[archived];
  const bytes = volumes * bytesADay * keepDays;
  const read = Math.min(volumes, volumesARowGroup) * bytesADay + volumes * footerBytesAVolumeAndDay;
  return {
    metricsPerVolume: each,
    metrics,
    apiUsd: usdOfMetrics(metrics),
    storageUsd: (bytes / bytesPerGB) * usdAGBMonth,
    requestsUsd: Math.ceil(volumes / volumesAPut) * putsAnAudit * audits * usdAPut,
    volumeYearUsd: usdOfScan(daysPerYear * read),
    fleetQuarterUsd: usdOfScan(daysPerQuarter * volumes * bytesADay),
  };
}
