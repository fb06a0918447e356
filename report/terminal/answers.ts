/** The small commands' answers, for people. */
import type { DatabaseDemand } from '../../core/demand/database-demand.ts';
import type { BurstAnswer, LimitsAnswer } from '../../core/schemas/answers.ts';
import { limitNotes } from '../wording/catalog.ts';
import { duration, number, sanitize, usd, whole } from './text.ts';

const pair = (iops: number, mibps: number): string => `${number(iops)} IOPS, ${number(mibps)} MiB/s`;

export function limitsText(answer: LimitsAnswer, invokedAs: string): string[] {
  const {
    baselineIops,
    burstIops,
    baselineMiBps,
    burstMiBps,
    bucket,
    atIoSize,
    monthlyUsdParts: parts,
  } = answer;
  const burst = burstIops > baselineIops || burstMiBps > baselineMiBps;
  return [
    `${answer.volumeType}, ${whole(answer.sizeGiB)} GiB${answer.deployment === 'outposts' ? ', on Outposts' : ''}`,
    `  baseline ${pair(baselineIops, baselineMiBps)}`,
    burst ? `  burst    ${pair(burstIops, burstMiBps)}` : '  burst    none',
    ...(bucket === null
      ? []
      : [`  bucket   ${whole(bucket.capacity)} ${bucket.unit === 'io' ? 'I/O credits' : 'MiB of credits'}`]),
    ...(atIoSize === undefined
      ? []
      : [
          `  at ${number(atIoSize.ioSizeKiB)} KiB random: ${pair(atIoSize.baseline.iops, atIoSize.baseline.mibps)}; the limit that binds: ${atIoSize.baseline.binding}`,
          ...(burst
            ? [
                `    in a burst: ${pair(atIoSize.burst.iops, atIoSize.burst.mibps)}; the limit that binds: ${atIoSize.burst.binding}`,
              ]
            : []),
        ]),
    answer.monthlyUsd === null || parts === null
      ? `  price    unknown in ${answer.priceRegion}`
      : `  price    ${usd(answer.monthlyUsd)} a month (storage ${usd(parts.storage)}, IOPS ${usd(parts.iops)}, throughput ${usd(parts.throughput)})`,
    ...limitNotes(answer).map((note) => `  note     ${sanitize(note, 500)}`),
    ...(bucket !== null && burst
      ? [`Next: ${invokedAs} burst --type ${answer.volumeType} --size-gib ${answer.sizeGiB}`]
      : []),
  ];
}

export function burstText(
  asked: { type: string; sizeGib: number; rateGiven: boolean },
  answer: BurstAnswer,
): string[] {
  const { type: volumeType, sizeGib: sizeGiB, rateGiven } = asked;
  const [unit, baseline, burst, credits] =
    'baselineIops' in answer
      ? ['IOPS', answer.baselineIops, answer.burstIops, 'I/O credits']
      : ['MiB/s', answer.baselineMiBps, answer.burstMiBps, 'MiB of credits'];
  const head = `${volumeType}, ${whole(sizeGiB)} GiB: baseline ${number(baseline)} ${unit}, burst ${number(burst)} ${unit}`;
  const limited =
    answer.rateLimitedTo === null
      ? []
      : [
          `  note         It never does more than ${number(answer.rateLimitedTo)} ${unit}: that rate is taken here.`,
        ];
  if (answer.burstDurationSeconds === null) {
    return [head, '  It does not burst: its baseline is its limit, and credits are never spent.', ...limited];
  }
  return [
    head,
    ...limited,
    `  balance      ${number(answer.creditBalance ?? 0)} ${credits}`,
    `  full burst   lasts ${duration(answer.burstDurationSeconds)} from this balance`,
    `  ${rateGiven ? 'at this rate' : 'when idle   '} ${answer.secondsToEmpty === null ? 'it never empties' : `it is empty in ${duration(answer.secondsToEmpty)}`}`,
    `  refill       ${answer.secondsToFull === null ? 'never at this rate' : answer.secondsToFull === 0 ? 'it is full' : duration(answer.secondsToFull)}`,
  ];
}

export const demandText = ({ requiredIops, parts }: DatabaseDemand): string[] => [
  `${number(requiredIops)} IOPS needed = ${number(parts.reads)} reads + ${number(parts.writes)} writes + ${number(parts.redoWrites)} redo writes a second`,
  'Take the figures of the busiest hour: an average over a day hides it.',
];
