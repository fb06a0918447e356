/** Why something is not known: the end of a sentence, without its point. Text of an account in it is sanitized. */

import { figure } from '../../core/figures.ts';
import type { volumeUnreadReasons } from '../../core/host/ebs-statistics.ts';
import { volumeTypes } from '../../core/limits/volume-limits.ts';
import type { WithoutSeries } from '../../core/report/audit-report.ts';
import type {
  ConfigurationReason,
  InstanceReason,
  LoadReason,
  PriceReason,
  TypeReason,
  VolumeReason,
  WeightingReason,
} from '../../core/schemas/unknown-reasons.ts';
import type { HostNote, HostReason } from '../../core/stripes/host-report.ts';
import type { NoCommonTime } from '../../core/stripes/load-as-one.ts';
import { cited, shortText } from './words.ts';

/** The words of every code of a union. */
type TextsOf<Reason extends { code: string }> = {
  [Code in Reason['code']]: (reason: Extract<Reason, { code: Code }>) => string;
};

const name = (text: string): string => shortText(text, 100);

/** How a metric came that did not come in whole. */
export const cameText = (status: string | null): string =>
  status === null ? 'did not come at all' : `came as ${name(status)}, so points may be missing`;

const mixed = 'replies of different periods are mixed';

const loadTexts: TextsOf<LoadReason> = {
  'no-operations': () => 'no datapoints of its operations (VolumeReadOps, VolumeWriteOps) in the window',
  'one-datapoint': () => 'one datapoint alone does not show how long it stands for',
  'mixed-periods': ({ of, periodSeconds, otherPeriodSeconds }) =>
    of === 'points'
      ? `its points come every ${periodSeconds} s and in part every ${otherPeriodSeconds} s: ${mixed}`
      : `its reads and writes come every ${periodSeconds} s and every ${otherPeriodSeconds} s: ${mixed}`,
  'reads-and-writes-apart': () => 'its reads and writes are never known at the same time',
  'conflicting-points': () => 'many of its points come twice with different values: replies seem to be mixed',
  'points-too-close': ({ periodSeconds }) =>
    `its points come every ${periodSeconds} s, closer than those of CloudWatch: replies seem to be mixed`,
  'metric-in-part': ({ metric, status }) => `its ${name(metric)} ${cameText(status)}`,
  'metrics-not-read': ({ reason }) => `its metrics could not be read: ${cited(reason)}`,
  'batch-without-result': () => 'its batch ended without a result',
  'batch-failed': ({ reason }) => `its batch failed: ${cited(reason)}`,
};

const configurationTexts: TextsOf<ConfigurationReason> = {
  'volume-type-unknown': ({ volumeType }) =>
    `volume type "${name(volumeType)}" is not known here (known: ${volumeTypes.join(', ')})`,
  'configuration-refused': ({ reason }) => `EBS has no such configuration: ${cited(reason)}`,
};

const metricTexts = { operations: 'operations', 'queue-length': 'queue length' } as const;

const volumeTexts: TextsOf<VolumeReason> = {
  ...loadTexts,
  ...configurationTexts,
  'volume-state': ({ state }) => `its state is "${name(state)}", neither in-use nor available`,
  'instance-stopped': ({ instanceId, asked }) =>
    `no datapoints of its ${metricTexts[asked]} in the window; its instance ${name(instanceId)} is stopped`,
  'no-window': () => 'no resource has a figure, so there is no window',
  'too-few-minutes': ({ knownMinutes, windowMinutes }) =>
    `only ${figure(knownMinutes, 0)} of ${figure(windowMinutes, 0)} minutes have figures: too few to call it healthy`,
};

const instanceTexts: TextsOf<InstanceReason> = {
  ...loadTexts,
  'no-ebs-metrics': ({ isStopped }) =>
    `it has no EBS metrics in the window${isStopped ? ' (it is stopped)' : ''}, and EC2 reports no EBS limits for its type`,
  'volumes-in-part': () =>
    'it has no EBS metrics in the window, and the load of some of its volumes is unknown',
  'too-few-minutes-of-ebs': ({ knownMinutes }) =>
    `only ${figure(knownMinutes, 0)} minutes have EBS metrics: too few to call it healthy`,
};

const resourcesWere = (resources: number): string =>
  resources === 1 ? '1 resource was' : `${figure(resources, 0)} resources were`;

const withoutSeriesTexts: TextsOf<WithoutSeries> = {
  'evaluated-without': ({ resources }) =>
    `${resourcesWere(resources)} evaluated without a load minute by minute`,
  'page-full': ({ resources }) =>
    `${resourcesWere(resources)} left out as less urgent, so that the file stays small: audit --resource shows them`,
};

const noCommonTimeTexts: TextsOf<NoCommonTime> = {
  'no-load': () => 'there is no load',
  'periods-differ': ({ periodSeconds: [one, other] }) =>
    `points come every ${figure(one, 0)} s and every ${figure(other, 0)} s`,
};

const priceTexts: TextsOf<PriceReason> = {
  'no-ebs-prices': ({ region }) => `EBS prices of ${name(region)} are not known`,
  'no-ebs-price': ({ volumeType, region }) => `no price of ${name(volumeType)} in ${name(region)} is known`,
  'no-instance-price': ({ instanceType, region, asOf }) =>
    asOf === null
      ? `instance prices of ${name(region)} are not known`
      : `no price of ${name(instanceType)} in ${name(region)} (${name(asOf)})`,
};

const typeTexts: TextsOf<TypeReason | WeightingReason> = {
  'no-ebs-limits': ({ instanceType }) => `EC2 reports no EBS limits for ${name(instanceType)}`,
  'no-attachment-limit': ({ instanceType }) =>
    `EC2 does not report how many volumes ${name(instanceType)} takes`,
  'bandwidth-weighting': ({ weighting }) =>
    `its bandwidth weighting is ${name(weighting)}: EC2 does not report what that leaves for EBS`,
};

const hostTexts: TextsOf<HostReason> = {
  'not-reached': () => 'no Linux instance that Systems Manager reaches now',
  'no-answer': ({ seconds }) => `no answer within ${seconds} s`,
  'command-ended': ({ status }) => `the command ended as ${name(status)}`,
  'call-failed': ({ reason }) => cited(reason),
  'answer-too-large': ({ characters, most }) =>
    `the devices take ${figure(characters, 0)} characters, and Run Command hands over ${figure(most, 0)}`,
  'not-the-document': () => 'the answer is not what the script prints',
  'lsblk-failed': ({ text }) => cited(text),
  'lsblk-unreadable': () => 'what lsblk printed cannot be read',
};

const firstOf = (devices: readonly string[], count: number): string =>
  [
    ...devices.map(name),
    ...(count > devices.length ? [`${figure(count - devices.length, 0)} more`] : []),
  ].join(', ');

const unreadTexts: Readonly<Record<(typeof volumeUnreadReasons)[number], string>> = {
  'no-answer': 'no answer came in time',
  'no-page': 'the device gave none',
  'short-page': 'the log page is too short',
  'other-page': 'the log page is not that of EBS',
  'newer-version': 'the version of the log page is newer than stripewise knows',
  'went-backwards': 'its counters went backwards between two readings',
  'not-readable': 'the answer is not what the script prints',
};

const hostNoteTexts: TextsOf<HostNote> = {
  'join-unknown': ({ device, disks }) => `how ${name(device)} joins ${figure(disks, 0)} disks is not known`,
  'no-serial-numbers': ({ devices, count }) =>
    `${firstOf(devices, count)} show no serial number, so their volumes are not known`,
  'device-mapper-unread': ({ text }) => cited(text),
  'statistics-unread': ({ text }) =>
    `the NVMe statistics of its EBS volumes were not read: ${text === null ? 'the answer is not what the script prints' : cited(text)}`,
  'statistics-of-volumes-unread': ({ devices, count, reason }) =>
    `the NVMe statistics of ${firstOf(devices, count)} were not read: ${unreadTexts[reason]}`,
  'statistics-left-out': ({ devices, count }) =>
    `the answer has no room for the NVMe statistics of ${firstOf(devices, count)}`,
};

const worded =
  <Reason extends { code: string }>(texts: TextsOf<Reason>) =>
  (reason: Reason): string =>
    (texts as unknown as Record<string, (reason: Reason) => string>)[reason.code]?.(reason) ?? reason.code;

/** Why it is not known what a volume can do. */
export const configurationReasonText = worded(configurationTexts);
/** Why a price is not known. */
export const priceReasonText = worded(priceTexts);
/** What EC2 does not tell of an instance type. */
export const typeReasonText = worded(typeTexts);
/** Why a host said nothing of its volumes. */
export const hostReasonText = worded(hostTexts);
/** What a host could not tell of its volumes. */
export const hostNoteText = worded(hostNoteTexts);
/** Why a volume was not evaluated. */
export const volumeReasonText = worded(volumeTexts);
/** Why an instance was not evaluated. */
export const instanceReasonText = worded(instanceTexts);
/** Why some resources of a page have no chart. */
export const withoutSeriesText = worded(withoutSeriesTexts);
/** Why the loads of several volumes do not add up. */
export const noCommonTimeText = worded(noCommonTimeTexts);
