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
import { parseElements, type TextFile } from './text-file.ts';

const resultSchema = z.object({
  Label: z.string(),
  Timestamps: z.array(z.union([z.string(), z.number()])),
  Values: z.array(z.number().nonnegative().max(mostOfAnything)),
  StatusCode: z.string().optional(),
});

const getMetricDataSchema = z.object({
  Messages: z.array(z.object({ Code: z.string().optional(), Value: z.string().optional() })).optional(),
  NextToken: z.string().optional(),
  MetricDataResults: z.array(resultSchema),
});

type Result = z.infer<typeof resultSchema>;

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

/** What AWS could not give. @param statusByLabel of labels that no later page completed, too. */
const incomplete = (statusByLabel: ReadonlyMap<string, string>, path: string): AuditNotice[] =>
  [...statusByLabel].flatMap(([label, status]) =>
    status === 'Complete' ? [] : [inPart(path, label, status)],
  );

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
  file: TextFile,
  collector: MetricCollector,
  isAsked: IsAsked = () => true,
): MetricReplyOddities {
  const path = file.name;
  const times = new TimeParser();
  const statusByLabel = new Map<string, string>();
  let [count, foreign, first] = [0, 0, ''];
  const add = (result: Result): void => {
    const { Label, StatusCode } = result;
    const label = parseLabel(Label);
    count++;
    if ((label === null || isAsked(label.resourceId)) && statusByLabel.get(Label) !== 'Complete')
      statusByLabel.set(Label, StatusCode ?? 'Complete');
    if (label !== null)
      collector.add(label.resourceId, label.metric, timesOf(result, times, path), result.Values);
    else if (foreign++ === 0) first = Label;
  };
  const reply = parseElements(
    file,
    { schema: getMetricDataSchema, name: 'MetricDataResults', element: resultSchema },
    expected,
    add,
  );
  if (foreign > 0 && foreign === count) {
    throw new BadInput(
      `${path}: no label reads "<resource id> <MetricName>" (the first is "${first}"); give the output of ${expected}`,
    );
  }
  const messages = (reply.Messages ?? []).map(({ Code, Value }) => {
    const said = { messageCode: Code ?? '', text: Value ?? '' };
    return { code: 'cloudwatch-message' as const, from: path, ...said };
  });
  const passedOver: AuditNotice[] =
    foreign === 0 ? [] : [{ code: 'labels-passed-over', file: path, count: foreign, first }];
  const cut: AuditNotice[] = reply.NextToken === undefined ? [] : [{ code: 'more-pages', file: path }];
  return {
    notices: passedOver,
    incomplete: [...cut, ...messages, ...incomplete(statusByLabel, path)],
  };
}
