/** Why an account, or a Region of it, is not read, by what AWS answered. */
import { NotEntered, Throttled, Unreadable } from '../../core/errors.ts';
import type { Refused } from '../../core/schemas/accounts.ts';

/**
 * AWS names the policy in its message. Source: IAM user guide, "Troubleshoot access denied error messages", read
 * 2026-11-26.
 */
const ofOrganization = /(service|resource) control policy|explicit deny in (an?|the) (SCP|RCP)/i;

/**
 * What EC2 and CloudWatch answer in a Region that the account has not enabled, and to credentials that are no longer valid. Which of
 * both it is, the other Regions of the account tell (core/audit/accounts.ts). Source: EC2 API reference, client errors, read
 * 2026-11-26.
 */
const regionOff = new Set([
  'AuthFailure',
  'InvalidClientTokenId',
  'OptInRequired',
  'UnrecognizedClientException',
]);

/** @param asked for the role, or for a Region with its credentials. */
export function refusalOf(error: unknown, asked: 'role' | 'region'): Refused {
  const { message: reason, cause } = error as Error;
  const { name } = (cause ?? error) as Error;
  if (ofOrganization.test((cause as Error | undefined)?.message ?? reason))
    return { code: 'denied-by-organization', reason };
  if (asked === 'region' && regionOff.has(name)) return { code: 'region-off', reason };
  if (asked === 'role' && error instanceof Throttled) return { code: 'sts-throttled', reason };
  if (asked === 'role' && error instanceof Unreadable && /^AccessDenied/.test(name))
    return { code: 'role-refused', reason };
  return { code: 'other', reason };
}

/**
 * Of whatever entering an account or reading a Region of it threw.
 * @throws what AWS did not say: a mistake of ours.
 */
export function refusedBy(error: unknown): Refused {
  if (!(error instanceof Unreadable)) throw error;
  return error instanceof NotEntered ? error.refused : refusalOf(error, 'region');
}
