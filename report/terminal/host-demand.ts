/** The demand of a recording for people: what it needs, what to know, and the plan for it. */
import Table from 'cli-table3';
import { rateText } from '../../core/plan/cheapest-member.ts';
import type { HostDemand } from '../../core/schemas/host-demand.ts';
import { hostNoteText } from '../wording/host-recording.ts';
import { duration, minuteText, number, sanitize } from './text.ts';

const shareText = (share: number | null): string => (share === null ? 'unknown' : rateText(share, 2));

/** A plan for the peak, reckoned at the mean I/O size. What it has to hold is not in a recording. */
function planLine({ iops, mibps, meanIoSizeKiB, readShare }: HostDemand, invokedAs: string): string {
  const [needIops, needMiBps] = [Math.ceil(iops.peak), Math.ceil(mibps.peak)];
  if (needIops === 0) return 'Next: record a time with I/O: here was none.';
  const options = [
    `--iops ${needIops}`,
    ...(needMiBps > 0 ? [`--throughput-mibps ${needMiBps}`] : []),
    '--capacity-gib GIB',
    ...(meanIoSizeKiB === null ? [] : [`--io-size-kib ${Math.max(1, Math.round(meanIoSizeKiB))}`]),
    ...(readShare === null ? [] : [`--read-share ${Math.round(readShare * 100) / 100}`]),
  ];
  return `Next: ${invokedAs} plan ${options.join(' ')}    (GIB: what it has to hold)`;
}

/** Lines for a terminal. */
export function hostDemandText(demand: HostDemand, invokedAs: string): string[] {
  const { source, device, from, to, knownMinutes, periodSeconds, iops, mibps, notes } = demand;
  const table = new Table({
    head: ['', 'peak', '99 %', '95 %', 'mean'],
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  });
  const row = (name: string, { peak, p99, p95, mean }: HostDemand['iops']): string[] => [
    name,
    ...[peak, p99, p95, mean].map(number),
  ];
  table.push(row('IOPS', iops), row('MiB/s', mibps));
  const size = demand.meanIoSizeKiB;
  return [
    `${source}${device === null ? '' : ` of ${sanitize(device)}`}: ${minuteText(from)} to ${minuteText(to)} UTC, ${number(knownMinutes)} minutes known`,
    `Peak and percentiles are of means over ${duration(periodSeconds)}. The IOPS peak begins ${minuteText(demand.peakIopsAt)} UTC.`,
    '',
    table.toString(),
    `I/O size ${size === null ? 'unknown' : `${number(size)} KiB on average`}; reads: ${shareText(demand.readShare)} of the I/O, ${shareText(demand.readByteShare)} of the bytes`,
    ...notes.map((note) => `note: ${hostNoteText(note)}`),
    planLine(demand, invokedAs),
  ];
}
