/** What to ask CloudWatch for, as files that `aws cloudwatch get-metric-data --cli-input-json` takes, and the commands that do. */

import { type AuditWindow, secondsOf } from '../diagnosis/thresholds.ts';
import type { Instance, Volume } from '../inventory.ts';
import { labelOf, type MetricQuery, packQueries, queriesOfVolume } from '../load/metrics.ts';
import { sanitize } from '../sanitize.ts';
import { isoFromEpochSeconds } from '../units.ts';
import { queriesOfBatch, readingPlan } from './batches.ts';

/** Points that one file may hold: the CLI prints about 70 bytes a point, and a file must stay under 512 MiB. */
const pointsPerFile = 4_000_000;

/**
 * What a shell takes as one word, whatever the path holds. A file of somebody else can have any name: in one with control
 * characters ESC [201~ would end a paste, and what follows would run. There each byte that is not plain is written as \ooo.
 */
export function quoted(text: string): string {
  if (/^[\w./:@%+-][\w./:@%+=-]*$/.test(text)) return text;
  if (sanitize(text, Number.POSITIVE_INFINITY) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  const bytes = [...new TextEncoder().encode(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[\w./: -]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `$'${bytes.join('')}'`;
}

/** Volumes that are asked about together: one Region of one account, as one set of credentials reads it. */
function groupKeys(volumes: readonly Volume[]): Map<Volume, string> {
  const accounts = new Set(volumes.flatMap(({ account }) => (account === null ? [] : [account])));
  return new Map(
    volumes.map((volume) => [
      volume,
      accounts.size > 1 ? `${volume.region}-${volume.account ?? 'account-unknown'}` : volume.region,
    ]),
  );
}

export interface QueryRequest {
  region: string;
  /** Of its file. */
  name: string;
  queries: MetricQuery[];
}

/** The window that is asked for; the newest minutes too: who asks by hand sees what is there. @throws BadInput as `readingPlan`. */
export const queryWindow = (lookbackDays: number, periodSeconds: number, now: Date): AuditWindow =>
  readingPlan({ lookbackDays, periodSeconds, until: now, now, settleSeconds: 0 });

/** In the order of Regions and accounts, each of at most 500 metrics. */
export function queryRequests(
  volumes: readonly Volume[],
  instances: readonly Instance[],
  window: AuditWindow,
  periodSeconds: number,
): QueryRequest[] {
  const keys = groupKeys(volumes);
  return [...new Set(keys.values())].sort().flatMap((key) => {
    const inGroup = volumes.filter((volume) => keys.get(volume) === key);
    const requests = packQueries(
      queriesOfBatch({ volumes: inGroup, instances: [...instances], published: null }, periodSeconds),
      secondsOf(window),
      pointsPerFile,
    );
    return requests.map((queries, i) => ({
      region: inGroup[0]?.region ?? key,
      name: `queries-${key}-${String(i + 1).padStart(3, '0')}.json`,
      queries,
    }));
  });
}

/** Volumes that there is anything to ask of. */
export const volumesAsked = (volumes: readonly Volume[], periodSeconds: number): number =>
  volumes.filter((volume) => queriesOfVolume(volume, periodSeconds).length > 0).length;

/** The text of a file that the AWS CLI takes. */
export function requestText(
  queries: readonly MetricQuery[],
  { startEpochSeconds, endEpochSeconds }: AuditWindow,
): string {
  const request = {
    MetricDataQueries: queries.map((query, index) => ({
      Id: `m${index}`,
      Label: labelOf(query.resourceId, query.metric),
      MetricStat: {
        Metric: {
          Namespace: query.namespace,
          MetricName: query.metric,
          Dimensions: query.dimensions.map(({ name: Name, value: Value }) => ({ Name, Value })),
        },
        Period: query.periodSeconds,
        Stat: query.statistic,
      },
      ReturnData: true,
    })),
    StartTime: isoFromEpochSeconds(startEpochSeconds),
    EndTime: isoFromEpochSeconds(endEpochSeconds),
    ScanBy: 'TimestampAscending',
  };
  return `${JSON.stringify(request, null, 2)}\n`;
}

/** Where the answer to the file at a path goes. */
export const replyOf = (path: string): string => path.replace(/queries-([^/]*)$/, 'reply-$1');

/** @param path of the file with the queries. */
export const queryCommand = (region: string, path: string): string =>
  `aws cloudwatch get-metric-data --region ${region} --output json --cli-input-json ${quoted(`file://${path}`)} > ${quoted(replyOf(path))}`;
