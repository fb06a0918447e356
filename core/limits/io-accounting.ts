/** How I/O of one size meets the two limits of a volume. */
import { bytesFromKiB, bytesPerMiB } from '../units.ts';
import { hddMiBPerIo, ssdMiBPerIo, type VolumeLimits } from './volume-limits.ts';
import { isHdd } from './volume-types.ts';

type BindingLimit = 'iops' | 'throughput' | 'iops+throughput';

interface Delivered {
  iops: number;
  mibps: number;
  binding: BindingLimit;
}

function delivered(limitIops: number, limitMiBps: number, mibPerIo: number, countedPerIo: number): Delivered {
  const byIops = limitIops / countedPerIo;
  const byThroughput = limitMiBps / mibPerIo;
  const iops = Math.min(byIops, byThroughput);
  const both = Math.abs(byIops - byThroughput) <= 1e-9 * iops;
  const nearer = byIops < byThroughput ? 'iops' : 'throughput';
  return { iops, mibps: iops * mibPerIo, binding: both ? 'iops+throughput' : nearer };
}

/**
 * What a volume delivers with random I/O of one size (in KiB), always and in a burst, and which limit ends it. An I/O
 * above the unit (256 KiB on SSD, 1 MiB on HDD) counts as several. Both limits are named when both bind: 16,000 IOPS of
 * 8 KiB are 125 MiB/s exactly.
 */
export function deliveredAtIoSize(
  limits: VolumeLimits,
  ioSizeKiB: number,
): { baseline: Delivered; burst: Delivered } {
  const mibPerIo = bytesFromKiB(ioSizeKiB) / bytesPerMiB;
  const unitMiB = isHdd(limits.volumeType) ? hddMiBPerIo : ssdMiBPerIo;
  const countedPerIo = Math.ceil(mibPerIo / unitMiB);
  return {
    baseline: delivered(limits.baselineIops, limits.baselineMiBps, mibPerIo, countedPerIo),
    burst: delivered(limits.burstIops, limits.burstMiBps, mibPerIo, countedPerIo),
  };
}
