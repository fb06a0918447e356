/** The findings of one volume that follow from its load: throttled, micro-burst, stalled, and those of its credits. */
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { EvidenceOf, Limit } from '../schemas/finding.ts';
import { alsoBit, type Cause, causeCode } from './causes.ts';
import { creditsExhausted, creditsWillExhaust } from './credit-findings.ts';
import { type Counted, type Draft, type EvaluatedLoad, loadDrafts, throttledMinutesBy } from './draft.ts';
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
function bindTogether({ attribution }: EvaluatedLoad, cause: Cause): boolean {
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

function throttledBy(evaluated: EvaluatedLoad, own: Own, counted: Counted): Draft[] {
  const held = throttledMinutesBy(evaluated, counted);
  const inBursts = throttledMinutesBy(evaluated, { ...counted, onlyMicroBursts: true });
  const together = bindTogether(evaluated, ownCauses[own]);
  const severity = throttledSeverity(held, evaluated.thresholds);
  return loadDrafts(evaluated, { severity, counted, held, limit: limitOf(evaluated.limits, own) }).map(
    (draft) => ({
      ...draft,
      kind: `throttled-${ownCauses[own]}` as const,
      evidence: {
        ...draft.evidence,
        throttledMinutesInBursts: inBursts.minutesInWindow,
        bindingLimit: together ? ('iops+throughput' as const) : own,
      },
    }),
  );
}

const bothCauses = [ownCauses.iops, ownCauses.throughput];

/** Which of its two limits throttled the volume for longer. */
function mostlyBy(evaluated: EvaluatedLoad, onlyMicroBursts: boolean): Own {
  const minutes = (own: Own): number =>
    throttledMinutesBy(evaluated, { causes: [ownCauses[own]], onlyMicroBursts }).minutesInWindow;
  return minutes('iops') >= minutes('throughput') ? 'iops' : 'throughput';
}

/** By each limit alone; where neither is enough, by both together under the name of the one that held for longer. */
function throttled(evaluated: EvaluatedLoad): Draft[] {
  const alone = (['iops', 'throughput'] as const).flatMap((own) =>
    throttledBy(evaluated, own, { causes: [ownCauses[own]] }),
  );
  return alone.length > 0
    ? alone
    : throttledBy(evaluated, mostlyBy(evaluated, false), { causes: bothCauses });
}

type BurstEvidence = Pick<
  EvidenceOf<'micro-burst'>,
  Extract<keyof EvidenceOf<'micro-burst'>, `burst${string}`>
>;

/** How high and how long, as far as the queue tells. */
function burstEvidence({ load, attribution, limits }: EvaluatedLoad, own: Own): BurstEvidence {
  const found = microBursts(load, attribution, limits, own);
  if (found === null) return {};
  if (!found.bursts.known) return { burstsUnknownReason: found.bursts.reason };
  const { notified, secondsMedian, secondsLongest, ...rate } = found.bursts.value;
  const round = (value: number): number => Number(value.toFixed(1));
  return {
    burstsMeasured: notified,
    burstSecondsMedian: round(secondsMedian),
    burstSecondsLongest: round(secondsLongest),
    burstUnit: own === 'iops' ? 'IOPS' : 'MiB/s',
    burstRateMedian: round(rate.rateMedian),
    burstRateMedianLow: round(rate.rateMedianLow),
    burstRateMedianHigh: round(rate.rateMedianHigh),
    burstRateHighest: round(rate.rateHighest),
  };
}

function microBurst(evaluated: EvaluatedLoad): Draft[] {
  const counted = { causes: bothCauses, onlyMicroBursts: true };
  const held = throttledMinutesBy(evaluated, counted);
  if (held.worst.minutes < evaluated.thresholds.microBurstMinutes) return [];
  const own = mostlyBy(evaluated, true);
  const limit = limitOf(evaluated.limits, own);
  return loadDrafts(evaluated, { severity: 'warning', counted, held, limit }).map((draft) => ({
    ...draft,
    kind: 'micro-burst',
    evidence: { ...draft.evidence, ...burstEvidence(evaluated, own) },
  }));
}

function stalled(evaluated: EvaluatedLoad): Draft[] {
  const counted = { causes: ['stalled'] } as const;
  const held = throttledMinutesBy(evaluated, counted);
  const severity = held.minutesInWindow > 0 ? 'critical' : null;
  return loadDrafts(evaluated, { severity, counted, held, limit: null }).map((draft) => ({
    ...draft,
    kind: 'stalled',
  }));
}

/** Every finding that the load of a volume gives rise to. */
export function loadFindings(evaluated: EvaluatedLoad): Draft[] {
  // Most volumes are never throttled: they are not counted cause by cause.
  if (evaluated.attribution.throttledPeriods === 0) return creditsWillExhaust(evaluated);
  return [
    ...stalled(evaluated),
    ...creditsExhausted(evaluated),
    ...creditsWillExhaust(evaluated),
    ...throttled(evaluated),
    ...microBurst(evaluated),
  ];
}
