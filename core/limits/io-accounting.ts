/** How I/O of one size meets the two limits of a volume. */
import { bytesFromKiB, bytesPerMiB } from '../units.ts';
import { hddMiBPerIo, ssdMiBPerIo, type VolumeLimits } from './volume-limits.ts';
import { isHdd } from './volume-types.ts';

export type BindingLimit = 'iops' | 'throughput' | 'iops+throughput';

/**
 * What a volume delivers with random I/O of one size (in KiB), and which limit ends it. An I/O above the unit (256 KiB
 * on SSD, 1 MiB on HDD) counts as several. Both are named when both bind: 16,000 IOPS of 8 KiB are 125 MiB/s exactly.
 */
export function deliveredAtIoSize(
  limits: VolumeLimits,
  ioSizeKiB: number,
): { iops: number; mibps: number; binding: BindingLimit } {
  const mibPerIo = bytesFromKiB(ioSizeKiB) / bytesPerMiB;
  const countedPerIo = Math.max(1, mibPerIo / (isHdd(limits.volumeType) ? hddMiBPerIo : ssdMiBPerIo));
  const byIops = limits.burstIops / countedPerIo;
  const byThroughput = limits.burstMiBps / mibPerIo;
  const iops = Math.min(byIops, byThroughput);
  const both = Math.abs(byIops - byThroughput) <= 1e-9 * iops;
  return {
    iops,
    mibps: iops * mibPerIo,
    binding: both ? 'iops+throughput' : byIops < byThroughput ? 'iops' : 'throughput',
  };
}
