/** The findings of one volume that follow from its load: throttled, micro-burst, stalled, and those of its credits. */
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { type Cause, causeCode } from './causes.ts';
import { creditsExhausted, creditsWillExhaust } from './credit-findings.ts';
import { type Draft, draftOf, heldBackBy, type JudgedLoad } from './draft.ts';
import { thresholds } from './thresholds.ts';
import { show, throttledSeverity, whenText } from './throttled.ts';

const averageShare = `${show(100 * thresholds.microBurstAverageShare)} %`;

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

/** True where IOPS and throughput bound together in at least half of the periods of this cause. */
function bindTogether({ attribution }: JudgedLoad, cause: Cause): boolean {
  let periods = 0;
  let together = 0;
  attribution.cause.forEach((code, i) => {
    if (code !== causeCode[cause]) return;
    periods++;
    together += attribution.bothLimits[i] as number;
  });
  return periods > 0 && together >= periods / 2;
}

function throttledBy(judged: JudgedLoad, own: 'iops' | 'throughput', texts: LimitTexts): Draft[] {
  const cause = `volume-${own}` as const;
  const counted = { cause };
  const held = heldBackBy(judged, counted);
  const bursts = heldBackBy(judged, { cause, onlyMicroBursts: true });
  const together = bindTogether(judged, cause);
  const limit = together
    ? `${texts.iops} and ${texts.throughput} at once (raising one alone changes nothing)`
    : texts[own];
  const short =
    bursts.minutesInWindow >= held.minutesInWindow / 2
      ? `; in seconds of them, while the averages stay below ${averageShare}`
      : '';
  return draftOf(judged, {
    kind: `throttled-${cause}`,
    severity: throttledSeverity(held),
    counted,
    held,
    reason: `held back at its own limit of ${limit} ${whenText(held)}${short}`,
    evidence: { bindingLimit: together ? 'iops+throughput' : own },
  });
}

function microBurst(judged: JudgedLoad, texts: LimitTexts): Draft[] {
  const iopsBursts = { cause: 'volume-iops', onlyMicroBursts: true } as const;
  const throughputBursts = { cause: 'volume-throughput', onlyMicroBursts: true } as const;
  const byIops = heldBackBy(judged, iopsBursts);
  const byThroughput = heldBackBy(judged, throughputBursts);
  const iops = byIops.worst.minutes >= byThroughput.worst.minutes;
  const held = iops ? byIops : byThroughput;
  return draftOf(judged, {
    kind: 'micro-burst',
    severity: held.worst.minutes >= thresholds.microBurstMinutes ? 'warning' : null,
    counted: iops ? iopsBursts : throughputBursts,
    held,
    reason: `short bursts hit its limit of ${iops ? texts.iops : texts.throughput} ${whenText(held)}, while the average of those minutes stays below ${averageShare} of it`,
  });
}

function stalled(judged: JudgedLoad): Draft[] {
  const counted = { cause: 'stalled' } as const;
  const held = heldBackBy(judged, counted);
  return draftOf(judged, {
    kind: 'stalled',
    severity: held.minutesInWindow > 0 ? 'critical' : null,
    counted,
    held,
    reason: `AWS saw I/O that did not complete ${whenText(held)}`,
  });
}

/** Every finding that the load of a volume gives rise to. */
export function loadFindings(judged: JudgedLoad): Draft[] {
  const texts = limitTexts(judged.limits);
  return [
    ...stalled(judged),
    ...creditsExhausted(judged),
    ...creditsWillExhaust(judged),
    ...throttledBy(judged, 'iops', texts),
    ...throttledBy(judged, 'throughput', texts),
    ...microBurst(judged, texts),
  ];
}
