/** What a change of a volume's type gives up, in a sentence that travels with the advice; '' where it gives up nothing. */
import type { VolumeType } from '../limits/volume-types.ts';
import { rateText, volumeFailureRate } from '../plan/failure-rate.ts';
import type { Risk } from '../schemas/finding.ts';

const failures = (volumeType: VolumeType): string => rateText(volumeFailureRate(volumeType), 1);

const caveats: Partial<Record<`${VolumeType} ${VolumeType}`, string>> = {
  'io1 gp3': ' gp3 keeps its performance 99 % of the time, io1 99.9 %; they are as durable.',
  'io2 gp3': ` gp3 keeps its performance 99 % of the time, io2 99.9 %, and ${failures('gp3')} of gp3 volumes fail in a year, ${failures('io2')} of io2.`,
  'st1 sc1': ' sc1 is for data that is seldom read: what it has all the time is enough for what was seen.',
};

/** How much of the time a type keeps the performance that it is paid for; null where AWS states nothing. */
const consistentPercent: Partial<Record<VolumeType, number>> = { gp3: 99, io1: 99.9, io2: 99.9 };

/** The same in codes. */
export function caveatRisks(from: VolumeType, to: VolumeType): Risk[] {
  const [before, after] = [consistentPercent[from], consistentPercent[to]];
  const isLess = before !== undefined && after !== undefined && after < before;
  const rates = { from: volumeFailureRate(from), to: volumeFailureRate(to) };
  return [
    ...(isLess ? [{ code: 'less-consistent' as const, from: before, to: after }] : []),
    ...(rates.to > rates.from ? [{ code: 'less-durable' as const, ...rates }] : []),
    ...(from === 'st1' && to === 'sc1' ? [{ code: 'seldom-read' as const }] : []),
  ];
}

export const caveatOf = (from: VolumeType, to: VolumeType): string => caveats[`${from} ${to}`] ?? '';

/** Fails no more often than another type does. */
export const isAsDurable = (volumeType: VolumeType, as: VolumeType): boolean =>
  volumeFailureRate(volumeType) <= volumeFailureRate(as);
