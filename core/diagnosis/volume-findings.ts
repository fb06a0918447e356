/** The findings of one volume that follow from its load: throttled, micro-burst, stalled, and those of its credits. */
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { EvidenceOf, Limit } from '../schemas/finding.ts';
import { alsoBit, type Cause, causeCode } from './causes.ts';
import { creditsExhausted, creditsWillExhaust } from './credit-findings.ts';
import { type Counted, type Draft, heldBackBy, type JudgedLoad, loadDrafts } from './draft.ts';
import { microBursts } from './micro-bursts.ts';
import { throttledSeverity } from './throttled.ts';

const ownCauses = { iops: 'volume-iops', throughput: 'volume-throughput' } as const;
type Own = keyof typeof ownCauses;

/** Its own limit in force; with credits left it is the burst. */
export function limitOf({ approximate, ...limits }: VolumeLimits, own: Own): Limit {
  const [baseline, burst] =
    own === 'iops' ? [limits.baselineIops, limits.burstIops] : [limits.baselineMiBps, limits.burstMiBps];
  const unit = own === 'iops' ? 'IOPS' : 'MiB/s';
  if (approximate !== undefined) return { what: 'baseline', value: baseline, unit, scope: 'volume' };
  return { what: burst > baseline ? 'burst' : 'maximum', value: burst, unit, scope: 'volume' };
}

/** True where IOPS and throughput bound together in at least half of the periods of this cause. */
function bindTogether({ attribution }: JudgedLoad, cause: Cause): boolean {
  let periods = 0;
  let together = 0;
  const other = alsoBit(cause === 'volume-iops' ? 'volume-throughput' : 'volume-iops');
  attribution.cause.forEach((code, i) => {
    if (code !== causeCode[cause]) return;
    periods++;
    if (((attribution.also[i] as number) & other) !== 0) together++;
  });
  return periods > 0 && together >= periods / 2;
}

function throttledBy(judged: JudgedLoad, own: Own, counted: Counted): Draft[] {
  const held = heldBackBy(judged, counted);
  const inBursts = heldBackBy(judged, { ...counted, onlyMicroBursts: true });
  const together = bindTogether(judged, ownCauses[own]);
  const severity = throttledSeverity(held, judged.thresholds);
  return loadDrafts(judged, { severity, counted, held, limit: limitOf(judged.limits, own) }).map((draft) => ({
    ...draft,
    kind: `throttled-${ownCauses[own]}` as const,
    evidence: {
      ...draft.evidence,
      heldBackMinutesInBursts: inBursts.minutesInWindow,
      bindingLimit: together ? ('iops+throughput' as const) : own,
    },
  }));
}

const bothCauses = [ownCauses.iops, ownCauses.throughput];

/** Which of its two limits held the volume back for longer. */
function mostlyBy(judged: JudgedLoad, onlyMicroBursts: boolean): Own {
  const minutes = (own: Own): number =>
    heldBackBy(judged, { causes: [ownCauses[own]], onlyMicroBursts }).minutesInWindow;
  return minutes('iops') >= minutes('throughput') ? 'iops' : 'throughput';
}

/** By each limit alone; where neither is enough, by both together under the name of the one that held for longer. */
function throttled(judged: JudgedLoad): Draft[] {
  const alone = (['iops', 'throughput'] as const).flatMap((own) =>
    throttledBy(judged, own, { causes: [ownCauses[own]] }),
  );
  return alone.length > 0 ? alone : throttledBy(judged, mostlyBy(judged, false), { causes: bothCauses });
}

type BurstEvidence = Pick<
  EvidenceOf<'micro-burst'>,
  Extract<keyof EvidenceOf<'micro-burst'>, `burst${string}`>
>;

/** How high and how long, as far as the queue tells. */
function burstEvidence({ load, attribution, limits }: JudgedLoad, own: Own): BurstEvidence {
  const found = microBursts(load, attribution, limits, own);
  if (found === null) return {};
  if (!found.bursts.known) return { burstsNotToldBecause: found.bursts.because };
  const { told, secondsMedian, secondsLongest, ...rate } = found.bursts.value;
  const round = (value: number): number => Number(value.toFixed(1));
  return {
    burstsTold: told,
    burstSecondsMedian: round(secondsMedian),
    burstSecondsLongest: round(secondsLongest),
    burstUnit: own === 'iops' ? 'IOPS' : 'MiB/s',
    burstRateMedian: round(rate.rateMedian),
    burstRateMedianLow: round(rate.rateMedianLow),
    burstRateMedianHigh: round(rate.rateMedianHigh),
    burstRateHighest: round(rate.rateHighest),
  };
}

function microBurst(judged: JudgedLoad): Draft[] {
  const counted = { causes: bothCauses, onlyMicroBursts: true };
  const held = heldBackBy(judged, counted);
  if (held.worst.minutes < judged.thresholds.microBurstMinutes) return [];
  const own = mostlyBy(judged, true);
  const limit = limitOf(judged.limits, own);
  return loadDrafts(judged, { severity: 'warning', counted, held, limit }).map((draft) => ({
    ...draft,
    kind: 'micro-burst',
    evidence: { ...draft.evidence, ...burstEvidence(judged, own) },
  }));
}

function stalled(judged: JudgedLoad): Draft[] {
  const counted = { causes: ['stalled'] } as const;
  const held = heldBackBy(judged, counted);
  const severity = held.minutesInWindow > 0 ? 'critical' : null;
  return loadDrafts(judged, { severity, counted, held, limit: null }).map((draft) => ({
    ...draft,
    kind: 'stalled',
  }));
}

/** Every finding that the load of a volume gives rise to. */
export function loadFindings(judged: JudgedLoad): Draft[] {
  // Most volumes are never held back: they are not counted cause by cause.
  if (judged.attribution.heldBackPeriods === 0) return creditsWillExhaust(judged);
  return [
    ...stalled(judged),
    ...creditsExhausted(judged),
    ...creditsWillExhaust(judged),
    ...throttled(judged),
    ...microBurst(judged),
  ];
}
