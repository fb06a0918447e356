/** What is planned against what was measured: which volume it is, and what its load would have been throttled with the plan. */
import type { EvaluatedGroup } from '../audit/observed.ts';
import { VolumeReplay } from '../audit/volume-replay.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { peakDayMinutes } from '../diagnosis/throttled.ts';
import {
  configurationOf as configurationThere,
  type Instance,
  type Tags,
  type Volume,
} from '../inventory.ts';
import { type Deployment, volumeLimits } from '../limits/volume-limits.ts';
import { type Layout, provisioned } from '../plan/layout.ts';
import { bestOf, sameSize } from '../recommendations/candidates.ts';
import { layoutNow } from '../recommendations/recommendation.ts';
import type { NotMatchedReason } from '../schemas/check-answer.ts';
import { secondsPerDay } from '../units.ts';
import type { Checked } from './checked.ts';
import { type CheckedVolume, refusalOf } from './checked-volume.ts';

// Which volume it is.

/** A planned change, and the volume of the account that it changes. */
export interface MatchedChange {
  planned: CheckedVolume;
  volumeId: string;
  from: Layout;
  to: Layout;
  /** Of the volume that stands: it stays on its Outpost, whose limits are others. */
  deployment: Deployment;
}

export interface Matches {
  matched: MatchedChange[];
  notMatched: { planned: CheckedVolume; reason: NotMatchedReason }[];
}

/** Tags that AWS or this project sets say nothing of which volume it is. */
const isOwnTag = (key: string): boolean => !/^(?:aws:|stripewise:)/.test(key);

const matchingTags = (tags: Tags): [string, string][] =>
  Object.entries(tags).filter(([key]) => isOwnTag(key));

/** Tags by which planned volumes can be matched: a reader of an inventory keeps these. */
export const tagKeysOf = ({ volumes }: Checked): string[] => [
  ...new Set(volumes.flatMap(({ tags }) => matchingTags(tags).map(([key]) => key))),
];

function volumeOf(planned: CheckedVolume, inventory: readonly Volume[]): Volume | NotMatchedReason {
  const { volumeId, region } = planned;
  if (volumeId !== null) return inventory.find((one) => one.volumeId === volumeId) ?? 'not-found';
  const tags = matchingTags(planned.tags);
  if (tags.length === 0) return 'no-id-and-no-tags';
  const alike = inventory.filter(
    (one) =>
      (region === null || one.region === region) && tags.every(([key, value]) => one.tags[key] === value),
  );
  const [found] = alike;
  if (found === undefined) return 'not-found';
  return alike.length === 1 ? found : 'several';
}

export const isSameVolume = (a: Layout, b: Layout): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

/**
 * Of volumes that the plan changes, or that a template declares; each volume of the account once.
 * @param inventory with the tags of `tagKeysOf`.
 */
export function matchMeasured({ volumes }: Checked, inventory: readonly Volume[]): Matches {
  const found: Matches = { matched: [], notMatched: [] };
  const taken = new Set<string>();
  for (const planned of volumes) {
    const { action, kind, now } = planned;
    const mayStand = action === 'update' || action === 'replace' || action === 'declared';
    if (kind === 'class' || !mayStand) continue;
    const volume = volumeOf(planned, inventory);
    if (typeof volume === 'string') {
      found.notMatched.push({ planned, reason: volume });
      continue;
    }
    const there = configurationThere(volume);
    if (!now.known || !there.known) {
      found.notMatched.push({ planned, reason: 'no-figures' });
      continue;
    }
    const { deployment } = volume;
    // A plan may not say that it is on an Outpost, where EBS has no such volume.
    if (refusalOf({ ...now.value.config, deployment }) !== null) {
      found.notMatched.push({ planned, reason: 'not-on-outposts' });
      continue;
    }
    if (taken.has(volume.volumeId)) {
      found.notMatched.push({ planned, reason: 'several' });
      continue;
    }
    taken.add(volume.volumeId);
    const limits = volumeLimits({ ...now.value.config, deployment });
    const [from, to] = [layoutNow(there.value.limits), layoutNow(limits)];
    if (!isSameVolume(from, to))
      found.matched.push({ planned, volumeId: volume.volumeId, from, to, deployment });
  }
  return found;
}

// What its load would have been.

export interface MeasuredChange extends MatchedChange {
  throttledMinutesADayBefore: number;
  throttledMinutesADayAfter: number;
  /** In the 24 hours that have the most, before and after each in its own. */
  throttledMinutesPeak24hBefore: number;
  throttledMinutesPeak24hAfter: number;
  /** That the change adds, in the 24 hours in which it adds the most. */
  addedMinutesPeak24h: number;
  measuredDays: number;
  /** Of the planned type and size the cheapest that throttles no more than today; null where there is none. */
  enough: Layout | null;
}

/** The cheapest of the planned type that throttles the load no longer than what stands: neither over all days nor in the peak 24 h. */
function enoughFor(
  { to, from, deployment }: MatchedChange,
  isNoWorse: (layout: Layout) => boolean,
): Layout | null {
  const { volumeType, sizeGiB } = to;
  const best = bestOf({ limits: volumeLimits(provisioned(from, deployment)) });
  const layoutWith = (share: number): Layout | null => {
    const rates = { iops: best.iops * share, throughputMiBps: best.throughputMiBps * share };
    return sameSize({ sizeGiB, deployment }, volumeType, rates);
  };
  const whole = layoutWith(1);
  if (whole === null || !isNoWorse(whole)) return null;
  let [few, enough, found] = [0, 1, whole];
  for (let step = 0; step < 8; step++) {
    const middle = (few + enough) / 2;
    const layout = layoutWith(middle);
    if (layout !== null && isNoWorse(layout)) [enough, found] = [middle, layout];
    else few = middle;
  }
  return found;
}

function peakWith(replay: VolumeReplay, layout: Layout): number {
  const { epochSeconds, minutes } = replay.throttledMinutesByPeriodWith(layout);
  return peakDayMinutes(epochSeconds, minutes);
}

/** As the audit counts: in the 24 hours with the most of them. */
function peaksOf(replay: VolumeReplay, { from, to }: MatchedChange) {
  const { epochSeconds, minutes: before } = replay.throttledMinutesByPeriodWith(from);
  const { minutes: after } = replay.throttledMinutesByPeriodWith(to);
  const added = after.map((minutes, i) => minutes - (before[i] as number));
  return {
    throttledMinutesPeak24hBefore: peakDayMinutes(epochSeconds, before),
    throttledMinutesPeak24hAfter: peakDayMinutes(epochSeconds, after),
    addedMinutesPeak24h: peakDayMinutes(epochSeconds, added),
  };
}

/** Listens to an audit of the matched volumes, and simulates each planned change on the load of its volume. */
export class MeasuredListener {
  readonly changes: MeasuredChange[] = [];
  private readonly matched: ReadonlyMap<string, MatchedChange>;
  private readonly instances: ReadonlyMap<string, Instance>;
  private readonly thresholds: Thresholds;
  private waiting: DiagnosedVolume[] = [];

  constructor(matched: readonly MatchedChange[], instances: readonly Instance[], thresholds: Thresholds) {
    this.matched = new Map(matched.map((one) => [one.volumeId, one]));
    this.instances = new Map(instances.map((one) => [one.instanceId, one]));
    this.thresholds = thresholds;
  }

  readonly onDiagnosed = (diagnosed: DiagnosedVolume): void => {
    if (this.matched.has(diagnosed.volume.volumeId)) this.waiting.push(diagnosed);
  };

  /** Before what was seen of the instance is forgotten. */
  readonly onEvaluated = ({ observed, regionCatalogs }: EvaluatedGroup): void => {
    const { instances, thresholds } = this;
    for (const diagnosed of this.waiting) {
      const matched = this.matched.get(diagnosed.volume.volumeId);
      const measuredDays = diagnosed.load.knownSeconds / secondsPerDay;
      if (matched === undefined || measuredDays === 0) continue;
      const replay = new VolumeReplay(diagnosed, { instances, observed, regionCatalogs, thresholds });
      const minutesWith = (layout: Layout): number => replay.throttledMinutesWith(layout);
      const [before, after] = [minutesWith(matched.from), minutesWith(matched.to)];
      const peaks = peaksOf(replay, matched);
      const { throttledMinutesPeak24hBefore: peakBefore, throttledMinutesPeak24hAfter: peakAfter } = peaks;
      const isNoWorse = (layout: Layout): boolean =>
        minutesWith(layout) <= before && peakWith(replay, layout) <= peakBefore;
      this.changes.push({
        ...matched,
        throttledMinutesADayBefore: before / measuredDays,
        throttledMinutesADayAfter: after / measuredDays,
        ...peaks,
        measuredDays,
        enough: after > before || peakAfter > peakBefore ? enoughFor(matched, isNoWorse) : null,
      });
    }
    this.waiting = [];
  };
}
