/** A change that would have throttled the load that was measured. */
import type { Thresholds } from '../../diagnosis/thresholds.ts';
import { type Layout, provisioned } from '../../plan/layout.ts';
import { type Severity, severityRank } from '../../schemas/finding.ts';
import { figuresOfConfiguration } from '../checked-volume.ts';
import { isSameVolume, type MeasuredChange } from '../measured.ts';
import { copiesOf, findingOf, type Rule, setVolume } from './rule.ts';

/** Less than a minute in ten days, and in no 24 hours a minute, is no difference. */
const leastMinutesADay = 0.1;
const leastMinutesPeak24h = 1;

/** As the audit does, of the 24 hours that have the most. */
function severityOf(
  minutesPeak24h: number,
  { throttledCriticalMinutes, throttledWarningMinutes }: Thresholds,
): Severity {
  if (minutesPeak24h >= throttledCriticalMinutes) return 'critical';
  return minutesPeak24h >= throttledWarningMinutes ? 'warning' : 'info';
}

/** Of what the change adds; of all minutes where these make it worse than it was: 50 -> 70 are critical, 100 -> 101 are not. */
function severityOfChange(change: MeasuredChange, thresholds: Thresholds): Severity {
  const [was, is, added] = [
    severityOf(change.throttledMinutesPeak24hBefore, thresholds),
    severityOf(change.throttledMinutesPeak24hAfter, thresholds),
    severityOf(change.addedMinutesPeak24h, thresholds),
  ];
  return severityRank(is) < severityRank(was) && severityRank(is) < severityRank(added) ? is : added;
}

/** Over all days, or in the 24 hours that have the most: a plan may throttle less on most days and more on the worst. */
function isWorse(change: MeasuredChange): boolean {
  const added = change.throttledMinutesADayAfter - change.throttledMinutesADayBefore;
  const isNoticed = added >= leastMinutesADay || change.addedMinutesPeak24h >= leastMinutesPeak24h;
  const addedToPeak = change.throttledMinutesPeak24hAfter - change.throttledMinutesPeak24hBefore;
  return (added > 0 && isNoticed) || addedToPeak >= leastMinutesPeak24h;
}

const rounded = (minutes: number): number => Math.round(minutes * 10) / 10;

export const measuredLoad: Rule = {
  id: 'measured-load',
  check: (_, { measured, offers, thresholds }) => ({
    notChecked: [],
    findings: measured.flatMap((change) => {
      const { planned, volumeId, from, to, measuredDays, enough } = change;
      const [before, after] = [change.throttledMinutesADayBefore, change.throttledMinutesADayAfter];
      if (!isWorse(change)) return [];
      const { deployment } = change;
      const offer = offers.of(planned.region);
      const setTo = (layout: Layout) => {
        const config = provisioned(layout, deployment);
        const difference = offer.difference([provisioned(to, deployment)], [config], copiesOf(planned));
        return setVolume(planned, figuresOfConfiguration(config), difference);
      };
      const facts = {
        ...{ code: 'throttles-measured-load' as const, volumeId, from, to, measuredDays },
        throttledMinutesADayBefore: rounded(before),
        throttledMinutesADayAfter: rounded(after),
        throttledMinutesPeak24hBefore: rounded(change.throttledMinutesPeak24hBefore),
        throttledMinutesPeak24hAfter: rounded(change.throttledMinutesPeak24hAfter),
      };
      return [
        findingOf('measured-load', planned, severityOfChange(change, thresholds), facts, [
          enough === null || isSameVolume(enough, from) ? null : setTo(enough),
          setTo(from),
        ]),
      ];
    }),
  }),
};
