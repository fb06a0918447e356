/** The page of a run, the list of runs and the readings of a host, as they lie in the bucket. */
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { RunStore } from '../../adapters/aws/run-store.ts';
import { hostReadingsKey, runManifestKey } from '../../core/audit/run-keys.ts';
import type { HostReading } from '../../core/host/ebs-statistics.ts';
import type { AuditReport } from '../../core/report/audit-report.ts';
import type { ResourceSeries } from '../../core/report/resource-series.ts';
import { type RunEntry, runManifestSchema } from '../../core/report/run-manifest.ts';
import { hostReadingsSchema } from '../../lambdas/evaluate-batch/host-readings.ts';
import { clientSettings, overTls } from '../../local/deploy.ts';
import { seriesInPage } from '../../report/pages/series-in-page.ts';
import { dataInPage } from '../fixtures/page-parts.ts';
import type { LocalDeployment } from './local-deployment.ts';

type Deployed = Pick<LocalDeployment, 'services' | 'outputs'>;

const client = ({ services }: Deployed): S3Client =>
  overTls(new S3Client({ ...clientSettings(services), forcePathStyle: true }));

export async function listedRuns(deployed: Deployed): Promise<RunEntry[]> {
  const store = new RunStore(client(deployed), deployed.outputs.RunsBucket);
  return (await store.getJson(runManifestKey, runManifestSchema)).runs;
}

/** Oldest first. */
export const keptReadings = async (
  deployed: Deployed,
  host: { account: string; region: string; instanceId: string },
): Promise<HostReading[]> => {
  const store = new RunStore(client(deployed), deployed.outputs.RunsBucket);
  return store.getJson(hostReadingsKey(host.account, host.region, host.instanceId), hostReadingsSchema);
};

export interface StoredPage {
  contentType: string | undefined;
  bytes: number;
  report: AuditReport;
  series: ResourceSeries[];
}

export async function storedPage(deployed: Deployed, Key: string): Promise<StoredPage> {
  const asked = new GetObjectCommand({ Bucket: deployed.outputs.RunsBucket, Key });
  const { Body, ContentType } = await client(deployed).send(asked);
  const html = (await Body?.transformToString('utf8')) ?? '';
  return {
    contentType: ContentType,
    bytes: Buffer.byteLength(html),
    report: dataInPage(html),
    series: seriesInPage(html),
  };
}
