/** A dashboard that CloudWatch takes, warns of, or refuses. */
import { CloudWatchClient, PutDashboardCommand } from '@aws-sdk/client-cloudwatch';
import { mockClient } from 'aws-sdk-client-mock';
import { putDashboard } from '../../../adapters/aws/put-dashboard.ts';
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const cloudWatch = mockClient(CloudWatchClient);
const client = new CloudWatchClient({ region: 'us-east-1' });

beforeEach(() => {
  cloudWatch.reset();
});

test('puts the body under the name', async () => {
  cloudWatch.on(PutDashboardCommand).resolves({ DashboardValidationMessages: [] });
  await putDashboard(client, 'stripewise', '{"widgets":[]}');
  const [call] = cloudWatch.commandCalls(PutDashboardCommand);
  expect(call?.args[0].input).toEqual({ DashboardName: 'stripewise', DashboardBody: '{"widgets":[]}' });
});

test('a warning of CloudWatch is an error: a chart of the dashboard would stay empty', async () => {
  cloudWatch.on(PutDashboardCommand).resolves({
    DashboardValidationMessages: [{ DataPath: '/widgets/3', Message: 'Invalid metric field type' }],
  });
  const put = putDashboard(client, 'stripewise', '{}');
  await expect(put).rejects.toThrow(Unreadable);
  await expect(put).rejects.toThrow(
    'CloudWatch says of the dashboard: /widgets/3: Invalid metric field type',
  );
});

test('a refusal names the call', async () => {
  cloudWatch.on(PutDashboardCommand).rejects(awsError('AccessDenied', 'No.', 403));
  await expect(putDashboard(client, 'stripewise', '{}')).rejects.toThrow(AccessDenied);
  await expect(putDashboard(client, 'stripewise', '{}')).rejects.toThrow(
    'cloudwatch:PutDashboard failed: AccessDenied: No.',
  );
});
