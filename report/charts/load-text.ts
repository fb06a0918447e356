/** A load in words. */

import type { Envelope } from '../../core/report/envelope.ts';
import type { ResourceSeries } from '../../core/report/resource-series.ts';
import { utcText } from '../../core/units.ts';
import { leastOf, mostOf } from './bins.ts';
import { laneRows } from './throttled-lane.ts';
import { label, measured, minutesText, throttledMinutesBy } from './words.ts';

export const rangeText = (envelope: Envelope): string => {
  const { startEpochSeconds, endEpochSeconds } = envelope;
  return `${utcText(startEpochSeconds)} to ${utcText(endEpochSeconds)} UTC`;
};

/** For who does not see the chart. */
export function describeLoad({ resourceId }: ResourceSeries, envelope: Envelope): string {
  const [iops, mibps] = [mostOf(envelope.iops.max), mostOf(envelope.mibps.max)];
  const most = (value: number | null, unit: string): string =>
    value === null ? `${unit} not known` : `at most ${measured(value)} ${unit}`;
  const credits = envelope.balancePercent && leastOf(envelope.balancePercent.min);
  const rows = laneRows(envelope);
  const held = rows.map(({ cause, minutes }) => `${minutesText(minutes)} ${throttledMinutesBy(cause)}`);
  return [
    `The load of ${label(resourceId)} from ${rangeText(envelope)}: ${most(iops, 'IOPS')}, ${most(mibps, 'MiB/s')}`,
    ...(credits === null ? [] : [`credits never below ${measured(credits)} %`]),
    ...(held.length === 0 ? ['never throttled'] : held),
  ].join('; ');
}
