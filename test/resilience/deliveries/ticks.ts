/** A tick of monitoring while something befalls it: what it sees is notified once, by whoever comes after. */
import { watchKeyOf } from '../../../adapters/aws/watches.ts';
import { pace } from '../../../core/monitoring/pace.ts';
import { monitoringInventoryKey } from '../../../core/monitoring/watched.ts';
import { localAccount, type Services } from '../../../local/services.ts';
import type { SimulatedFleet } from '../../simulator/fleet.ts';
import { statementOf } from '../function-roles.ts';
import { notify } from '../notify.ts';
import type { Outcome } from '../outcome-table.ts';
import { region } from '../small-fleet.ts';
import { type CallerTrouble, callTwice, dyingAt, outcomeOf } from './caller-troubles.ts';
import type { ChannelsDay } from './channels-day.ts';
import { until } from './until.ts';

const part = 'WatchVolumes';
const stored = monitoringInventoryKey(localAccount, region);

export const deathsOfTicks: CallerTrouble[] = [
  dyingAt('s3:ListBucket'),
  dyingAt('ec2:DescribeVolumes'),
  dyingAt('cloudwatch:ListMetrics'),
  dyingAt('s3:PutObject'),
  dyingAt('dynamodb:GetItem'),
  dyingAt('dynamodb:Query', '"due"'),
  dyingAt('dynamodb:DeleteItem'),
  dyingAt('cloudwatch:GetMetricData'),
  dyingAt('dynamodb:BatchGetItem'),
  // Of what it saw, the first one; of the volumes, the first one.
  dyingAt('dynamodb:PutItem', '"sourceStates"'),
  dyingAt('dynamodb:PutItem', '"nextPollEpochSeconds"'),
  dyingAt('lambda:InvokeFunction'),
  dyingAt('dynamodb:UpdateItem'),
];

const minutes = 20;
/** Who comes while a tick that died still holds the lease leaves all to the next. */
const afterLeaseMinutes = Math.ceil(pace.leaseSeconds / 60);

/** Before the deployment: the last minutes of a volume, in which its own limit throttles it. */
export async function throttleOne(
  { urls }: Services,
  { regions, startEpochSeconds, endEpochSeconds }: SimulatedFleet,
): Promise<void> {
  const [one] = regions;
  if (one === undefined) throw new Error('a fleet without Regions');
  const { Volumes } = one.describeVolumes as {
    Volumes: { VolumeId: string; VolumeType: string; Iops: number; Attachments: { InstanceId: string }[] }[];
  };
  const volume = Volumes.find(
    ({ VolumeType, Attachments }) => VolumeType === 'gp3' && Attachments.length > 0,
  );
  const all = (endEpochSeconds - startEpochSeconds) / 60;
  const epochSeconds = Array.from({ length: all }, (_, i) => startEpochSeconds + i * 60);
  const ofVolume = { VolumeId: volume?.VolumeId };
  const ofCheck = { ...ofVolume, InstanceId: volume?.Attachments[0]?.InstanceId };
  /** As a load at the limit looks: all it gives, and I/O that waits. */
  const series = (metric: string, held: number, calm: number, dimensions: object = ofVolume) => ({
    ...{ namespace: 'AWS/EBS', metric, dimensions, epochSeconds },
    values: epochSeconds.map((_, i) => (i >= all - minutes ? held : calm)),
  });
  const reads = 60 * (volume?.Iops ?? 0);
  await notify('POST', `${urls.cloudWatch}/_stripewise/series?region=${region}`, {
    series: [
      series('VolumeIOPSExceededCheck', 1, 0, ofCheck),
      series('VolumeReadOps', reads, 6_000),
      series('VolumeWriteOps', 0, 0),
      series('VolumeReadBytes', reads * 8_192, 6_000 * 8_192),
      series('VolumeWriteBytes', 0, 0),
      series('VolumeQueueLength', 60, 0.1),
    ],
  });
}

/** Without these it goes on with less, and says so. */
const goesOnWithout = /^(s3|ec2|cloudwatch):/;

/** Everything is new to it: volumes, findings, budget. One volume that it remembers is gone. */
async function forgetAll({ account }: ChannelsDay, { call, allowed }: CallerTrouble): Promise<void> {
  await account.emptyTable('MonitoringWatches', 'shard', 'volumeId');
  const gone = watchKeyOf({ region, volumeId: 'vol-gone' });
  await account.putItem('MonitoringWatches', { ...gone, region, nextPollEpochSeconds: 0 });
  await account.forgetNotified();
  // What is stored is read where something is stored: the volumes of an hour ago are compared anew.
  const isReadingThem =
    call === 's3:GetObject' && allowed !== null && statementOf(allowed).includes('monitoring/');
  if (!isReadingThem) await account.removeObject(stored);
}

/** A tick starts anew with its clock. */
function setClock({ account, fleet }: ChannelsDay, minute: number): Promise<void> {
  const clock = new Date((fleet.endEpochSeconds + 30 + minute * 60) * 1_000).toISOString();
  return account.setEnvironment(part, { STRIPEWISE_CLOCK: clock });
}

/** Findings that were notified after a tick, and after the schedule of the notify function. */
async function notifiedAfter({ account }: ChannelsDay, before: number, expected: number): Promise<number> {
  await account.runOnce('NotifyFindings', {});
  await until(async () => (await account.findingsPosted()) - before >= expected);
  return (await account.findingsPostedInAll()) - before;
}

const nothing: CallerTrouble = { call: '', which: '', allowed: null };

/** @returns how many findings an untroubled tick tells. */
export async function usualTick(day: ChannelsDay): Promise<number> {
  await forgetAll(day, nothing);
  await setClock(day, 0);
  const before = await day.account.findingsPosted();
  await day.account.runOnce(part, {});
  return notifiedAfter(day, before, 1);
}

export async function tickOutcome(day: ChannelsDay, trouble: CallerTrouble, usual: number): Promise<Outcome> {
  const { account } = day;
  await forgetAll(day, trouble);
  await setClock(day, 0);
  const before = await account.findingsPosted();
  const { first, second, wrong } = await callTwice(
    day,
    part,
    trouble,
    () => account.call(part, {}),
    () => setClock(day, afterLeaseMinutes),
  );
  const notified = await notifiedAfter(day, before, usual);
  const goesOn = trouble.allowed !== null && goesOnWithout.test(trouble.call);
  if (first.failed === goesOn) wrong.push(`${goesOn ? 'it failed' : 'it did not fail'}: ${first.said}`);
  if (second.failed) wrong.push(`it failed again: ${second.said}`);
  if (notified !== usual) wrong.push(`${notified} findings were notified and not ${usual}`);
  return outcomeOf(trouble, `${goesOn ? 'goes on' : 'fails'}, then ${usual} notified`, wrong);
}
