/**
 * Recommendations as GetEBSVolumeRecommendations answers them. AWS does not publish how Compute Optimizer sizes: this rule is ours, and
 * is built on what is documented alone: maxima of read and write operations and bytes, and the two exceeded checks. It knows no
 * stripes, no limits of instances, no credits and no latency. It shares limits and list prices with the engine, and nothing else.
 *
 * The rule: reads and writes at their maxima at once, and 5 % more (25 % where a check was 1 for a whole five minutes), must fit into
 * what a volume reaches, credits or not. Of the types that may follow each other the cheapest three are options; a volume that
 * fits and of which the cheapest saves less than 1 USD a month is optimized.
 */
import {
  isHdd,
  sizeBoundsGiB,
  ssdMiBPerIo,
  topIops,
  type VolumeConfiguration,
  type VolumeLimits,
  type VolumeType,
  volumeLimits,
} from '../../core/limits/volume-limits.ts';
import { builtInPrices, type EbsPrices, exactMonthlyUsd, roundUsd } from '../../core/prices/prices.ts';
import { bytesPerMiB } from '../../core/units.ts';
import type { ObservedVolume } from './observed.ts';

/** As in the model of the service, version 2019-11-01. */
export interface VolumeRecommendation {
  volumeArn: string;
  accountId: string;
  currentConfiguration: RecommendedConfiguration;
  finding: 'Optimized' | 'NotOptimized';
  utilizationMetrics: { name: string; statistic: 'Maximum'; value: number }[];
  lookBackPeriodInDays: number;
  volumeRecommendationOptions: RecommendationOption[];
  /** Seconds, as the JSON protocols write a time. */
  lastRefreshTimestamp: number;
  currentPerformanceRisk: 'VeryLow' | 'Low' | 'Medium' | 'High';
  effectiveRecommendationPreferences: { savingsEstimationMode: { source: 'PublicPricing' } };
  tags: { key: string; value: string }[];
}

export interface RecommendedConfiguration {
  /** Any text: AWS may have a type that nobody here knows. */
  volumeType: string;
  volumeSize: number;
  volumeBaselineIOPS: number;
  volumeBurstIOPS: number;
  volumeBaselineThroughput: number;
  volumeBurstThroughput: number;
  rootVolume: boolean;
}

interface RecommendationOption {
  configuration: RecommendedConfiguration;
  performanceRisk: number;
  rank: number;
  savingsOpportunity?: {
    savingsOpportunityPercentage: number;
    estimatedMonthlySavings: { currency: 'USD'; value: number };
  };
}

/** Source: Compute Optimizer user guide, "Requirements" (EBS volumes), read 2026-11-28. */
const leastAttachedHours = 30;
/** AWS answers 14 for all volumes; here it is what there was to look at. */
const mostLookBackDays = 14;
const mostOptions = 3;
const margin = 1.05;
const marginWhereExceeded = 1.25;
const leastUsd = 1;
/** List prices of us-east-1, for every Region. */
export const listPrices = builtInPrices('us-east-1').ebs as EbsPrices;

interface Need {
  iops: number;
  mibps: number;
}

function needOf({ maxima, iopsExceeded, throughputExceeded }: ObservedVolume): Need {
  const iops = maxima.readOpsPerSecond + maxima.writeOpsPerSecond;
  const mibps = maxima.readMiBps + maxima.writeMiBps;
  return {
    iops: iops * (iopsExceeded ? marginWhereExceeded : margin),
    mibps: mibps * (throughputExceeded ? marginWhereExceeded : margin),
  };
}

/** How much of the volume the need takes; above 1 it does not fit. A hard disk is measured by its bytes: it merges operations. */
function shareOf({ iops, mibps }: Need, { volumeType, burstIops, burstMiBps }: VolumeLimits): number {
  return Math.max(isHdd(volumeType) ? 0 : iops / burstIops, mibps / burstMiBps);
}

const upTo = (step: number, value: number): number => Math.ceil(value / step) * step;

/** The least of a type that carries the need, at the size that the volume has; null where none does. */
function leastOf(
  volumeType: VolumeType,
  { configuration }: ObservedVolume,
  need: Need,
): VolumeConfiguration | null {
  const { sizeGiB, deployment } = configuration;
  const { min, max } = sizeBoundsGiB[volumeType];
  if (sizeGiB < min || sizeGiB > max) return null;
  const bare = { volumeType, sizeGiB, deployment };
  const top = topIops(bare);
  if (top === null) return shareOf(need, volumeLimits(bare)) <= 1 ? bare : null;
  const throughputMiBps = volumeType === 'gp3' ? Math.max(125, upTo(5, need.mibps)) : undefined;
  const least = volumeType === 'gp3' ? 3_000 : 100;
  const iops = Math.max(least, upTo(100, Math.max(need.iops, (throughputMiBps ?? need.mibps) / ssdMiBPerIo)));
  if (iops > top) return null;
  const one: VolumeConfiguration = {
    ...bare,
    iops,
    ...(throughputMiBps === undefined ? {} : { throughputMiBps }),
  };
  if (volumeType === 'gp3' && (throughputMiBps ?? 0) > (deployment === 'outposts' ? 1_000 : 2_000))
    return null;
  return shareOf(need, volumeLimits(one)) <= 1 ? one : null;
}

/** What may stand in the place of a type: an SSD stays one, so does a hard disk that gp3 does not undercut. */
const followers: Readonly<Record<VolumeType, readonly VolumeType[]>> = {
  gp2: ['gp2', 'gp3'],
  gp3: ['gp3'],
  io1: ['io1', 'io2', 'gp3'],
  io2: ['io2', 'gp3'],
  st1: ['st1', 'sc1', 'gp3'],
  sc1: ['sc1', 'st1', 'gp3'],
  standard: ['gp3'],
};

const usdOf = (configuration: VolumeConfiguration): number =>
  exactMonthlyUsd(configuration, listPrices).total;

function shown(configuration: VolumeConfiguration, rootVolume: boolean): RecommendedConfiguration {
  const { volumeType, sizeGiB, baselineIops, burstIops, baselineMiBps, burstMiBps } =
    volumeLimits(configuration);
  return {
    ...{ volumeType, volumeSize: sizeGiB, rootVolume },
    volumeBaselineIOPS: Math.round(baselineIops),
    volumeBurstIOPS: Math.round(burstIops),
    volumeBaselineThroughput: Math.round(baselineMiBps),
    volumeBurstThroughput: Math.round(burstMiBps),
  };
}

const risks = ['VeryLow', 'Low', 'Medium', 'High'] as const;

/** 0 where less than half is taken, 4 where the need does not fit. */
function riskOf(share: number): number {
  const above = [0.5, 0.7, 0.9].filter((bound) => share > bound).length;
  return share > 1 ? 4 : above;
}

function optionsOf(volume: ObservedVolume, need: Need): VolumeConfiguration[] {
  const { configuration } = volume;
  const current = shareOf(need, volumeLimits(configuration)) <= 1 ? [configuration] : [];
  const least = followers[configuration.volumeType].flatMap((type) => leastOf(type, volume, need) ?? []);
  const all = [...current, ...least];
  const isFirst = (one: VolumeConfiguration, at: number): boolean =>
    all.findIndex((other) => JSON.stringify(shown(other, false)) === JSON.stringify(shown(one, false))) ===
    at;
  return all
    .filter(isFirst)
    .sort((a, b) => usdOf(a) - usdOf(b))
    .slice(0, mostOptions);
}

export interface RecommendOptions {
  account: string;
  /** When the recommendations were made. */
  refreshedEpochSeconds: number;
}

/** Null where the service has none: attached for too short a time. */
export function recommend(
  volume: ObservedVolume,
  { account, refreshedEpochSeconds }: RecommendOptions,
): VolumeRecommendation | null {
  const { volumeId, name, region, isRoot, configuration, attachedHours, maxima } = volume;
  if (attachedHours < leastAttachedHours) return null;
  const need = needOf(volume);
  const options = optionsOf(volume, need);
  const nowUsd = usdOf(configuration);
  const share = shareOf(need, volumeLimits(configuration));
  const [cheapest] = options;
  const isOptimized = cheapest === undefined || (share <= 1 && nowUsd - usdOf(cheapest) < leastUsd);
  return {
    volumeArn: `arn:aws:ec2:${region}:${account}:volume/${volumeId}`,
    accountId: account,
    currentConfiguration: shown(configuration, isRoot),
    finding: isOptimized ? 'Optimized' : 'NotOptimized',
    utilizationMetrics: [
      { name: 'VolumeReadOpsPerSecond', value: maxima.readOpsPerSecond },
      { name: 'VolumeWriteOpsPerSecond', value: maxima.writeOpsPerSecond },
      { name: 'VolumeReadBytesPerSecond', value: maxima.readMiBps * bytesPerMiB },
      { name: 'VolumeWriteBytesPerSecond', value: maxima.writeMiBps * bytesPerMiB },
    ].map((metric) => ({ ...metric, statistic: 'Maximum' as const })),
    lookBackPeriodInDays: Math.min(mostLookBackDays, volume.observedDays),
    volumeRecommendationOptions: options.map((one, at): RecommendationOption => {
      const saved = nowUsd - usdOf(one);
      return {
        configuration: shown(one, isRoot),
        performanceRisk: riskOf(shareOf(need, volumeLimits(one))),
        rank: at + 1,
        savingsOpportunity: {
          savingsOpportunityPercentage: saved <= 0 ? 0 : roundUsd((saved / nowUsd) * 100),
          estimatedMonthlySavings: { currency: 'USD', value: Math.max(0, roundUsd(saved)) },
        },
      };
    }),
    lastRefreshTimestamp: refreshedEpochSeconds,
    currentPerformanceRisk: risks[Math.min(3, riskOf(share))] as (typeof risks)[number],
    effectiveRecommendationPreferences: { savingsEstimationMode: { source: 'PublicPricing' } },
    tags: name === '' ? [] : [{ key: 'Name', value: name }],
  };
}
