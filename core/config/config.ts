/**
 * The configuration of the service: one YAML file for the stacks and the command line. What it says and what its defaults
 * are stands here alone (docs/configuration.md explains it). A message of ours says what would be right; `check.ts` makes a
 * line of it, and checks what no section can know by itself.
 */
import { z } from 'zod';
import { instanceTypePattern } from '../catalog/instance-type.ts';
import { isRegionName } from '../region.ts';
import { findingKinds, severities } from '../schemas/finding-kinds.ts';
import { timeOfDayPattern } from '../wall-clock.ts';
import { thresholdsSchema } from './thresholds.ts';

const section = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).prefault({} as never);

/** For how many days CloudWatch Logs can keep lines. */
const logRetentions = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731],
  ...[1_096, 1_827, 2_192, 2_557, 2_922, 3_288, 3_653],
];

/** Ten years. */
const mostDays = 3_650;
/** More than any account pays for this: what is above is mistyped. */
const maxCostUsd = 1_000_000;

const regionSchema = z.string().refine(isRegionName, 'a Region like us-east-1');
/** Text of a form; the same is said of what is no text, such as digits without quotes. */
const textLike = (pattern: RegExp, right: string) => z.string(right).regex(pattern, right);

const accountSchema = textLike(/^\d{12}$/, 'the 12 digits of an account, in quotes');
const hourSchema = textLike(timeOfDayPattern, 'a time like "07:30", in quotes');

/** As long as AWS lets them be. */
const tagKey = z.string().min(1).max(128);
const tagValue = z.string().max(256);
const tagsSchema = z.record(
  tagKey,
  z.union([tagValue, z.array(tagValue).min(1)], 'a value or a list of values, each in quotes; "*" is any'),
);

const emailSchema = z.email('an e-mail address');

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** Who says a period, and nothing of passes, wants every metric in it: one pass. */
const auditSchema = section({
  everyHours: z.int().min(1).max(48).default(24),
  /** CloudWatch keeps nothing longer; which points it keeps so long is checked with their period. */
  lookbackDays: z.number().min(0.01).max(455).default(14),
  passes: z.enum(['two', 'one']).optional(),
  periodSeconds: z.union([z.literal(60), z.literal(300)], 'one of 60, 300').optional(),
  batchesAtOnce: z.int().min(1).max(40).default(4),
  hostDiscovery: z.boolean().default(false),
}).transform(({ passes, periodSeconds, ...audit }) => ({
  ...audit,
  passes: passes ?? (periodSeconds === undefined ? ('two' as const) : ('one' as const)),
  periodSeconds: periodSeconds ?? 300,
}));

/** The watch between two audits. */
const monitoringSchema = section({
  enabled: z.boolean().default(true),
  everyMinutes: z.union([z.literal(1), z.literal(2), z.literal(5)], 'one of 1, 2, 5').default(1),
});

const quietHoursSchema = z.strictObject({
  from: hourSchema,
  to: hourSchema,
  timeZone: z.string().refine(isTimeZone, 'a time zone like Europe/Berlin').default('UTC'),
  /** What is critical is told in them all the same. */
  allowCritical: z.boolean().default(true),
});

const channelRules = {
  quietHours: quietHoursSchema.nullable().default(null),
  /** Messages; what is more waits. */
  maxMessagesPerHour: z.int().min(1).max(3_600).default(60),
};

/** Secrets are never here: one secret of the stack has them for all channels (output ChannelSecrets; docs/notifications.md). */
const channelSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('slack-webhook'), ...channelRules }),
  z.strictObject({
    kind: z.literal('slack-bot'),
    channel: textLike(/^[CGD][A-Z0-9]{7,20}$/, 'the id of a channel, like C0123456789'),
    /** The load of a finding as a picture in its thread. */
    charts: z.boolean().default(true),
    ...channelRules,
  }),
  z.strictObject({ kind: z.literal('teams'), ...channelRules }),
  /** A topic, which a client of Amazon Q Developer in chat applications is pointed to. */
  z.strictObject({ kind: z.literal('amazon-q'), ...channelRules }),
  /** A topic: text to addresses, JSON to whatever else subscribes. */
  z.strictObject({ kind: z.literal('sns'), emails: z.array(emailSchema).default([]), ...channelRules }),
  z.strictObject({
    kind: z.literal('eventbridge'),
    /** A name, or the ARN of one of another account or Region. */
    bus: textLike(
      /^(arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/)?[A-Za-z0-9._/-]{1,256}$/,
      'the name of an event bus, or its ARN',
    ).default('default'),
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
  to: z.array(channelName).min(1),
  minSeverity: z.enum(severities).default('info'),
  kinds: z.array(z.enum(findingKinds)).min(1).optional(),
  accounts: z.array(accountSchema).min(1).optional(),
  regions: z.array(regionSchema).min(1).optional(),
  /** Each of these tags, with one of its values; `*` is any. */
  tags: tagsSchema.optional(),
  digests: z.boolean().default(true),
  /** Of the service itself. */
  alarms: z.boolean().default(true),
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

/** What is there only where somebody asks for it: it may launch instances. */
const benchmarkSchema = z
  .strictObject({
    /** What one campaign may cost at most, in USD. */
    maxCostUsd: z.number().positive().max(maxCostUsd).default(20),
    /** Of which types hosts may be; IAM lets no others be launched. So many, and so many subnets, fit into one policy. */
    instanceTypes: z
      .array(textLike(instanceTypePattern, 'a type like m5.large, or a family and *, like m5*'))
      .min(1)
      .max(50)
      .default(usualInstanceTypes),
    /** Where hosts are; without them in the default subnets of the default VPC. */
    vpcId: z
      .string()
      .regex(/^vpc-[0-9a-f]{8,17}$/, 'the id of a VPC')
      .optional(),
    subnetIds: z
      .array(z.string().regex(/^subnet-[0-9a-f]{8,17}$/, 'the id of a subnet'))
      .max(16)
      .default([]),
    /** Stands on every result, such as: emulated. */
    label: z.string().max(200).optional(),
  })
  .refine(
    ({ vpcId, subnetIds }) => (vpcId === undefined) === (subnetIds.length === 0),
    'vpcId and subnetIds go together: give both or neither',
  );

const reportSchema = section({
  /** Stands on every report, such as: a trial. */
  label: z.string().min(1).max(200).nullable().default(null),
  /** False: there is no endpoint that opens reports, and advisories say where in S3 they are. */
  links: z.boolean().default(true),
  /** How long a link can be used by who has it. */
  linkDays: z.int().min(1).max(365).default(30),
});

export const configSchema = z.strictObject({
  benchmark: benchmarkSchema.optional(),
  regions: z.array(regionSchema).default([]),
  /** Volumes that are left alone: with any of these tags, with one of its values; `*` is any. */
  exclude: section({ tags: tagsSchema.default({}) }),
  thresholds: thresholdsSchema.prefault({}),
  audit: auditSchema,
  monitoring: monitoringSchema,
  notifications: section({
    minSeverity: z.enum(severities).default('warning'),
    /** What nobody has seen for so long is forgotten, with its history. */
    retentionDays: z.int().min(2).max(mostDays).default(90),
    digest: z.enum(['daily', 'weekly', 'none']).default('weekly'),
    /** UTC; a weekly one comes on Mondays. */
    digestAt: hourSchema.default('07:00'),
    emails: z.array(emailSchema).default([]),
  }),
  channels: z.record(channelName, channelSchema).default({
    slack: { kind: 'slack-webhook', quietHours: null, maxMessagesPerHour: 60 },
  }),
  routes: z.array(routeSchema).optional(),
  budget: section({
    /** USD a month for CloudWatch's API, audits and pulse together; null: no bound. The pulse keeps to what audits leave. */
    apiUsdPerMonth: z
      .number('USD, or null for no bound')
      .positive('more than 0 USD, or null for no bound')
      .max(maxCostUsd, `${maxCostUsd} USD or less, or null for no bound`)
      .nullable()
      .default(null),
  }),
  alarms: section({ emails: z.array(emailSchema).default([]) }),
  functions: section({
    /** Concurrency of the account is kept for functions that the clock, a queue or an address calls. */
    reserveConcurrency: z.boolean().default(false),
  }),
  report: reportSchema,
  keep: section({
    logsDays: z
      .number()
      .min(0)
      .max(mostDays)
      .default(30)
      .refine((days) => logRetentions.includes(days), `one of ${logRetentions.join(', ')}`),
    workDays: z.int().min(1).max(mostDays).default(14),
    runsDays: z.int().min(1).max(mostDays).default(400),
    removalPolicy: z.boolean().default(true),
  }),
});
export type Config = z.infer<typeof configSchema>;

/** The routes that are said, or everything to every channel. */
export const routesOf = ({ routes, channels }: Pick<Config, 'routes' | 'channels'>): Route[] =>
  routes ?? [{ to: Object.keys(channels), minSeverity: 'info', digests: true, alarms: true }];
