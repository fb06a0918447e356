/** What functions get of the configuration: JSON in variables of their environment. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { type ArchivedMetrics, archivedMetrics } from '../archive/columns.ts';
import { jsonOrNull } from '../json.ts';
import type { LifecycleRules } from '../lifecycle/finding-record.ts';
import { lifecycleRules } from '../lifecycle/lifecycle-rules.ts';
import {
  defaultQuotaPercent,
  type PointRates,
  pointRatesSchema,
  sharedPointRates,
} from '../load/point-rates.ts';
import { severities } from '../schemas/finding-kinds.ts';
import { opinionSources } from '../schemas/second-opinion.ts';
import { minutesPerHour } from '../units.ts';
import { accountBudgetSchema } from './account-budgets.ts';
import type { ChangesConfig } from './changes.ts';
import {
  type ChannelConfig,
  type Config,
  isTopic,
  type Route,
  routesOf,
  type SecretField,
  secretFieldOf,
  secretFields,
} from './config.ts';
import { changesRoleName, memberRoleSchema } from './organization.ts';
import { keptTagKeys } from './tags.ts';
import { thresholdsSchema } from './threshold-settings.ts';

// Channels and routes as the function that delivers gets them: JSON, gzip, base64, in a variable of its environment.

const packedSchema = z.object({
  channels: z.record(z.string(), z.custom<ChannelConfig>()),
  routes: z.custom<Route[]>(),
});
type PackedChannels = z.infer<typeof packedSchema>;

/**
 * Lambda takes 4 KB of variables in all: names, ARNs and addresses of the stack take less than 1,200 bytes of it. Source:
 * Lambda's quotas, read 2026-11-23.
 */
export const maxChannelBytes = 2_800;
/** Name and ARN of a channel that is a topic. */
const bytesOfTopic = 180;

export const packChannels = (config: Pick<Config, 'channels' | 'routes'>): string =>
  gzipSync(JSON.stringify({ channels: config.channels, routes: routesOf(config) }), { level: 9 }).toString(
    'base64',
  );

/** As the stack wrote it, which checked it. */
export const unpackChannels = (packed: string): PackedChannels =>
  packedSchema.parse(JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')));

/** What the channels take of the variables of the function that delivers. */
export function channelBytes(config: Config): number {
  const topics = Object.values(config.channels).filter(isTopic).length;
  return (
    packChannels(config).length + topics * bytesOfTopic + Buffer.byteLength(config.report.label ?? '', 'utf8')
  );
}

const json = <T extends z.ZodType>(schema: T) => z.string().transform(jsonOrNull).pipe(schema);

export const tagsVariable = json(z.record(z.string(), z.union([z.string(), z.array(z.string())])));
export const tagKeysVariable = json(z.array(z.string()));
export const thresholdsVariable = json(thresholdsSchema);
export const pointRatesVariable = json(pointRatesSchema);
export const batchPointRatesVariable = json(pointRatesSchema.nullable());
/** What each channel needs of the secret: its field by name of the channel, null where it needs nothing. */
export const channelNeedsVariable = json(z.record(z.string(), z.enum(secretFields).nullable()));

export function channelNeedsOf({ channels }: Pick<Config, 'channels'>): string {
  const needs = Object.entries(channels).map(([name, { kind }]): [string, SecretField | null] => [
    name,
    secretFieldOf[kind],
  ]);
  return JSON.stringify(Object.fromEntries(needs));
}

/** What a function must know to enter the accounts of an organization; null: it reads its own account alone. */
export const memberRoleVariable = json(memberRoleSchema.nullable());

export const memberRoleOf = ({ organization }: Pick<Config, 'organization'>): string =>
  JSON.stringify(
    organization === undefined
      ? null
      : { memberRoleName: organization.memberRoleName, externalId: organization.externalId },
  );

/** What the archive keeps of each volume; without the variable there is no archive. */
export const archiveVariable = z.enum(archivedMetrics).optional();

/** Who evaluates all metrics of all volumes also keeps them. */
export const archiveOf = ({
  archive,
  audit,
}: Pick<Config, 'archive' | 'audit'>): { ARCHIVE?: ArchivedMetrics } =>
  archive === undefined ? {} : { ARCHIVE: audit.mode === 'full' ? 'all' : archive.metrics };

/** `changes:` as functions get it, which the stack checked: JSON, gzip, base64. */
export const packChanges = (changes: ChangesConfig): string =>
  gzipSync(JSON.stringify(changes), { level: 9 }).toString('base64');
export const changesVariable = z
  .string()
  .transform((packed) => jsonOrNull(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')))
  .pipe(z.custom<ChangesConfig>((value) => value !== null));

/** The role that changes volumes in a member: its own template makes it, where somebody turned it on. */
export const changesRoleOf = (config: Pick<Config, 'organization'>): { MEMBER_ROLE?: string } =>
  config.organization === undefined
    ? {}
    : {
        MEMBER_ROLE: JSON.stringify({
          memberRoleName: changesRoleName(config.organization.memberRoleName),
          externalId: config.organization.externalId,
        }),
      };

/** Services that are asked what they recommend; without the variable none is. */
export const compareWithVariable = json(z.array(z.enum(opinionSources))).default([]);

export const compareWithOf = ({ audit }: Pick<Config, 'audit'>): { COMPARE_WITH?: string } =>
  audit.compareWith.length === 0 ? {} : { COMPARE_WITH: JSON.stringify([...new Set(audit.compareWith)]) };

/** Budgets of some accounts; without the variable there is none. */
export const accountBudgetsVariable = json(z.array(accountBudgetSchema)).default([]);

export const accountBudgetsOf = ({ budget }: Pick<Config, 'budget'>): { ACCOUNT_BUDGETS?: string } =>
  budget.accounts === undefined ? {} : { ACCOUNT_BUDGETS: JSON.stringify(budget.accounts) };

type OfAudit = 'EXCLUDE_TAGS' | 'TAG_KEYS' | 'THRESHOLDS';

/** The variables of a function that describes volumes and evaluates them. */
export const variablesOf = (
  config: Pick<Config, 'exclude' | 'routes' | 'thresholds'>,
): Record<OfAudit, string> => ({
  EXCLUDE_TAGS: JSON.stringify(config.exclude.tags),
  TAG_KEYS: JSON.stringify(keptTagKeys(config)),
  THRESHOLDS: JSON.stringify(config.thresholds),
});

/** A run ends before the next one begins, and within half a day. */
const mostHours = 12;
export const maxHoursOf = ({ everyHours }: Pick<Config['audit'], 'everyHours'>): number =>
  Math.min(everyHours, mostHours);

/** The rest of a run is for its last batches and the report. */
const minutesAfterReading = 30;
export const readMinutesOf = (audit: Pick<Config['audit'], 'everyHours'>): number =>
  maxHoursOf(audit) * minutesPerHour - minutesAfterReading;

/** The points a second of each reader of this configuration; null: as many as CloudWatch answers. */
export function pointRatesOf({ audit, monitoring }: Pick<Config, 'audit' | 'monitoring'>): {
  batch: PointRates | null;
  monitoring: PointRates;
} {
  const { maxQuotaPercent } = audit;
  const shared = sharedPointRates({
    ...{ ...audit, maxQuotaPercent: maxQuotaPercent ?? defaultQuotaPercent },
    isMonitoring: monitoring.enabled,
  });
  return { ...shared, batch: maxQuotaPercent === null ? null : shared.batch };
}

/** Of a function that says how findings live: what is reported from where on, and for how long a finding is remembered. */
export const lifecycleVariables = {
  MIN_SEVERITY: z.enum(severities),
  RETENTION_DAYS: z.coerce.number().positive(),
  AUDIT_EVERY_HOURS: z.coerce.number().positive(),
};
type LifecycleVariable = keyof typeof lifecycleVariables;

export const lifecycleVariablesOf = ({
  notifications,
  audit,
}: Pick<Config, 'notifications' | 'audit'>): Record<LifecycleVariable, string> => ({
  MIN_SEVERITY: notifications.minSeverity,
  RETENTION_DAYS: `${notifications.retentionDays}`,
  AUDIT_EVERY_HOURS: `${audit.everyHours}`,
});

export const lifecycleRulesOf = (
  env: {
    [K in LifecycleVariable]: z.infer<(typeof lifecycleVariables)[K]>;
  },
): LifecycleRules =>
  lifecycleRules({
    minSeverity: env.MIN_SEVERITY,
    retentionDays: env.RETENTION_DAYS,
    auditEveryHours: env.AUDIT_EVERY_HOURS,
  });
