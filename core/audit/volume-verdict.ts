/** What is said of each volume, with trouble or without. */
import type { Attribution } from '../diagnosis/attribute.ts';
import { type AuditWindow, secondsOf } from '../diagnosis/audit-window.ts';
import { causeCode, causes } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { topShareOfLimit } from '../diagnosis/limits-in-force.ts';
import { worstDay } from '../diagnosis/rolling.ts';
import type { Volume } from '../inventory.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { maximum, minimum } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { VolumeVerdict } from '../schemas/audit-result.ts';
import { secondsPerMinute } from '../units.ts';

type LoadFigures = Pick<
  VolumeVerdict,
  | 'knownMinutes'
  | 'topAverageIops'
  | 'busyIopsInTopPeriod'
  | 'topBusyIops'
  | 'activePeriods'
  | 'periodsBusyOverTwiceAverage'
>;

function loadFigures(load: VolumeLoad | null): LoadFigures {
  if (load === null) {
    return {
      knownMinutes: 0,
      topAverageIops: null,
      busyIopsInTopPeriod: null,
      topBusyIops: null,
      activePeriods: 0,
      periodsBusyOverTwiceAverage: null,
    };
  }
  const { iops, busyIops, ops } = load;
  let [topPeriod, activePeriods, busyOverTwice] = [-1, 0, 0];
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < iops.length; i++) {
    const rate = iops[i] as number;
    if (rate > top) [top, topPeriod] = [rate, i];
    if ((ops[i] as number) > 0) activePeriods++;
    if (busyIops !== null && (busyIops[i] as number) > 2 * rate) busyOverTwice++;
  }
  return {
    knownMinutes: load.knownSeconds / secondsPerMinute,
    topAverageIops: topPeriod < 0 ? null : top,
    busyIopsInTopPeriod: busyIops?.[topPeriod] ?? null,
    topBusyIops: maximum(busyIops),
    activePeriods,
    periodsBusyOverTwiceAverage: busyIops === null ? null : busyOverTwice,
  };
}

/** A volume before it is judged: what it is and what is known of its load. */
export function describedVolume(
  volume: Volume,
  load: VolumeLoad | null,
  window: AuditWindow | null,
  repeatedPoints: number,
): VolumeVerdict {
  const figures = loadFigures(load);
  const windowMinutes = window === null ? 0 : secondsOf(window) / secondsPerMinute;
  return {
    volumeId: volume.volumeId,
    name: volume.name,
    region: volume.region,
    volumeType: volume.volumeType,
    sizeGiB: volume.sizeGiB,
    limits: null,
    verdict: 'healthy',
    because: null,
    judgedBy: null,
    ...figures,
    unknownMinutes: Math.max(0, windowMinutes - figures.knownMinutes),
    repeatedPoints,
    topShareOfLimit: null,
    monthlyUsd: null,
    lowestBalancePercent: null,
    balanceModelled: false,
    throttledMinutesPeak24h: null,
    heldBackMinutesByCause: {},
    findings: [],
    instanceFindings: [],
  };
}

/** The part of its limits that a reader of the verdict needs. */
export const limitFigures = (limits: VolumeLimits): VolumeVerdict['limits'] => {
  const { baselineIops, burstIops, baselineMiBps, burstMiBps, bucket } = limits;
  return { baselineIops, burstIops, baselineMiBps, burstMiBps, bucket };
};

function minutesByCause({ cause, heldBackMinutes, heldBackPeriods }: Attribution): Record<string, number> {
  if (heldBackPeriods === 0) return {};
  const minutes = causes.map(() => 0);
  for (let i = 0; i < cause.length; i++) {
    const held = heldBackMinutes[i] as number;
    if (held > 0) minutes[cause[i] as number] = (minutes[cause[i] as number] as number) + held;
  }
  return Object.fromEntries(
    causes.map((name, code) => [name, minutes[code] as number]).filter(([, held]) => held !== 0),
  );
}

const notThrottled: readonly number[] = [causeCode.none, causeCode.stalled, causeCode.unknown];

function throttledMinutesPeak24h({ attribution, load }: DiagnosedVolume): number {
  const { cause, heldBackMinutes, heldBackPeriods } = attribution;
  if (heldBackPeriods === 0) return 0;
  const minutes = heldBackMinutes.map((held, i) => (notThrottled.includes(cause[i] as number) ? 0 : held));
  return worstDay(load.epochSeconds, minutes).minutes;
}

/** What the diagnosis adds to it. */
export function diagnosedFigures(
  diagnosed: DiagnosedVolume,
): Pick<
  VolumeVerdict,
  | 'judgedBy'
  | 'topShareOfLimit'
  | 'lowestBalancePercent'
  | 'balanceModelled'
  | 'throttledMinutesPeak24h'
  | 'heldBackMinutesByCause'
> {
  const { balance } = diagnosed.attribution;
  return {
    judgedBy: 'fine',
    topShareOfLimit: topShareOfLimit(diagnosed),
    lowestBalancePercent: balance === null ? null : minimum(balance.percent),
    balanceModelled: balance?.source === 'modelled',
    throttledMinutesPeak24h: throttledMinutesPeak24h(diagnosed),
    heldBackMinutesByCause: minutesByCause(diagnosed.attribution),
  };
}
