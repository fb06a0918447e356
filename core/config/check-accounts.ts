/** What of `organization` does not go together: with what is left out, with budgets and with routes. */
import type { Config } from './config.ts';
import { asksOrganizations, type Organization } from './organization.ts';
import type { Problem } from './problem.ts';

function badExclude({ organization }: Config): Problem[] {
  const { accounts, exclude = [] } = organization ?? {};
  if (!Array.isArray(accounts) || accounts.some((account) => !exclude.includes(account))) return [];
  const text = 'names each of organization.accounts: no account is left; give fewer';
  return [{ path: ['organization', 'exclude'], text }];
}

/** An account or a unit in two budgets; one that nothing is read of. An account in a unit that has one too keeps to both. */
function badAccountBudgets({ budget, organization }: Config): Problem[] {
  const path = ['budget', 'accounts'];
  const all = budget.accounts ?? [];
  if (all.length > 0 && organization === undefined)
    return [
      {
        path,
        text: 'are of accounts that organization reads: give organization, or budget.apiUsdPerMonth alone',
      },
    ];
  const firstOf = new Map<string, number>();
  return all.flatMap(({ accounts = [], organizationalUnits = [], apiUsdPerMonth }, i): Problem[] => {
    const [problem] = [
      ...accounts.map((name, at) => ({ name, at: ['accounts', at], text: whyNotRead(name, organization) })),
      ...organizationalUnits.map((name, at) => ({
        ...{ name, at: ['organizationalUnits', at] },
        text: whyNoUnits(organization),
      })),
    ].flatMap(({ name, at, text }) => {
      const before = firstOf.get(name);
      firstOf.set(name, before ?? i);
      const overlap = `${name} stands in budget.accounts[${before}] too: give it in one of them`;
      const said = before === undefined ? text : overlap;
      return said === null ? [] : [{ path: [...path, i, ...at], text: said }];
    });
    if (problem !== undefined) return [problem];
    const whole = budget.apiUsdPerMonth;
    if (whole === null || apiUsdPerMonth <= whole) return [];
    const text = `${apiUsdPerMonth} is more than budget.apiUsdPerMonth (${whole}), which it is a part of: give ${whole} or less, or a larger budget.apiUsdPerMonth`;
    return [{ path: [...path, i, 'apiUsdPerMonth'], text }];
  });
}

/** Null: it is read, or AWS Organizations alone knows. */
function whyNotRead(account: string, organization: Organization | undefined): string | null {
  if (organization?.exclude.includes(account) === true)
    return `${account} is in organization.exclude: nothing is read of it; give another account`;
  if (!Array.isArray(organization?.accounts) || organization.accounts.includes(account)) return null;
  return `${account} is none of organization.accounts: give one of them`;
}

function whyNoUnits(organization: Organization | undefined): string | null {
  if (organization === undefined)
    return 'no units are known without organization: give organization, or accounts';
  if (asksOrganizations(organization)) return null;
  return 'organization.accounts is a list, of which no units are known: give accounts';
}

/** What is asked for is never found. Without organization a finding has its account all the same. */
const badRouteAccounts = ({ routes = [], organization }: Config): Problem[] =>
  routes.flatMap(({ accounts = [], organizationalUnits = [] }, route) => {
    const units = organizationalUnits.length === 0 ? null : whyNoUnits(organization);
    return [
      ...accounts.flatMap((account, i) => {
        const text = whyNotRead(account, organization);
        return text === null ? [] : [{ path: ['routes', route, 'accounts', i], text }];
      }),
      ...(units === null ? [] : [{ path: ['routes', route, 'organizationalUnits'], text: units }]),
    ];
  });

export const badAccounts = (config: Config): Problem[] => [
  ...badExclude(config),
  ...badAccountBudgets(config),
  ...badRouteAccounts(config),
];
