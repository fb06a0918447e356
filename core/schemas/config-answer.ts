/** What `stripewise config check --json` answers. */
import { z } from 'zod';
import { archivedMetrics } from '../archive/columns.ts';
import { channelKinds } from '../config/config.ts';
import { severities } from './finding-kinds.ts';
import { opinionSources } from './second-opinion.ts';

const hours = z.object({ from: z.string(), to: z.string() });
const tagsSchema = z
  .record(z.string(), z.array(z.string()))
  .meta({ description: 'values by key; * is any value' });

const accountsSchema = z.object({
  accounts: z.array(z.string()).nullable().meta({ description: 'null: as AWS Organizations lists them' }),
  organizationalUnits: z.array(z.string()).nullable().meta({ description: 'null: all' }),
  exclude: z.array(z.string()),
  memberRoleName: z.string(),
  regionsEnabled: z.boolean().meta({ description: 'Regions are those that each account has enabled' }),
});

const runsSchema = z.object({
  audit: z.object({
    accounts: accountsSchema
      .optional()
      .meta({ description: 'absent: that of the stack alone, without organization' }),
    everyHours: z.number(),
    regions: z.array(z.string()).meta({ description: 'none: the Region that the stack is in' }),
    lookbackDays: z.number(),
    mode: z.enum(['adaptive', 'full']),
    periodSeconds: z.number().meta({ description: 'of the points, where there is one pass' }),
    compareWith: z
      .array(z.enum(opinionSources))
      .optional()
      .meta({ description: 'services whose recommendations are read; absent: none' }),
  }),
  monitoring: z.object({ everyMinutes: z.number() }).nullable().meta({ description: 'null: it is off' }),
  digest: z
    .object({ when: z.enum(['daily', 'weekly']), at: z.string().meta({ description: 'UTC' }) })
    .nullable()
    .meta({ description: 'null: there is none' }),
});

/** What must be asked for, by its key in the configuration. */
export const optional = ['report.links', 'buttons', 'benchmark', 'archive', 'changes'] as const;
export type Optional = (typeof optional)[number];

const changesSchema = z.object({
  ...{ slackUsers: z.array(z.string()), roles: z.array(z.string()) },
  approvals: z.number().meta({ description: 'how many people must approve; a role counts once' }),
  automatic: z
    .array(
      z.object({
        direction: z.enum(['reduction', 'increase']),
        kinds: z.array(z.string()).nullable().meta({ description: 'null: all' }),
        tags: tagsSchema,
        maxUsdPerMonth: z.number(),
      }),
    )
    .meta({ description: 'what is approved without a person' }),
  windows: z
    .array(
      z.object({
        tags: tagsSchema,
        days: z.array(z.number()).meta({ description: 'Monday is 1' }),
        ...{ ...hours.shape, timeZone: z.string() },
      }),
    )
    .meta({ description: 'none: at any time' }),
  ...{ maxAtOnce: z.number(), maxPerDay: z.number() },
  maxIncreaseUsdPerMonth: z.number().nullable().meta({ description: 'null: no bound' }),
});

const channelSchema = z.object({
  name: z.string(),
  kind: z.enum(channelKinds),
  maxMessagesPerHour: z.number(),
  slackChannel: z.string().nullable().meta({ description: 'of a bot' }),
  charts: z.boolean().meta({ description: 'with the load of a finding as a picture' }),
  buttons: z
    .boolean()
    .meta({ description: 'with buttons to mute and acknowledge, by a public Function URL' }),
  bus: z.string().nullable().meta({ description: 'of EventBridge' }),
  emails: z.array(z.string()),
  quietHours: z
    .object({
      ...hours.shape,
      timeZone: z.string(),
      utcToday: hours.meta({ description: 'where clocks stand today' }),
      allowCritical: z.boolean().meta({ description: 'critical findings are sent all the same' }),
    })
    .nullable(),
});

const routeSchema = z.object({
  to: z.array(z.string()),
  minSeverity: z
    .enum(severities)
    .meta({ description: 'in force: of the route and of notifications.minSeverity the more urgent' }),
  kinds: z.array(z.string()).nullable().meta({ description: 'null: all' }),
  accounts: z.array(z.string()).nullable().meta({ description: 'null: all' }),
  organizationalUnits: z.array(z.string()).nullable().meta({ description: 'null: all' }),
  regions: z.array(z.string()).nullable().meta({ description: 'null: all' }),
  tags: tagsSchema,
  namespaces: z.array(z.string()).nullable().meta({ description: 'of Kubernetes; null: all' }),
  digests: z.boolean(),
  alarms: z.boolean(),
});

const metrics = z.number().meta({ description: 'so many metrics a month' });
const monitoringBudgetSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('nothing-left') }).meta({ description: 'it does not poll' }),
  z.object({ code: z.literal('enough'), metrics }),
  z
    .object({ code: z.literal('enough-in-quiet-times'), metrics })
    .meta({ description: 'where much is near its limits quiet volumes wait' }),
  z
    .object({
      code: z.literal('too-little'),
      metrics,
      quietEveryMinutes: z.number(),
      usualEveryMinutes: z.number(),
    })
    .meta({ description: 'quiet volumes are polled so seldom, instead of as usual' }),
]);
export type MonitoringBudget = z.infer<typeof monitoringBudgetSchema>;

const monitoringCostSchema = z.object({
  volumes: z.number(),
  metrics: z.number().meta({ description: 'a month, in quiet times' }),
  quietUsd: z.number(),
  troubledUsd: z.number().meta({ description: 'where one volume in three is in trouble' }),
  everyMinutes: z.number(),
  laterMinutes: z
    .number()
    .meta({ description: 'throttling is notified so much later than with a poll a minute; 0: at once' }),
  budget: monitoringBudgetSchema.nullable().meta({ description: 'null: no bound' }),
});
export type ExpectedMonitoring = z.infer<typeof monitoringCostSchema>;

const auditsUsd = z.number().meta({ description: 'what audits take of it' });
const budgetSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-budget') }),
  z.object({ code: z.literal('below-one-audit'), budgetUsd: z.number(), oneAuditUsd: z.number() }),
  z.object({ code: z.literal('audits-take-all'), budgetUsd: z.number(), auditsUsd }),
  z.object({
    code: z.literal('rest-for-monitoring'),
    budgetUsd: z.number(),
    auditsUsd,
    restUsd: z.number(),
  }),
  z.object({ code: z.literal('monitoring-off'), budgetUsd: z.number(), auditsUsd }),
]);
export type BudgetMeaning = z.infer<typeof budgetSchema>;

const noteSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('nobody-notified') }),
  z.object({ code: z.literal('no-route-for-digests') }),
  z.object({ code: z.literal('no-route-for-alarms') }),
  z.object({ code: z.literal('channel-without-route'), channel: z.string() }),
  z.object({
    code: z.literal('route-below-least'),
    route: z.number().meta({ description: 'the first is 1' }),
    asksFor: z.enum(severities),
    minSeverity: z.enum(severities),
  }),
  z.object({ code: z.literal('email-twice'), channel: z.string() }),
  z.object({ code: z.literal('window-too-short-for-idle'), lookbackDays: z.number() }),
  z.object({ code: z.literal('window-too-short-for-savings'), lookbackDays: z.number() }),
  z.object({ code: z.literal('monitoring-off') }),
]);
export type ConfigNote = z.infer<typeof noteSchema>;

export const configAnswerSchema = z.object({
  file: z.string().nullable().meta({ description: 'null: there is none, so these are the defaults' }),
  runs: runsSchema.meta({ description: 'what runs when' }),
  notIncluded: z
    .array(z.enum(optional))
    .meta({ description: 'what must be asked for, and is not; `buttons` is of Slack bots' }),
  changes: changesSchema.nullable().meta({ description: 'of volumes; null: nothing is changed' }),
  excludeTags: tagsSchema.meta({ description: 'volumes with one of these are left alone' }),
  keptTagKeys: z.array(z.string()).meta({ description: 'of tags, for exclusions and routes' }),
  channels: z.array(channelSchema),
  routes: z.array(routeSchema),
  emails: z.array(z.string()).meta({ description: 'each gets every notification' }),
  thresholds: z
    .array(z.object({ name: z.string(), figure: z.number(), documented: z.number() }))
    .meta({ description: 'those that are not the documented ones' }),
  cost: z
    .object({
      volumes: z.number(),
      audits: z.object({
        aMonth: z.number(),
        metricsPerVolume: z.number(),
        metricsPerVolumeInTrouble: z.number().meta({ description: 'where all volumes are in trouble' }),
        metrics: z.number(),
        usd: z.number(),
        mode: z.enum(['adaptive', 'full']),
      }),
      archive: z
        .object({
          isKept: z.boolean().meta({ description: 'false: what it would take by default' }),
          metrics: z.enum(archivedMetrics),
          keepDays: z.number(),
          maxQueryGiB: z
            .number()
            .meta({ description: 'a question in Athena that would read more is stopped' }),
          price: z.object({
            metricsPerVolume: z.number(),
            metrics: z.number(),
            apiUsd: z.number().meta({ description: 'of CloudWatch, audits included' }),
            storageUsd: z.number().meta({ description: 'of S3 a month, when all days are there' }),
            requestsUsd: z.number().meta({ description: 'of S3' }),
            volumeYearUsd: z.number().meta({
              description: 'of Athena: a question that reads a year of one volume, without requests',
            }),
            fleetQuarterUsd: z
              .number()
              .meta({ description: 'the same of a quarter of all volumes and every column, so at most' }),
          }),
        })
        .meta({ description: 'minutes that are kept beyond the 15 days of CloudWatch' }),
      monitoring: z
        .object({ usd: z.number(), expected: monitoringCostSchema })
        .nullable()
        .meta({ description: 'null: it is off, or what it takes is not known' }),
      usd: z.number().nullable().meta({ description: 'in all; null where a part is not known' }),
      budgetUsd: z.number().nullable(),
      budget: budgetSchema.meta({ description: 'what the budget means' }),
      budgetsOfAccounts: z
        .array(
          z.object({
            accounts: z.array(z.string()).meta({ description: 'none: those of the units' }),
            organizationalUnits: z.array(z.string()),
            budgetUsd: z.number(),
            quietVolumes: z
              .number()
              .nullable()
              .meta({ description: 'so many it pays for in quiet times, with the audits; null: not known' }),
          }),
        )
        .meta({ description: 'inside of the budget' }),
    })
    .meta({ description: 'of CloudWatch, a month' }),
  notes: z.array(noteSchema).meta({ description: 'what may not be meant so' }),
});
export type ConfigAnswer = z.infer<typeof configAnswerSchema>;
