/** Accounts of a run: what they are called, how many were read, why one was not, and what would let it be read. */
import { fewOf } from '../../core/few.ts';
import { figure } from '../../core/figures.ts';
import { groupBy } from '../../core/group-by.ts';
import type { AccountCoverage, ListedAccount, Refusal, Refused } from '../../core/schemas/accounts.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding, FindingResource } from '../../core/schemas/finding.ts';
import type { Notification } from '../../core/schemas/notification.ts';
import { accountText, capitalized, cited, counted, shortText } from './words.ts';

type Named = Pick<ListedAccount, 'account' | 'name'>;

/** Of a finding; null where its account is not known. */
export const accountOfResource = (
  { account, accountName }: Pick<FindingResource, 'account' | 'accountName'>,
  maxName?: number,
): string | null => (account === null ? null : accountText({ account, name: accountName ?? null }, maxName));

export const stateTexts: Readonly<Record<AccountCoverage['state'], string>> = {
  read: 'read',
  'read-in-part': 'read in part',
  empty: 'no volumes',
  'not-read': 'not read',
};

/** " No longer asked: orders (111122223333). Findings there are neither open nor resolved." */
const leftText = (left: readonly Named[]): string =>
  left.length === 0
    ? ''
    : ` No longer asked: ${fewOf(left.map((one) => accountText(one, 60)))}. Findings there are neither open nor resolved.`;

/** "3 asked, 2 read (1 without volumes), 1 not read. 1 new since the run before." */
export function accountsText(accounts: readonly AccountCoverage[], left: readonly Named[] = []): string {
  const having = (...states: AccountCoverage['state'][]): number =>
    accounts.filter(({ state }) => states.includes(state)).length;
  const empty = having('empty');
  const some = (count: number, what: string): string[] =>
    count === 0 ? [] : [`${figure(count, 0)} ${what}`];
  const parts = [
    `${figure(accounts.length, 0)} asked`,
    `${figure(having('read', 'empty'), 0)} read${empty === 0 ? '' : ` (${figure(empty, 0)} without volumes)`}`,
    ...some(having('read-in-part'), 'read in part'),
    ...some(having('not-read'), 'not read'),
  ];
  const isNew = accounts.filter((account) => account.isNew === true).length;
  return `${parts.join(', ')}.${isNew === 0 ? '' : ` ${figure(isNew, 0)} new since the run before.`}${leftText(left)}`;
}

// Why one is not read. What was asked and what AWS said stands in the reason, text of an account too: it is sanitized.

interface RefusalWords {
  /** Of the account, in a message. */
  inShort: string;
  /** @param ofRegions how many it is about; null: the account. */
  why: (refused: Refused, ofRegions: number | null) => string;
  wayOut: string;
}

const citedReason = ({ reason }: Refused): string => (reason === null ? '' : `: ${cited(reason, 400)}`);

/** Of the role that was asked for, as its ARN in the reason says. */
function roleText({ reason }: Refused): string {
  const [, name] = /:role\/(?:[\w+=,.@/-]*\/)?([\w+=,.@-]{1,64})/.exec(reason ?? '') ?? [];
  return name === undefined ? 'the member role' : `the role ${name}`;
}

const orExclude = 'or list the account under organization.exclude';

const words: Readonly<Record<Refusal, RefusalWords>> = {
  'role-refused': {
    inShort: 'it refused the role',
    why: (refused) => `it refused ${roleText(refused)}`,
    wayOut:
      "AWS does not say whether the role is absent, does not trust this hub or its organization, or has another external id. Deploy member.template.json there, with this hub's account, organization and external id.",
  },
  'denied-by-organization': {
    inShort: 'a policy of its organization denies it',
    why: (refused) => `a policy of its organization denies it${citedReason(refused)}`,
    wayOut: `Allow it in that service or resource control policy, ${orExclude}.`,
  },
  'sts-throttled': {
    inShort: 'STS throttled',
    why: () => 'STS throttled every try to enter it',
    wayOut:
      "The next run asks again. If this stays, look for other callers of sts:AssumeRole in the hub's account.",
  },
  suspended: {
    inShort: 'it is suspended',
    why: () => 'AWS suspended it',
    wayOut: `Ask AWS Support to reopen it, ${orExclude}.`,
  },
  closed: {
    inShort: 'it is closed',
    why: () => 'it is closed, or about to be',
    wayOut: 'List it under organization.exclude until AWS removes it.',
  },
  'region-off': {
    inShort: 'its Regions are not enabled',
    why: (_, ofRegions) =>
      ofRegions === null ? 'none of the Regions that were asked for is enabled there' : 'not enabled there',
    wayOut: 'Enable what is to be read, or set organization.regions to enabled.',
  },
  'another-partition': {
    inShort: 'it is in another partition',
    why: () => 'it is in another partition, where credentials of this hub do not count',
    wayOut: 'Deploy a hub of its own in that partition.',
  },
  other: {
    inShort: 'for another reason',
    why: ({ reason }) => (reason === null ? 'no reason is known' : cited(reason, 400)),
    wayOut: 'If it is not to be read, list it under organization.exclude.',
  },
};

/** "it refused the role StripewiseMember. Deploy member.template.json there, ..." */
const refusedText = (refused: Refused, ofRegions: number | null): string =>
  `${words[refused.code].why(refused, ofRegions)}. ${words[refused.code].wayOut}`;

const regionsText = (regions: AccountCoverage['regions']): string =>
  fewOf(regions.map(({ region }) => shortText(region, 30)));

const notAllListed = 'not all volumes and instances were listed.';

/** What is missing of it, by reason; none where it was read. */
function missingTexts({ state, refused, regions }: AccountCoverage): string[] {
  if (state !== 'not-read' && state !== 'read-in-part') return [];
  if (refused !== null) return [capitalized(refusedText(refused, null))];
  const missing = regions.filter(({ whole }) => !whole);
  if (missing.length === 0) return ['None of its Regions was asked.'];
  return [...groupBy(missing, (one) => one.refused?.code).values()].map((same) => {
    const why = same[0]?.refused ?? null;
    return `In ${regionsText(same)}: ${why === null ? notAllListed : refusedText(why, same.length)}`;
  });
}

/** "Account orders (111122223333) was not read: it refused the role StripewiseMember. Deploy ..."; null where it was read. */
export function notReadLine(account: AccountCoverage): string | null {
  const missing = missingTexts(account);
  if (missing.length === 0) return null;
  const was = `Account ${accountText(account)} was ${account.state === 'not-read' ? 'not read' : 'read in part'}`;
  return account.refused === null
    ? `${was}. ${missing.join(' ')}`
    : `${was}: ${refusedText(account.refused, null)}`;
}

// In a message.

type OfRun = Pick<NonNullable<Notification['run']>, 'accounts' | 'accountsNotRead'>;

/** "1 of 3 accounts was not read"; null where all were, or one alone was asked for. */
export function notReadCount({ accounts, accountsNotRead }: OfRun): string | null {
  if (accountsNotRead === undefined) return null;
  const { count } = accountsNotRead;
  const of = counted(accounts ?? count, 'account');
  return `${figure(count, 0)} of ${of} ${count === 1 ? 'was' : 'were'} not read`;
}

const maxInMessage = 2;

/** "1 of 3 accounts was not read: orders (111122223333), it refused the role." */
export function notReadInShort(run: OfRun): string | null {
  const counts = notReadCount(run);
  if (counts === null) return null;
  const { count, first } = run.accountsNotRead ?? { count: 0, first: [] };
  const named = first.slice(0, maxInMessage).map((account) => {
    const why = account.code === null ? '' : `, ${words[account.code].inShort}`;
    return `${accountText(account, 30)}${why}`;
  });
  const more = count - named.length;
  return `${counts}: ${[...named, ...(more === 0 ? [] : [`${figure(more, 0)} more`])].join('; ')}.`;
}

// What is said of one of several accounts.

/** By number, with the name where one is told. */
export type AccountNames = ReadonlyMap<string, Named>;

export const accountNames = (accounts: readonly Named[] = []): AccountNames =>
  new Map(accounts.map((one) => [one.account, one]));

export const calledIn = (names: AccountNames, account: string): string =>
  accountText(names.get(account) ?? { account, name: null });

/** Of a run of several accounts each finding says whose it is, by the number where no name is told. */
export const withAccountNames = ({
  findings,
  accountCoverage,
}: Pick<AuditResult, 'findings' | 'accountCoverage'>): readonly Finding[] =>
  accountCoverage === undefined
    ? findings
    : findings.map((finding) => {
        const { account, accountName } = finding.resource;
        if (account === null || accountName !== undefined) return finding;
        return { ...finding, resource: { ...finding.resource, accountName: account } };
      });

/** "Root / Production"; null where nobody told the units. */
export const unitText = (path: readonly string[]): string | null =>
  path.length === 0 ? null : path.map((name) => shortText(name, 60)).join(' / ');
