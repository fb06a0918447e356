/** What the configuration file says of an audit, for `--config`: what stands on the command line goes before it. */
import type { z } from 'zod';
import { readConfig } from '../adapters/files/config-file.ts';
import { type Organization, organizationSchema } from '../core/config/organization.ts';
import { type KeptTags, keptTagKeys, noTags } from '../core/config/tags.ts';
import { defaultThresholds, type Thresholds, thresholdsOf } from '../core/diagnosis/thresholds.ts';
import { BadInput } from '../core/errors.ts';
import { sanitize } from '../core/sanitize.ts';
import type { LiveOptions } from './audit-live.ts';

export interface OfConfig {
  /** Of an audit of the account, where no option says otherwise. */
  live: Pick<LiveOptions, 'region' | 'periodSeconds' | 'maxQuotaPercent'> & { lookbackDays: number };
  tags: KeptTags;
  organization: Organization | undefined;
  /** As documented where there is no file. */
  thresholds: Thresholds;
}

const withoutFile: OfConfig = {
  live: { lookbackDays: 14 },
  tags: noTags,
  organization: undefined,
  thresholds: defaultThresholds,
};

/** @throws BadConfig where the file cannot be used. */
export function useConfig(file: string | undefined): OfConfig {
  const config = file === undefined ? null : readConfig(file);
  if (config === null) return withoutFile;
  const { regions, audit, exclude } = config;
  return {
    live: {
      ...(regions.length === 0 ? {} : { region: regions }),
      ...(audit.mode === 'adaptive' ? {} : { periodSeconds: audit.periodSeconds }),
      lookbackDays: audit.lookbackDays,
      maxQuotaPercent: audit.maxQuotaPercent,
    },
    organization: config.organization,
    tags: { keys: keptTagKeys(config), exclude: exclude.tags },
    thresholds: thresholdsOf(config.thresholds),
  };
}

export interface AccountOptions {
  accounts?: string[];
  /** True: all of it. */
  organization?: true | string[];
  excludeAccounts?: string[];
  memberRole?: string;
  externalId?: string;
  region?: string[];
}

const optionOf: Record<string, string> = {
  accounts: '--accounts',
  organizationalUnits: '--organization',
  exclude: '--exclude-accounts',
  memberRoleName: '--member-role',
  externalId: '--external-id',
  regions: '--region',
};

/** What another option means, for who gives a word that is none of it. */
const hintOf: Record<string, string> = {
  accounts: '; all of the organization is --organization',
  organizationalUnits: '; without one it is all of the organization',
};

/** Long enough for an id. */
const maxShown = 40;

/** Which of several words is wrong, and what would be right. An external id is not printed. */
function wrongOption(asked: Readonly<Record<string, unknown>>, issue: z.core.$ZodIssue | undefined): string {
  const [key = '', at] = (issue?.path ?? []).map(String);
  const all = asked[key];
  const value: unknown = Array.isArray(all) ? all[Number(at)] : all;
  const shown = typeof value === 'string' && key !== 'externalId' ? ` "${sanitize(value, maxShown)}"` : '';
  const right = (issue?.message ?? '').replace(', in quotes', ', with blanks between several');
  return `${optionOf[key] ?? '--organization'}${shown} cannot be used: give ${right}${hintOf[key] ?? ''}`;
}

/**
 * What the options ask for, and else the configuration; null: one's own account alone.
 * @throws BadInput
 */
export function organizationOf(
  { accounts, organization, excludeAccounts, memberRole, externalId, region }: AccountOptions,
  configured: Organization | undefined,
): Organization | null {
  if (accounts !== undefined && organization !== undefined)
    throw new BadInput('--accounts and --organization are two ways to say which accounts: give one');
  const isAsked = accounts !== undefined || organization !== undefined;
  const given = Object.entries({ exclude: excludeAccounts, memberRoleName: memberRole, externalId }).filter(
    ([, value]) => value !== undefined,
  );
  if (!isAsked && configured === undefined) {
    const [beside] = given;
    if (beside === undefined) return null;
    throw new BadInput(
      `${optionOf[beside[0]]} is for an audit of several accounts: give --accounts or --organization too`,
    );
  }
  const which = isAsked
    ? {
        accounts: organization === true ? 'all' : accounts,
        organizationalUnits: Array.isArray(organization) ? organization : undefined,
      }
    : {};
  const where = region === undefined ? {} : { regions: region };
  const asked = { ...configured, ...which, ...Object.fromEntries(given), ...where };
  if (asked.externalId === undefined)
    throw new BadInput(
      'an audit of several accounts needs --external-id: the one that their member role asks for (parameter ExternalId of member.template.json)',
    );
  const parsed = organizationSchema.safeParse(asked);
  if (parsed.success) return parsed.data;
  throw new BadInput(wrongOption(asked, parsed.error.issues[0]));
}
