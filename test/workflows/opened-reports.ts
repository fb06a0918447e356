/** Reports of a deployed service, opened as who has a link opens them. */
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { linksTo } from '../../core/report/report-link.ts';
import { clientSettings, overTls, type StackOutputs } from '../../local/deploy.ts';
import type { Services } from '../../local/services.ts';

/** What a browser is shown, and by which way. */
export interface Opened {
  /** What the endpoint answers; where it leads on, nothing. */
  status: number;
  said: string;
  cacheControl: string | null;
  page: { status: number; contentType: string | null; html: string } | null;
}

/** Follows as a browser does, but tells of each step. */
export async function openLink(link: string): Promise<Opened> {
  const reply = await fetch(link, { redirect: 'manual' });
  const location = reply.headers.get('location');
  const page = location === null ? null : await fetch(location);
  return {
    status: reply.status,
    said: await reply.text(),
    cacheControl: reply.headers.get('cache-control'),
    page:
      page === null
        ? null
        : { status: page.status, contentType: page.headers.get('content-type'), html: await page.text() },
  };
}

/** A link as the service signs it, to a run of this name. */
export async function signedLink(
  services: Services,
  { ReportLinks = '', ReportLinkKey }: StackOutputs,
  id: string,
  untilEpochSeconds = Math.floor(Date.now() / 1000) + 60,
): Promise<string> {
  const secrets = new SecretsManagerClient(clientSettings(services));
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: ReportLinkKey }));
  secrets.destroy();
  return linksTo(ReportLinks, { kind: 'runs', id, untilEpochSeconds }, SecretString)?.(null) ?? '';
}

export async function putPage(
  services: Services,
  { RunsBucket }: StackOutputs,
  key: string,
  html: string,
): Promise<void> {
  const s3 = overTls(new S3Client({ ...clientSettings(services), forcePathStyle: true }));
  await s3.send(
    new PutObjectCommand({
      Bucket: RunsBucket,
      Key: key,
      Body: html,
      ContentType: 'application/octet-stream',
    }),
  );
  s3.destroy();
}
