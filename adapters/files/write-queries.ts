/** Writes the files that `aws cloudwatch get-metric-data --cli-input-json` takes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { labelOf, type MetricQuery } from '../../core/load/metrics.ts';
import { writeWhole } from './whole-file.ts';
import { writing } from './write-file.ts';

export interface QueryWindow {
  /** ISO 8601 UTC. */
  start: string;
  end: string;
}

/** Writes one request and returns the path of its file. */
export function writeQueryFile(
  directory: string,
  name: string,
  queries: readonly MetricQuery[],
  { start, end }: QueryWindow,
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
    StartTime: start,
    EndTime: end,
    ScanBy: 'TimestampAscending',
  };
  const path = join(directory, name);
  writing(directory, () => mkdirSync(directory, { recursive: true }));
  writeWhole(path, `${JSON.stringify(request, null, 2)}\n`);
  return path;
}
