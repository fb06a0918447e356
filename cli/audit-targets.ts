/** The Regions of an account, or of several: what each has is listed, then its metrics are read and evaluated. */
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { S3Client } from '@aws-sdk/client-s3';
import type { SSMClient } from '@aws-sdk/client-ssm';
import type { CallCounter } from '../adapters/aws/call-counter.ts';
import { describeInstances } from '../adapters/aws/describe-instances.ts';
import { type AskedHosts, describeStripes } from '../adapters/aws/describe-stripes.ts';
import { describeVolumes } from '../adapters/aws/describe-volumes.ts';
import { getMetricData } from '../adapters/aws/get-metric-data.ts';
import { listPublishedChecks } from '../adapters/aws/list-published-checks.ts';
import { PointsPace } from '../adapters/aws/points-pace.ts';
import { recommendationsReader } from '../adapters/aws/read-recommendations.ts';
import { refusalOf } from '../adapters/aws/refusals.ts';
import { RunStore } from '../adapters/aws/run-store.ts';
import {
  cloudWatchClient,
  ec2Client,
  ownResources,
  type Session,
  ssmClient,
} from '../adapters/aws/session.ts';
import { stackOutputs } from '../adapters/aws/stack-outputs.ts';
import type { TargetOutcome } from '../core/audit/accounts.ts';
import type { AuditBatch } from '../core/audit/batches.ts';
import { mostMetricsOf } from '../core/audit/passes/two-passes.ts';
import { resourceIdsOf, type SelectedResources } from '../core/audit/selected-resources.ts';
import {
  type BenchmarkHosts,
  benchmarkHostsIn,
  benchmarkHostsOf,
  noHosts,
} from '../core/benchmark/campaign/benchmark-hosts.ts';
import type { KeptTags } from '../core/config/tags.ts';
import { BadInput, Unreadable } from '../core/errors.ts';
import { pointRates } from '../core/load/point-rates.ts';
import type { Target } from '../core/schemas/accounts.ts';
import type { AuditNotice } from '../core/schemas/audit-notice.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import type { OpinionRead } from '../core/schemas/second-opinion.ts';
import { opinionsOfBatch } from '../core/second-opinion/given.ts';
import { type HostEvidence, hostsToAsk, mergedHosts, remarksOnHosts } from '../core/stripes/host-evidence.ts';
import { discoverVolumes } from '../lambdas/discover-volumes/discover-volumes.ts';
import { readOpinions } from '../lambdas/discover-volumes/second-opinion.ts';
import {
  type EvaluateFrom,
  type EvaluationRequest,
  evaluateBatch,
} from '../lambdas/evaluate-batch/evaluate-batch.ts';
import { type ComparedWith, hasOpinions, opinionsOfFiles } from './audit-opinions.ts';
import type { SavedArchive } from './audit-save.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';

/**
 * Who may audit need not be allowed to see the deployed stack: then it is not known, which is said, and makes nothing partial.
 * In a Region without the stack there is no benchmark.
 */
async function benchmarkHosts(
  session: Session,
  stack: string,
  onNotKnown: (reason: string) => void,
): Promise<BenchmarkHosts> {
  try {
    const bucket = (await stackOutputs(session, stack)).get('RunsBucket');
    if (bucket === undefined) return noHosts;
    const store = new RunStore(new S3Client({ ...ownResources, ...session }), bucket);
    return benchmarkHostsOf(await store.list(benchmarkHostsIn(session.region)));
  } catch (error) {
    if (error instanceof Unreadable) onNotKnown(error.message);
    else if (!(error instanceof BadInput)) throw error;
    return noHosts;
  }
}

export interface TargetRead extends Pick<TargetOutcome, 'refused'> {
  results: AuditResult[];
  notices: AuditNotice[];
  incomplete: AuditNotice[];
  /** All that the Region has, also of what is not evaluated. */
  instanceIds: string[];
  excluded: number;
  benchmarkVolumes: number;
  /** All volumes and instances were listed. */
  whole: boolean;
  opinionReads: OpinionRead[];
}

export const nothingRead = {
  ...{ results: [], instanceIds: [], excluded: 0, benchmarkVolumes: 0, whole: false, opinionReads: [] },
};

type SameForEach = 'runId' | 'plan' | 'regionCatalogs' | 'thresholds' | 'onDiagnosed' | 'onEvaluated';

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Who counts what CloudWatch bills. What they throw ends the run. */
export interface MetricSpending {
  /** Before any metric of any Region is asked for: how many there are at most. */
  onMost(count: number): void;
  /** How many are asked for now. */
  onMetrics(count: number): void;
}

export interface Run extends Pick<EvaluationRequest, SameForEach> {
  /** What of the account is read; null: everything. */
  selected: SelectedResources | null;
  tags: KeptTags;
  maxQuotaPercent: number;
  documentName: string | undefined;
  /** Null: where no benchmark of ours runs. */
  stack: string | null;
  homeAccount: string;
  /** What is known of hosts from files: it goes before what they say now. */
  hosts: ReadonlyMap<string, HostEvidence>;
  /** Where what is read is kept. */
  saved: SavedArchive | null;
  compared: ComparedWith;
  counter: CallCounter;
  spending: MetricSpending | null;
  io: Io;
}

/** What a target has, before any of its metrics is asked for. */
interface TargetFound extends Pick<TargetRead, 'notices'> {
  target: Target;
  session: Session;
  discovered: Awaited<ReturnType<typeof discoverVolumes>>;
  /** Of what is asked about alone. */
  batches: AuditBatch[];
}

const isFound = (one: TargetFound | TargetRead): one is TargetFound => 'discovered' in one;

/**
 * What there is, or that it cannot be read.
 * @param session of the account of the target.
 */
async function discoverTarget(
  target: Target,
  session: Session,
  { counter, io, stack, selected, tags, plan, thresholds }: Run,
): Promise<TargetFound | TargetRead> {
  const { region } = target;
  const ec2 = ec2Client(session, counter);
  const cloudWatch = cloudWatchClient(session, counter);
  const looking = progress(io, `${region}: describing volumes and instances`, 1);
  const notices: AuditNotice[] = [];
  let discovered: Awaited<ReturnType<typeof discoverVolumes>>;
  try {
    discovered = await discoverVolumes(
      {
        describeVolumes: (ids) => describeVolumes(ec2, target, ids, tags.keys),
        describeInstances: (ids) => describeInstances(ec2, target, ids, tags.keys),
        listPublishedChecks: () => listPublishedChecks(cloudWatch, region),
        benchmarkHosts: async () =>
          stack === null
            ? noHosts
            : benchmarkHosts(session, stack, (reason) =>
                notices.push({ code: 'benchmark-hosts-not-known', region, reason }),
              ),
        now: io.now,
        archive: null,
      },
      plan,
      thresholds,
      tags.exclude,
    );
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const incomplete: AuditNotice[] = [{ code: 'region-not-read', region, reason: error.message }];
    return { ...nothingRead, notices, incomplete, refused: refusalOf(error, 'region') };
  } finally {
    looking.done();
    // Kept connections of a process that lives on, such as a server, would grow in number.
    ec2.destroy();
    cloudWatch.destroy();
  }
  selected?.excluded(discovered.excludedIds);
  selected?.ofBenchmark(discovered.benchmarkIds);
  const batches =
    selected === null
      ? discovered.batches
      : discovered.batches
          .map((batch) => ({ ...batch, ...selected.narrow(batch) }))
          .filter(({ volumes, instances }) => volumes.length + instances.length > 0);
  return { target, session, discovered, batches, notices };
}

interface ReadingClients {
  cloudWatch: CloudWatchClient;
  ssm: SSMClient;
}

async function readTarget(found: TargetFound, run: Run): Promise<TargetRead> {
  const { session } = found;
  const { counter } = run;
  const clients = { cloudWatch: cloudWatchClient(session, counter), ssm: ssmClient(session, counter) };
  try {
    return await readWith(clients, found, run);
  } finally {
    for (const client of Object.values(clients)) client.destroy();
  }
}

async function readWith(
  { cloudWatch, ssm }: ReadingClients,
  { target, session, discovered, batches, notices }: TargetFound,
  { counter, io, documentName, hosts, maxQuotaPercent, saved, spending, compared, ...others }: Run,
): Promise<TargetRead> {
  const { runId, plan, regionCatalogs, thresholds, onDiagnosed, onEvaluated } = others;
  const request = { runId, plan, regionCatalogs, thresholds, onDiagnosed, onEvaluated };
  const { region } = target;
  const discoverHosts = (batch: AuditBatch, document: string): Promise<AskedHosts> =>
    describeStripes(ssm, hostsToAsk(batch), { region, documentName: document });
  const asked = await readOpinions(
    compared.asked,
    { target, batches: discovered.batches },
    recommendationsReader({ session, counter }, target),
  );
  const opinionsOf = ({ volumes }: AuditBatch): Pick<AuditBatch, 'opinions'> =>
    hasOpinions(compared)
      ? {
          opinions: [
            ...opinionsOfBatch(asked?.opinions ?? [], volumes),
            ...opinionsOfFiles(compared, volumes, null).opinions,
          ],
        }
      : {};
  const reading = progress(io, `${region}: reading metrics and evaluating`, batches.length);
  const results: AuditResult[] = [];
  const pace = new PointsPace(pointRates(maxQuotaPercent));
  for (const batch of batches) {
    const readMetrics: EvaluateFrom['readMetrics'] = async (queries, when, collectorOf) => {
      spending?.onMetrics(queries.length);
      return getMetricData({ client: cloudWatch, region, pace }, queries, when, collectorOf);
    };
    const askedHosts = documentName === undefined ? null : await discoverHosts(batch, documentName);
    results.push(
      await evaluateBatch(
        {
          ...request,
          hosts: mergedHosts(hosts, askedHosts?.hosts ?? new Map()),
          batch: { ...batch, ...opinionsOf(batch) },
          ...remarksOnHosts(askedHosts),
        },
        {
          readMetrics: saved?.keeping(target, batch, readMetrics) ?? readMetrics,
          apiCalls: () => counter.total,
        },
      ),
    );
    reading.step();
  }
  reading.done();
  const instanceIds = discovered.batches.flatMap((batch) => [...resourceIdsOf(batch)]);
  const excluded = discovered.excludedIds.length;
  const benchmarkVolumes = discovered.benchmarkIds.length;
  const { incomplete } = discovered;
  const whole = incomplete.length === 0;
  const counts = { instanceIds, excluded, benchmarkVolumes, whole };
  return { results, notices, incomplete, ...counts, opinionReads: asked?.reads ?? [], refused: null };
}

/** @param session of the account of the target. */
export async function auditTarget(target: Target, session: Session, run: Run): Promise<TargetRead> {
  const found = await discoverTarget(target, session, run);
  return isFound(found) ? readTarget(found, run) : found;
}

/** One Region after the other; where it is counted what that costs, all are known before the first is read. */
export async function auditTargets(
  targets: readonly Target[],
  profile: string | undefined,
  run: Run,
): Promise<TargetRead[]> {
  const sessionOf = ({ region }: Target): Session => ({
    region,
    ...(profile === undefined ? {} : { profile }),
  });
  const read: TargetRead[] = [];
  const { spending, plan } = run;
  if (spending === null) {
    for (const target of targets) read.push(await auditTarget(target, sessionOf(target), run));
    return read;
  }
  const found: (TargetFound | TargetRead)[] = [];
  for (const target of targets) found.push(await discoverTarget(target, sessionOf(target), run));
  const batches = found.flatMap((one) => (isFound(one) ? one.batches : []));
  spending.onMost(sum(batches.map((batch) => mostMetricsOf(batch, plan))));
  for (const one of found) read.push(isFound(one) ? await readTarget(one, run) : one);
  return read;
}
