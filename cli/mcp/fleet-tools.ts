/** The tools that answer about a fleet: what is wrong, why one resource was slow, what its archive has of a volume. */
import { z } from 'zod';
import { momentOf } from '../../core/audit/batches.ts';
import { type Confidence, causeCode, causes, confidences } from '../../core/diagnosis/causes.ts';
import type { DiagnosedVolume } from '../../core/diagnosis/diagnosed-volume.ts';
import { type ThrottledSpan, throttledSpans } from '../../core/diagnosis/spans.ts';
import { BadInput } from '../../core/errors.ts';
import {
  type ExplainedVolume,
  explainSchema,
  type FindingView,
  historyViewSchema,
  listFindingsSchema,
  type Moment,
  type SpanView,
} from '../../core/schemas/assistant-answers.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { AnyEvidence, Finding } from '../../core/schemas/finding.ts';
import { findingKinds, severities } from '../../core/schemas/finding-kinds.ts';
import {
  isoFromEpochSeconds,
  msPerSecond,
  secondsPerDay,
  secondsPerHour,
  secondsPerMinute,
} from '../../core/units.ts';
import { idOrUntrusted, untrusted } from '../../core/untrusted.ts';
import { withUntrusted } from '../../core/untrusted-document.ts';
import { inOrder } from '../../report/terminal/finding-order.ts';
import { explainLines, findingsLines, historyLines } from '../../report/wording/assistant.ts';
import { inToolWords } from '../../report/wording/assistant-names.ts';
import { noticeText } from '../../report/wording/audit-notices.ts';
import { findingOrders } from '../../report/wording/audit-totals.ts';
import { findingLines, labelledLine } from '../../report/wording/finding-lines.ts';
import { volumeReasonText } from '../../report/wording/reasons.ts';
import type { Source, Window } from './source.ts';
import { cursorOption, partOf, tool, volumeIdArgument } from './tool.ts';

const nameOf = (name: string | null): string | null =>
  name === null || name === '' ? null : untrusted(name);

/** With its five lines, made of a finding in which nothing of the account can pose as more than data. */
function findingView(finding: Finding): FindingView {
  const { throttledMinutesPeak24h }: AnyEvidence = finding.evidence;
  const { id, kind, severity, status, confidence, firstSeen, lastSeen, resource } = finding;
  const marked = withUntrusted(finding);
  return {
    ...{ kind, severity, status, confidence, firstSeen, lastSeen },
    throttledMinutesPeak24h: throttledMinutesPeak24h ?? null,
    id: marked.id === id ? id : untrusted(id),
    resourceId: idOrUntrusted(resource.id),
    name: nameOf(resource.name),
    region: marked.resource.region,
    monthlyUsdDelta: finding.recommendations[0]?.monthlyUsdDelta ?? null,
    lines: findingLines(marked).map((line) => inToolWords(labelledLine(line))),
  };
}

const maxNotRead = 5;
const maxNotReadCharacters = 300;

/** A Region that refused, a file that was cut: what of the answer is missing for it. The reason is text of others. */
function notReadOf({ coverage: { incomplete } }: Pick<AuditResult, 'coverage'>): string[] {
  const shown = incomplete
    .slice(0, maxNotRead)
    .map((notice) => inToolWords(noticeText(withUntrusted(notice))).slice(0, maxNotReadCharacters));
  const rest = incomplete.length - shown.length;
  return rest === 0 ? shown : [...shown, `${rest} more.`];
}

/** An id, an ARN or a Name tag, as `audit --resource` takes them; tags by key are another question. */
const resource = z.string().min(1).max(256).meta({ description: 'id, or Name tag without brackets' });

const has = ({ resource: { id, name }, evidence }: Finding, text: string): boolean => {
  const { members = [] }: AnyEvidence = evidence;
  return id === text || name === text || id.startsWith(`${text}/`) || members.includes(text);
};

export const listFindings = tool({
  name: 'list_findings',
  input: z.strictObject({
    severity: z.enum(severities).optional(),
    kind: z.enum(findingKinds).optional(),
    region: z.string().max(40).optional(),
    resource: resource.optional(),
    sort: z.enum(findingOrders).default('impact'),
    limit: z.int().min(1).max(20).default(10),
    cursor: cursorOption,
  }),
  output: listFindingsSchema,
  isOffered: ({ kind }) => kind !== 'none',
  readsAws: ({ readsAws }) => readsAws,
  answer: (asked, { source, signal }) =>
    source.inTurn(signal, async () => {
      const before = source.spending.total;
      const { result, readAt } = await source.all();
      const all = inOrder(result.findings, asked.sort).filter(
        (finding) =>
          (asked.severity === undefined || finding.severity === asked.severity) &&
          (asked.kind === undefined || finding.kind === asked.kind) &&
          (asked.region === undefined || finding.resource.region === asked.region) &&
          (asked.resource === undefined || has(finding, asked.resource)),
      );
      const start = Number(asked.cursor ?? 0);
      // No more than can be shown is put into words.
      const views = all.map((finding, i) =>
        i >= start && i < start + asked.limit ? findingView(finding) : null,
      );
      const { items, page } = partOf(views, asked);
      const document = {
        window: result.window,
        readAt: readAt.toISOString(),
        counts: result.summary.findingsBySeverity,
        possibleSavingsMonthlyUsd: result.summary.possibleSavingsMonthlyUsd,
        volumes: result.coverage.volumes,
        notEvaluated: result.coverage.unknown.length,
        notRead: notReadOf(result),
        findings: items.flatMap((view) => view ?? []),
        page,
        cost: source.costSince(before),
      };
      return { document, lines: findingsLines(document) };
    }),
});

// Why was it slow? Spans of throttling, around a moment or over the whole window.

const aroundSeconds = 30 * secondsPerMinute;
const maxSpans = 12;
const maxFindings = 5;
const volumesAtOnce = 5;
/** Findings are beside them. */
const maxVolumeBytes = 10_000;

const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

const isoAt = (epochSeconds: number): string => isoFromEpochSeconds(epochSeconds);

/** A time of day is the latest such one before an end. */
function latest(timeOfDay: string, endEpochSeconds: number): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  const ofDay = hours * secondsPerHour + minutes * secondsPerMinute;
  const day = Math.floor(endEpochSeconds / secondsPerDay) * secondsPerDay;
  return day + ofDay < endEpochSeconds ? day + ofDay : day - secondsPerDay + ofDay;
}

const isTimeOfDay = (text: string): boolean => /^\d\d:\d\d$/.test(text);

function momentAt({ load, attribution }: DiagnosedVolume, epochSeconds: number): Moment | null {
  const i = load.epochSeconds.findLastIndex((start) => start <= epochSeconds);
  const start = load.epochSeconds[i];
  if (start === undefined || start + load.periodSeconds <= epochSeconds) return null;
  const code = attribution.cause[i] as number;
  return {
    time: isoAt(start),
    seconds: load.periodSeconds,
    cause: causes[code] ?? 'unknown',
    confidence:
      code === causeCode.unknown ? null : (confidences[attribution.confidence[i] as number] as Confidence),
    iops: orNull(load.iops[i]),
    mibps: orNull(load.mibps[i]),
    queueLength: orNull(load.queueLength?.[i]),
    balancePercent: orNull(attribution.balance?.percent[i]),
  };
}

const spanView = (span: ThrottledSpan): SpanView => ({
  from: isoAt(span.startEpochSeconds),
  to: isoAt(span.endEpochSeconds),
  ...{ cause: span.cause, confidence: span.confidence, throttledMinutes: span.throttledMinutes },
  ...{ servedIops: span.top.iops, servedMiBps: span.top.mibps },
  ...{ demandIops: span.demandIops, demandMiBps: span.demandMiBps },
});

interface Seen {
  at: Moment | null;
  spans: ThrottledSpan[];
}

/** In the order of time the heaviest; what is not known comes last. */
function heaviest(spans: readonly ThrottledSpan[]): ThrottledSpan[] {
  const kept = new Set(spans.toSorted((a, b) => b.throttledMinutes - a.throttledMinutes).slice(0, maxSpans));
  return spans.filter((span) => kept.has(span));
}

function explainedVolume(
  { volumeId, name, volumeType, sizeGiB, limits, status, region, ...rest }: AuditResult['volumes'][number],
  seen: Seen | undefined,
): ExplainedVolume {
  const { at = null, spans = null } = seen ?? {};
  const shown = spans === null ? null : heaviest(spans);
  const marked = withUntrusted({ volumeType, region });
  return {
    ...{ sizeGiB, limits, status, at, ...marked },
    volumeId: idOrUntrusted(volumeId),
    name: nameOf(name),
    throttledMinutesPeak24h: rest.throttledMinutesPeak24h,
    monthlyUsd: rest.monthlyUsd,
    spans: shown === null ? null : shown.map(spanView),
    spansLeft: (spans?.length ?? 0) - (shown?.length ?? 0),
    unknownBecause: rest.reason === null ? null : inToolWords(volumeReasonText(withUntrusted(rest.reason))),
  };
}

interface Span {
  from: number;
  to: number;
}

/** From the first to the last known figures of all loads. */
function together(
  span: Span | null,
  { epochSeconds, periodSeconds, iops }: DiagnosedVolume['load'],
): Span | null {
  const isKnown = (rate: number): boolean => !Number.isNaN(rate);
  const [first, last] = [epochSeconds[iops.findIndex(isKnown)], epochSeconds[iops.findLastIndex(isKnown)]];
  if (first === undefined || last === undefined) return span;
  const [from, to] = [first, last + periodSeconds];
  return span === null ? { from, to } : { from: Math.min(from, span.from), to: Math.max(to, span.to) };
}

/** Of a day and a time all that is needed; of a time of day nobody knows yet which day it is. */
function windowFor(at: string | undefined, now: Date): Window | null {
  if (at === undefined || isTimeOfDay(at)) return null;
  const after = momentOf(at).getTime() + (secondsPerDay / 2) * msPerSecond;
  return { until: new Date(Math.min(after, now.getTime())), lookbackDays: 1 };
}

/** What the minutes of a resource say, around a moment or of all. */
class Reading {
  readonly seen = new Map<string, Seen>();
  data: Span | null = null;
  /** The moment that is asked about, where one is and there are minutes. */
  moment: number | null = null;
  private readonly at: string | undefined;

  constructor(at: string | undefined) {
    this.at = at;
    if (at !== undefined && !isTimeOfDay(at)) this.moment = momentOf(at).getTime() / msPerSecond;
  }

  readonly add = (diagnosed: DiagnosedVolume): void => {
    const { load, volume } = diagnosed;
    const spans = throttledSpans(diagnosed);
    this.data = together(this.data, load);
    if (this.at === undefined) {
      this.seen.set(volume.volumeId, { at: null, spans });
      return;
    }
    const end = (load.epochSeconds.at(-1) ?? 0) + load.periodSeconds;
    const moment = isTimeOfDay(this.at) ? latest(this.at, end) : (this.moment ?? end);
    this.moment ??= moment;
    const [from, to] = [moment - aroundSeconds, moment + aroundSeconds];
    this.seen.set(volume.volumeId, {
      at: momentAt(diagnosed, moment),
      spans: spans.filter(
        ({ startEpochSeconds, endEpochSeconds }) => startEpochSeconds < to && endEpochSeconds > from,
      ),
    });
  };

  get part(): { start: string; end: string } | null {
    const { moment, seen } = this;
    if (moment === null || seen.size === 0) return null;
    return { start: isoAt(moment - aroundSeconds), end: isoAt(moment + aroundSeconds) };
  }

  /** The moment and the window of the data that it is outside of; null where it is within, or there is no data. */
  get outside(): { outside: string; window: { start: string; end: string } } | null {
    const { moment, data } = this;
    if (moment === null || data === null || (moment >= data.from && moment < data.to)) return null;
    return { outside: isoAt(moment), window: { start: isoAt(data.from), end: isoAt(data.to) } };
  }
}

interface Read {
  reading: Reading;
  result: AuditResult;
}

/** Of an archive one day is read; where that has nothing of the moment, all of the window says what there is. */
async function readingOf(
  asked: { resource: string; at?: string | undefined },
  source: Source,
  now: Date,
): Promise<Read> {
  const at = source.hasMinutes ? asked.at : undefined;
  const read = async (window: Window | null): Promise<Read> => {
    const reading = new Reading(at);
    const { result } = await source.one(asked.resource, window, reading.add);
    return { reading, result };
  };
  const window = source.hasMinutes && source.kind !== 'files' ? windowFor(at, now) : null;
  const first = await read(window);
  const { data, outside } = first.reading;
  if (window === null || source.kind !== 'archive' || (data !== null && outside === null)) return first;
  const whole = await read(null);
  return whole.reading.outside === null ? first : whole;
}

export const explain = tool({
  name: 'explain',
  input: z.strictObject({
    resource,
    at: z
      .string()
      .regex(
        /^(?:([01]\d|2[0-3]):[0-5]\d|\d{4}-\d\d-\d\dT[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d))$/,
        'give a time like 14:00 (UTC, the latest) or 2026-11-20T14:00Z',
      )
      .optional()
      .meta({ description: '14:00 (UTC, the latest in the window) or 2026-11-20T14:00Z' }),
    cursor: cursorOption,
  }),
  output: explainSchema,
  isOffered: ({ kind }) => kind !== 'none',
  readsAws: ({ readsAws }) => readsAws,
  answer: (asked, { source, io, signal }) =>
    source.inTurn(signal, async () => {
      const before = source.spending.total;
      const { reading, result } = await readingOf(asked, source, io.now());
      const { seen, part } = reading;
      const { outside, window } = reading.outside ?? { outside: null, window: result.window };
      const volumes = result.volumes.map((volume) => explainedVolume(volume, seen.get(volume.volumeId)));
      const { items, page } = partOf(volumes, { cursor: asked.cursor, limit: volumesAtOnce }, maxVolumeBytes);
      // They are of the whole resource: the first part has them.
      const findings = asked.cursor === undefined ? inOrder(result.findings, 'impact') : [];
      const document = {
        asked: untrusted(asked.resource),
        ...{ window, part, outside, hasMinutes: source.hasMinutes, volumes: items, page },
        notRead: notReadOf(result),
        findings: findings.slice(0, maxFindings).map(findingView),
        findingsLeft: Math.max(0, findings.length - maxFindings),
        cost: source.costSince(before),
      };
      return { document, lines: explainLines(document, { isFirst: asked.cursor === undefined }) };
    }),
});

const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, 'give a day like 2026-11-20')
  .optional();

const dayStart = (text: string): number => momentOf(`${text}T00:00Z`).getTime() / msPerSecond;

export const history = tool({
  name: 'history',
  input: z.strictObject({
    volumeId: volumeIdArgument,
    from: day,
    to: day.meta({ description: 'included' }),
    limit: z.int().min(1).max(31).default(14).meta({ description: 'days' }),
    cursor: cursorOption,
  }),
  output: historyViewSchema,
  isOffered: ({ kind }) => kind === 'archive',
  readsAws: ({ readsAws }) => readsAws,
  answer: (asked, { source, io, signal }) =>
    source.inTurn(signal, async () => {
      const { archive, profile } = source.options;
      if (archive === undefined)
        throw new BadInput('history needs an archive: start the server with --archive');
      const { volumeOf } = await import('../history-volume.ts');
      const how = {
        archive,
        ...(profile === undefined ? {} : { profile }),
        ...(asked.from === undefined ? {} : { from: dayStart(asked.from) }),
        ...(asked.to === undefined ? {} : { to: dayStart(asked.to) + secondsPerDay }),
      };
      const { volumeId, cursor } = asked;
      const { unreadFiles, days, ...found } = await source.lastHistory.of(
        { ...how, volumeId },
        { cursor, now: io.now() },
        () => volumeOf(how, volumeId),
      );
      const { items, page } = partOf(days, asked);
      const document = { ...found, days: items, unreadFiles: unreadFiles.length, page };
      return { document, lines: historyLines(document) };
    }),
});
