/** What a reader of a run should know beside its findings, and what could not be read: codes with their figures. */
import { z } from 'zod';
import { contradictionSchema } from '../catalog/contradiction.ts';
import { exceededLimits } from '../host/ebs-statistics.ts';
import { hostNoteSchema, hostReasonSchema } from '../stripes/host-report.ts';

const reason = z.string().meta({ description: 'what was asked, and what AWS said' });
const region = z.string();
const firstIds = z.array(z.string()).meta({ description: 'the first of them' });

const volumeTypesOf = z.array(z.string()).meta({ description: 'of these types of volumes alone' });

/** The prices that are used instead of those that could not be read; null: not known. */
const usedInsteadSchema = z.object({
  part: z.enum(['ebs', 'instances']),
  asOf: z.string().nullable().meta({ description: 'null: these prices are unknown' }),
  volumeTypes: volumeTypesOf.optional(),
});
export type UsedInstead = z.infer<typeof usedInsteadSchema>;

const leftOutTypeSchema = z.object({
  instanceType: z.string(),
  reason: z.union([
    contradictionSchema,
    z.object({ code: z.literal('not-as-expected'), path: z.string(), message: z.string() }),
  ]),
});
/** An instance type that cannot be used as EC2 describes it. */
export type LeftOutType = z.infer<typeof leftOutTypeSchema>;

const ofPrices = [
  z.object({ code: z.literal('ebs-prices-unknown'), region }),
  z.object({ code: z.literal('volume-type-prices-unknown'), region, volumeTypes: z.array(z.string()) }),
  z.object({
    code: z.literal('prices-not-refreshed'),
    region,
    reason,
    used: z.enum(['stored', 'built-in', 'none', 'those-of-before']).meta({
      description: 'instead: a table stored before, the one that comes with stripewise, or none at all',
    }),
    asOf: z
      .string()
      .nullable()
      .meta({ description: 'the day of that table; where there is none, of the instance types' }),
  }),
  z.object({ code: z.literal('stored-prices-unreadable'), region, reason }),
  z.object({ code: z.literal('stored-prices-denied'), region, reason }),
  z.object({
    code: z.literal('price-list-incomplete'),
    region,
    part: usedInsteadSchema.shape.part,
    reason: z.string().meta({ description: 'which rows of the Price List are missing or unclear' }),
    volumeTypes: volumeTypesOf.optional(),
    usedInstead: z.array(usedInsteadSchema),
  }),
  z.object({
    code: z.literal('instance-prices-unclear'),
    region,
    instanceTypes: firstIds,
    count: z.number(),
    usedInstead: z.array(usedInsteadSchema),
  }),
  z.object({
    code: z.literal('instance-types-left-out'),
    region,
    read: z.number(),
    leftOut: z.number(),
    first: z.array(leftOutTypeSchema),
  }),
] as const;

const ofHosts = [
  z.object({
    code: z.literal('of-host'),
    instanceId: z.string(),
    note: hostNoteSchema.meta({ description: 'what the host could not tell' }),
  }),
  z.object({ code: z.literal('host-not-in-audit'), instanceId: z.string() }),
  z.object({
    code: z.literal('host-not-read'),
    instanceIds: firstIds.meta({ description: 'the first of them; none: all that were to be asked' }),
    count: z.number(),
    reason: hostReasonSchema,
  }),
  z.object({ code: z.literal('hosts-denied'), reason }),
  z
    .object({
      code: z.literal('exceeded-without-finding'),
      instanceId: z.string(),
      volumes: z
        .array(
          z.object({
            volumeId: z.string(),
            limit: z.enum(exceededLimits),
            exceededSeconds: z.number(),
          }),
        )
        .meta({ description: 'the first of them, those with the most first' }),
      count: z.number(),
      start: z.string().meta({ description: 'ISO 8601 UTC: the earliest reading' }),
      end: z.string().meta({ description: 'ISO 8601 UTC: the latest reading' }),
    })
    .meta({ description: 'volumes counted time above a limit that no finding is about' }),
  z
    .object({ code: z.literal('host-readings-not-kept'), count: z.number(), reason })
    .meta({ description: 'the next run has nothing to compare with' }),
  z.object({
    code: z.literal('stripe-tag-unused'),
    volumes: z.array(z.object({ volumeId: z.string(), tag: z.string() })),
  }),
] as const;

export const monitoringBoundedSchema = z.object({
  code: z.literal('monitoring-bounded'),
  volumes: z.number().meta({ description: 'that monitoring polls' }),
  budgetUsd: z
    .number()
    .meta({ description: 'budget.apiUsdPerMonth, or where `accounts` is there that of budget.accounts' }),
  accounts: z
    .object({
      entry: z.int().meta({ description: 'of budget.accounts; the first is 0' }),
      first: firstIds.meta({ description: 'the first accounts that it is of' }),
      count: z.number(),
    })
    .optional()
    .meta({ description: 'where it is the budget of some accounts' }),
  quietEveryMinutes: z
    .number()
    .nullable()
    .meta({ description: 'how often quiet volumes are polled with it, estimated; null: not at all' }),
  usualEveryMinutes: z.number().meta({ description: 'how often they are polled where it is enough' }),
  enoughUsd: z.number().meta({ description: 'a budget that is enough in quiet times, estimated' }),
});
export type MonitoringBounded = z.infer<typeof monitoringBoundedSchema>;

const ofMetrics = [
  monitoringBoundedSchema,
  z
    .object({
      code: z.literal('budget-of-nothing-read'),
      entry: z.int().meta({ description: 'of budget.accounts; the first is 0' }),
      names: firstIds.meta({
        description: 'the first accounts or organizational units that were not listed',
      }),
      count: z.number(),
    })
    .meta({ description: 'a budget names what is not among the accounts of the run' }),
  z.object({ code: z.literal('one-minute-points-gone'), periodSeconds: z.number() }),
  z.object({ code: z.literal('cost-is-at-least') }),
  z.object({
    code: z.literal('cloudwatch-message'),
    from: z.string().meta({ description: 'a Region or a file' }),
    messageCode: z.string(),
    text: z.string(),
  }),
  z.object({
    code: z.literal('metric-in-part'),
    from: z.string().meta({ description: 'a Region or a file' }),
    resourceId: z.string(),
    metric: z.string(),
    status: z.string().nullable().meta({ description: 'as CloudWatch says; null: it did not come at all' }),
  }),
  z.object({
    code: z.literal('metrics-not-read'),
    metrics: z.number(),
    resources: z.number(),
    reason,
  }),
  z.object({ code: z.literal('more-pages'), file: z.string() }),
  z.object({
    code: z.literal('archive-file-not-read'),
    file: z.string(),
    reason: z.string().meta({ description: 'which file, why, and what would be right' }),
  }),
  z
    .object({
      code: z.literal('archive-begins'),
      start: z.iso.datetime().meta({ description: 'the latest of them' }),
      regions: z.array(region),
      accounts: z.number().optional().meta({ description: 'how many; absent: one' }),
    })
    .meta({ description: 'no minutes are older: the window of the run begins earlier' }),
  z
    .object({ code: z.literal('archive-not-written'), region, reason: reason.nullable() })
    .meta({ description: 'what was read is not in the archive by now; the next run puts it there' }),
  z.object({
    code: z.literal('labels-passed-over'),
    file: z.string(),
    count: z.number(),
    first: z.string(),
  }),
] as const;

const ofInventory = [
  z.object({ code: z.literal('modifications-unknown'), volumeIds: firstIds, count: z.number() }).meta({
    description: 'their load has the rhythm for a schedule of IOPS, which takes earlier modifications',
  }),
  z.object({ code: z.literal('modifications-too-slow'), volumeIds: firstIds, count: z.number() }).meta({
    description: 'their load has the rhythm for a schedule of IOPS, and earlier ones took too long',
  }),
  z.object({ code: z.literal('region-not-read'), region, reason }),
  z.object({ code: z.literal('batch-not-read'), volumes: z.number(), reason: z.string().nullable() }),
  z.object({ code: z.literal('instances-not-read'), reason }),
  z.object({ code: z.literal('instances-unlisted'), instanceIds: firstIds, count: z.number(), reason }),
  z.object({
    code: z.literal('volumes-unlisted'),
    volumeIds: firstIds,
    count: z.number(),
    reason: z.string().nullable().meta({ description: 'null: EC2 does not know them' }),
  }),
  z.object({ code: z.literal('checks-not-listed'), reason }),
  z.object({ code: z.literal('benchmark-hosts-not-read'), reason }),
  z.object({
    code: z.literal('benchmark-hosts-not-known'),
    region,
    reason: reason.meta({ description: 'why the bucket of a deployed stack was not found, or not listed' }),
  }),
] as const;

const volumeId = z.string();
const ofRecordings = [
  z.object({ code: z.literal('recording-assumption'), volumeId, text: z.string() }),
  z.object({
    code: z.literal('recording-gap'),
    volumeId,
    from: z.string(),
    to: z.string(),
    stepSeconds: z.number(),
    unknownSeconds: z.number(),
    periodSeconds: z.number().meta({ description: 'how long the row before stands for' }),
  }),
  z.object({
    code: z.literal('recording-overlap'),
    volumeId,
    at: z.string(),
    stepSeconds: z.number(),
    periodSeconds: z.number(),
  }),
  z.object({
    code: z.literal('recording-repeated'),
    volumeId,
    points: z.number(),
    at: z.array(z.string()).meta({ description: 'the first times; the last row of each was kept' }),
  }),
  z.object({
    code: z.literal('recording-more'),
    volumeId,
    what: z.enum(['gaps', 'overlaps']),
    count: z.number(),
  }),
] as const;

const codesOfPrices: ReadonlySet<string> = new Set(ofPrices.map(({ shape }) => shape.code.value));
/** Prices and types are those of a Region, in whichever account it is read. */
export const isOfPrices = ({ code }: { code: string }): boolean => codesOfPrices.has(code);

const anyNoticeSchema = z.discriminatedUnion('code', [
  ...ofPrices,
  ...ofHosts,
  ...ofMetrics,
  ...ofInventory,
  ...ofRecordings,
]);
export const auditNoticeSchema = anyNoticeSchema.and(
  z.object({
    account: z
      .string()
      .optional()
      .meta({ description: 'of a run of several accounts: the one that it is about' }),
  }),
);
export type AuditNotice = z.infer<typeof auditNoticeSchema>;

/** What could not be read; batches that say the same of it are counted. */
export const notReadSchema = auditNoticeSchema.and(
  z.object({ times: z.number().optional().meta({ description: 'so often; absent: once' }) }),
);
export type NotRead = z.infer<typeof notReadSchema>;
