/** What the first of two passes cleared: evaluated by few metrics that showed no trouble, so that no others were asked for. */
import { type AuditWindow, secondsOf } from '../diagnosis/audit-window.ts';
import type { VolumeEvaluation } from '../schemas/audit-result.ts';
import { secondsPerMinute } from '../units.ts';

export interface ClearedVolume {
  knownSeconds: number;
  /** With something in flight. */
  activePeriods: number;
  /** Null without a bucket, or where none was published. */
  lowestBalancePercent: number | null;
}

export interface Cleared {
  /** By volume id. */
  volumes: ReadonlyMap<string, ClearedVolume>;
  instanceIds: ReadonlySet<string>;
  /** Volumes of stopped instances without a point in the first pass: nothing more was asked of them. */
  silentIds: ReadonlySet<string>;
}

/** What is known of it, and no more. */
export function clearedFigures(
  { knownSeconds, activePeriods, lowestBalancePercent }: ClearedVolume,
  window: AuditWindow,
): Partial<VolumeEvaluation> {
  const knownMinutes = knownSeconds / secondsPerMinute;
  return {
    evaluatedBy: 'coarse',
    knownMinutes,
    unknownMinutes: Math.max(0, secondsOf(window) / secondsPerMinute - knownMinutes),
    activePeriods,
    lowestBalancePercent,
    throttledMinutesPeak24h: 0,
  };
}
