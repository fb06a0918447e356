/** A change that would have throttled the load that was measured. */
import type { Thresholds } from '../../diagnosis/thresholds.ts';
import { type Layout, provisioned } from '../../plan/layout.ts';
import type { Severity } from '../../schemas/finding.ts';
import { figuresOfConfiguration } from '../checked-volume.ts';
import { isSameVolume } from '../measured.ts';
import { findingOf, type Rule, setVolume } from './rule.ts';

/** Less than a minute in ten days is no difference. */
const leastMinutesADay = 0.1;

function severityOf(
  minutesADay: number,
  { throttledCriticalMinutes, throttledWarningMinutes }: Thresholds,
): Severity {
  if (minutesADay >= throttledCriticalMinutes) return 'critical';
  return minutesADay >= throttledWarningMinutes ? 'warning' : 'info';
}

const rounded = (minutes: number): number => Math.round(minutes * 10) / 10;

export const measuredLoad: Rule = {
  id: 'measured-load',
  check: (_, { measured, offers, thresholds }) => ({
    notChecked: [],
    findings: measured.flatMap((change) => {
      const { planned, volumeId, from, to, measuredDays, enough } = change;
      const [before, after] = [change.throttledMinutesADayBefore, change.throttledMinutesADayAfter];
      if (after - before < leastMinutesADay) return [];
      const deployment = planned.figures.deployment;
      const offer = offers.of(planned.region);
      const setTo = (layout: Layout) => {
        const config = provisioned(layout, deployment);
        const difference = offer.difference([provisioned(to, deployment)], [config], 1);
        return setVolume(planned, figuresOfConfiguration(config), difference);
      };
      const facts = {
        ...{ code: 'throttles-measured-load' as const, volumeId, from, to, measuredDays },
        throttledMinutesADayBefore: rounded(before),
        throttledMinutesADayAfter: rounded(after),
      };
      return [
        findingOf('measured-load', planned, severityOf(after - before, thresholds), facts, [
          enough === null || isSameVolume(enough, from) ? null : setTo(enough),
          setTo(from),
        ]),
      ];
    }),
  }),
};
