/**
 * Service Quotas, AWS JSON 1.1, as far as it is asked: GetServiceQuota of the quotas that the product reads. It proves nothing about
 * the quotas of an account.
 */
import { z } from 'zod';
import { iopsCodes, storageCodes, vcpuQuota } from '../../core/benchmark/campaign/preflight.ts';
import { metricCallsQuota } from '../../core/doctor/account-checks.ts';
import { jsonOrNull } from '../../core/json.ts';
import { BadRequest } from '../http.ts';
import { ServiceError } from '../service-error.ts';

const requestSchema = z.object({ ServiceCode: z.string().min(1), QuotaCode: z.string().min(1) });
/** Values by quota code. */
const valuesSchema = z.record(z.string().regex(/^L-[0-9A-F]{8}$/), z.number().min(0));

const ofEbs = (value: number) => ({ serviceCode: 'ebs', value });
/**
 * Documented defaults, in TiB and IOPS; vCPUs are those of an account that has run EC2 for a while. Source: EBS user guide, quotas,
 * read 2026-11-21.
 */
const usual: Readonly<Record<string, { serviceCode: string; value: number }>> = {
  [vcpuQuota.quotaCode]: { serviceCode: vcpuQuota.serviceCode, value: 256 },
  [metricCallsQuota.quotaCode]: { serviceCode: metricCallsQuota.serviceCode, value: 500 },
  ...Object.fromEntries(Object.values(storageCodes).map((code) => [code, ofEbs(50)])),
  [storageCodes.io2]: ofEbs(20),
  ...(iopsCodes.io1 === undefined ? {} : { [iopsCodes.io1]: ofEbs(300_000) }),
  ...(iopsCodes.io2 === undefined ? {} : { [iopsCodes.io2]: ofEbs(100_000) }),
};

export const quotasTarget = 'ServiceQuotasV20190624.';

export class ServiceQuotas {
  private values: Readonly<Record<string, number>> = {};

  call(operation: string, body: unknown): object {
    if (operation !== 'GetServiceQuota')
      throw new ServiceError(
        'UnknownOperationException',
        `The local Service Quotas does not know ${operation}.`,
      );
    const parsed = requestSchema.safeParse(body);
    if (!parsed.success) throw new ServiceError('IllegalArgumentException', z.prettifyError(parsed.error));
    const { ServiceCode, QuotaCode } = parsed.data;
    const found = usual[QuotaCode];
    if (found === undefined || found.serviceCode !== ServiceCode)
      throw new ServiceError('NoSuchResourceException', `There is no quota ${QuotaCode} of ${ServiceCode}.`);
    return { Quota: { ServiceCode, QuotaCode, Value: this.values[QuotaCode] ?? found.value } };
  }

  /** @param text JSON: values by quota code, in place of the usual ones. */
  set(text: string): void {
    const parsed = valuesSchema.safeParse(jsonOrNull(text));
    if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error), 400);
    this.values = parsed.data;
  }
}
