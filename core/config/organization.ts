/** `organization:` of the configuration: which accounts are read, and as whom. */
import { z } from 'zod';
import { isRegionName } from '../ids.ts';

/** Text of a form; the same is said of what is no text, such as digits without quotes. */
export const textLike = (pattern: RegExp, right: string) => z.string(right).regex(pattern, right);

export const regionSchema = z.string().refine(isRegionName, 'a Region like us-east-1');

export const accountSchema = textLike(/^\d{12}$/, 'the 12 digits of an account, in quotes');

/** Of a unit or of a root. Source: AWS Organizations API reference, OrganizationalUnit and Root, read 2026-11-26. */
export const unitSchema = textLike(
  /^(ou-[0-9a-z]{4,32}-[a-z0-9]{8,32}|r-[0-9a-z]{4,32})$/,
  'the id of an organizational unit, like ou-ab12-11111111, or of a root, like r-ab12',
);

export const defaultMemberRole = 'StripewiseMember';

/** Source: IAM API reference, CreateRole, read 2026-11-26. */
const roleNameSchema = textLike(/^[\w+=,.@-]{1,64}$/, `the name of a role, like ${defaultMemberRole}`);

/** Source: STS API reference, AssumeRole, read 2026-11-26. */
const externalIdSchema = textLike(
  /^[\w+=,.@:/-]{2,1224}$/,
  'the external id that the members ask for: 2 to 1,224 letters, digits and + = , . @ : / _ -',
);

export const organizationSchema = z
  .strictObject(
    {
      accounts: z
        .union([z.literal('all'), z.array(accountSchema).min(1)], 'all, or a list of accounts in quotes')
        .optional()
        .meta({ description: 'all of the organization, or a list of accounts, in quotes' }),
      organizationalUnits: z
        .array(unitSchema)
        .min(1)
        .optional()
        .meta({ description: 'accounts of these units, and of the units in them' }),
      exclude: z.array(accountSchema).default([]).meta({ description: 'accounts that are left out' }),
      memberRoleName: roleNameSchema
        .default(defaultMemberRole)
        .meta({ description: 'the role in each account' }),
      externalId: externalIdSchema.meta({ description: 'what that role asks for; required' }),
      regions: z
        .union([z.literal('enabled'), z.array(regionSchema).min(1)], 'enabled, or a list of Regions')
        .optional()
        .meta({
          description:
            'Regions of each account; `enabled`: those that it has enabled. Without it those of `regions`',
        }),
    },
    'a section with externalId, and with accounts or organizationalUnits',
  )
  .refine(
    ({ accounts, organizationalUnits }) => (accounts === undefined) !== (organizationalUnits === undefined),
    'accounts (all, or a list) or organizationalUnits, one of the two',
  );
/** Of the role in a member that changes volumes, beside the one that reads. */
export const changesRoleName = (memberRoleName: string): string => `${memberRoleName}-changes`;

/** What who enters an account must know. */
export const memberRoleSchema = z.object({ memberRoleName: roleNameSchema, externalId: externalIdSchema });
export type MemberRole = z.infer<typeof memberRoleSchema>;

export type Organization = z.infer<typeof organizationSchema>;

/** Whether AWS Organizations is asked for the accounts: then they have names and units. */
export const asksOrganizations = ({ accounts }: Pick<Organization, 'accounts'>): boolean =>
  !Array.isArray(accounts);
