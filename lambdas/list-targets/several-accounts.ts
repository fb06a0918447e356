/** Which accounts and Regions a run of several accounts reads, and which it cannot. */
import { limitAsync } from 'es-toolkit/promise';
import { chosenAccounts } from '../../core/audit/accounts.ts';
import type { Organization } from '../../core/config/organization.ts';
import { BadInput } from '../../core/errors.ts';
import type { ListedAccount, Refused, Target, TargetList } from '../../core/schemas/accounts.ts';

export interface ListFrom {
  /** Every account of the organization, or of these units. */
  listAccounts(from: 'all' | readonly string[]): Promise<ListedAccount[]>;
  /** Or why the account does not say. */
  enabledRegions(account: string): Promise<readonly string[] | Refused>;
}

interface Asked {
  organization: Organization;
  partition: string;
  /** Of those of the configuration; without it all of them. */
  accounts?: readonly string[] | undefined;
  /** Whatever an account has enabled. */
  regions?: readonly string[] | undefined;
  /** Where the organization says none. */
  defaultRegions: readonly string[];
}

/** Two calls each; AWS answers ten a second. */
const accountsAtOnce = 10;

/** @throws BadInput where one is asked for that the configuration does not have. */
function narrowed(all: readonly ListedAccount[], accounts: readonly string[] | undefined): ListedAccount[] {
  if (accounts === undefined) return [...all];
  const wanted = new Set(accounts);
  const found = all.filter(({ account }) => wanted.delete(account));
  const [unknown] = wanted;
  if (unknown === undefined) return found;
  throw new BadInput(
    `the input: accounts: ${unknown} is not read: give accounts that organization of the configuration names and does not exclude`,
  );
}

async function allAccounts(organization: Organization, from: ListFrom): Promise<ListedAccount[]> {
  const { accounts, organizationalUnits, exclude } = organization;
  if (Array.isArray(accounts)) return chosenAccounts(null, { accounts, exclude });
  return chosenAccounts(await from.listAccounts(organizationalUnits ?? 'all'), { exclude });
}

/** By account; what could not be listed stands for its reason. */
async function regionsOfEach(
  accounts: readonly ListedAccount[],
  { organization, regions, defaultRegions }: Asked,
  from: ListFrom,
): Promise<{ account: string; regions: readonly string[] | Refused }[]> {
  const fixed = regions ?? organization.regions ?? defaultRegions;
  const regionsOf = limitAsync(
    async ({ account }: ListedAccount) => ({
      account,
      regions: fixed === 'enabled' ? await from.enabledRegions(account) : [...new Set(fixed)],
    }),
    accountsAtOnce,
  );
  return Promise.all(accounts.filter(({ refused }) => refused === null).map((one) => regionsOf(one)));
}

const isRefused = (regions: readonly string[] | Refused): regions is Refused => 'code' in regions;

/** @throws BadInput where nobody is left to be read. */
export async function targetsOfAccounts(asked: Asked, from: ListFrom): Promise<TargetList> {
  const { organization, partition } = asked;
  const accounts = narrowed(await allAccounts(organization, from), asked.accounts);
  if (accounts.length === 0)
    throw new BadInput(
      'no account is left to read: what organization asks for has none, or exclude (--exclude-accounts) names each',
    );
  const regions = await regionsOfEach(accounts, asked, from);
  return {
    accounts,
    targets: regions.flatMap((one): Target[] =>
      isRefused(one.regions)
        ? []
        : one.regions.map((region) => ({ partition, account: one.account, region })),
    ),
    notListed: regions.flatMap((one) =>
      isRefused(one.regions) ? [{ account: one.account, refused: one.regions }] : [],
    ),
  };
}
