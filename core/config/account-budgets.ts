/** `budget.accounts` of the configuration: budgets of some accounts, inside of the one of all. */
import { z } from 'zod';
import { sha256Hex } from '../hash.ts';
import type { ListedAccount } from '../schemas/accounts.ts';
import { accountSchema, unitSchema } from './organization.ts';

/** @param apiUsdPerMonth as that of all. */
export const accountBudgetSchemaWith = <T extends z.ZodNumber>(apiUsdPerMonth: T) =>
  z
    .strictObject({
      accounts: z
        .array(accountSchema)
        .min(1)
        .optional()
        .meta({ description: '12 digits, in quotes: what they may cost together' }),
      organizationalUnits: z
        .array(unitSchema)
        .min(1)
        .optional()
        .meta({ description: 'or all accounts of these units, and of the units in them' }),
      apiUsdPerMonth: apiUsdPerMonth.meta({
        description: 'for the API of CloudWatch in these accounts, audits and monitoring together; required',
      }),
    })
    .refine(
      ({ accounts, organizationalUnits }) => (accounts === undefined) !== (organizationalUnits === undefined),
      'accounts or organizationalUnits, one of the two',
    );
export const accountBudgetSchema = accountBudgetSchemaWith(z.number());
export type AccountBudget = z.infer<typeof accountBudgetSchema>;

const namesOf = ({ accounts, organizationalUnits }: AccountBudget): readonly string[] =>
  accounts ?? organizationalUnits ?? [];

/** The same as long as it is about the same accounts or units, in any order: what was spent of it stands under this. */
export const keyOfAccountBudget = (budget: AccountBudget): string =>
  sha256Hex([...new Set(namesOf(budget))].sort().join(' ')).slice(0, 16);

/** Of those that were listed. */
export function accountsOfBudget(
  { accounts, organizationalUnits = [] }: AccountBudget,
  listed: Iterable<Pick<ListedAccount, 'account' | 'units'>>,
): ReadonlySet<string> {
  const isOf = ({ account, units }: Pick<ListedAccount, 'account' | 'units'>): boolean =>
    accounts?.includes(account) ?? units.some(({ id }) => organizationalUnits.includes(id));
  return new Set([...listed].filter(isOf).map(({ account }) => account));
}

/** What it names of which nothing was listed: accounts, or units without an account. */
export function unlistedOfBudget(
  budget: AccountBudget,
  listed: readonly Pick<ListedAccount, 'account' | 'units'>[],
): string[] {
  const known = new Set(listed.flatMap(({ account, units }) => [account, ...units.map(({ id }) => id)]));
  return namesOf(budget).filter((name) => !known.has(name));
}
