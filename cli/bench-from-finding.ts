/** `stripewise bench plan --from-finding`: the campaign that proves a finding, from the load that was observed. */
import { readText } from '../adapters/files/read-file.ts';
import { SelectedResources } from '../core/audit/selected-resources.ts';
import { hostsOf, seenFinding } from '../core/benchmark/from-finding/found.ts';
import type { ObservedLoad, SeenVolume } from '../core/benchmark/from-finding/observed-load.ts';
import { type ValidationOptions, validationFor } from '../core/benchmark/from-finding/request.ts';
import type { RegionCatalog } from '../core/catalog/region-catalog.ts';
import { thresholdsSchema } from '../core/config/threshold-settings.ts';
import { type Thresholds, thresholdsOf } from '../core/diagnosis/thresholds.ts';
import { BadInput } from '../core/errors.ts';
import { fewOf } from '../core/few.ts';
import { sanitize } from '../core/sanitize.ts';
import { type AuditResult, auditResultSchema } from '../core/schemas/audit-result.ts';
import type { BenchedFinding, BenchPlanAnswer } from '../core/schemas/bench-plan-answer.ts';
import type { Finding } from '../core/schemas/finding.ts';
import { epochSecondsOf, secondsPerDay } from '../core/units.ts';
import { noticeText } from '../report/wording/audit-notices.ts';
import { findingName, notProvableText } from '../report/wording/benchmark.ts';
import { auditFiles } from './audit-files.ts';
import { checkedRequest } from './bench-request.ts';
import type { Io } from './io.ts';
import { regionCatalogsFor } from './region-catalogs.ts';

export interface FindingSource {
  /** What `audit --json` wrote, with the files that it was made from; without them the deployed account is read. */
  audit?: string;
  volumes?: string[];
  metrics?: string[];
  instances?: string[];
  region?: string;
  profile?: string;
  stack: string;
}

/** What was found, and where a look at its resource alone comes from. */
interface Source {
  /** How the run is called in a line. */
  name: string;
  run: AuditResult;
  /** Whose prices count: where the campaign runs. */
  region(finding: Finding): string;
  look(
    finding: Finding,
    selected: SelectedResources,
    onDiagnosed: (diagnosed: SeenVolume['diagnosed'], metrics: SeenVolume['metrics']) => void,
  ): Promise<AuditResult>;
}

function auditInFile(path: string): AuditResult {
  let value: unknown;
  try {
    value = JSON.parse(readText(path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BadInput(`${path}: is no JSON (${error.message}): give what \`audit --json\` wrote`);
  }
  const { data, error } = auditResultSchema.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  throw new BadInput(
    `${path}: ${issue?.path.join('.') || 'as a whole'}: ${issue?.message}: give what \`audit --json\` wrote`,
  );
}

/** A look evaluates by the words that the run did. */
const thresholdsOfRun = ({ thresholds = {} }: AuditResult): Thresholds =>
  thresholdsOf(thresholdsSchema.safeParse(thresholds).data ?? {});

function fromFiles({ audit, volumes, metrics, instances, region }: FindingSource, io: Io): Source {
  if (audit === undefined || volumes === undefined || metrics === undefined)
    throw new BadInput(
      '--from-finding of files needs --audit (what `audit --json` wrote), --volumes and --metrics (what that audit was made from), and --instances for the type of the host; without any of them the deployed account is read',
    );
  const run = auditInFile(audit);
  const files = { volumes, metrics, ...(instances === undefined ? {} : { instances }) };
  return {
    ...{ name: audit, run },
    region: ({ resource }) => region ?? resource.region,
    look: async (_, selected, onDiagnosed) =>
      auditFiles(
        files,
        io,
        selected,
        { onDiagnosed },
        { hosts: hostsOf(run), thresholds: thresholdsOfRun(run) },
      ),
  };
}

async function fromAccount({ stack, region, profile }: FindingSource, io: Io): Promise<Source> {
  // Loaded only when needed: the AWS SDK takes longer to load than files to be read.
  const [{ BenchAccount }, { auditLive }] = await Promise.all([
    import('./bench-account.ts'),
    import('./audit-live.ts'),
  ]);
  const ofProfile = profile === undefined ? {} : { profile };
  const account = await BenchAccount.find({
    ...{ stack, ...ofProfile },
    ...(region === undefined ? {} : { region }),
  });
  const run = await account.latestRun();
  return {
    ...{ name: `the latest run (${run.runId})`, run },
    region: () => account.region,
    look: (finding, selected, onDiagnosed) => {
      if (run.window === null) throw new BadInput(`${run.runId} has no window: there is no load to read`);
      const { start, end } = run.window;
      const lookbackDays = (epochSecondsOf(end) - epochSecondsOf(start)) / secondsPerDay;
      const region = [finding.resource.region];
      const options = { region, lookbackDays, until: new Date(end), stack, ...ofProfile };
      const [hosts, thresholds] = [hostsOf(run), thresholdsOfRun(run)];
      return auditLive(options, io, { selected, hosts, thresholds, onDiagnosed });
    },
  };
}

function findingIn({ name, run }: Source, id: string): Finding {
  const found = run.findings.find((finding) => finding.id === id);
  if (found !== undefined) return found;
  const others = run.findings.map((one) => `${one.id} (${findingName(one)})`);
  throw new BadInput(
    `${sanitize(name)} has no finding ${sanitize(id)}: ${others.length === 0 ? 'it has none' : `it has ${sanitize(fewOf(others), 1_000)}`}`,
  );
}

function observedAnswer({ ioKiB, demandIops, underWay, ...rest }: ObservedLoad): BenchedFinding['observed'] {
  return {
    ...rest,
    // Without it there is no request.
    ioKiB: ioKiB.known ? ioKiB.value : 0,
    demandIops: demandIops.known ? demandIops.value : null,
    demandUnknownReason: demandIops.known ? null : demandIops.reason,
    underWay: underWay.known ? underWay.value.mean : null,
    underWayBy: underWay.known ? underWay.value.by : null,
  };
}

/** @throws BadInput in one line where there is no such finding, or no benchmark shows it. */
export async function planFromFinding(
  id: string,
  source: FindingSource,
  options: ValidationOptions,
  io: Io,
  priced: (request: BenchPlanAnswer['request'], regionCatalog: RegionCatalog) => BenchPlanAnswer,
): Promise<BenchPlanAnswer> {
  const isOfFiles = [source.audit, source.volumes, source.metrics, source.instances].some(
    (one) => one !== undefined,
  );
  const from = isOfFiles ? fromFiles(source, io) : await fromAccount(source, io);
  const notified = findingIn(from, id);
  const selected = new SelectedResources([notified.resource.id]);
  const volumes: SeenVolume[] = [];
  const result = await from.look(notified, selected, (diagnosed, metrics) =>
    volumes.push({ diagnosed, metrics }),
  );
  const finding = result.findings.find((one) => one.id === id);
  if (finding === undefined) {
    const { incomplete } = result.coverage;
    const unread =
      incomplete.length === 0 ? '' : ` (not read: ${sanitize(fewOf(incomplete.map(noticeText)), 500)})`;
    throw new BadInput(
      `${sanitize(id)} (${findingName(notified)}) is not found again in the same time: what it is about was changed, is gone or is of another account${unread}; audit again`,
    );
  }
  const { found, seen } = seenFinding(finding, result, volumes, (instanceId) =>
    selected.instance(instanceId),
  );
  const region = from.region(finding);
  const ofProfile = source.profile === undefined ? {} : { profile: source.profile };
  const regionCatalog = (await regionCatalogsFor([region], ofProfile, io))(region);
  const validation = validationFor(found, seen, regionCatalog, options);
  if (!validation.known)
    throw new BadInput(
      `${sanitize(id)} (${findingName(finding)}) cannot be benchmarked: ${notProvableText(validation.reason)}`,
    );
  const { request, observed, compared, notes } = validation.value;
  const answer = priced(checkedRequest('the request', request), regionCatalog);
  const { apiCalls, metricsRequested, usd } = result.cost;
  return {
    ...answer,
    validates: {
      ...{ finding, observed: observedAnswer(observed) },
      ...{
        current: compared.current,
        recommended: compared.recommended,
        cost: { apiCalls, metricsRequested, usd },
      },
    },
    notes: [
      ...(regionCatalog.region === finding.resource.region
        ? []
        : [
            {
              ...{ code: 'other-region' as const, region: regionCatalog.region },
              findingRegion: finding.resource.region,
            },
          ]),
      ...notes,
      ...answer.notes,
    ],
  };
}
