import { type CloudWatchClient, PutDashboardCommand } from '@aws-sdk/client-cloudwatch';
import { Unreadable } from '../../core/errors.ts';
import { reading } from './failure.ts';

/** @throws Unreadable where CloudWatch refuses the body. */
export const putDashboard = (client: CloudWatchClient, name: string, body: string): Promise<void> =>
  reading('cloudwatch:PutDashboard', async () => {
    const { DashboardValidationMessages } = await client.send(
      new PutDashboardCommand({ DashboardName: name, DashboardBody: body }),
    );
    const [first] = DashboardValidationMessages ?? [];
    if (first !== undefined) {
      throw new Unreadable(
        `CloudWatch says of the dashboard: ${first.DataPath ?? ''}: ${first.Message ?? ''}`,
      );
    }
  });
