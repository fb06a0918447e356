/**
 * The configuration of the service: one YAML file for the stacks and the command line. What it says and what its defaults
 * are stands here alone (docs/reference/configuration.md explains it). A message of ours says what would be right; `check.ts` makes a
 * line of it, and checks what no section can know by itself.
 */
import { z } from 'zod';
import { archivedMetrics } from '../archive/columns.ts';
import { instanceTypePattern } from '../catalog/instance-types.ts';
import { isNamespace } from '../kubernetes.ts';
import { defaultQuotaPercent } from '../load/point-rates.ts';
import { findingKinds, severities } from '../schemas/finding-kinds.ts';
import { opinionSources } from '../schemas/second-opinion.ts';
import { timeOfDayPattern } from '../wall-clock.ts';
import { accountBudgetSchemaWith } from './account-budgets.ts';
import { changesSchema, timeZoneSchema } from './changes.ts';
import { accountSchema, organizationSchema, regionSchema, textLike, unitSchema } from './organization.ts';
import { thresholdsSchema } from './threshold-settings.ts';

const section = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).prefault({} as never);

/** For how many days CloudWatch Logs can keep lines. */
const logRetentions = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731],
  ...[1_096, 1_827, 2_192, 2_557, 2_922, 3_288, 3_653],
];

/** Ten years. */
const maxDays = 3_650;
/** More than any account pays for this: what is above is mistyped. */
const maxCostUsd = 1_000_000;

/** Pays for 1,000 quiet volumes (docs/operate/cost.md): who has more is bounded, and decides. */
const defaultApiUsdPerMonth = 50;

const apiUsdSchema = z
  .number('USD, or null for no bound')
  .positive('more than 0 USD, or null for no bound')
  .max(maxCostUsd, `${maxCostUsd} USD or less, or null for no bound`);
const apiUsdOfAccountsSchema = z
  .number('USD')
  .positive('more than 0 USD')
  .max(maxCostUsd, `${maxCostUsd} USD or less`);

const hourSchema = textLike(timeOfDayPattern, 'a time like "07:30", in quotes');

/** As long as AWS lets them be. */
const tagKey = z.string().min(1).max(128);
const tagValue = z.string().max(256);
const tagsSchema = z.record(
  tagKey,
  z.union([tagValue, z.array(tagValue).min(1)], 'a value or a list of values, each in quotes; "*" is any'),
);

const emailSchema = z.email('an e-mail address');

/** A period without a mode means every metric in it: the full mode. */
const auditSchema = section({
  everyHours: z.int().min(1).max(48).default(24).meta({ description: 'how often an audit runs' }),
  /** CloudWatch keeps nothing longer; which points it keeps so long is checked with their period. */
  lookbackDays: z.number().min(0.01).max(455).default(14).meta({
    description:
      'how far back each audit looks: at most 15 days with points of 60 s, 63 with points of 300 s, 395 with `archive`',
  }),
  mode: z.enum(['adaptive', 'full']).optional().meta({
    description:
      'adaptive: few metrics of all volumes, then all metrics of suspects. full: all metrics of all volumes. With periodSeconds alone: full',
  }),
  periodSeconds: z
    .union([z.literal(60), z.literal(300)], 'one of 60, 300')
    .optional()
    .meta({ description: 'period of the points in the full mode; 300 where it is not given' }),
  batchesAtOnce: z
    .int()
    .min(1)
    .max(40)
    .default(4)
    .meta({ description: 'batches that are evaluated at one time' }),
  maxQuotaPercent: z.number().min(1).max(100).nullable().default(defaultQuotaPercent).meta({
    description:
      "of CloudWatch's quotas of points a second, which all of an account and Region share: audit and monitoring together. null: audits of the stack as fast as CloudWatch answers, monitoring and the command line at most half",
  }),
  hostDiscovery: z.boolean().default(false).meta({
    description:
      'true: hosts with several volumes are asked how they are joined, by an SSM document that only reads',
  }),
  compareWith: z.array(z.enum(opinionSources)).max(opinionSources.length).default([]).meta({
    description:
      'services whose recommendations are read and compared: `compute-optimizer`, `cost-optimization-hub`. Neither is enabled by it',
  }),
}).transform(({ mode, periodSeconds, ...audit }) => ({
  ...audit,
  mode: mode ?? (periodSeconds === undefined ? ('adaptive' as const) : ('full' as const)),
  periodSeconds: periodSeconds ?? 300,
}));

/** The watch between two audits. */
const monitoringSchema = section({
  enabled: z.boolean().default(true).meta({ description: 'polls volumes between two audits' }),
  everyMinutes: z
    .union([z.literal(1), z.literal(2), z.literal(5)], 'one of 1, 2, 5')
    .default(1)
    .meta({
      description: 'how often it sees which polls are due; each volume is polled as rarely as is safe',
    }),
});

const quietHoursSchema = z.strictObject({
  from: hourSchema.meta({ description: 'when they begin' }),
  to: hourSchema.meta({ description: 'when they end; before `from` it is the next day' }),
  timeZone: timeZoneSchema,
  allowCritical: z.boolean().default(true).meta({ description: 'critical findings are sent all the same' }),
});

const channelRules = {
  quietHours: quietHoursSchema
    .nullable()
    .default(null)
    .meta({ description: 'what can wait is sent when they end' }),
  maxMessagesPerHour: z.int().min(1).max(3_600).default(60).meta({ description: 'more than these wait' }),
};

const kindOf = <Kind extends string>(kind: Kind) =>
  z.literal(kind).meta({ description: 'where messages are sent; required' });

/** Secrets are never here: one secret of the stack has them for all channels (output ChannelSecrets; docs/guides/notifications.md). */
const channelSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: kindOf('slack-webhook'), ...channelRules }),
  z.strictObject({
    kind: kindOf('slack-bot'),
    channel: textLike(/^[CGD][A-Z0-9]{7,20}$/, 'the id of a channel, like C0123456789').meta({
      description: 'of slack-bot: the id of the Slack channel',
    }),
    charts: z
      .boolean()
      .default(true)
      .meta({ description: 'of slack-bot: the load of a finding as a picture in its thread' }),
    buttons: z.boolean().default(false).meta({
      description:
        'of slack-bot: mute and acknowledge in Slack, by a public Function URL that obeys Slack alone',
    }),
    ...channelRules,
  }),
  z.strictObject({ kind: kindOf('teams'), ...channelRules }),
  /** A topic, which a client of Amazon Q Developer in chat applications is pointed to. */
  z.strictObject({ kind: kindOf('amazon-q'), ...channelRules }),
  /** A topic: text to addresses, JSON to whatever else subscribes. */
  z.strictObject({
    kind: kindOf('sns'),
    emails: z
      .array(emailSchema)
      .default([])
      .meta({ description: 'of sns: addresses; whatever else subscribes to the topic gets JSON' }),
    ...channelRules,
  }),
  z.strictObject({
    kind: kindOf('eventbridge'),
    /** A name, or the ARN of one of another account or Region. */
    bus: textLike(
      /^(arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/)?[A-Za-z0-9._/-]{1,256}$/,
      'the name of an event bus, or its ARN',
    )
      .default('default')
      .meta({ description: 'of eventbridge: the name of the bus, or its ARN' }),
    ...channelRules,
  }),
]);
export type ChannelConfig = z.infer<typeof channelSchema>;
export type ChannelKind = ChannelConfig['kind'];

type TopicConfig = Extract<ChannelConfig, { kind: 'sns' | 'amazon-q' }>;
/** Does it have an SNS topic of its own? */
export const isTopic = (channel: ChannelConfig): channel is TopicConfig =>
  channel.kind === 'sns' || channel.kind === 'amazon-q';

export const secretFields = ['webhookUrl', 'botToken'] as const;
export type SecretField = (typeof secretFields)[number];
/** What a person puts into the secret of channels for one of the kind; null: it needs nothing. */
export const secretFieldOf = {
  'slack-webhook': 'webhookUrl',
  'slack-bot': 'botToken',
  teams: 'webhookUrl',
  'amazon-q': null,
  sns: null,
  eventbridge: null,
} as const satisfies Record<ChannelKind, SecretField | null>;

export const channelKinds: ChannelKind[] = channelSchema.options.map(({ shape }) => shape.kind.value);
export type QuietHours = z.infer<typeof quietHoursSchema>;

const channelName = textLike(/^[a-z][a-z0-9-]{0,29}$/, 'a short name of small letters, digits and -');

/** What a finding must be to go there; what a route does not say it does not ask for. */
const routeSchema = z.strictObject({
  to: z.array(channelName).min(1).meta({ description: 'names of channels' }),
  minSeverity: z
    .enum(severities)
    .default('info')
    .meta({ description: 'nothing below it; never below notifications.minSeverity' }),
  kinds: z
    .array(z.enum(findingKinds))
    .min(1)
    .optional()
    .meta({ description: 'kinds of findings; all where it is not given' }),
  accounts: z
    .array(accountSchema)
    .min(1)
    .optional()
    .meta({ description: '12 digits, in quotes; all where it is not given' }),
  organizationalUnits: z.array(unitSchema).min(1).optional().meta({
    description: 'accounts of these units, and of the units in them; all where it is not given',
  }),
  regions: z.array(regionSchema).min(1).optional().meta({ description: 'all where it is not given' }),
  tags: tagsSchema.optional().meta({ description: 'each of these tags, with one of its values; `*` is any' }),
  namespaces: z
    .array(z.string().refine(isNamespace, 'a namespace of Kubernetes, like payments'))
    .min(1)
    .optional()
    .meta({ description: 'volumes of claims in these namespaces of Kubernetes; all where it is not given' }),
  digests: z.boolean().default(true).meta({ description: 'digests are sent there too' }),
  alarms: z.boolean().default(true).meta({ description: 'alarms of the service too' }),
});
export type Route = z.infer<typeof routeSchema>;

/** General, compute, memory and storage families of today; no Mac, no accelerators, nothing for high performance computing or SAP HANA. */
const usualInstanceTypes = [
  ...[
    'c5*',
    'c6*',
    'c7*',
    'c8*',
    'c9*',
    'm5*',
    'm6*',
    'm7*',
    'm8*',
    'm9*',
    'r5*',
    'r6*',
    'r7*',
    'r8*',
    'r9*',
  ],
  ...['d3*', 'i3en*', 'i4*', 'i7*', 'i8*', 'im4gn*', 'is4gen*', 't3*', 't4g*', 't8*', 'x2*', 'x8*', 'z1d*'],
];

const subnetsRight = 'a list of subnets of vpcId with a way out by HTTPS, like [subnet-0123456789abcdef0]';

/** What is there only where somebody asks for it: it may launch instances. */
const benchmarkSchema = z.strictObject(
  {
    maxCostUsd: z
      .number()
      .positive()
      .max(maxCostUsd)
      .default(20)
      .meta({ description: 'what one campaign may cost at most' }),
    /** Of which types hosts may be; IAM lets no others be launched. So many, and so many subnets, fit into one policy. */
    instanceTypes: z
      .array(textLike(instanceTypePattern, 'a type like m5.large, or a family and *, like m5*'))
      .min(1)
      .max(50)
      .default(usualInstanceTypes)
      .meta({
        description:
          'types that hosts may have: a type, or a family and `*`; IAM refuses others. A list replaces the default',
      }),
    /** An account may have no default VPC, and a template cannot look for one. */
    vpcId: textLike(
      /^vpc-[0-9a-f]{8,17}$/,
      'the id of the VPC that hosts are launched into, like vpc-0123456789abcdef0: no default VPC is used',
    ).meta({ description: 'the VPC that hosts are in; required' }),
    subnetIds: z
      .array(textLike(/^subnet-[0-9a-f]{8,17}$/, 'the id of a subnet'), subnetsRight)
      .min(1, subnetsRight)
      .max(16)
      .meta({ description: 'subnets of that VPC with a way out by HTTPS; required' }),
    kmsKeyArn: z
      .string()
      .regex(
        /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
        'the ARN of a KMS key, such as arn:aws:kms:us-east-1:111122223333:key/...; of an alias look up its key',
      )
      .optional()
      .meta({
        description:
          'what volumes of hosts are encrypted with; without it the default EBS key. A default key of your own must be named. Its key policy must allow the launch too',
      }),
    label: z.string().max(200).optional().meta({ description: 'stands on every result' }),
  },
  'a section with vpcId and subnetIds, which say where hosts are launched',
);

type Benchmark = z.infer<typeof benchmarkSchema>;
/** Before anybody said where hosts are. */
export type PlacelessBenchmark = Omit<Benchmark, 'vpcId'> & { vpcId?: string };

/** What a section `benchmark` means besides where hosts are. */
export const benchmarkDefaults = (): PlacelessBenchmark => ({
  ...benchmarkSchema.omit({ vpcId: true, subnetIds: true }).parse({}),
  subnetIds: [],
});

const reportSchema = section({
  label: z.string().min(1).max(200).nullable().default(null).meta({ description: 'stands on every report' }),
  links: z.boolean().default(false).meta({
    description:
      'notifications link to reports, by a public Function URL; false: they name the command that opens them',
  }),
  linkDays: z
    .int()
    .min(1)
    .max(365)
    .default(30)
    .meta({ description: 'how long a link can be used by whoever has it' }),
});

/** What keeps minutes beyond the 15 days of CloudWatch; there only where somebody asks for it. */
const archiveSchema = z.strictObject(
  {
    metrics: z.enum(archivedMetrics).default('default').meta({
      description:
        'what is kept of each volume: `default`: operations, bytes, queue, both exceeded checks and the balance, of suspects everything; `all`: everything of all',
    }),
    keepDays: z.int().min(30).max(maxDays).default(400).meta({
      description: 'how long minutes are kept; up to 31 days longer where a month is one object',
    }),
    /** Athena bounds nothing below 10 MB. */
    maxQueryGiB: z.number().min(0.01).max(10_000).default(10).meta({
      description: 'a question in Athena that would read more is stopped; 10 GiB are 0.05 USD',
    }),
  },
  'give archive: {} for its defaults, or remove the section',
);

export const configSchema = z.strictObject({
  benchmark: benchmarkSchema.optional(),
  regions: z.array(regionSchema).default([]).meta({
    description:
      'Regions to audit. Empty: the Region of the stack; on the command line the Region of the profile',
  }),
  organization: organizationSchema.optional(),
  exclude: section({
    tags: tagsSchema.default({}).meta({
      description:
        'volumes with any of these tags are left out: a value or a list of values by key; `*` is any value',
    }),
  }),
  thresholds: thresholdsSchema.prefault({}),
  audit: auditSchema,
  archive: archiveSchema.optional(),
  changes: changesSchema.optional(),
  monitoring: monitoringSchema,
  notifications: section({
    minSeverity: z
      .enum(severities)
      .default('warning')
      .meta({ description: 'nothing below it is sent; the run in S3 has everything' }),
    retentionDays: z.int().min(2).max(maxDays).default(90).meta({
      description:
        'a finding that was not seen for so long is forgotten, with its history; at least two audits',
    }),
    digest: z
      .enum(['daily', 'weekly', 'none'])
      .default('weekly')
      .meta({ description: 'a summary of what is open; the weekly one is sent on Mondays' }),
    digestAt: hourSchema.default('07:00').meta({ description: 'UTC' }),
    emails: z.array(emailSchema).default([]).meta({
      description: 'get every notification by e-mail; each address must confirm the mail that AWS sends',
    }),
  }),
  channels: z.record(channelName, channelSchema).default({
    slack: { kind: 'slack-webhook', quietHours: null, maxMessagesPerHour: 60 },
  }),
  routes: z.array(routeSchema).optional(),
  budget: section({
    apiUsdPerMonth: apiUsdSchema.nullable().default(defaultApiUsdPerMonth).meta({
      description:
        'for the API of CloudWatch, audits and monitoring together; null: no bound. Monitoring keeps to what audits leave',
    }),
    accounts: z.array(accountBudgetSchemaWith(apiUsdOfAccountsSchema)).min(1).optional().meta({
      description: 'with organization: budgets of some accounts, inside of the one of all',
    }),
  }),
  alarms: section({
    emails: z.array(emailSchema).default([]).meta({ description: 'get alarms of the service itself' }),
  }),
  functions: section({
    reserveConcurrency: z.boolean().default(false).meta({
      description:
        'keeps up to 22 calls at one time for functions that a schedule, a queue or an address calls; needs a quota of 122',
    }),
  }),
  report: reportSchema,
  keep: section({
    logsDays: z
      .number()
      .min(0)
      .max(maxDays)
      .default(30)
      .refine((days) => logRetentions.includes(days), `one of ${logRetentions.join(', ')}`)
      .meta({ description: 'logs; a period that CloudWatch Logs has: 1, 3, 5, 7, 14, 30, 60, 90, ...' }),
    workDays: z
      .int()
      .min(1)
      .max(maxDays)
      .default(14)
      .meta({ description: 'inventory and results of single batches' }),
    runsDays: z
      .int()
      .min(1)
      .max(maxDays)
      .default(400)
      .meta({ description: 'findings, evaluations, summaries and reports' }),
    removalPolicy: z
      .enum(['retain', 'destroy'])
      .default('retain')
      .meta({ description: 'destroy: `cdk destroy` removes the bucket and all that is in it' }),
  }),
});
export type Config = z.infer<typeof configSchema>;

/** What `archive: {}` means. */
export const archiveDefaults = (): NonNullable<Config['archive']> => archiveSchema.parse({});

/** The routes that are said, or everything to every channel. */
export const routesOf = ({ routes, channels }: Pick<Config, 'routes' | 'channels'>): Route[] =>
  routes ?? [{ to: Object.keys(channels), minSeverity: 'info', digests: true, alarms: true }];
