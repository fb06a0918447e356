/** Single volumes in full: what each is, when it was held back, by what and what it wanted, and what is found on it. */
import Table from 'cli-table3';
import type { Picked } from '../../core/audit/only.ts';
import type { Bounds, HeldBackSpan } from '../../core/diagnosis/spans.ts';
import type { AuditResult, VolumeVerdict } from '../../core/schemas/audit-result.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../../core/units.ts';
import { onlyRunLines, stripeLines } from './audit-run.ts';
import { byResource, findingsInFull, type TableStyle } from './findings.ts';
import {
  abilityText,
  inert,
  minuteText,
  noBorders,
  number,
  plural,
  whole,
  withoutTrailingSpaces,
} from './text.ts';

const mostSpans = 24;

const verdictTexts: Record<VolumeVerdict['verdict'], string> = {
  healthy: 'healthy',
  finding: 'with findings',
  'held-back-by-instance': 'held back by its instance only',
  unknown: 'unknown',
};

const rateText = (rate: number): string => (rate < 10 ? number(rate) : whole(rate));

function limitsText({ limits }: VolumeVerdict): string[] {
  if (limits === null) return [];
  const { baselineIops, burstIops, baselineMiBps, burstMiBps } = limits;
  return [`  can do    ${abilityText([baselineIops, baselineMiBps], [burstIops, burstMiBps])}`];
}

function seenText(verdict: VolumeVerdict): string[] {
  const { knownMinutes, unknownMinutes, topAverageIops, topBusyIops } = verdict;
  if (topAverageIops === null) return [];
  const busy = topBusyIops === null ? '' : `, ${rateText(topBusyIops)} while busy`;
  return [
    `  seen      ${plural(knownMinutes, 'minute')}${unknownMinutes === 0 ? '' : `, ${whole(unknownMinutes)} more without figures`}; at most ${rateText(topAverageIops)} IOPS on average over a period${busy}`,
  ];
}

function creditsText({ lowestBalancePercent, balanceModelled }: VolumeVerdict): string[] {
  if (lowestBalancePercent === null) return [];
  const how = balanceModelled ? ' (modelled: full at the start)' : '';
  return [`  credits   ${number(lowestBalancePercent)} % left at the lowest${how}`];
}

/** 2026-11-20 23:41 to 00:41: the day again only where it is another. */
function whenText({ startEpochSeconds, endEpochSeconds }: HeldBackSpan): string {
  const [from, to] = [startEpochSeconds, endEpochSeconds].map((at) =>
    minuteText(isoFromEpochSeconds(at)),
  ) as [string, string];
  return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to}`;
}

function minutesText({ cause, heldBackMinutes, startEpochSeconds, endEpochSeconds }: HeldBackSpan): string {
  const all = number((endEpochSeconds - startEpochSeconds) / secondsPerMinute);
  return cause === 'unknown' ? `? of ${all}` : `${number(heldBackMinutes)} of ${all}`;
}

/** An average that hides what the busy seconds did says so. */
const hidesBursts = 1.2;

function didText({ top: { iops, mibps, busyIops } }: HeldBackSpan): string {
  if (iops === null) return '-';
  const throughput = mibps === null ? '' : `, ${rateText(mibps)} MiB/s`;
  const busy =
    busyIops !== null && busyIops > hidesBursts * iops ? ` (${rateText(busyIops)} IOPS while busy)` : '';
  return `${rateText(iops)} IOPS${throughput}${busy}`;
}

function boundsText({ low, high }: Bounds, unit: string): string {
  if (high === null) return `${rateText(low)} ${unit} or more`;
  return `${rateText(low)} to ${rateText(high)} ${unit}`;
}

/** What was all done within the period of a burst, only later than wanted, was no more than what was served. */
const isServed = (bounds: Bounds | null): boolean => bounds === null || bounds.low === bounds.high;

function wantedText({ wantedIops, wantedMiBps }: HeldBackSpan): string {
  if (wantedIops === null) return '-';
  if (isServed(wantedIops) && isServed(wantedMiBps)) return 'no more, but sooner';
  const throughput = wantedMiBps === null ? '' : `, ${boundsText(wantedMiBps, 'MiB/s')}`;
  return `${boundsText(wantedIops, 'IOPS')}${throughput}`;
}

function spansTable(spans: readonly HeldBackSpan[]): string {
  const drawn = new Table({
    head: ['  when (UTC)', 'held back by', 'minutes', 'did at most', 'wanted at most', 'sure'],
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0 },
  });
  for (const span of spans)
    drawn.push([
      `  ${whenText(span)}`,
      span.cause,
      minutesText(span),
      didText(span),
      wantedText(span),
      span.confidence ?? '-',
    ]);
  return withoutTrailingSpaces(drawn.toString());
}

/** In the order of time those that lasted longest. */
function spanLines(spans: readonly HeldBackSpan[]): string[] {
  if (spans.length === 0) return ['  held back in no minute'];
  const byLength = spans.toSorted((a, b) => b.heldBackMinutes - a.heldBackMinutes);
  const shown = new Set(byLength.slice(0, mostSpans));
  const left = spans.length - shown.size;
  return [
    spansTable(spans.filter((span) => shown.has(span))),
    ...(left > 0 ? [`  ... and ${left} shorter ones (--minutes FILE has each minute)`] : []),
  ];
}

/** @param spans null where its load was not looked at period by period. */
function volumeLines(verdict: VolumeVerdict, spans: readonly HeldBackSpan[] | null): string[] {
  const { volumeId, name, volumeType, sizeGiB, region, because } = verdict;
  const called = name === null ? '' : ` "${inert(name)}"`;
  const why = because === null ? '' : `: ${inert(because, 300)}`;
  return [
    `${inert(volumeId)}${called}, ${inert(volumeType)} of ${whole(sizeGiB)} GiB in ${inert(region)}: ${verdictTexts[verdict.verdict]}${why}`,
    ...limitsText(verdict),
    ...seenText(verdict),
    ...creditsText(verdict),
    ...(spans === null ? [] : spanLines(spans)),
    '',
  ];
}

/** By volume id; a volume whose load was not looked at period by period is not there. */
export type SpansOfVolumes = Map<string, readonly HeldBackSpan[]>;

const noFindings = (volumes: readonly VolumeVerdict[]): string =>
  volumes.some(({ verdict }) => verdict === 'unknown')
    ? 'No findings on what could be judged.'
    : 'No findings.';

/** All lines of what was asked for, out of the result with what was judged beside. */
export function onlyText(
  { volumes, stripes, findings }: Picked,
  spans: SpansOfVolumes,
  result: AuditResult,
  style: TableStyle,
): string[] {
  const verdicts = new Map(result.volumes.map((verdict) => [verdict.volumeId, verdict]));
  return [
    ...volumes.flatMap((verdict) => volumeLines(verdict, spans.get(verdict.volumeId) ?? null)),
    ...(stripes.length === 0 ? [] : [...stripeLines({ stripes }), '']),
    findings.length === 0 ? noFindings(volumes) : findingsInFull(byResource(findings), verdicts, style),
    '',
    ...onlyRunLines(result),
  ];
}
