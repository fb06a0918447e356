/** A directory of recorded series, and `volumes.json`, which says what volume each of them is to be evaluated on. */
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { isRegionName } from '../../core/ids.ts';
import type { Volume } from '../../core/inventory.ts';
import { deployments } from '../../core/limits/volume-limits.ts';
import { type FleetMetrics, MetricCollector } from '../../core/load/metrics.ts';
import type { TimeQuality } from '../../core/load/series.ts';
import type { SeriesRow } from '../../core/load/series-row.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { readJson } from './read-file.ts';
import { readSeriesCsv } from './series-csv.ts';
import { writing } from './write-file.ts';

const description = 'volumes.json';

/** More GiB, IOPS or MiB/s than any volume has. */
const maxFigure = 1e9;

const recordedVolumeSchema = z.strictObject({
  volumeId: z.string().min(1),
  /** A file name in the same directory. */
  series: z.string().regex(/^[^/\\]+$/, 'a file name in the same directory'),
  volumeType: z.string().min(1),
  sizeGiB: z.number().positive().max(maxFigure),
  iops: z.number().nonnegative().max(maxFigure).optional(),
  throughputMiBps: z.number().nonnegative().max(maxFigure).optional(),
  deployment: z.enum(deployments).default('region'),
  region: z.string().refine(isRegionName, 'not a Region like us-east-1').default('us-east-1'),
  /** What was taken for granted when the series was made; said in the output. */
  assumptions: z.array(z.string()).default([]),
});
const recordedSchema = z.object({ volumes: z.array(recordedVolumeSchema) });
export type RecordedVolume = z.input<typeof recordedVolumeSchema>;

const expected = '{ "volumes": [ { "volumeId", "series", "volumeType", "sizeGiB", ... } ] }';

const maxNoticesEach = 5;

/** The first few of many alike, and how many more there are. */
function firstOf(
  notices: readonly AuditNotice[],
  volumeId: string,
  what: 'gaps' | 'overlaps',
): AuditNotice[] {
  const count = notices.length - maxNoticesEach;
  return count > 0
    ? [...notices.slice(0, maxNoticesEach), { code: 'recording-more', volumeId, what, count }]
    : [...notices];
}

/** What a reader should know of a series' timestamps. */
function timeNotices(
  volumeId: string,
  periodSeconds: number,
  { gaps, shortSteps, repeatedPoints, repeatedAt }: TimeQuality,
): AuditNotice[] {
  const ofGaps = gaps.map((gap) => ({ code: 'recording-gap' as const, volumeId, ...gap, periodSeconds }));
  const ofOverlaps = shortSteps.map((step) => ({
    code: 'recording-overlap' as const,
    ...{ volumeId, ...step, periodSeconds },
  }));
  const at = repeatedAt.slice(0, maxNoticesEach);
  const repeated: AuditNotice[] =
    repeatedPoints === 0 ? [] : [{ code: 'recording-repeated', volumeId, points: repeatedPoints, at }];
  return [...firstOf(ofGaps, volumeId, 'gaps'), ...repeated, ...firstOf(ofOverlaps, volumeId, 'overlaps')];
}

export interface RecordedDirectory {
  volumes: Volume[];
  metrics: FleetMetrics;
  notices: AuditNotice[];
}

/**
 * Reads the series of a directory, with what was assumed and what is odd about each.
 * @param isAsked which volumes; all without it.
 */
export function readRecordedDirectory(
  directory: string,
  isAsked: (volumeId: string) => boolean = () => true,
): RecordedDirectory {
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    throw new BadInput(
      `${directory}: not a directory; give one with series (CSV) and a ${description} that describes their volumes`,
    );
  }
  const path = join(directory, description);
  const volumes = readJson(path, recordedSchema, expected).volumes.filter(({ volumeId }) =>
    isAsked(volumeId),
  );
  const collector = new MetricCollector();
  const notices: AuditNotice[] = [];
  for (const { volumeId, series, assumptions } of volumes) {
    const recorded = readSeriesCsv(join(directory, series));
    recorded.addTo(collector, volumeId);
    notices.push(
      ...assumptions.map((text) => ({ code: 'recording-assumption' as const, volumeId, text })),
      ...timeNotices(volumeId, recorded.periodSeconds, recorded.quality),
    );
  }
  return {
    metrics: collector.finish(),
    notices,
    volumes: volumes.map((recorded) => ({
      volumeId: recorded.volumeId,
      volumeType: recorded.volumeType,
      sizeGiB: recorded.sizeGiB,
      iops: recorded.iops ?? null,
      throughputMiBps: recorded.throughputMiBps ?? null,
      state: 'in-use',
      region: recorded.region,
      account: null,
      deployment: recorded.deployment,
      multiAttach: false,
      attachments: [],
      name: null,
      stripeTag: null,
      tags: {},
    })),
  };
}

/** Writes a series into a directory and describes its volume in volumes.json (replacing one of the same id). */
export function addRecording(directory: string, recorded: RecordedVolume, rows: readonly SeriesRow[]): void {
  writing(directory, () => mkdirSync(directory, { recursive: true }));
  const path = join(directory, description);
  const before = existsSync(path) ? readJson(path, recordedSchema, expected).volumes : [];
  const others = before.filter(({ volumeId }) => volumeId !== recorded.volumeId);
  const withIdle = rows.some(({ idleSeconds }) => idleSeconds !== undefined);
  const csv = stringify(
    rows.map((row) => [
      isoFromEpochSeconds(row.epochSeconds),
      row.readOps,
      row.writeOps,
      row.readBytes,
      row.writeBytes,
      ...(withIdle ? [row.idleSeconds] : []),
    ]),
    {
      header: true,
      columns: [
        'timestamp',
        'read_ops',
        'write_ops',
        'read_bytes',
        'write_bytes',
        ...(withIdle ? ['idle_seconds'] : []),
      ],
    },
  );
  writeFileSync(join(directory, recorded.series), csv);
  writeFileSync(path, `${JSON.stringify({ volumes: [...others, recorded] }, null, 2)}\n`);
}
