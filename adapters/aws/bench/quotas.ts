/** Quotas of the account, as Service Quotas tells them. */
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import type { Quota } from '../../../core/benchmark/campaign/preflight.ts';
import { Unreadable } from '../../../core/errors.ts';
import { type Known, known, unknown } from '../../../core/known.ts';
import { reading } from '../failure.ts';

/** A campaign can begin without it: nobody waits long for a quota. */
export const quotasClient = (region: string): ServiceQuotasClient =>
  new ServiceQuotasClient({
    region,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });

/** As it was raised, where it was; unknown where it cannot be read. */
export async function quotaOf(
  client: ServiceQuotasClient,
  region: string,
  { serviceCode, quotaCode }: Quota,
): Promise<Known<number>> {
  const asked = `servicequotas:GetServiceQuota of ${quotaCode} in ${region}`;
  try {
    const { Quota: found } = await reading(asked, () =>
      client.send(new GetServiceQuotaCommand({ ServiceCode: serviceCode, QuotaCode: quotaCode })),
    );
    return found?.Value === undefined ? unknown(`${asked} told no figure`) : known(found.Value);
  } catch (error) {
    if (error instanceof Unreadable) return unknown(error.message);
    throw error;
  }
}
