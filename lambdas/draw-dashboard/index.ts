import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { z } from 'zod';
import { putDashboard } from '../../adapters/aws/put-dashboard.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { dashboardBody } from '../../report/dashboard/volumes-at-risk.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf } from '../shared/powertools.ts';
import { readRun, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

export const handler = createHandler(z.object({ runId: z.string().min(1) }), async ({ runId }) => {
  const { BUCKET, DASHBOARD_NAME } = env();
  const result = await readRun(runStore(BUCKET), runId);
  await putDashboard(new CloudWatchClient(ownResources), DASHBOARD_NAME, dashboardBody(result));
});
