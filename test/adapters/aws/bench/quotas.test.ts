/** A quota that cannot be read is unknown, and says why. */
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { mockClient } from 'aws-sdk-client-mock';
import { quotaOf, quotasClient } from '../../../../adapters/aws/bench/quotas.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const quotas = mockClient(ServiceQuotasClient);
const client = quotasClient('us-east-1');
const vcpus = { serviceCode: 'ec2', quotaCode: 'L-1216C47A', what: 'vCPUs' } as const;
const asked = 'servicequotas:GetServiceQuota of L-1216C47A in us-east-1';

beforeEach(() => {
  quotas.reset();
});

test('it is asked for by its code', async () => {
  const requests = answerInTurn(quotas.on(GetServiceQuotaCommand), [{ Quota: { Value: 256 } }]);
  expect(await quotaOf(client, 'us-east-1', vcpus)).toEqual({ known: true, value: 256 });
  expect(requests).toEqual([{ ServiceCode: 'ec2', QuotaCode: 'L-1216C47A' }]);
});

test('nothing is a figure too', async () => {
  quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 0 } });
  expect(await quotaOf(client, 'us-east-1', vcpus)).toEqual({ known: true, value: 0 });
});

test.each([
  ['AccessDeniedException', 'You may not.', 400],
  ['NoSuchResourceException', 'The request failed because the specified resource does not exist.', 400],
  ['TooManyRequestsException', 'Slow down.', 400],
  ['UnknownError', 'UnknownError', 501],
])('%s makes it unknown', async (name, message, status) => {
  quotas.on(GetServiceQuotaCommand).rejects(awsError(name, message, status));
  expect(await quotaOf(client, 'us-east-1', vcpus)).toEqual({
    known: false,
    reason: `${asked} failed: ${name}: ${message}`,
  });
});

test.each([{}, { Quota: {} }])('so does a reply without a figure: %j', async (reply) => {
  quotas.on(GetServiceQuotaCommand).resolves(reply);
  expect(await quotaOf(client, 'us-east-1', vcpus)).toEqual({
    known: false,
    reason: `${asked} told no figure`,
  });
});

test('nobody waits long for it', async () => {
  expect(await client.config.maxAttempts()).toBe(3);
});
