/** A layout in words: stripe of 4 × gp3, 100 GiB, 4,000 IOPS and 250 MiB/s each. */
import type { Layout } from '../../../core/plan/layout.ts';
import { layoutKindWords } from '../../wording/words.ts';
import { gib, iops, mibps } from '../shared/format.ts';

export function layoutWords({
  kind,
  members,
  volumeType,
  sizeGiB,
  iops: rate,
  throughputMiBps,
}: Layout): string {
  const how = members === 1 ? volumeType : `${layoutKindWords[kind]}${members} × ${volumeType}`;
  return `${how}, ${gib(sizeGiB)}, ${iops(rate)}, ${mibps(throughputMiBps)}${members === 1 ? '' : ' each'}`;
}
