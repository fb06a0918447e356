/**
 * A batch that is evaluated from the archive: what is there is read from there, what is not yet settled from CloudWatch, as
 * far as it has it. Each point is asked for once a run. What was read is staged with what evaluation says of it.
 */
import type { ArchivedMetrics } from '../../core/archive/columns.ts';
import {
  clearedMinutes,
  type EvaluatedMinutes,
  evaluatedMinutes,
  withEvaluation,
} from '../../core/archive/evaluated.ts';
import {
  addEvaluated,
  addMinutes,
  dayNumber,
  type MinuteCounts,
  minutesByDay,
} from '../../core/archive/fleet-days.ts';
import type { Read } from '../../core/archive/manifest.ts';
import {
  archivedQueries,
  continuedQueries,
  distinctQueries,
  type PlannedWindow,
  planReading,
  queryName,
  readsOfWindows,
} from '../../core/archive/reading-plan.ts';
import { between, minutesOf, type ResourceMinutes, seriesOf } from '../../core/archive/resource-minutes.ts';
import { archivedInstance, archivedVolume } from '../../core/archive/saved.ts';
import type { AuditBatch, ReadingPlan } from '../../core/audit/batches.ts';
import type { OnDiagnosed } from '../../core/audit/observed.ts';
import { groupBy } from '../../core/group-by.ts';
import {
  finestEbsPeriodSeconds,
  MetricCollector,
  type MetricName,
  type MetricQuery,
} from '../../core/load/metrics.ts';
import type { Series } from '../../core/load/series.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import type { VolumeEvaluation } from '../../core/schemas/audit-result.ts';
import type { MinutesOfDay } from '../../core/schemas/fleet-days.ts';
import { msPerSecond } from '../../core/units.ts';
import type { EvaluateFrom } from './evaluate-batch.ts';

/** What is read of an archive, of one account and Region, and what is kept for it. */
export interface ArchiveOfTarget {
  readMinutes(asked: {
    fromSeconds: number;
    endSeconds: number;
    resourceIds: readonly string[];
    metrics: readonly MetricName[];
    evaluation: boolean;
  }): Promise<{ minutes: ResourceMinutes[]; broken: { key: string; reason: string }[] }>;
  /** Kept until it is committed. */
  stage(batch: {
    name: string;
    readAtSeconds: number;
    reads: readonly Read[];
    minutes: readonly ResourceMinutes[];
  }): Promise<void>;
}

export interface ArchivedBatch {
  batch: AuditBatch;
  /** What the manifests say of its resources. */
  reads: readonly Read[];
  metrics: ArchivedMetrics;
  now: Date;
}

type Points = readonly [times: number[], values: number[]];

/** Points of the window, of two readings of one metric; where both have one, the newer. */
function pointsIn(
  { startEpochSeconds, endEpochSeconds }: ReadingPlan,
  kept: Series | null,
  fresh: Series | undefined,
): Points {
  const [times, values]: [number[], number[]] = [[], []];
  let [i, j] = [0, 0];
  const add = ({ epochSeconds, values: all }: Series, at: number): void => {
    const time = epochSeconds[at] as number;
    if (time < startEpochSeconds || time >= endEpochSeconds) return;
    times.push(time);
    values.push(all[at] as number);
  };
  for (;;) {
    const before = kept?.epochSeconds[i];
    const newer = fresh?.epochSeconds[j];
    if (before === undefined && newer === undefined) return [times, values];
    if (newer !== undefined && (before === undefined || newer <= before)) {
      add(fresh as Series, j++);
      if (newer === before) i++;
    } else add(kept as Series, i++);
  }
}

export class ArchivedReading {
  private readonly archive: ArchiveOfTarget;
  private readonly of: ArchivedBatch;
  private readonly readFresh: EvaluateFrom['readMetrics'];
  private readonly fresh = new MetricCollector(finestEbsPeriodSeconds);
  private readonly asked = new Set<string>();
  /** Of what was asked for that which evaluation or the archive needs; the rest was a guess by the last run. */
  private readonly needed = new Set<string>();
  private readonly windows: PlannedWindow[] = [];
  /** What is evaluated; null: nobody asked by now. */
  private window: Pick<ReadingPlan, 'startEpochSeconds' | 'endEpochSeconds'> | null = null;
  private readonly evaluated = new Map<string, EvaluatedMinutes>();
  /** Minutes by day with figures of the queue, which clear a volume. */
  private readonly queueMinutes = new Map<string, MinuteCounts>();
  /** Notices of broken files, each once. */
  private readonly broken = new Map<string, AuditNotice>();

  constructor(archive: ArchiveOfTarget, of: ArchivedBatch, readFresh: EvaluateFrom['readMetrics']) {
    this.archive = archive;
    this.of = of;
    this.readFresh = readFresh;
  }

  /** In place of CloudWatch alone. The first call also reads what the archive keeps of volumes that nobody asks about. */
  readonly readMetrics: EvaluateFrom['readMetrics'] = async (queries, plan, collectorOf) => {
    const { batch, metrics, reads } = this.of;
    const isFirst = this.asked.size === 0;
    const needed = [...queries, ...(isFirst ? archivedQueries(batch, metrics) : [])];
    for (const query of needed) this.needed.add(queryName(query));
    this.window = plan;
    const read = await this.readOpen(isFirst ? [...needed, ...continuedQueries(reads)(batch)] : needed, plan);
    const broken = await this.addAll(queries, plan, collectorOf);
    return { ...read, incomplete: [...read.incomplete, ...broken] };
  };

  readonly onDiagnosed: OnDiagnosed = (diagnosed) => {
    this.evaluated.set(diagnosed.volume.volumeId, evaluatedMinutes(diagnosed));
  };

  /** What is not settled in the archive, of what was not asked for yet. */
  private async readOpen(queries: readonly MetricQuery[], evaluated: ReadingPlan) {
    const { reads, now } = this.of;
    const open = distinctQueries(queries).filter((query) => !this.asked.has(queryName(query)));
    for (const query of open) this.asked.add(queryName(query));
    const wanted = [...groupBy(open, ({ resourceId }) => resourceId)].map(([resourceId, own]) => ({
      resourceId,
      metrics: [...new Set(own.map(({ metric }) => metric))],
    }));
    const windows = planReading(wanted, reads, now.getTime() / msPerSecond, evaluated);
    this.windows.push(...windows);
    const sum = { metricsRequested: 0, points: 0, incomplete: [] as AuditNotice[] };
    for (const { fromSeconds, endSeconds, wanted: inWindow } of windows) {
      const names = new Set(
        inWindow.flatMap(({ resourceId, metrics }) =>
          metrics.map((metric) => queryName({ resourceId, metric })),
        ),
      );
      const own = open.filter((query) => names.has(queryName(query)));
      const plan = {
        startEpochSeconds: fromSeconds,
        endEpochSeconds: endSeconds,
        periodSeconds: finestEbsPeriodSeconds,
      };
      const { metricsRequested, points, incomplete } = await this.readFresh(own, plan, () => this.fresh);
      sum.metricsRequested += metricsRequested;
      sum.points += points;
      sum.incomplete.push(...incomplete);
    }
    return sum;
  }

  private async addAll(
    queries: readonly MetricQuery[],
    plan: ReadingPlan,
    collectorOf: (query: MetricQuery) => MetricCollector,
  ): Promise<AuditNotice[]> {
    // Of a check that is published for several instances there is one series.
    const each = [...new Map(queries.map((query) => [queryName(query), query])).values()];
    const { minutes, broken } = await this.archive.readMinutes({
      fromSeconds: plan.startEpochSeconds,
      endSeconds: plan.endEpochSeconds,
      resourceIds: [...new Set(each.map(({ resourceId }) => resourceId))],
      metrics: [...new Set(each.map(({ metric }) => metric))],
      evaluation: false,
    });
    const kept = new Map(minutes.map((one) => [one.resourceId, one]));
    const fresh = this.fresh.finish();
    for (const query of each) {
      const { resourceId, metric } = query;
      const own = kept.get(resourceId);
      const points = pointsIn(
        plan,
        own === undefined ? null : seriesOf(own, metric),
        fresh.of(resourceId).get(metric),
      );
      if (metric === 'VolumeQueueLength') this.noteQueue(resourceId, points);
      const collector = collectorOf(query);
      collector.add(resourceId, metric, ...points);
      const unusable = fresh.unusableReason(resourceId);
      if (unusable !== null) collector.unread(resourceId, unusable);
    }
    const notices = broken
      .filter(({ key }) => !this.broken.has(key))
      .map(({ key, reason }) => [key, { code: 'archive-file-not-read', file: key, reason }] as const);
    for (const [key, notice] of notices) this.broken.set(key, notice);
    return notices.map(([, notice]) => notice);
  }

  private noteQueue(volumeId: string, [times]: Points): void {
    const counts: MinuteCounts = new Map();
    for (const time of times) addMinutes(counts, dayNumber(time), 1, 0);
    this.queueMinutes.set(volumeId, counts);
  }

  /** Of all volumes of the batch, in the whole window. */
  minutesByDay(volumes: readonly VolumeEvaluation[]): MinutesOfDay[] {
    const counts: MinuteCounts = new Map();
    for (const minutes of this.evaluated.values()) addEvaluated(counts, minutes);
    for (const { volumeId, evaluatedBy } of volumes)
      if (evaluatedBy === 'coarse' && !this.evaluated.has(volumeId))
        for (const [day, { evaluated }] of this.queueMinutes.get(volumeId) ?? [])
          addMinutes(counts, day, evaluated, 0);
    return minutesByDay(counts);
  }

  /**
   * Keeps what was read until it is committed.
   * @param name of the batch, within the run.
   */
  async stage(
    name: string,
    volumes: readonly Pick<VolumeEvaluation, 'volumeId' | 'evaluatedBy'>[],
  ): Promise<void> {
    const { batch, now } = this.of;
    const fresh = this.fresh.finish();
    const cleared = new Set(
      volumes.filter(({ evaluatedBy }) => evaluatedBy === 'coarse').map(({ volumeId }) => volumeId),
    );
    // Of a minute before the window nobody knows what it was: it is read, and has no status.
    const { startEpochSeconds: from = 0, endEpochSeconds: end = 0 } = this.window ?? {};
    const resources = [...batch.volumes.map(archivedVolume), ...batch.instances.map(archivedInstance)];
    const minutes = resources
      .filter(({ resourceId }) => fresh.unusableReason(resourceId) === null)
      .map((resource): ResourceMinutes => {
        const read = minutesOf(resource, fresh.of(resource.resourceId));
        const said =
          this.evaluated.get(resource.resourceId) ??
          (cleared.has(resource.resourceId) ? clearedMinutes(between(read, from, end)) : new Map());
        return withEvaluation(read, said);
      });
    // What nobody needed is not said to be read: tomorrow nobody asks for it at once.
    const unread = (resourceId: string, metric: MetricName): boolean =>
      fresh.unusableReason(resourceId) !== null || !this.needed.has(queryName({ resourceId, metric }));
    await this.archive.stage({
      name,
      readAtSeconds: Math.floor(now.getTime() / msPerSecond),
      reads: readsOfWindows(this.windows, unread),
      minutes,
    });
  }
}
