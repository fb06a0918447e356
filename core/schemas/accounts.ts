/** Accounts of a run: which were asked, what came of each, and why one was not read. */
import { z } from 'zod';
import { isRegionName } from '../ids.ts';

const account = z.string().regex(/^\d{12}$/, 'not an account');
const region = z.string().refine(isRegionName, 'not a Region');

/** Where something is read; all three become parts of keys. */
export const targetSchema = z.object({
  partition: z
    .string()
    .regex(/^aws(-[a-z]+)*$/, 'not a partition')
    .default('aws'),
  account,
  region,
});
export type Target = z.infer<typeof targetSchema>;

/** Why an account, or a Region of it, is not read; `reason` is what was asked, and what AWS said. */
export const refusals = [
  /** STS does not say which: there is no such role, it does not trust this one, or asks for another external id. */
  'role-refused',
  'denied-by-organization',
  'sts-throttled',
  'suspended',
  'closed',
  'region-off',
  'another-partition',
  'other',
] as const;
export type Refusal = (typeof refusals)[number];

export const refusalSchema = z.object({
  code: z.enum(refusals),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'what was asked, and what AWS said; null: nothing was asked' }),
});
export type Refused = z.infer<typeof refusalSchema>;

/** An account as it was listed, before it is read. */
export const listedAccountSchema = z.object({
  account,
  name: z.string().nullable().meta({ description: 'as its organization names it; null where nobody told' }),
  units: z.array(z.object({ id: z.string(), name: z.string().nullable() })).meta({
    description:
      'the root and the organizational units that it is in, outermost first; empty where nobody told',
  }),
  refused: refusalSchema.nullable().meta({ description: 'known before it is asked; null: it is asked' }),
});
export type ListedAccount = z.infer<typeof listedAccountSchema>;

const accountStates = ['read', 'read-in-part', 'empty', 'not-read'] as const;

export const accountCoverageSchema = listedAccountSchema.extend({
  state: z.enum(accountStates).meta({ description: 'empty: it was read, and has no volume' }),
  regions: z.array(
    z.object({
      region,
      whole: z.boolean().meta({ description: 'its volumes and instances were listed, all of them' }),
      refused: refusalSchema.nullable(),
    }),
  ),
  volumes: z.number(),
  isNew: z
    .boolean()
    .nullable()
    .meta({ description: 'not among the accounts of the run before; null: there is none to compare with' }),
});
export type AccountCoverage = z.infer<typeof accountCoverageSchema>;

export const accountLeftSchema = listedAccountSchema.pick({ account: true, name: true }).extend({
  regions: z.array(region).meta({ description: 'that were to be read of it' }),
});
export type AccountLeft = z.infer<typeof accountLeftSchema>;

/** What a run of several accounts reads: written once, before anything is read. */
export const targetListSchema = z.object({
  /** Every account that was asked for, also one that nobody can enter. */
  accounts: z.array(listedAccountSchema),
  /** Accounts and Regions that are read. */
  targets: z.array(targetSchema),
  /** Accounts whose Regions could not be listed. */
  notListed: z.array(z.object({ account, refused: refusalSchema })),
});
export type TargetList = z.infer<typeof targetListSchema>;
