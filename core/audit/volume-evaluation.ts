/** What is said of each volume, with trouble or without. */
import type { Attribution } from '../diagnosis/attribute.ts';
import { type AuditWindow, secondsOf } from '../diagnosis/audit-window.ts';
import { causeCode, causes } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { topShareOfLimit } from '../diagnosis/limits-in-force.ts';
import { peakDay } from '../diagnosis/rolling.ts';
import type { Volume } from '../inventory.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { maximum, minimum } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { VolumeEvaluation } from '../schemas/audit-result.ts';
import { secondsPerMinute } from '../units.ts';

type LoadFigures = Pick<
  VolumeEvaluation,
  | 'knownMinutes'
  | 'topAverageIops'
  | 'activeTimeIopsInTopPeriod'
  | 'topActiveTimeIops'
  | 'activePeriods'
  | 'periodsBusyOverTwiceAverage'
>;

function loadFigures(load: VolumeLoad | null): LoadFigures {
  if (load === null) {
    return {
      knownMinutes: 0,
      topAverageIops: null,
      activeTimeIopsInTopPeriod: null,
      topActiveTimeIops: null,
      activePeriods: 0,
      periodsBusyOverTwiceAverage: null,
    };
  }
  const { iops, activeTimeIops, ops } = load;
  let [topPeriod, activePeriods, busyOverTwice] = [-1, 0, 0];
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < iops.length; i++) {
    const rate = iops[i] as number;
    if (rate > top) [top, topPeriod] = [rate, i];
    if ((ops[i] as number) > 0) activePeriods++;
    if (activeTimeIops !== null && (activeTimeIops[i] as number) > 2 * rate) busyOverTwice++;
  }
  return {
    knownMinutes: load.knownSeconds / secondsPerMinute,
    topAverageIops: topPeriod < 0 ? null : top,
    activeTimeIopsInTopPeriod: activeTimeIops?.[topPeriod] ?? null,
    topActiveTimeIops: maximum(activeTimeIops),
    activePeriods,
    periodsBusyOverTwiceAverage: activeTimeIops === null ? null : busyOverTwice,
  };
}

/** A volume before it is evaluated: what it is and what is known of its load. */
export function describedVolume(
  volume: Volume,
  load: VolumeLoad | null,
  window: AuditWindow | null,
  repeatedPoints: number,
): VolumeEvaluation {
  const figures = loadFigures(load);
  const windowMinutes = window === null ? 0 : secondsOf(window) / secondsPerMinute;
  return {
    volumeId: volume.volumeId,
    name: volume.name,
    region: volume.region,
    volumeType: volume.volumeType,
    sizeGiB: volume.sizeGiB,
    limits: null,
    status: 'healthy',
    reason: null,
    evaluatedBy: null,
    ...figures,
    unknownMinutes: Math.max(0, windowMinutes - figures.knownMinutes),
    repeatedPoints,
    topShareOfLimit: null,
    monthlyUsd: null,
    lowestBalancePercent: null,
    balanceModelled: false,
    throttledMinutesPeak24h: null,
    throttledMinutesByCause: {},
    findings: [],
    instanceFindings: [],
  };
}

/** The part of its limits that a reader of the evaluation needs. */
export const limitFigures = (limits: VolumeLimits): VolumeEvaluation['limits'] => {
  const { baselineIops, burstIops, baselineMiBps, burstMiBps, bucket } = limits;
  return { baselineIops, burstIops, baselineMiBps, burstMiBps, bucket };
};

function minutesByCause({ cause, throttledMinutes, throttledPeriods }: Attribution): Record<string, number> {
  if (throttledPeriods === 0) return {};
  const minutes = causes.map(() => 0);
  for (let i = 0; i < cause.length; i++) {
    const held = throttledMinutes[i] as number;
    if (held > 0) minutes[cause[i] as number] = (minutes[cause[i] as number] as number) + held;
  }
  return Object.fromEntries(
    causes.map((name, code) => [name, minutes[code] as number]).filter(([, held]) => held !== 0),
  );
}

const notThrottled: readonly number[] = [causeCode.none, causeCode.stalled, causeCode.unknown];

function throttledMinutesPeak24h({ attribution, load }: DiagnosedVolume): number {
  const { cause, throttledMinutes, throttledPeriods } = attribution;
  if (throttledPeriods === 0) return 0;
  const minutes = throttledMinutes.map((held, i) => (notThrottled.includes(cause[i] as number) ? 0 : held));
  return peakDay(load.epochSeconds, minutes).minutes;
}

/** What the diagnosis adds to it. */
export function diagnosedFigures(
  diagnosed: DiagnosedVolume,
): Pick<
  VolumeEvaluation,
  | 'evaluatedBy'
  | 'topShareOfLimit'
  | 'lowestBalancePercent'
  | 'balanceModelled'
  | 'throttledMinutesPeak24h'
  | 'throttledMinutesByCause'
> {
  const { balance } = diagnosed.attribution;
  return {
    evaluatedBy: 'fine',
    topShareOfLimit: topShareOfLimit(diagnosed),
    lowestBalancePercent: balance === null ? null : minimum(balance.percent),
    balanceModelled: balance?.source === 'modelled',
    throttledMinutesPeak24h: throttledMinutesPeak24h(diagnosed),
    throttledMinutesByCause: minutesByCause(diagnosed.attribution),
  };
}
