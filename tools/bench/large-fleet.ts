/** A fleet of many volumes on disk, as the AWS CLI prints it: the simulated fleet again and again under other ids. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MetricResult, toFiveMinutes } from '../../test/fixtures/replies.ts';
import { simulateFleet } from '../../test/simulator/fleet.ts';
import { writeMetrics } from '../../test/simulator/write-fleet.ts';

const metricsPerFile = 500;
/** The last digits of an id become the number of the copy; the same in every document. */
const renamed = (text: string, copy: number): string =>
  text.replaceAll(
    /\b((?:vol|i)-0[0-9a-f]{12})[0-9a-f]{4}\b/g,
    (_, head: string) => `${head}${copy.toString(16).padStart(4, '0')}`,
  );

/** Writes at least so many volumes; returns the arguments of the audit and what was written. */
export function writeLargeFleet(
  directory: string,
  atLeastVolumes: number,
): { args: string[]; volumes: number; metrics: number } {
  const fleet = simulateFleet({ hours: 24 });
  const perCopy = fleet.regions.reduce(
    (total, { describeVolumes }) => total + (describeVolumes as { Volumes: unknown[] }).Volumes.length,
    0,
  );
  const copies = Math.ceil(atLeastVolumes / perCopy);
  const lists: Record<string, string[]> = { volumes: [], instances: [], metrics: [] };
  let metrics = 0;
  mkdirSync(directory, { recursive: true });
  const write = (list: string, name: string, text: string): void => {
    const path = join(directory, name);
    writeFileSync(path, text);
    lists[list]?.push(path);
  };
  for (const { region, describeVolumes, describeInstances, getMetricData } of fleet.regions) {
    const results = (getMetricData as { MetricDataResults: MetricResult[] }).MetricDataResults.map(
      toFiveMinutes,
    );
    const texts = [JSON.stringify(describeVolumes), JSON.stringify(describeInstances)] as const;
    const files = Array.from({ length: Math.ceil(results.length / metricsPerFile) }, (_, i) =>
      JSON.stringify({ MetricDataResults: results.slice(i * metricsPerFile, (i + 1) * metricsPerFile) }),
    );
    for (let copy = 0; copy < copies; copy++) {
      write('volumes', `${region}-${copy}-volumes.json`, renamed(texts[0], copy));
      write('instances', `${region}-${copy}-instances.json`, renamed(texts[1], copy));
      files.forEach((text, i) => {
        write('metrics', `${region}-${copy}-metrics-${i}.json`, renamed(text, copy));
      });
      metrics += results.length;
    }
  }
  const args = Object.entries(lists).flatMap(([name, paths]) => [`--${name}`, ...paths]);
  return { args, volumes: copies * perCopy, metrics };
}

/** The paths of what was written, of one file each. */
export interface PrintedFleet {
  paths: string[];
  volumes: number;
  metrics: number;
}

/** Writes at least so many volumes with a day of minutes, as the AWS CLI prints them: all of a kind in one file. */
export function writeFleetInThree(directory: string, atLeastVolumes: number): PrintedFleet {
  const { regions } = simulateFleet({ hours: 24 });
  const parts = regions.map(({ describeVolumes, describeInstances, getMetricData }) => ({
    ...(describeVolumes as { Volumes: unknown[] }),
    ...(describeInstances as { Reservations: unknown[] }),
    ...(getMetricData as { MetricDataResults: MetricResult[] }),
  }));
  const once = parts.reduce((total, { Volumes }) => total + Volumes.length, 0);
  const copies = Array.from({ length: Math.ceil(atLeastVolumes / once) }, (_, copy) => copy);
  const inCopies = <Item>(items: (part: (typeof parts)[number]) => Item[]): Item[] =>
    copies.flatMap((copy) => JSON.parse(renamed(JSON.stringify(parts.flatMap(items)), copy)) as Item[]);
  const MetricDataResults = copies.flatMap((copy) =>
    parts.flatMap((part) =>
      part.MetricDataResults.map((result) => ({ ...result, Label: renamed(result.Label, copy) })),
    ),
  );
  const Volumes = inCopies((part) => part.Volumes);
  const names = ['describe-volumes.json', 'describe-instances.json', 'get-metric-data.json'] as const;
  const paths = names.map((name) => join(directory, name));
  const [volumes, instances, metrics] = paths as [string, string, string];
  mkdirSync(directory, { recursive: true });
  const printed = (document: object): string => `${JSON.stringify(document, null, 4)}\n`;
  writeFileSync(volumes, printed({ Volumes }));
  writeFileSync(instances, printed({ Reservations: inCopies((part) => part.Reservations) }));
  writeMetrics({ MetricDataResults }, metrics);
  return { paths, volumes: Volumes.length, metrics: MetricDataResults.length };
}
