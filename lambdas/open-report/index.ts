import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { readLinkKey } from '../../adapters/aws/link-key.ts';
import { isPageThere, pageUrl } from '../../adapters/aws/report-page.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { msPerSecond } from '../../core/units.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { envSchema } from './env.ts';
import { type OpenWith, openReport } from './open-report.ts';

const env = environmentOf(envSchema);

/** What a Function URL hands to a function, as far as we read it. */
const eventSchema = z.object({
  rawPath: z.string(),
  requestContext: z.object({ http: z.object({ method: z.string() }) }),
});

let wired: OpenWith | undefined;
function wire(): OpenWith {
  const { BUCKET: bucket, LINK_KEY_SECRET_ARN } = env();
  const client = new S3Client(ownResources);
  return {
    readKey: () => readLinkKey(LINK_KEY_SECRET_ARN),
    isThere: (key) => isPageThere(client, { bucket, key }),
    freshUrl: (key, method) => pageUrl(client, { bucket, key }, method),
    onTrouble: (trouble) => logger.error('a report could not be opened', trouble),
  };
}

export const handler = createHandler(eventSchema, async ({ rawPath, requestContext }) => {
  wired ??= wire();
  const request = { method: requestContext.http.method, path: rawPath };
  return openReport(request, Math.floor(Date.now() / msPerSecond), wired);
});
