import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { answerCloudFormation } from '../../adapters/aws/answer-cloudformation.ts';
import { deleteSomeObjects } from '../../adapters/aws/delete-objects.ts';
import { stackStatus } from '../../adapters/aws/stack-status.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { emptyBucket } from './empty-bucket.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

/** What CloudFormation hands to a custom resource, as far as we read it. */
const requestSchema = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  ResponseURL: z.url(),
  StackId: z.string().min(1),
  RequestId: z.string().min(1),
  LogicalResourceId: z.string().min(1),
  PhysicalResourceId: z.string().min(1).optional(),
});

export const handler = createHandler(requestSchema, async (request, context) => {
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
