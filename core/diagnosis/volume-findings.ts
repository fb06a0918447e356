/** The findings of one volume that follow from its load: throttled, micro-burst, stalled, and those of its credits. */

import { figure } from '../figures.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { Limit } from '../schemas/finding.ts';
import { alsoBit, type Cause, causeCode } from './causes.ts';
import { creditsExhausted, creditsWillExhaust } from './credit-findings.ts';
import { type Counted, type Draft, draftOf, heldBackBy, type JudgedLoad } from './draft.ts';
import { microBursts } from './micro-bursts.ts';
import { show, throttledSeverity, whenText } from './throttled.ts';

const averageShare = ({ thresholds }: JudgedLoad): string =>
  `${show(100 * thresholds.microBurstAverageShare)} %`;

interface LimitTexts {
  iops: string;
  throughput: string;
}

/** The limits as a reason names them; those of `standard` are approximate. */
function limitTexts({ approximate, ...limits }: VolumeLimits): LimitTexts {
  return approximate === undefined
    ? { iops: `${show(limits.burstIops)} IOPS`, throughput: `${show(limits.burstMiBps)} MiB/s` }
    : {
        iops: `about ${show(limits.baselineIops)} IOPS`,
        throughput: `about ${show(limits.baselineMiBps)} MiB/s`,
      };
}

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

function throttledBy(judged: JudgedLoad, own: Own, counted: Counted, texts: LimitTexts): Draft[] {
  const held = heldBackBy(judged, counted);
  const bursts = heldBackBy(judged, { ...counted, onlyMicroBursts: true });
  const together = bindTogether(judged, ownCauses[own]);
  const limit = together
    ? `${texts.iops} and ${texts.throughput} at once (raising one alone changes nothing)`
    : texts[own];
  const short =
    bursts.minutesInWindow >= held.minutesInWindow / 2
      ? `; in seconds of them, while the averages stay below ${averageShare(judged)}`
      : '';
  return draftOf(judged, {
    kind: `throttled-${ownCauses[own]}`,
    severity: throttledSeverity(held, judged.thresholds),
    counted,
    held,
    limit: limitOf(judged.limits, own),
    reason: `held back at its own limit of ${limit} ${whenText(held, judged.thresholds)}${short}`,
    evidence: { bindingLimit: together ? 'iops+throughput' : own },
  });
}

const bothCauses = [ownCauses.iops, ownCauses.throughput];

/** Which of its two limits held the volume back for longer. */
function mostlyBy(judged: JudgedLoad, onlyMicroBursts: boolean): Own {
  const minutes = (own: Own): number =>
    heldBackBy(judged, { causes: [ownCauses[own]], onlyMicroBursts }).minutesInWindow;
  return minutes('iops') >= minutes('throughput') ? 'iops' : 'throughput';
}

/** By each limit alone; where neither is enough, by both together under the name of the one that held for longer. */
function throttled(judged: JudgedLoad, texts: LimitTexts): Draft[] {
  const alone = (['iops', 'throughput'] as const).flatMap((own) =>
    throttledBy(judged, own, { causes: [ownCauses[own]] }, texts),
  );
  return alone.length > 0
    ? alone
    : throttledBy(judged, mostlyBy(judged, false), { causes: bothCauses }, texts);
}

/** How high and how long, as far as the queue tells: evidence, and the same in words. */
function burstFigures({ load, attribution, limits }: JudgedLoad, own: Own) {
  const found = microBursts(load, attribution, limits, own);
  if (found === null) return { text: '', evidence: {} };
  if (!found.bursts.known) return { text: '', evidence: { burstsNotToldBecause: found.bursts.because } };
  const { told, secondsMedian, secondsLongest, ...rate } = found.bursts.value;
  const unit = own === 'iops' ? 'IOPS' : 'MiB/s';
  const round = (value: number): number => Number(value.toFixed(1));
  return {
    text: `; typically about ${show(secondsMedian)} s at ${figure(rate.rateMedianLow, 0)} to ${figure(rate.rateMedianHigh, 0)} ${unit}`,
    evidence: {
      burstsTold: told,
      burstSecondsMedian: round(secondsMedian),
      burstSecondsLongest: round(secondsLongest),
      burstUnit: unit,
      burstRateMedian: round(rate.rateMedian),
      burstRateMedianLow: round(rate.rateMedianLow),
      burstRateMedianHigh: round(rate.rateMedianHigh),
      burstRateHighest: round(rate.rateHighest),
    },
  };
}

function microBurst(judged: JudgedLoad, texts: LimitTexts): Draft[] {
  const counted = { causes: bothCauses, onlyMicroBursts: true };
  const held = heldBackBy(judged, counted);
  if (held.worst.minutes < judged.thresholds.microBurstMinutes) return [];
  const own = mostlyBy(judged, true);
  const { text, evidence } = burstFigures(judged, own);
  return draftOf(judged, {
    kind: 'micro-burst',
    severity: 'warning',
    counted,
    held,
    limit: limitOf(judged.limits, own),
    reason: `short bursts hit its limit of ${texts[own]} ${whenText(held, judged.thresholds)}, while the average of those minutes stays below ${averageShare(judged)} of it${text}`,
    evidence,
  });
}

function stalled(judged: JudgedLoad): Draft[] {
  const counted = { causes: ['stalled'] } as const;
  const held = heldBackBy(judged, counted);
  return draftOf(judged, {
    kind: 'stalled',
    severity: held.minutesInWindow > 0 ? 'critical' : null,
    counted,
    held,
    limit: null,
    reason: `AWS saw I/O that did not complete ${whenText(held, judged.thresholds)}`,
  });
}

/** Every finding that the load of a volume gives rise to. */
export function loadFindings(judged: JudgedLoad): Draft[] {
  // Most volumes are never held back: they are not counted cause by cause.
  if (judged.attribution.heldBackPeriods === 0) return creditsWillExhaust(judged);
  const texts = limitTexts(judged.limits);
  return [
    ...stalled(judged),
    ...creditsExhausted(judged),
    ...creditsWillExhaust(judged),
    ...throttled(judged, texts),
    ...microBurst(judged, texts),
  ];
}
