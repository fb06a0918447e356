/** What a change of a volume's type gives up. */
import type { VolumeType } from '../limits/volume-types.ts';
import { volumeFailureRate } from '../plan/failure-rate.ts';
import type { Risk } from '../schemas/finding.ts';

/** How much of the time a type keeps the performance that it is paid for; null where AWS states nothing. */
const consistentPercent: Partial<Record<VolumeType, number>> = { gp3: 99, io1: 99.9, io2: 99.9 };

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

/** Fails no more often than another type does. */
export const isAsDurable = (volumeType: VolumeType, as: VolumeType): boolean =>
  volumeFailureRate(volumeType) <= volumeFailureRate(as);
