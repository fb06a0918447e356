/** The accounts that an audit from here reads, and sessions in them. */
import { limitAsync } from 'es-toolkit/promise';
import { AccountSessions } from '../adapters/aws/account-sessions.ts';
import type { CallCounter } from '../adapters/aws/call-counter.ts';
import { enabledRegions, listAccounts, organizationsClient } from '../adapters/aws/list-accounts.ts';
import { refusalOf } from '../adapters/aws/refusals.ts';
import type { Session } from '../adapters/aws/session.ts';
import { chosenAccounts } from '../core/audit/accounts.ts';
import { isListed, type Organization } from '../core/config/organization.ts';
import { BadInput, NotEntered, Unreadable } from '../core/errors.ts';
import { partitionOf } from '../core/ids.ts';
import type { ListedAccount, Refused, Target } from '../core/schemas/accounts.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';

export interface AccountsToRead {
  accounts: ListedAccount[];
  targets: Target[];
  /** Accounts whose Regions could not be listed. */
  notListed: ReadonlyMap<string, Refused>;
  sessionIn(target: Target): Promise<Session>;
}

/** So many accounts say at one time which Regions they have enabled. */
const listedAtOnce = 8;

interface Asking {
  /** One's own account. */
  account: string;
  /** Where the organization does not say which. */
  regions: readonly [string, ...string[]];
  profile?: string | undefined;
  runId: string;
  counter: CallCounter;
  io: Io;
}

/**
 * @throws BadInput where nobody may list the accounts, or none is left.
 */
export async function accountsToRead(
  organization: Organization,
  { account, regions, profile, runId, counter, io }: Asking,
): Promise<AccountsToRead> {
  const home: Session = { region: regions[0], ...(profile === undefined ? {} : { profile }) };
  const partition = partitionOf(home.region);
  const { memberRoleName, externalId, exclude } = organization;
  const sessions = new AccountSessions({ ...home, account, memberRoleName, externalId }, counter);
  const sessionIn = (target: Target): Promise<Session> => sessions.sessionIn(target, runId);
  const accounts = chosenAccounts(await listed(organization, home, counter), {
    accounts: Array.isArray(organization.accounts) ? organization.accounts : undefined,
    exclude,
  });
  if (accounts.length === 0)
    throw new BadInput(
      'no account is left to read: what was asked for has none, or --exclude-accounts (organization.exclude) names each',
    );
  const asked = accounts.filter(({ refused }) => refused === null);
  const notListed = new Map<string, Refused>();
  const regionsIn = async (one: string): Promise<readonly string[]> => {
    if (organization.regions !== 'enabled') return organization.regions ?? regions;
    try {
      const session = await sessionIn({ partition, account: one, region: home.region });
      return await enabledRegions(session, counter);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      notListed.set(one, error instanceof NotEntered ? error.refused : refusalOf(error, 'region'));
      return [];
    }
  };
  const looking = progress(io, 'listing the Regions of each account', asked.length);
  const ofOne = limitAsync(async (one: ListedAccount): Promise<Target[]> => {
    const enabled = await regionsIn(one.account);
    looking.step();
    return [...new Set(enabled)].map((region) => ({ partition, account: one.account, region }));
  }, listedAtOnce);
  const targets = (await Promise.all(asked.map(ofOne))).flat();
  looking.done();
  return { accounts, targets, notListed, sessionIn };
}

/** Null where the accounts are given: then nobody is asked. */
async function listed(
  organization: Organization,
  home: Session,
  counter: CallCounter,
): Promise<ListedAccount[] | null> {
  const { accounts, organizationalUnits = [] } = organization;
  if (!isListed(organization)) return null;
  const client = organizationsClient(home, counter);
  try {
    return await listAccounts(client, accounts === 'all' ? 'all' : organizationalUnits);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new BadInput(
      `the accounts of the organization cannot be listed: ${error.message}. Use the management account or a delegated administrator, or name the accounts: --accounts 111122223333 (organization.accounts)`,
      { cause: error },
    );
  } finally {
    client.destroy();
  }
}
