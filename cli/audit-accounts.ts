/** The accounts that an audit from here reads, and sessions in them. */
import { AccountSessions } from '../adapters/aws/account-sessions.ts';
import type { CallCounter } from '../adapters/aws/call-counter.ts';
import { enabledRegions, listAccounts, organizationsClient } from '../adapters/aws/list-accounts.ts';
import { refusedBy } from '../adapters/aws/refusals.ts';
import type { Session } from '../adapters/aws/session.ts';
import type { Organization } from '../core/config/organization.ts';
import { AccessDenied, BadInput } from '../core/errors.ts';
import { partitionOf } from '../core/ids.ts';
import type { ListedAccount, Target, TargetList } from '../core/schemas/accounts.ts';
import { targetsOfAccounts } from '../lambdas/list-targets/several-accounts.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';

export interface AccountsToRead extends TargetList {
  sessionIn(target: Target): Promise<Session>;
}

interface Asking {
  /** One's own account. */
  account: string;
  /** Where the organization does not say which. */
  regions: readonly string[];
  /** A Region of STS that answers this account: others may be mistyped, or not enabled. */
  answeredIn: string;
  profile?: string | undefined;
  runId: string;
  counter: CallCounter;
  io: Io;
}

/**
 * The same use case as the deployed audit's.
 * @throws BadInput where nobody may list the accounts, or none is left.
 */
export async function accountsToRead(
  organization: Organization,
  { account, regions, answeredIn: region, profile, runId, counter, io }: Asking,
): Promise<AccountsToRead> {
  const home: Session = { region, ...(profile === undefined ? {} : { profile }) };
  const partition = partitionOf(region);
  const { memberRoleName, externalId } = organization;
  const sessions = new AccountSessions({ ...home, account, memberRoleName, externalId }, counter);
  const sessionIn = (target: Target): Promise<Session> => sessions.sessionIn(target, runId);
  const inList = Array.isArray(organization.accounts) ? organization.accounts.length : 0;
  let looking = progress(io, 'listing the Regions of each account', inList);
  const read = await targetsOfAccounts(
    { organization, partition, defaultRegions: regions },
    {
      listAccounts: async (from) => {
        const listed = await listedOf(home, counter, from);
        looking = progress(io, 'listing the Regions of each account', listed.length);
        return listed;
      },
      enabledRegions: async (asked) => {
        try {
          return await enabledRegions(await sessionIn({ partition, account: asked, region }), counter);
        } catch (error) {
          return refusedBy(error);
        } finally {
          looking.step();
        }
      },
    },
  ).finally(() => looking.done());
  return { ...read, sessionIn };
}

async function listedOf(
  home: Session,
  counter: CallCounter,
  from: 'all' | readonly string[],
): Promise<ListedAccount[]> {
  const client = organizationsClient(home, counter);
  try {
    return await listAccounts(client, from);
  } catch (error) {
    if (!(error instanceof AccessDenied)) throw error;
    throw new BadInput(
      `the accounts of the organization cannot be listed: ${error.message}. Use the management account or a delegated administrator, or name the accounts: --accounts 111122223333 (organization.accounts)`,
      { cause: error },
    );
  } finally {
    client.destroy();
  }
}
