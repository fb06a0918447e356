/** Accounts of a run: which are asked, what came of each, and of which places everything is known. */
import { groupBy } from '../group-by.ts';
import type {
  AccountCoverage,
  AccountLeft,
  ListedAccount,
  Refused,
  Target,
  TargetList,
} from '../schemas/accounts.ts';
import { type AuditNotice, isOfPrices } from '../schemas/audit-notice.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import type { Finding, FindingResource } from '../schemas/finding.ts';

/** Where nobody lists accounts, they have no names. */
export const unlisted = (account: string): ListedAccount => ({
  account,
  name: null,
  units: [],
  refused: null,
});

interface Asked {
  /** All that were listed where it is not given. */
  accounts?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
}

/**
 * Each account once, by number.
 * @param listed null: nobody listed them.
 */
export function chosenAccounts(
  listed: readonly ListedAccount[] | null,
  { accounts, exclude = [] }: Asked,
): ListedAccount[] {
  const known = new Map((listed ?? []).map((one) => [one.account, one]));
  const leftOut = new Set(exclude);
  return [...new Set(accounts ?? known.keys())]
    .filter((account) => !leftOut.has(account))
    .sort()
    .map((account) => known.get(account) ?? unlisted(account));
}

/** Nothing can be read there, whoever asks: nobody lacks a permission, and no run can do better. */
const nothingToRead: ReadonlySet<Refused['code']> = new Set(['suspended', 'closed', 'region-off']);
const couldBeRead = (refused: Refused | null): boolean =>
  refused === null || !nothingToRead.has(refused.code);

/** Something of the account that could have been read was not. */
export const isReadInPart = ({ state, refused, regions }: AccountCoverage): boolean => {
  if (state === 'read' || state === 'empty') return false;
  if (refused !== null || regions.length === 0) return couldBeRead(refused);
  return regions.some((region) => !region.whole && couldBeRead(region.refused));
};

/** What a run knows of a target after it. */
export interface TargetOutcome extends Pick<Target, 'account' | 'region'> {
  whole: boolean;
  /** Null: it answered. */
  refused: Refused | null;
  volumes: number;
}

const stateOf = (
  refused: Refused | null,
  regions: AccountCoverage['regions'],
  volumes: number,
): AccountCoverage['state'] => {
  const answered = regions.filter((region) => region.refused === null);
  if (refused !== null || answered.length === 0) return 'not-read';
  if (regions.some(({ whole }) => !whole)) return 'read-in-part';
  return volumes === 0 ? 'empty' : 'read';
};

/**
 * AWS refuses credentials that are no longer valid in the same words as a Region that is off. An account that says it in each of its
 * Regions may have been closed meanwhile: that is no Region, and the run lacks it.
 */
function credentialsOrOff(outcomes: readonly TargetOutcome[]): AccountCoverage['regions'] {
  const isOff = ({ refused }: TargetOutcome): boolean => refused?.code === 'region-off';
  const isOfAccount = outcomes.every(isOff);
  return outcomes.map(({ region, whole, refused }) => ({
    ...{ region, whole },
    refused: isOfAccount && refused !== null ? { ...refused, code: 'other' as const } : refused,
  }));
}

/** Also those that have nothing. */
export const accountsRead = (coverage: readonly AccountCoverage[]): string[] =>
  coverage.flatMap(({ account, state }) => (state === 'not-read' ? [] : [account]));

/** @param before the accounts of the run before; null: there is none. */
export function coverageOfAccounts(
  accounts: readonly ListedAccount[],
  outcomes: readonly TargetOutcome[],
  before: ReadonlySet<string> | null,
): AccountCoverage[] {
  const byAccount = groupBy(outcomes, ({ account }) => account);
  return accounts.map((listed) => {
    const mine = byAccount.get(listed.account) ?? [];
    const regions = credentialsOrOff(mine);
    const volumes = mine.reduce((total, one) => total + one.volumes, 0);
    const [first] = regions;
    // Refused in every Region for the same reason: that of the account.
    const isSame = regions.every(({ refused }) => refused !== null && refused.code === first?.refused?.code);
    const refused = listed.refused ?? (isSame ? (first?.refused ?? null) : null);
    return {
      ...listed,
      ...{ refused, regions, volumes, state: stateOf(refused, regions, volumes) },
      isNew: before === null ? null : !before.has(listed.account),
    };
  });
}

/** @param before what the run before was to read; null: there is none. */
export function accountsLeftOf(
  accounts: readonly ListedAccount[],
  before: Pick<TargetList, 'accounts' | 'targets'> | null,
): AccountLeft[] {
  if (before === null) return [];
  const asked = new Set(accounts.map(({ account }) => account));
  const targets = groupBy(before.targets, ({ account }) => account);
  return before.accounts
    .filter(({ account }) => !asked.has(account))
    .map(({ account, name }) => ({
      ...{ account, name },
      regions: (targets.get(account) ?? []).map(({ region }) => region),
    }));
}

type Places = Pick<AuditResult, 'accounts' | 'accountCoverage' | 'wholeRegions'>;

/**
 * Places of which a run knows all that there is: what is not in it is gone. A run of one account says them by Region
 * alone, one of several by account and Region; so are they remembered.
 */
export const wholePlacesOf = ({ accountCoverage, wholeRegions = [] }: Places): string[] =>
  accountCoverage === undefined
    ? wholeRegions
    : accountCoverage.flatMap(({ account, regions }) =>
        regions.flatMap(({ region, whole }) => (whole ? [`${account}/${region}`] : [])),
      );

interface Place {
  /** Null where it is not known, as of files. */
  account: string | null;
  region: string;
}

/** Not read, or not all of it; those that were not read at all first. */
export const accountsNotWhole = ({
  accountCoverage = [],
}: Pick<AuditResult, 'accountCoverage'>): AccountCoverage[] =>
  (['not-read', 'read-in-part'] as const).flatMap((state) =>
    accountCoverage.filter((account) => account.state === state),
  );

/** Of one of the places of a run. */
export function isWholeIn(run: Places): (place: Place) => boolean {
  const { accountCoverage, accounts } = run;
  const whole = new Set(wholePlacesOf(run));
  return ({ account, region }) => {
    if (accountCoverage !== undefined) return whole.has(`${account}/${region}`);
    return whole.has(region) && (account === null || accounts === undefined || accounts.includes(account));
  };
}

/** Of an account that a run of all accounts did not ask: it left the organization, or the configuration. */
export function isReadNoMoreIn({
  accountCoverage = [],
  accountsLeft,
}: Pick<AuditResult, 'accountCoverage' | 'accountsLeft'>): (place: Pick<Place, 'account'>) => boolean {
  const asked = new Set(accountCoverage.map(({ account }) => account));
  return ({ account }) => accountsLeft !== undefined && account !== null && !asked.has(account);
}

/** Regions that a run read, or tried to. */
export const regionsOfRun = ({
  volumes,
  wholeRegions = [],
  accountCoverage = [],
}: Pick<AuditResult, 'volumes' | 'wholeRegions' | 'accountCoverage'>): string[] => [
  ...new Set([
    ...wholeRegions,
    ...accountCoverage.flatMap(({ regions }) => regions.map(({ region }) => region)),
    ...volumes.map(({ region }) => region),
  ]),
];

/** Regions with findings that a run may end: also those of accounts that are read no more. */
export const regionsOfFindings = (run: AuditResult): string[] => [
  ...new Set([...regionsOfRun(run), ...(run.accountsLeft ?? []).flatMap(({ regions }) => regions)]),
];

/** The name and the units of an account, where its organization lists them. */
export const accountFields = (
  listed: ListedAccount | undefined,
): Pick<FindingResource, 'accountName' | 'accountUnits'> => ({
  ...(listed?.name == null ? {} : { accountName: listed.name }),
  ...(listed === undefined || listed.units.length === 0
    ? {}
    : { accountUnits: listed.units.map(({ id }) => id) }),
});

/** Of one account of several; what prices are is said once for all of them. */
export const noticesOf = <T extends AuditNotice>(notices: readonly T[], account: string): T[] =>
  notices.map((notice) => (isOfPrices(notice) ? notice : { ...notice, account }));

/** Each batch says it of its account and Region; of a run it is said once, with the latest of all. */
export function withArchiveBegins(notices: readonly AuditNotice[]): AuditNotice[] {
  const all = notices.filter((notice) => notice.code === 'archive-begins');
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return [...notices];
  const accounts = new Set(all.map(({ account }) => account));
  const { account, ...begins } = first;
  const once: AuditNotice = {
    ...begins,
    start:
      all
        .map(({ start }) => start)
        .sort()
        .at(-1) ?? first.start,
    regions: [...new Set(all.flatMap(({ regions }) => regions))].sort(),
    ...(accounts.size > 1 ? { accounts: accounts.size } : account === undefined ? {} : { account }),
  };
  return notices.flatMap((notice): AuditNotice[] => {
    if (notice === first) return [once];
    return notice.code === 'archive-begins' ? [] : [notice];
  });
}

/** What was found in one account of several. */
export const ofAccount = (result: AuditResult, account: string): AuditResult => ({
  ...result,
  volumes: result.volumes.map((volume) => ({ ...volume, account })),
  coverage: { ...result.coverage, incomplete: noticesOf(result.coverage.incomplete, account) },
  notices: noticesOf(result.notices, account),
});

/** Findings with the names of their accounts, for who reads and routes them. */
export function withAccounts(findings: readonly Finding[], accounts: readonly ListedAccount[]): Finding[] {
  const byId = new Map(accounts.map((one) => [one.account, one]));
  return findings.map((finding) => ({
    ...finding,
    resource: { ...finding.resource, ...accountFields(byId.get(finding.resource.account ?? '')) },
  }));
}

/**
 * What is watched until the next audit: what this one listed, and of an account that did not say its Regions those of before.
 * @param before of the audit before; null: there was none.
 */
export function listedForWatching(listed: TargetList, before: TargetList | null): TargetList {
  const silent = new Set(listed.notListed.map(({ account }) => account));
  const kept = (before?.targets ?? []).filter(({ account }) => silent.has(account));
  return { ...listed, targets: [...listed.targets, ...kept] };
}
