/** A fleet of many volumes on disk, as the AWS CLI prints it: the simulated fleet again and again under other ids. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MetricResult, toFiveMinutes } from '../../test/fixtures/replies.ts';
import { simulateFleet } from '../../test/simulator/fleet.ts';

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
