/** What the EBS volumes of a host counted themselves, in a sentence. */
import { figure } from '../../core/figures.ts';
import type { ExceededLimit } from '../../core/host/ebs-statistics.ts';
import type { HostStatistics } from '../../core/host/host-statistics.ts';
import { minutesText, timeText } from './words.ts';

const limitTexts: Readonly<Record<ExceededLimit, string>> = {
  'volume-iops': "the volume's IOPS",
  'volume-throughput': "the volume's throughput",
  'instance-iops': "the instance's IOPS",
  'instance-throughput': "the instance's throughput",
};

/** Less than a tenth of a second is still more than none. */
const secondsText = (seconds: number): string =>
  seconds > 0 && seconds < 0.1 ? 'under 0.1 s' : `${figure(seconds, seconds < 10 ? 1 : 0)} s`;

/** "3,240 s above the volume's IOPS". */
export const exceededTimeText = (seconds: number, limits: readonly ExceededLimit[]): string =>
  `${secondsText(seconds)} above ${limits.map((limit) => limitTexts[limit]).join(' or ')}`;

type Reason = NonNullable<HostStatistics['reason']>;

const reasonTexts: Readonly<Record<Reason, string>> = {
  'not-read': 'they were not read',
  'no-earlier-reading': 'there is no earlier reading to compare with',
  'host-restarted': 'the host was started between the readings',
  'attached-anew': 'the volume was attached anew between the readings',
  'clock-stepped': 'the clock of the host was set between the readings',
  'more-than-elapsed': 'they count more seconds than there were',
  'few-minutes': 'between the readings it was throttled for under 5 min',
  'part-of-the-minutes': 'most of its throttled minutes lie before the readings',
  'on-credits': 'whether time without credits counts is not documented',
  shared: 'other instances use the volume too',
  'in-between': 'they count too little to confirm it, and too much to refute it',
  'not-all-volumes': 'they refute it for some of its volumes only',
};

/** "between 28 Nov 02:00 and 14:00 UTC" where both are of one day. */
function betweenText({ start, end }: HostStatistics): string {
  if (start === null || end === null) return '';
  const from = timeText(start);
  return start.slice(0, 10) === end.slice(0, 10)
    ? ` between ${from.replace(/ UTC$/, '')} and ${timeText(end).replace(/^\S+ \S+ /, '')}`
    : ` between ${from} and ${timeText(end)}`;
}

/** "The host's NVMe statistics confirm it: 3,240 s above the volume's IOPS between 28 Nov 02:00 and 14:00 UTC." */
export function hostStatisticsText(statistics: HostStatistics): string {
  const { says, reason, exceededSeconds, limits, throttledMinutes } = statistics;
  const counted = exceededSeconds === null ? '' : exceededTimeText(exceededSeconds, limits);
  if (says !== 'says-nothing')
    return `The host's NVMe statistics ${says === 'confirms' ? 'confirm' : 'refute'} it: ${counted}${betweenText(statistics)}.`;
  const why = reason === null ? '' : `: ${reasonTexts[reason]}`;
  const figures =
    counted === ''
      ? ''
      : ` They count ${counted}${betweenText(statistics)}${throttledMinutes === null ? '' : `, CloudWatch ${minutesText(throttledMinutes)}`}.`;
  return `The host's NVMe statistics neither confirm nor refute it${why}.${figures}`;
}
