/** Who asks, where, what an audit may call there, how many volumes there are and how late their metrics come. */
import { CloudWatchClient, GetMetricDataCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeInstancesCommand, DescribeRegionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { ReadingPlan } from '../../../core/audit/batches.ts';
import type { Quota } from '../../../core/benchmark/campaign/preflight.ts';
import type { AuditCall, Read, RegionState } from '../../../core/doctor/facts.ts';
import { Unreadable } from '../../../core/errors.ts';
import type { Volume } from '../../../core/inventory.ts';
import { MetricCollector, type MetricQuery, type MetricSet } from '../../../core/load/metrics.ts';
import { msPerSecond } from '../../../core/units.ts';
import { describeVolumes } from '../describe-volumes.ts';
import { listed } from '../garbled.ts';
import { queryOf } from '../get-metric-data.ts';
import { type Asking, asked, askedOnly, clientOf } from './asked.ts';

export interface Caller {
  account: string;
  /** As IAM writes it. */
  principal: string;
}

/** The Region of a partition that every account has. */
function homeRegion(region: string): string {
  if (region.startsWith('cn-')) return 'cn-north-1';
  if (region.startsWith('us-gov-')) return 'us-gov-west-1';
  return region.startsWith('eusc-') ? 'eusc-de-east-1' : 'us-east-1';
}

export async function callerOf(asking: Asking): Promise<Read<Caller>> {
  const { region } = asking.session;
  const from = (where: string): Promise<Read<Caller>> =>
    asked('sts:GetCallerIdentity', where, async () => {
      const { Account, Arn } = await clientOf(STSClient, asking, where).send(
        new GetCallerIdentityCommand({}),
      );
      if (Account === undefined) throw new Unreadable('sts:GetCallerIdentity named no account');
      return { account: Account, principal: Arn ?? '' };
    });
  // One that is not enabled takes no credentials.
  const read = await from(region);
  return read.known || homeRegion(region) === region ? read : from(homeRegion(region));
}

export async function regionStates(asking: Asking, regions: readonly string[]): Promise<Read<RegionState[]>> {
  const { region } = asking.session;
  const from = (where: string): Promise<Read<RegionState[]>> =>
    asked('ec2:DescribeRegions', where, async () => {
      const { Regions } = await clientOf(EC2Client, asking, where).send(
        new DescribeRegionsCommand({
          AllRegions: true,
          Filters: [{ Name: 'region-name', Values: [...regions] }],
        }),
      );
      const states = listed(Regions, 'Regions');
      return regions.map((name) => {
        const found = states.find(({ RegionName }) => RegionName === name);
        return { region: name, isEnabled: found === undefined ? null : found.OptInStatus !== 'not-opted-in' };
      });
    });
  // One that is not enabled does not answer; where a policy forbids the one that everybody has, this one may.
  const read = await from(homeRegion(region));
  return read.known || homeRegion(region) === region ? read : from(region);
}

export const volumesIn = (
  asking: Asking,
  place: { region: string; account: string },
  tagKeys: readonly string[],
): Promise<Read<Volume[]>> =>
  asked('ec2:DescribeVolumes', place.region, () =>
    describeVolumes(clientOf(EC2Client, asking, place.region), place, undefined, tagKeys),
  );

/** One short page of each: whether it is allowed is the question. */
export async function auditCalls(asking: Asking, region: string): Promise<AuditCall[]> {
  const ec2 = clientOf(EC2Client, asking, region);
  const cloudWatch = clientOf(CloudWatchClient, asking, region);
  const [instances, metrics] = ['ec2:DescribeInstances', 'cloudwatch:ListMetrics'];
  return Promise.all([
    askedOnly(instances, region, () => ec2.send(new DescribeInstancesCommand({ MaxResults: 5 }))),
    askedOnly(metrics, region, () =>
      cloudWatch.send(
        new ListMetricsCommand({ Namespace: 'AWS/EBS', MetricName: 'VolumeIOPSExceededCheck' }),
      ),
    ),
  ]).then(([ofInstances, ofMetrics]) => [
    { action: instances, region, notRead: ofInstances },
    { action: metrics, region, notRead: ofMetrics },
  ]);
}

/** The points of a few metrics, in one call. */
export const metricsOf = (
  asking: Asking,
  region: string,
  queries: readonly MetricQuery[],
  { startEpochSeconds, endEpochSeconds }: Pick<ReadingPlan, 'startEpochSeconds' | 'endEpochSeconds'>,
): Promise<Read<MetricSet[]>> =>
  asked('cloudwatch:GetMetricData', region, async () => {
    const { MetricDataResults } = await clientOf(CloudWatchClient, asking, region).send(
      new GetMetricDataCommand({
        MetricDataQueries: queries.map(queryOf),
        StartTime: new Date(startEpochSeconds * msPerSecond),
        EndTime: new Date(endEpochSeconds * msPerSecond),
        ScanBy: 'TimestampAscending',
      }),
    );
    const collector = new MetricCollector();
    for (const { Id, Timestamps = [], Values = [] } of listed(MetricDataResults, 'MetricDataResults')) {
      const query = queries.find((one, index) => queryOf(one, index).Id === Id);
      if (query === undefined || Values.length !== Timestamps.length) continue;
      const times = Timestamps.map((time) => time.getTime() / msPerSecond);
      collector.add(query.resourceId, query.metric, times, Values);
    }
    const fleet = collector.finish();
    return fleet.resourceIds().map((id) => fleet.of(id));
  });

export const quotaIn = (
  asking: Asking,
  { serviceCode, quotaCode }: Omit<Quota, 'what'>,
): Promise<Read<number>> =>
  asked('servicequotas:GetServiceQuota', asking.session.region, async () => {
    const client = clientOf(ServiceQuotasClient, asking);
    const { Quota: found } = await client.send(
      new GetServiceQuotaCommand({ ServiceCode: serviceCode, QuotaCode: quotaCode }),
    );
    if (found?.Value === undefined) throw new Unreadable(`no figure came for ${quotaCode}`);
    return found.Value;
  });
