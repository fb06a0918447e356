/** The replay for people: what was asked, what was throttled and by what, what waited, credits, the next step. */
import Table from 'cli-table3';
import { rateText } from '../../core/plan/cheapest-member.ts';
import { dataMembers } from '../../core/plan/layout.ts';
import type { ReplayAnswer } from '../../core/schemas/replay-answer.ts';
import { kibFromMiB, mibFromKiB } from '../../core/units.ts';
import { replayNoteText } from '../wording/replay-notes.ts';
import { layoutKindWords } from '../wording/words.ts';
import { abilityText, duration, minuteText, number, sanitize, whole } from './text.ts';

type Limits = Pick<
  ReplayAnswer['configuration']['volumes'],
  'baselineIops' | 'maximumIops' | 'baselineMiBps' | 'maximumMiBps'
>;

const limitsText = ({ baselineIops, maximumIops, baselineMiBps, maximumMiBps }: Limits): string =>
  abilityText([baselineIops, baselineMiBps], [maximumIops, maximumMiBps]);

function onText({ configuration }: ReplayAnswer): string[] {
  const { layout, volumes, instance, deployment } = configuration;
  const { kind, members, volumeType, sizeGiB } = layout;
  const what = kind === 'single' ? 'one' : `${layoutKindWords[kind]}${members}`;
  const where = deployment === 'outposts' ? ' on Outposts' : '';
  return [
    `On: ${what} ${volumeType} of ${whole(sizeGiB)} GiB${where}: ${limitsText(volumes)}`,
    ...(instance === null ? [] : [`    ${sanitize(instance.instanceType)}: ${limitsText(instance)}`]),
  ];
}

function replayedText({ series, minutes, unknownMinutes }: ReplayAnswer): string {
  const unknown = unknownMinutes === 0 ? '' : `, ${number(unknownMinutes)} of them unknown`;
  return `Replayed: ${minuteText(series.from)} to ${minuteText(series.to)} UTC, ${number(minutes)} minutes${unknown}, in periods of ${number(series.periodSeconds)} s`;
}

function askedText({ asked }: ReplayAnswer): string {
  const { meanIops, highestIops, meanMiBps, highestMiBps, meanIoSizeKiB, writeShare } = asked;
  return [
    `${number(meanIops)} IOPS and ${number(meanMiBps)} MiB/s on average`,
    `${number(highestIops)} IOPS and ${number(highestMiBps)} MiB/s at most`,
    ...(meanIoSizeKiB === null
      ? []
      : [
          `${number(meanIoSizeKiB)} KiB an I/O, ${writeShare === null ? 'share of writes unknown' : `${rateText(writeShare, 2)} of them writes`}`,
        ]),
  ].join('\n');
}

function throttledText({ throttledMinutes, minutes, unknownMinutes, byCause }: ReplayAnswer): string {
  if (throttledMinutes === 0) return 'never';
  const known = minutes - unknownMinutes;
  return [
    `${number(throttledMinutes)} of ${number(known)} minutes (${rateText(throttledMinutes / known, 2)})`,
    ...Object.entries(byCause).map(([cause, throttled]) => `  ${cause} ${number(throttled)} min`),
  ].join('\n');
}

/** What comes from the arithmetic beyond the millisecond is not said. */
const delay = (seconds: number): string => duration(Math.round(seconds * 1e3) / 1e3);

function waitedRows({
  throttledMinutes,
  unservedShare,
  backlogSecondsMax,
  backlogSecondsP95,
  backlogIoAtEnd,
}: ReplayAnswer): string[][] {
  if (throttledMinutes === 0) return [];
  return [
    ['not served in its period', `${rateText(unservedShare, 2)} of all I/O`],
    [
      'backlog',
      [
        `${delay(backlogSecondsMax)} at worst`,
        `${delay(backlogSecondsP95)} at the 95th percentile`,
        ...(backlogIoAtEnd > 0 ? [`${whole(backlogIoAtEnd)} I/O still wait at the end`] : []),
      ].join('\n'),
    ],
  ];
}

function creditsText({ lowestCreditPercent, lowestCredits }: ReplayAnswer): string {
  if (lowestCreditPercent === null) return 'no credits are spent';
  const { volume, instanceIo, instanceBytes } = lowestCredits;
  const parts = [
    ['volume', volume],
    ['instance I/O', instanceIo],
    ['instance bytes', instanceBytes],
  ] as const;
  return parts
    .flatMap(([name, percent]) => (percent === null ? [] : [`${name} ${number(percent)} %`]))
    .join(', ');
}

function burstText({ burstMinutes }: ReplayAnswer): string {
  if (burstMinutes === null) return 'unknown';
  return burstMinutes === 0
    ? 'none'
    : `${number(burstMinutes)} min: within the limits on average, not in the busy seconds`;
}

/** What a plan for the highest rates is asked: rates each by the other at the I/O size, as the plan reckons them. */
function needOf({ asked }: ReplayAnswer): { iops: number; mibps: number; ioKiB: number | null } {
  const iops = Math.ceil(asked.highestIops);
  const mibps = Math.ceil(asked.highestMiBps);
  const ioKiB = asked.meanIoSizeKiB === null ? null : Math.max(1, Math.round(asked.meanIoSizeKiB));
  return { iops, mibps, ioKiB };
}

/** A plan counts on no credits: does the instance do all the time what is asked at most? */
function isSteady(answer: ReplayAnswer): boolean {
  const { instance } = answer.configuration;
  const { iops, mibps, ioKiB } = needOf(answer);
  if (instance === null) return false;
  const { baselineIops, baselineMiBps } = instance;
  if (ioKiB === null) return baselineIops >= iops && baselineMiBps >= mibps;
  return (
    baselineIops >= Math.max(iops, kibFromMiB(mibps) / ioKiB) &&
    baselineMiBps >= Math.max(mibps, mibFromKiB(iops * ioKiB))
  );
}

/** A plan for the highest rates of the series. */
function planLine(answer: ReplayAnswer): string {
  const { layout, instance, deployment } = answer.configuration;
  const { writeShare } = answer.asked;
  const { iops, mibps, ioKiB } = needOf(answer);
  const options = [
    ...(iops > 0 ? [`--iops ${iops}`] : []),
    ...(mibps > 0 ? [`--throughput-mibps ${mibps}`] : []),
    `--capacity-gib ${Math.floor(dataMembers(layout) * layout.sizeGiB)}`,
    ...(ioKiB === null ? [] : [`--io-size-kib ${ioKiB}`]),
    ...(writeShare === null ? [] : [`--read-share ${Math.round((1 - writeShare) * 100) / 100}`]),
    ...(deployment === 'region' ? [] : [`--deployment ${deployment}`]),
    ...(instance !== null && isSteady(answer) ? [`--instance-type ${sanitize(instance.instanceType)}`] : []),
    ...(instance === null ? [] : [`--region ${instance.region}`]),
  ];
  return `plan ${options.join(' ')}`;
}

function nextText(answer: ReplayAnswer, invokedAs: string): string {
  const { throttledMinutes, unknownMinutes, asked, configuration } = answer;
  if (throttledMinutes > 0) {
    const { instance } = configuration;
    const larger =
      instance === null || isSteady(answer)
        ? ''
        : ` ${sanitize(instance.instanceType)} has a lower baseline: it is left out.`;
    return `Next: ${invokedAs} ${planLine(answer)}: what would carry the highest rates that were asked for.${larger}`;
  }
  if (asked.highestIops === 0 && asked.highestMiBps === 0) return 'Next: give a --series with load.';
  const known = unknownMinutes === 0 ? '' : ' in the time that is known';
  return `Next: nothing was throttled${known}; another --layout or --instance-type shows whether less would do.`;
}

/** Where the buckets were not full at the start, that is part of the question. */
function startText({ configuration: { startBalancePercent }, lowestCreditPercent }: ReplayAnswer): string[] {
  if (startBalancePercent === 100) return [];
  const none = lowestCreditPercent === null ? ' (here there is none)' : '';
  return [`    every credit bucket has ${number(startBalancePercent)} % at the start${none}`];
}

/** Lines for a terminal. */
export function replayText(answer: ReplayAnswer, invokedAs: string): string[] {
  const table = new Table({ style: { head: [], border: [] } });
  table.push(
    ['asked', askedText(answer)],
    ['throttled', throttledText(answer)],
    ...waitedRows(answer),
    ['bursts inside periods', burstText(answer)],
    ['lowest credits', creditsText(answer)],
  );
  return [
    replayedText(answer),
    ...onText(answer),
    ...startText(answer),
    '',
    table.toString(),
    ...answer.notes.map((note) => `note: ${sanitize(replayNoteText(note), 500)}`),
    nextText(answer, invokedAs),
  ];
}
