/** The message about a run, within the size that SNS carries. */
import { isPartial } from '../audit/audit.ts';
import { figure } from '../figures.ts';
import { inertJson } from '../inert.ts';
import type { LinkOf } from '../report/report-link.ts';
import type { Advisory, ToldFinding } from '../schemas/advisory.ts';
import type { AuditResult, VolumeVerdict } from '../schemas/audit-result.ts';
import type { NewsItem } from './what-to-tell.ts';

/** SNS carries 256 KiB, and the message is in it twice: as JSON, and as text of at most 64 KiB. */
const mostBytesOfJson = 180 * 1_024;

/** As SNS carries it: the JSON is a string in another JSON, so each quote in it is escaped again. */
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(inertJson(value)), 'utf8');

function volumeText(verdict: VolumeVerdict | undefined): string | null {
  return verdict === undefined ? null : `${verdict.volumeType} ${figure(verdict.sizeGiB, 0)} GiB`;
}

function toldFinding(
  { finding, record }: NewsItem,
  volumes: ReadonlyMap<string, VolumeVerdict>,
  priceUnknownBecause: string | null,
  { proof, url }: Pick<ToldFinding, 'proof' | 'url'>,
): ToldFinding {
  const { evidence: _, ...rest } = finding;
  return {
    ...rest,
    change: record.change,
    volumeText: volumeText(volumes.get(finding.resource.volumeId ?? '')),
    priceUnknownBecause,
    proof,
    url,
  };
}

/** What stands beside the findings of a run where it is there. */
export interface BesideFindings {
  /** By finding id: what a benchmark showed. */
  proofs?: ReadonlyMap<string, { line: string }>;
  /** Null where the run has no report that a link leads to. */
  linkOf?: LinkOf | null;
}

/**
 * @param news of one message id, most urgent first; what does not fit is counted.
 */
export function advisoryOf(
  result: AuditResult,
  news: readonly NewsItem[],
  location: string,
  { proofs, linkOf = null }: BesideFindings = {},
): Advisory {
  const volumes = new Map(result.volumes.map((verdict) => [verdict.volumeId, verdict]));
  const unknownPrices = new Map(
    result.prices.map(({ region, ebsUnknownBecause }) => [region, ebsUnknownBecause]),
  );
  const advisory: Advisory = {
    type: 'stripewise.advisory',
    version: 1,
    id: news[0]?.record.messageId ?? '',
    runId: result.runId,
    window: result.window,
    partial: isPartial(result),
    volumes: result.coverage.volumes,
    unknownVolumes: result.coverage.unknown.length,
    openFindings: result.findings.length,
    cost: result.cost,
    told: [],
    notShown: 0,
    location,
    reportUrl: linkOf?.(null) ?? null,
  };
  let bytes = bytesOf(advisory);
  for (const item of news) {
    const { id, resource } = item.finding;
    const beside = { proof: proofs?.get(id)?.line ?? null, url: linkOf?.(id) ?? null };
    const told = toldFinding(item, volumes, unknownPrices.get(resource.region) ?? null, beside);
    bytes += bytesOf(told) + 1;
    if (bytes > mostBytesOfJson) advisory.notShown++;
    else advisory.told.push(told);
  }
  return advisory;
}
