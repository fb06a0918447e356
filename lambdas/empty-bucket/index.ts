import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { answerCloudFormation } from '../../adapters/aws/answer-cloudformation.ts';
import { deleteSomeObjects } from '../../adapters/aws/delete-objects.ts';
import { stackStatus } from '../../adapters/aws/stack-status.ts';
import { resourceRequestSchema } from '../../core/resource-request.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { emptyBucket } from './empty-bucket.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

export const handler = createHandler(resourceRequestSchema, async (request, context) => {
  const s3 = new S3Client({ maxAttempts: 5 });
  const cloudFormation = new CloudFormationClient({ maxAttempts: 5 });
  const outcome = await emptyBucket(request.RequestType, {
    stackStatus: () => stackStatus(cloudFormation, request.StackId),
    deleteSome: async (signal) => deleteSomeObjects(s3, env().BUCKET, signal),
    remainingMs: () => context.getRemainingTimeInMillis(),
  });
  logger.info('bucket of runs', { request: request.RequestType, ...outcome });
  await answerCloudFormation(request, outcome);
});
