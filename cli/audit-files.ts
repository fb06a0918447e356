/** `stripewise audit` of files: what the AWS CLI printed, or recorded series. */
import { readGetMetricData } from '../adapters/files/aws-cli-metrics.ts';
import { readHosts } from '../adapters/files/host-evidence.ts';
import { readRecordedDirectory } from '../adapters/files/recorded-directory.ts';
import { type AuditInput, audit } from '../core/audit/audit.ts';
import { unusedHostNotices } from '../core/audit/notices.ts';
import { narrowed, type Only, resourceIdsOf } from '../core/audit/only.ts';
import { BadInput } from '../core/errors.ts';
import { MetricCollector } from '../core/load/fleet-metrics.ts';
import { finestEbsPeriodSeconds } from '../core/load/metrics.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { readInventory, requireOnce } from './inventory.ts';
import type { Io } from './io.ts';
import { marketsHere } from './markets.ts';
import { progress } from './progress.ts';

export interface FileOptions {
  volumes?: string[];
  metrics?: string[];
  instances?: string[];
  recorded?: string;
  hosts?: string[];
  only?: string[];
}

type Read = Omit<AuditInput, 'runId' | 'cost' | 'markets'>;

function readCliFiles({ volumes, metrics, instances }: FileOptions, io: Io, only: Only | null): Read {
  if (volumes === undefined || metrics === undefined) {
    throw new BadInput(
      'audit of files needs --volumes and --metrics (what the AWS CLI prints; `audit queries` says what to ask for)',
    );
  }
  const inventory = readInventory(volumes, instances ?? []);
  const asked = only && resourceIdsOf(only.narrow(inventory));
  const collector = new MetricCollector(finestEbsPeriodSeconds);
  const reading = progress(io, 'reading metrics', metrics.length);
  const oddities = metrics.map((path) => {
    const odd = readGetMetricData(path, collector, (id) => asked?.has(id) ?? true);
    reading.step();
    return odd;
  });
  reading.done();
  return {
    ...inventory,
    metrics: collector.finish(),
    window: 'of-all',
    notices: oddities.flatMap(({ notices }) => notices),
    incomplete: oddities.flatMap(({ incomplete }) => incomplete),
  };
}

function readRecorded(directory: string, options: FileOptions): Read {
  if (options.volumes !== undefined || options.metrics !== undefined || options.instances !== undefined) {
    throw new BadInput('--recorded brings its own volumes: leave out --volumes, --metrics and --instances');
  }
  const { only } = options;
  const recorded = readRecordedDirectory(directory, (id) => only?.includes(id) ?? true);
  const ids = recorded.volumes.map(({ volumeId }) => volumeId);
  requireOnce(ids, `${directory}: volume`, 'give each its own id');
  return { ...recorded, instances: [], window: 'of-each', incomplete: [] };
}

/** Who is told of what is read while it is judged. */
export type Listeners = Pick<AuditInput, 'onDiagnosed' | 'onJudged'>;

/** @param only what of the files is judged; null: everything. */
export function auditFiles(
  options: FileOptions,
  io: Io,
  only: Only | null,
  listeners: Listeners,
  hosts: NonNullable<AuditInput['hosts']> = readHosts(options.hosts ?? []),
): AuditResult {
  const read =
    options.recorded === undefined
      ? readCliFiles(options, io, only)
      : readRecorded(options.recorded, options);
  const cost = { apiCalls: 0, metricsRequested: 0, usd: 0 };
  const notices = [...read.notices, ...unusedHostNotices(hosts, resourceIdsOf(read))];
  const all = { ...read, notices, markets: marketsHere(), runId: io.newRunId(), cost, hosts, ...listeners };
  const input = only === null ? all : narrowed(all, only);
  const judging = progress(io, 'judging volumes', input.volumes.length);
  const result = audit(input, () => judging.step());
  judging.done();
  return result;
}
