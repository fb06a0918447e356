/** What `--resource` asks for in full: what each is, when it was throttled, by what and its demand, and what is found. */
import type { Picked } from '../../core/audit/selected-resources.ts';
import { narrowHigh } from '../../core/demand/demand.ts';
import type { Bounds, ThrottledSpan } from '../../core/diagnosis/spans.ts';
import type { VolumeEvaluation } from '../../core/schemas/audit-result.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../../core/units.ts';
import { instanceReasonText, volumeReasonText } from '../wording/reasons.ts';
import { notReadLines } from './accounts.ts';
import { selectedRunLines, stripeLines } from './audit-run.ts';
import { type FindingsChoice, findingsText } from './findings.ts';
import { opinionsOfSelected } from './second-opinion.ts';
import { tableInColumns } from './table.ts';
import {
  abilityText,
  folded,
  hanging,
  minuteText,
  number,
  plural,
  sanitize,
  type TerminalStyle,
  whole,
  widthOf,
} from './text.ts';

const maxSpans = 24;

/** Where the text of a line begins that says what a volume can do, or what was seen. */
const labelIndent = '  can do    '.length;

const statusTexts: Record<VolumeEvaluation['status'], string> = {
  healthy: 'healthy',
  finding: 'with findings',
  'throttled-by-instance': 'throttled by its instance only',
  unknown: 'unknown',
};

/** Rates are read, not reckoned with: digits after the point of small ones only. */
const rounded = (rate: number): string => (rate < 10 ? number(rate) : whole(rate));

function limitsText({ limits }: VolumeEvaluation): string[] {
  if (limits === null) return [];
  const { baselineIops, burstIops, baselineMiBps, burstMiBps, bucket } = limits;
  // Without credits what goes beyond the steady rate is a magnetic volume's, which AWS does not promise.
  const how = bucket === null ? 'at times' : 'on credits';
  return [`  can do    ${abilityText([baselineIops, baselineMiBps], [burstIops, burstMiBps], how)}`];
}

function seenText(evaluation: VolumeEvaluation): string[] {
  const { knownMinutes, unknownMinutes, topAverageIops, topActiveTimeIops } = evaluation;
  if (topAverageIops === null) return [];
  const busy = topActiveTimeIops === null ? '' : `, ${rounded(topActiveTimeIops)} while busy`;
  return [
    `  seen      ${plural(knownMinutes, 'minute')}${unknownMinutes === 0 ? '' : `, ${whole(unknownMinutes)} more without figures`}; at most ${rounded(topAverageIops)} IOPS on average over a period${busy}`,
  ];
}

function creditsText({ lowestBalancePercent, balanceModelled }: VolumeEvaluation): string[] {
  if (lowestBalancePercent === null) return [];
  const how = balanceModelled ? ' (modelled: full at the start)' : '';
  return [`  credits   ${number(lowestBalancePercent)} % left at the lowest${how}`];
}

/** 2026-11-20 23:41 to 00:41: the day again only where it is another. */
function whenText({ startEpochSeconds, endEpochSeconds }: ThrottledSpan): string {
  const [from, to] = [startEpochSeconds, endEpochSeconds].map((at) =>
    minuteText(isoFromEpochSeconds(at)),
  ) as [string, string];
  return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to}`;
}

const lengthMinutes = ({ startEpochSeconds, endEpochSeconds }: ThrottledSpan): number =>
  (endEpochSeconds - startEpochSeconds) / secondsPerMinute;

const minutesText = (span: ThrottledSpan): string =>
  `${span.cause === 'unknown' ? '?' : number(span.throttledMinutes)} of ${number(lengthMinutes(span))}`;

/** An average that hides what the busy seconds did says so. */
const hidesBursts = 1.2;

function didText({ top: { iops, mibps, activeTimeIops } }: ThrottledSpan): string {
  if (iops === null) return '-';
  const throughput = mibps === null ? '' : `, ${rounded(mibps)} MiB/s`;
  const busy =
    activeTimeIops !== null && activeTimeIops > hidesBursts * iops
      ? ` (${rounded(activeTimeIops)} IOPS while busy)`
      : '';
  return `${rounded(iops)} IOPS${throughput}${busy}`;
}

function boundsText({ low, high }: Bounds, unit: string): string {
  if (high === null || Number.isNaN(narrowHigh(low, high))) return `${rounded(low)} ${unit} or more`;
  const [from, to] = [rounded(low), rounded(high)];
  return from === to ? `${to} ${unit}` : `${from} to ${to} ${unit}`;
}

/** More than the digits that are printed can tell. */
const sameWithin = 1.01;

/** The work of a burst that is over within its period was all served there, only later than it was demanded. */
const isServed = (demand: Bounds | null, served: number | null): boolean =>
  demand === null || (demand.high !== null && demand.high <= sameWithin * (served ?? 0));

function demandText({ demandIops, demandMiBps, top }: ThrottledSpan): string {
  if (demandIops === null) return '-';
  if (isServed(demandIops, top.iops) && isServed(demandMiBps, top.mibps)) return 'served late (queued)';
  const throughput = demandMiBps === null ? '' : `, ${boundsText(demandMiBps, 'MiB/s')}`;
  return `${boundsText(demandIops, 'IOPS')}${throughput}`;
}

const spanHead = ['  when (UTC)', 'throttled by', 'how sure', 'minutes', 'served at most', 'demand at most'];

const spansTable = (spans: readonly ThrottledSpan[], columns: number): string[] =>
  tableInColumns(
    spanHead,
    spans.map((span) => [
      `  ${whenText(span)}`,
      span.cause,
      span.confidence ?? '-',
      minutesText(span),
      didText(span),
      demandText(span),
    ]),
    { columns, hasBorders: false },
  );

/** What nobody can tell counts by its length: it may have been throttled for all of it. */
const weight = (span: ThrottledSpan): number =>
  span.cause === 'unknown' ? lengthMinutes(span) : span.throttledMinutes;

/** In the order of time, of very many those that weigh most. */
function spanLines(
  { knownMinutes, unknownMinutes }: VolumeEvaluation,
  spans: readonly ThrottledSpan[],
  columns: number,
): string[] {
  if (spans.length === 0)
    return [
      unknownMinutes > 0
        ? `  throttled in none of the ${plural(knownMinutes, 'minute')} with figures`
        : '  throttled in no minute',
    ];
  const heaviest = spans.toSorted((a, b) => weight(b) - weight(a));
  const shown = new Set(heaviest.slice(0, maxSpans));
  const left = spans.length - shown.size;
  return [
    ...spansTable(
      spans.filter((span) => shown.has(span)),
      columns,
    ),
    ...(left > 0 ? [`  ... and ${whole(left)} more (--minutes FILE has each minute)`] : []),
  ];
}

const calledText = (name: string | null): string => (name === null ? '' : ` "${sanitize(name)}"`);

/** @param spans null where its load was not looked at period by period. */
function volumeLines(
  evaluation: VolumeEvaluation,
  spans: readonly ThrottledSpan[] | null,
  columns: number,
): string[] {
  const { volumeId, name, volumeType, sizeGiB, region, reason } = evaluation;
  const why = reason === null ? '' : `: ${sanitize(volumeReasonText(reason), 300)}`;
  const what = `${sanitize(volumeId)}${calledText(name)}, ${sanitize(volumeType)} of ${whole(sizeGiB)} GiB in ${sanitize(region)}`;
  const labelled = [...limitsText(evaluation), ...seenText(evaluation), ...creditsText(evaluation)];
  return [
    ...folded(`${what}: ${statusTexts[evaluation.status]}${why}`, columns),
    ...labelled.flatMap((line) => hanging(line, columns, labelIndent)),
    ...(spans === null ? [] : spanLines(evaluation, spans, columns)),
    '',
  ];
}

/** Instances that were asked for, and those of asked volumes that could not be evaluated. */
function instanceLines({ instances, result }: Picked): string[] {
  const reason = new Map(
    result.coverage.instances.notEvaluated.map((one) => [
      one.instanceId,
      `not evaluated: ${sanitize(instanceReasonText(one.reason), 300)}`,
    ]),
  );
  const asked = instances.map(({ instanceId, name, instanceType, region }) => {
    const type = instanceType === null ? '' : `, ${sanitize(instanceType)}`;
    const evaluated = reason.get(instanceId) ?? 'evaluated on its own EBS limits';
    return `${sanitize(instanceId)}${calledText(name)}${type} in ${sanitize(region)}: ${evaluated}`;
  });
  const isAsked = new Set(instances.map(({ instanceId }) => instanceId));
  const others = [...reason].flatMap(([id, why]) => (isAsked.has(id) ? [] : [`${sanitize(id)}: ${why}`]));
  const lines = [...asked, ...others];
  return lines.length === 0 ? [] : [...lines, ''];
}

function noFindings(volumes: readonly VolumeEvaluation[]): string {
  if (volumes.length === 0) return 'No volume of it was evaluated.';
  return volumes.some(({ status }) => status === 'unknown')
    ? 'No findings on what could be evaluated.'
    : 'No findings.';
}

/** By volume id; a volume whose load was not looked at period by period is not there. */
export type SpansOfVolumes = Map<string, readonly ThrottledSpan[]>;

export interface SelectedTextOptions extends TerminalStyle, Partial<FindingsChoice> {}

/** All lines of what was asked for: its findings in full, where nobody says how many. */
export function selectedText(
  picked: Picked & { spans: SpansOfVolumes },
  options: SelectedTextOptions,
): string[] {
  const { result, spans } = picked;
  const { volumes, stripes, findings } = result;
  const { color, recorded, top = null, order = 'impact' } = options;
  const columns = widthOf(options.columns);
  const fold = (lines: readonly string[]): string[] => lines.flatMap((line) => folded(line, columns));
  return [
    ...volumes.flatMap((evaluation) =>
      volumeLines(evaluation, spans.get(evaluation.volumeId) ?? null, columns),
    ),
    ...fold(instanceLines(picked)),
    ...(stripes.length === 0 ? [] : [...fold(stripeLines({ stripes })), '']),
    ...(findings.length === 0
      ? [noFindings(volumes)]
      : findingsText(result, { top, order }, { columns, color })),
    '',
    ...opinionsOfSelected(result, columns),
    ...notReadLines(result, columns),
    ...fold(selectedRunLines(result, recorded)),
  ];
}
