import { z } from 'zod';
import { stage } from '../../adapters/archive/commit.ts';
import { readMinutes } from '../../adapters/archive/read-minutes.ts';
import { describeStripes } from '../../adapters/aws/describe-stripes.ts';
import { getMetricData } from '../../adapters/aws/get-metric-data.ts';
import { PointsPace } from '../../adapters/aws/points-pace.ts';
import { allRemarks } from '../../core/audit/remarks.ts';
import { hostReadingsKey, nameInFolder, runKeys } from '../../core/audit/run-keys.ts';
import { thresholdsOf } from '../../core/diagnosis/thresholds.ts';
import { partitionOf } from '../../core/ids.ts';
import type { PackedSeries } from '../../core/report/audit-report.ts';
import { keepSeries } from '../../core/report/series-keeper.ts';
import { batchSchema, readingPlanSchema } from '../../core/schemas/batch.ts';
import { hostsToAsk, remarksOnHosts } from '../../core/stripes/host-evidence.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { packedSeries } from '../../report/pages/pack.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { archiveBucket, putSeries, runStore } from '../shared/read-run.ts';
import { accountOf, readingClients, sessionIn } from '../shared/reading-clients.ts';
import { regionCatalogToEvaluate } from '../shared/stored-catalog.ts';
import { ArchivedReading } from './archived-reading.ts';
import { envSchema } from './env.ts';
import { type EvaluateFrom, evaluateBatch } from './evaluate-batch.ts';
import { hostReadingsSchema, keepHostReadings } from './host-readings.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  runId: z.string().min(1),
  plan: readingPlanSchema,
  /** The key of a batch in the bucket. */
  key: z.string().min(1),
  /** When the run must be through with reading; a run that began before an update knows none. */
  readUntil: z.iso.datetime().optional(),
});

/** What evaluating a batch takes at most when all is read, with the half of it that a slow machine adds. */
const evaluatingMs = 120_000;

export const handler = createHandler(eventSchema, async ({ runId, plan, key, readUntil }, context) => {
  const {
    ARCHIVE,
    BUCKET,
    STRIPES_DOCUMENT: documentName,
    STRIPES_REGION,
    THRESHOLDS,
    POINT_RATES,
    MEMBER_ROLE,
  } = env();
  const account = accountOf(context);
  const store = runStore(BUCKET);
  const endsMs = Date.now() + context.getRemainingTimeInMillis() - evaluatingMs;
  const untilMs = readUntil === undefined ? endsMs : Math.min(endsMs, Date.parse(readUntil));
  const batch = await store.getJson(key, batchSchema);
  const { regionCatalog, ...ofPrices } = await regionCatalogToEvaluate(store, batch.region);
  const target = { partition: partitionOf(batch.region), account: batch.account, region: batch.region };
  const session = await sessionIn(target, MEMBER_ROLE ?? null, { account, runId });
  const { cloudWatch, ssm, counter } = readingClients(session);
  // Of this batch alone: the one before it may have ended a moment ago, in another place.
  const pace = POINT_RATES === null ? null : new PointsPace(POINT_RATES, { isSuccessor: true });
  const asked =
    documentName !== '' && STRIPES_REGION === batch.region && batch.account === account
      ? await describeStripes(ssm, hostsToAsk(batch), { region: batch.region, documentName })
      : null;
  const kept = await keepHostReadings(asked?.hosts ?? new Map(), (instanceId, change) =>
    store.changeJson(hostReadingsKey(batch.account, batch.region, instanceId), hostReadingsSchema, (before) =>
      change(before ?? []),
    ),
  );
  const remarks = allRemarks([ofPrices, remarksOnHosts(asked), kept]);
  const callsForHosts = counter.total;
  const series: PackedSeries[] = [];
  const onEvaluated = keepSeries((one) => series.push(packedSeries(one)));
  const thresholds = thresholdsOf(THRESHOLDS);
  const readMetrics: EvaluateFrom['readMetrics'] = (queries, when, collectorOf) =>
    getMetricData({ client: cloudWatch, region: batch.region, pace, untilMs }, queries, when, collectorOf);
  const { archived } = batch;
  const bucket = archiveBucket(BUCKET);
  bucket.keepListings();
  const archive =
    archived === undefined || ARCHIVE === undefined
      ? null
      : new ArchivedReading(
          {
            readMinutes: (asked) => readMinutes(bucket, target, asked),
            stage: (of) => stage(bucket, target, runId, of),
          },
          { batch, reads: archived.reads, metrics: ARCHIVE, now: new Date() },
          readMetrics,
        );
  const startEpochSeconds = archived?.startEpochSeconds ?? plan.startEpochSeconds;
  if (startEpochSeconds > plan.startEpochSeconds)
    remarks.notices.push({
      code: 'archive-begins',
      start: isoFromEpochSeconds(startEpochSeconds),
      regions: [batch.region],
    });
  const result = await evaluateBatch(
    {
      runId,
      batch,
      plan: { ...plan, startEpochSeconds },
      regionCatalogs: () => regionCatalog,
      thresholds,
      hosts: asked === null ? undefined : kept.hosts,
      ...remarks,
      onEvaluated,
      onDiagnosed: archive?.onDiagnosed,
    },
    { readMetrics: archive?.readMetrics ?? readMetrics, apiCalls: () => counter.total },
  );
  result.cost.apiCalls += callsForHosts;
  // Before the result: a batch that has one is done.
  await archive?.stage(nameInFolder(key).replace(/\.json$/, ''), result.volumes);
  if (archive !== null) result.minutesByDay = archive.minutesByDay(result.volumes);
  await putSeries(store, runId, key, series);
  await store.putJson(`${runKeys(runId).results}${nameInFolder(key)}`, result);
  const { coverage, findings, cost } = result;
  const evaluated = {
    key,
    volumes: coverage.volumes,
    unknown: coverage.unknown.length,
    findings: findings.length,
    drawn: series.length,
  };
  logger.info('evaluated a batch', { ...evaluated, ...cost, incomplete: coverage.incomplete.length });
  return evaluated;
});
