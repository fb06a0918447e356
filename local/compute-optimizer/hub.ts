/** The same recommendations as Cost Optimization Hub lists them: those that save, one a resource, and what it says of Amazon RDS. */
import { createHash } from 'node:crypto';
import { isVolumeType, type VolumeConfiguration } from '../../core/limits/volume-limits.ts';
import { exactMonthlyUsd, roundUsd } from '../../core/prices/prices.ts';
import { listPrices, type RecommendedConfiguration, type VolumeRecommendation } from './recommend.ts';

/** As ListRecommendations answers it: model of the service, version 2022-07-26. */
interface HubRecommendation {
  recommendationId: string;
  accountId: string;
  region: string;
  resourceId: string;
  resourceArn: string;
  currentResourceType: string;
  recommendedResourceType: string;
  estimatedMonthlySavings: number;
  estimatedSavingsPercentage: number;
  estimatedMonthlyCost: number;
  currencyCode: 'USD';
  implementationEffort: 'VeryLow' | 'Low';
  restartNeeded: boolean;
  actionType: 'Rightsize' | 'Upgrade' | 'Delete';
  rollbackPossible: boolean;
  /** What AWS writes into summaries of volumes is not documented: ours are the id and the type. */
  currentResourceSummary: string;
  recommendedResourceSummary: string;
  lastRefreshTimestamp: number;
  recommendationLookbackPeriodInDays: number;
  source: 'ComputeOptimizer';
}

/** What GetRecommendation answers besides. */
interface HubDetails {
  currentResourceDetails: object;
  recommendedResourceDetails?: object;
}

export interface HubRow {
  recommendation: HubRecommendation;
  details: HubDetails;
}

const idOf = (account: string, what: string): string =>
  Buffer.from(`${account}_${createHash('sha256').update(what).digest('hex').slice(0, 32)}`).toString(
    'base64',
  );

const ebsDetails = ({
  volumeType,
  volumeSize,
  volumeBaselineIOPS,
  volumeBaselineThroughput,
}: RecommendedConfiguration): object => ({
  ebsVolume: {
    configuration: {
      storage: { type: volumeType, sizeInGb: volumeSize },
      performance: { iops: volumeBaselineIOPS, throughput: volumeBaselineThroughput },
      attachmentState: 'attached',
    },
  },
});

const [regionAt, accountAt] = [3, 4];
const partOf = (arn: string, at: number): string => arn.split(':')[at] ?? '';
const idIn = (arn: string): string => arn.split('/').at(-1) ?? '';

/** Null where it saves nothing: the hub lists savings alone. */
export function hubRowOf(one: VolumeRecommendation): HubRow | null {
  const { volumeArn, currentConfiguration, lookBackPeriodInDays, lastRefreshTimestamp } = one;
  const [first] = one.volumeRecommendationOptions;
  const saved = first?.savingsOpportunity?.estimatedMonthlySavings.value ?? 0;
  if (one.finding === 'Optimized' || first === undefined || saved <= 0) return null;
  const percentage = first.savingsOpportunity?.savingsOpportunityPercentage ?? 0;
  const isOfType = first.configuration.volumeType === currentConfiguration.volumeType;
  const cost = roundUsd((saved / percentage) * 100);
  return {
    recommendation: {
      recommendationId: idOf(one.accountId, volumeArn),
      ...{ accountId: one.accountId, region: partOf(volumeArn, regionAt) },
      ...{ resourceId: idIn(volumeArn), resourceArn: volumeArn },
      ...{ currentResourceType: 'EbsVolume', recommendedResourceType: 'EbsVolume' },
      ...{
        estimatedMonthlySavings: saved,
        estimatedSavingsPercentage: percentage,
        estimatedMonthlyCost: cost,
      },
      ...{
        currencyCode: 'USD',
        implementationEffort: 'VeryLow',
        restartNeeded: false,
        rollbackPossible: true,
      },
      actionType: isOfType ? 'Rightsize' : 'Upgrade',
      currentResourceSummary: idIn(volumeArn),
      recommendedResourceSummary: first.configuration.volumeType,
      lastRefreshTimestamp,
      recommendationLookbackPeriodInDays: lookBackPeriodInDays,
      source: 'ComputeOptimizer',
    },
    details: {
      currentResourceDetails: ebsDetails(currentConfiguration),
      recommendedResourceDetails: ebsDetails(first.configuration),
    },
  };
}

export interface DetachedVolume {
  volumeArn: string;
  configuration: VolumeConfiguration;
}

const idleDays = 32;

/** A volume that is attached to nothing: the hub says to delete it, and Compute Optimizer's sizes say nothing of it. */
export function hubRowToDelete(
  { volumeArn, configuration }: DetachedVolume,
  refreshedEpochSeconds: number,
): HubRow | null {
  if (!isVolumeType(configuration.volumeType)) return null;
  const usd = roundUsd(exactMonthlyUsd(configuration, listPrices).total);
  const account = partOf(volumeArn, accountAt);
  return {
    recommendation: {
      recommendationId: idOf(account, `${volumeArn} idle`),
      ...{ accountId: account, region: partOf(volumeArn, regionAt) },
      ...{ resourceId: idIn(volumeArn), resourceArn: volumeArn },
      ...{ currentResourceType: 'EbsVolume', recommendedResourceType: 'EbsVolume' },
      ...{ estimatedMonthlySavings: usd, estimatedSavingsPercentage: 100, estimatedMonthlyCost: usd },
      ...{ currencyCode: 'USD', implementationEffort: 'Low', restartNeeded: false, rollbackPossible: true },
      actionType: 'Delete',
      currentResourceSummary: idIn(volumeArn),
      recommendedResourceSummary: 'Delete',
      lastRefreshTimestamp: refreshedEpochSeconds,
      recommendationLookbackPeriodInDays: idleDays,
      source: 'ComputeOptimizer',
    },
    details: {
      currentResourceDetails: {
        ebsVolume: {
          configuration: {
            storage: { type: configuration.volumeType, sizeInGb: configuration.sizeGiB },
            attachmentState: 'detached',
          },
        },
      },
    },
  };
}

/** Storage of a database: an audit of volumes covers none. */
export function hubRowOfRds(
  { account, region, name }: { account: string; region: string; name: string },
  refreshedEpochSeconds: number,
): HubRow {
  const resourceArn = `arn:aws:rds:${region}:${account}:db:${name}`;
  const storage = (storageType: string): object => ({
    rdsDbInstanceStorage: { configuration: { storageType, allocatedStorageInGb: 200, iops: 3_000 } },
  });
  return {
    recommendation: {
      recommendationId: idOf(account, resourceArn),
      ...{ accountId: account, region, resourceId: name, resourceArn },
      ...{ currentResourceType: 'RdsDbInstanceStorage', recommendedResourceType: 'RdsDbInstanceStorage' },
      ...{ estimatedMonthlySavings: 18.4, estimatedSavingsPercentage: 40, estimatedMonthlyCost: 46 },
      ...{ currencyCode: 'USD', implementationEffort: 'Low', restartNeeded: false, rollbackPossible: false },
      actionType: 'Rightsize',
      ...{ currentResourceSummary: 'io1', recommendedResourceSummary: 'gp3' },
      lastRefreshTimestamp: refreshedEpochSeconds,
      recommendationLookbackPeriodInDays: 14,
      source: 'ComputeOptimizer',
    },
    details: { currentResourceDetails: storage('io1'), recommendedResourceDetails: storage('gp3') },
  };
}
