/** Accounts and their enabled Regions, as AWS Organizations and the accounts themselves list them. */
import { AccountClient, paginateListRegions } from '@aws-sdk/client-account';
import {
  type Account,
  DescribeOrganizationalUnitCommand,
  ListParentsCommand,
  OrganizationsClient,
  paginateListAccountsForParent,
  paginateListOrganizationalUnitsForParent,
  paginateListRoots,
} from '@aws-sdk/client-organizations';
import { accountSchema } from '../../core/config/organization.ts';
import { Unavailable } from '../../core/errors.ts';
import { isRegionName } from '../../core/ids.ts';
import { sanitize } from '../../core/sanitize.ts';
import type { ListedAccount, Refused } from '../../core/schemas/accounts.ts';
import type { CallCounter } from './call-counter.ts';
import { reading } from './failure.ts';
import { retryGarbled } from './garbled.ts';
import { pagesWithEnd } from './pages.ts';
import { globalRegion, retry, type Session, withTimeouts } from './session.ts';

type Unit = ListedAccount['units'][number];

/** It answers at one address of each partition. */
export function organizationsClient(session: Session, counter: CallCounter): OrganizationsClient {
  const client = new OrganizationsClient({
    ...{ ...retry, ...withTimeouts, ...session },
    region: globalRegion(session.region),
  });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  return client;
}

/** `State` replaced `Status` in 2025; who answers with the old one alone is understood. */
const stateOf = ({ State, Status }: Account): string => State ?? Status ?? '';

function refusedOf(account: Account): Refused | null {
  const state = stateOf(account);
  if (state === 'ACTIVE' || state === '') return null;
  const reason = `AWS Organizations says ${state}`;
  if (state === 'SUSPENDED') return { code: 'suspended', reason };
  return { code: /^(PENDING_CLOSURE|CLOSED)$/.test(state) ? 'closed' : 'other', reason };
}

const asked = (call: string, parent: string): string => `organizations:${call} of ${parent}`;

async function rootsOf(client: OrganizationsClient): Promise<Unit[]> {
  return reading('organizations:ListRoots', async () => {
    const roots: Unit[] = [];
    for await (const { Roots = [] } of pagesWithEnd(paginateListRoots({ client }, {})))
      for (const { Id, Name } of Roots) if (Id !== undefined) roots.push({ id: Id, name: Name ?? null });
    return roots;
  });
}

async function unitsIn(client: OrganizationsClient, parent: string): Promise<Unit[]> {
  return reading(asked('ListOrganizationalUnitsForParent', parent), async () => {
    const units: Unit[] = [];
    const pages = paginateListOrganizationalUnitsForParent({ client }, { ParentId: parent });
    for await (const { OrganizationalUnits = [] } of pagesWithEnd(pages))
      for (const { Id, Name } of OrganizationalUnits)
        if (Id !== undefined) units.push({ id: Id, name: Name ?? null });
    return units;
  });
}

/** Ids become ARNs and keys. @throws Unavailable for a reply with an id that is none. */
function accountIdOf({ Id = '' }: Account, call: string): string {
  if (accountSchema.safeParse(Id).success) return Id;
  throw new Unavailable(`${call} failed: a reply came with "${sanitize(Id)}", which is no account`);
}

async function accountsIn(client: OrganizationsClient, units: readonly Unit[]): Promise<ListedAccount[]> {
  const parent = units.at(-1)?.id ?? '';
  const call = asked('ListAccountsForParent', parent);
  return reading(call, async () => {
    const accounts: ListedAccount[] = [];
    const pages = paginateListAccountsForParent({ client }, { ParentId: parent });
    for await (const { Accounts = [] } of pagesWithEnd(pages))
      for (const one of Accounts)
        accounts.push({
          ...{ account: accountIdOf(one, call), name: one.Name ?? null },
          ...{ units: [...units], refused: refusedOf(one) },
        });
    return accounts;
  });
}

/** A unit with what it is in, outermost first. */
async function pathOf(client: OrganizationsClient, id: string): Promise<Unit[]> {
  if (id.startsWith('r-')) return (await rootsOf(client)).filter((root) => root.id === id);
  const { OrganizationalUnit } = await reading(asked('DescribeOrganizationalUnit', id), () =>
    client.send(new DescribeOrganizationalUnitCommand({ OrganizationalUnitId: id })),
  );
  const { Parents = [] } = await reading(asked('ListParents', id), () =>
    client.send(new ListParentsCommand({ ChildId: id })),
  );
  const [parent] = Parents;
  const above = parent?.Id === undefined ? [] : await pathOf(client, parent.Id);
  return [...above, { id, name: OrganizationalUnit?.Name ?? null }];
}

async function accountsBelow(client: OrganizationsClient, units: readonly Unit[]): Promise<ListedAccount[]> {
  const accounts = await accountsIn(client, units);
  for (const unit of await unitsIn(client, units.at(-1)?.id ?? ''))
    for (const account of await accountsBelow(client, [...units, unit])) accounts.push(account);
  return accounts;
}

/**
 * Every account of the organization, or of these units and the units in them, each once. Two calls for each unit.
 * @throws Unreadable where it is not the management account, nor a delegated administrator.
 */
export async function listAccounts(
  client: OrganizationsClient,
  from: 'all' | readonly string[],
): Promise<ListedAccount[]> {
  const paths = from === 'all' ? (await rootsOf(client)).map((root) => [root]) : await pathsOf(client, from);
  const accounts = new Map<string, ListedAccount>();
  for (const path of paths)
    for (const account of await accountsBelow(client, path)) accounts.set(account.account, account);
  return [...accounts.values()];
}

async function pathsOf(client: OrganizationsClient, ids: readonly string[]): Promise<Unit[][]> {
  const paths: Unit[][] = [];
  for (const id of new Set(ids)) paths.push(await pathOf(client, id));
  return paths;
}

/** The Regions that the account of these credentials has enabled. */
export async function enabledRegions(session: Session, counter: CallCounter): Promise<string[]> {
  const client = new AccountClient({
    ...{ ...retry, ...withTimeouts, ...session },
    region: globalRegion(session.region),
  });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  const wanted = { RegionOptStatusContains: ['ENABLED' as const, 'ENABLED_BY_DEFAULT' as const] };
  try {
    return await reading('account:ListRegions', async () => {
      const regions: string[] = [];
      for await (const { Regions = [] } of pagesWithEnd(paginateListRegions({ client }, wanted)))
        for (const { RegionName } of Regions)
          if (RegionName !== undefined && isRegionName(RegionName)) regions.push(RegionName);
      return regions.sort();
    });
  } finally {
    // Each account has a client of its own: thousands of idle connections are more than a function may have open.
    client.destroy();
  }
}
