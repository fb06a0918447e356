/**
 * Reads what `aws cloudwatch get-metric-data` prints for the files of `audit queries`. The CLI merges the pages of a
 * reply, so one label can appear several times; points can come in either direction of time.
 */
import { z } from 'zod';
import { mostOfAnything } from '../../core/decimal.ts';
import { BadInput } from '../../core/errors.ts';
import { type MetricCollector, parseLabel } from '../../core/load/metrics.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { epochSecondsOf } from '../../core/units.ts';
import { readJson } from './read-file.ts';

const getMetricDataSchema = z.object({
  Messages: z.array(z.object({ Code: z.string().optional(), Value: z.string().optional() })).optional(),
  NextToken: z.string().optional(),
  MetricDataResults: z.array(
    z.object({
      Label: z.string(),
      Timestamps: z.array(z.union([z.string(), z.number()])),
      Values: z.array(z.number().nonnegative().max(mostOfAnything)),
      StatusCode: z.string().optional(),
    }),
  ),
});

type Reply = z.infer<typeof getMetricDataSchema>;
type Result = Reply['MetricDataResults'][number];

const expected = '`aws cloudwatch get-metric-data --cli-input-json file://...` as `audit queries` prints it';

const isoSchema = z.iso.datetime({ offset: true });

/** CloudWatch began in 2009; a number far beyond today is milliseconds. */
const earliestEpochSeconds = 1.2e9;
const latestEpochSeconds = 5e9;

/** Epoch seconds of ISO 8601 texts (or of epoch numbers, as older CLIs print); each text is parsed once. */
class TimeParser {
  private readonly seen = new Map<string, number>();

  /** Epoch seconds, or NaN where it is no time that CloudWatch can have. */
  parse(timestamp: string | number): number {
    const epochSeconds = typeof timestamp === 'number' ? timestamp : this.ofText(timestamp);
    return epochSeconds >= earliestEpochSeconds && epochSeconds <= latestEpochSeconds
      ? epochSeconds
      : Number.NaN;
  }

  private ofText(text: string): number {
    const before = this.seen.get(text);
    if (before !== undefined) return before;
    const epochSeconds = isoSchema.safeParse(text).success ? epochSecondsOf(text) : Number.NaN;
    this.seen.set(text, epochSeconds);
    return epochSeconds;
  }
}

function timesOf(result: Result, times: TimeParser, path: string): number[] {
  if (result.Timestamps.length !== result.Values.length) {
    throw new BadInput(
      `${path}: "${result.Label}" has ${result.Timestamps.length} timestamps and ${result.Values.length} values; give the complete output of ${expected}`,
    );
  }
  return result.Timestamps.map((timestamp) => {
    const epochSeconds = times.parse(timestamp);
    if (Number.isNaN(epochSeconds)) {
      throw new BadInput(
        `${path}: "${result.Label}" has the timestamp "${timestamp}"; expected ISO 8601, like 2026-11-20T14:00:00+00:00, or epoch seconds`,
      );
    }
    return epochSeconds;
  });
}

function inPart(from: string, label: string, status: string): AuditNotice {
  const { resourceId, metric } = parseLabel(label) ?? { resourceId: label, metric: '' };
  return { code: 'metric-in-part', from, resourceId, metric, status };
}

/** Labels that no later page completed: what AWS could not give. */
function incomplete(results: readonly Result[], path: string, isAsked: IsAsked): AuditNotice[] {
  const statusByLabel = new Map<string, string>();
  for (const { Label, StatusCode } of results) {
    const label = parseLabel(Label);
    if (label !== null && !isAsked(label.resourceId)) continue;
    if (statusByLabel.get(Label) !== 'Complete') statusByLabel.set(Label, StatusCode ?? 'Complete');
  }
  return [...statusByLabel].flatMap(([label, status]) =>
    status === 'Complete' ? [] : [inPart(path, label, status)],
  );
}

type IsAsked = (resourceId: string) => boolean;

export interface MetricReplyOddities {
  /** What a reader should know. */
  notices: AuditNotice[];
  /** What CloudWatch says it did not give in whole. */
  incomplete: AuditNotice[];
}

/**
 * Adds the points of one reply to the collector.
 * @param isAsked of what resources it matters that something is missing.
 */
export function readGetMetricData(
  path: string,
  collector: MetricCollector,
  isAsked: IsAsked = () => true,
): MetricReplyOddities {
  const reply = readJson(path, getMetricDataSchema, expected);
  const times = new TimeParser();
  const foreign: string[] = [];
  for (const result of reply.MetricDataResults) {
    const label = parseLabel(result.Label);
    if (label === null) foreign.push(result.Label);
    else collector.add(label.resourceId, label.metric, timesOf(result, times, path), result.Values);
  }
  if (foreign.length > 0 && foreign.length === reply.MetricDataResults.length) {
    throw new BadInput(
      `${path}: no label reads "<resource id> <MetricName>" (the first is "${foreign[0]}"); give the output of ${expected}`,
    );
  }
  const messages = (reply.Messages ?? []).map(({ Code, Value }) => {
    const said = { messageCode: Code ?? '', text: Value ?? '' };
    return { code: 'cloudwatch-message' as const, from: path, ...said };
  });
  const [first] = foreign;
  const passedOver: AuditNotice[] =
    first === undefined ? [] : [{ code: 'labels-passed-over', file: path, count: foreign.length, first }];
  const cut: AuditNotice[] = reply.NextToken === undefined ? [] : [{ code: 'more-pages', file: path }];
  return {
    notices: passedOver,
    incomplete: [...cut, ...messages, ...incomplete(reply.MetricDataResults, path, isAsked)],
  };
}
