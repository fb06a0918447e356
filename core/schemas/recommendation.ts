/** What is recommended against a finding: codes and figures, from which every channel makes the same lines. */
import { z } from 'zod';
import { layoutSchema } from './layout.ts';
import { stepNoteSchema } from './plan-steps.ts';

/**
 * Modify leaves everything in use; migrate copies the data; recreate goes through a snapshot; resize-instance and
 * set-bandwidth-weighting stop the instance; move-volume takes a volume, and who uses it, to another instance.
 */
const actions = [
  ...(['modify', 'migrate', 'recreate', 'resize-instance', 'set-bandwidth-weighting'] as const),
  ...(['schedule', 'move-card', 'move-volume', 'delete', 'investigate'] as const),
] as const;

export const rateUnits = ['IOPS', 'MiB/s'] as const;
export type RateUnit = (typeof rateUnits)[number];

export const limitSchema = z.object({
  what: z.enum(['baseline', 'burst', 'maximum']).meta({ description: 'maximum where nothing bursts' }),
  value: z.number().meta({ description: 'of a stripe all members together' }),
  unit: z.enum(rateUnits),
  scope: z.enum(['volume', 'instance', 'card']),
});
export type Limit = z.infer<typeof limitSchema>;

const ratesSchema = z.object({ iops: z.number(), throughputMiBps: z.number() });

export const scheduledDays = ['daily', 'monday-to-friday'] as const;
export type ScheduledDays = (typeof scheduledDays)[number];

const changeSchema = z.discriminatedUnion('of', [
  z.object({ of: z.literal('volume'), from: layoutSchema, to: layoutSchema }).meta({
    description: 'of a stripe in place of each member',
  }),
  z.object({
    of: z.literal('instance'),
    from: z.string().nullable(),
    to: z.string(),
    monthlyUsd: z.number().optional().meta({ description: 'On-Demand, Linux; absent where it is unknown' }),
    bandwidthWeighting: z.literal('ebs-1').optional().meta({
      description: 'it is enough with this bandwidth weighting; absent: with its default',
    }),
  }),
  z.object({
    of: z.literal('bandwidth-weighting'),
    from: z.string().nullable(),
    to: z.enum(['default', 'ebs-1']),
  }),
  z.object({
    of: z.literal('volume-move'),
    volumeId: z.string(),
    loadShare: z.number().meta({
      description: 'of what all volumes of its instance demanded at most, in the unit that throttles; 0 to 1',
    }),
    from: z.string().meta({ description: 'instance' }),
    to: z.string().nullable().meta({ description: 'instance that is there; null: a new one' }),
    instanceType: z.string().meta({ description: 'of the instance that it goes to' }),
    availabilityZone: z.string().nullable().meta({ description: 'of both; null: not known' }),
    architecture: z.string().meta({ description: 'of the instance that it leaves' }),
    monthlyUsd: z.number().optional().meta({ description: 'of a new instance: On-Demand, Linux' }),
  }),
  z.object({
    of: z.literal('volumes'),
    volumes: z.array(
      z.object({
        volumeId: z.string(),
        from: ratesSchema,
        to: ratesSchema,
      }),
    ),
  }),
  z
    .object({
      of: z.literal('schedule'),
      from: layoutSchema.meta({ description: 'as it stands' }),
      low: layoutSchema,
      high: layoutSchema,
      days: z.enum(scheduledDays).meta({ description: 'by the UTC day on which the hours begin' }),
      busyFromUtc: z.string().meta({ description: 'HH:MM: it must have the high figures from here' }),
      busyUntilUtc: z.string().meta({ description: 'HH:MM: to here' }),
      raiseAtUtc: z.string().meta({ description: 'HH:MM: the first modification begins' }),
      lowerAtUtc: z.string().meta({ description: 'HH:MM: the second one begins' }),
      leadMinutes: z.number().meta({ description: 'from the raise to the busy hours' }),
      highPercent: z.number().meta({ description: 'of the time, charged with the high figures' }),
    })
    .meta({ description: 'two modifications a day, which nothing here executes' }),
  z.object({
    of: z.literal('cards'),
    moves: z.array(z.object({ volumeId: z.string(), toCard: z.number() })),
  }),
]);

const effectSchema = z.object({
  method: z.enum(['simulated', 'estimated', 'unknown']).meta({
    description:
      'simulated: the load was replayed on it, for all that was demanded; estimated: for what is likely, or by its figures',
  }),
  throttledMinutesBefore: z.number().nullable().meta({
    description:
      'as measured in the window; of a forecast as simulated for the hours to come; null where neither is known',
  }),
  throttledMinutesAfter: z.number().nullable(),
  throttledMinutesAfterAtMost: z.number().optional().meta({
    description: 'of what is estimated: if the demand is as high as it may be',
  }),
  forecastHours: z.number().optional().meta({
    description: 'so many hours to come are simulated, at the latest rate; absent where it is the window',
  }),
  limitBefore: limitSchema.nullable(),
  limitAfter: limitSchema.nullable(),
  latencyMsBefore: z.number().optional().meta({
    description: 'median of the minutes above the target; absent where no latency is in question',
  }),
  latencyMsAfterBelow: z.number().optional().meta({
    description: 'the average that AWS documents for I/O of 16 KiB is below it',
  }),
});

/** What a size follows from. */
const sizings = [
  'demand',
  // A share more than what was seen, or than what is likely.
  'headroom',
  'type-minimum',
  'twice-served',
  // Of what credits limit: twice what was served, or all that it does with its credits.
  'twice-served-or-burst',
  // A share more than the limit, where nothing shows how high the demand was.
  'limit-headroom',
  'current-maximum',
  // All that its volumes are provisioned with.
  'provisioned',
] as const;

/** Why nobody can say what a change costs, or which type it is changed to. */
const priceUnknownSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('no-ebs-prices'), region: z.string() }),
  z.object({ code: z.literal('no-ebs-price'), volumeType: z.string(), region: z.string() }),
  z.object({ code: z.literal('no-instance-price'), instanceType: z.string(), region: z.string() }),
  z.object({ code: z.literal('billed-by-rack') }).meta({ description: 'on an Outpost' }),
  z.object({
    code: z.literal('unknown-instance-type'),
    instanceType: z.string().nullable(),
    region: z.string(),
  }),
  z.object({ code: z.literal('no-ebs-limits'), instanceType: z.string() }).meta({
    description: 'EC2 states none of this type',
  }),
  z.object({ code: z.literal('no-type-is-enough') }).meta({
    description: 'no instance type of the catalog carries what is asked for',
  }),
]);
export type PriceUnknown = z.infer<typeof priceUnknownSchema>;

/** With nothing to say beside the code. */
const plainRisks = [
  ...(['downtime', 'no-root-volume', 'seldom-read', 'on-credits', 'no-more-credits'] as const),
  ...(['type-on-outpost', 'demand-unknown', 'also-at-the-limit', 'sequential-stripe-cheaper'] as const),
  ...(['volumes-peak-together', 'not-the-whole-need', 'snapshot-first', 'stripe-in-use'] as const),
  // What no type of the catalog carries is the demand at its highest.
  'not-for-the-highest-demand',
  // Members of a stripe are lowered alike.
  'stripes-alike',
  // The saving is that of other findings of the same volumes.
  'same-saving',
  // What an instance type is sized by: its volumes do not show it.
  ...(['volume-needs-unknown', 'load-not-explained'] as const),
  // A cheaper step towards what is asked for.
  'not-enough',
  // Through the claim, since the driver does not know of what EC2 is asked for.
  'by-claim',
  // Who uses the volume moves with it; whether CPU and memory are enough there is not known.
  'application-moves',
  // A stop empties the disks of the instance itself; its EBS volumes stay as they are.
  'instance-store-lost',
] as const;

const counted = ['all-members-alike', 'all-members-or-none', 'inferred-stripe'] as const;

const fromTo = { from: z.number(), to: z.number() };

/** What a change gives up, takes or rests on. */
const riskSchema = z.discriminatedUnion('code', [
  z.object({ code: z.enum(plainRisks) }),
  z.object({ code: z.enum(counted), count: z.number().meta({ description: 'members of the stripe' }) }),
  z.object({ code: z.literal('unlike-members'), count: z.number() }),
  z
    .object({ code: z.literal('several-go-there'), count: z.number().meta({ description: 'volumes' }) })
    .meta({ description: 'moves to an instance that has room for each of them alone' }),
  z.object({ code: z.literal('like-volumes'), count: z.number().meta({ description: 'beside this one' }) }),
  z.object({ code: z.literal('need-unknown'), count: z.number().meta({ description: 'volumes that stay' }) }),
  z.object({ code: z.literal('data-loss-rate'), ...fromTo }).meta({ description: 'a year, 0 to 1' }),
  z.object({ code: z.literal('less-durable'), ...fromTo }).meta({
    description: 'volumes that fail in a year, 0 to 1',
  }),
  z.object({ code: z.literal('less-consistent'), ...fromTo }).meta({
    description: 'percent of the time with the performance that is provisioned',
  }),
  z.object({ code: z.literal('never-shrinks'), ...fromTo }).meta({ description: 'GiB' }),
  z.object({
    code: z.literal('averages-hide-bursts'),
    minutes: z.number().meta({ description: 'of a period' }),
  }),
  z.object({
    code: z.literal('demand-hidden'),
    minutes: z.number().meta({ description: 'in which averages do not show the demand' }),
    headroomPercent: z.number().meta({ description: 'more than the limit is taken for them' }),
  }),
  z
    .object({
      code: z.literal('modification-time'),
      minutes: z.number().meta({ description: 'the longest of them took' }),
      count: z.number().meta({ description: 'earlier modifications of the volume, completed' }),
    })
    .meta({ description: 'a raise that takes longer comes too late' }),
  z.object({ code: z.literal('instance-limits'), minutes: z.number() }).meta({
    description: 'of those that are left',
  }),
  z.object({ code: z.literal('less-network-bandwidth'), throughputMiBps: z.number() }).meta({
    description: 'the baseline of the network falls by it',
  }),
  z.object({ code: z.literal('more-than-the-type'), minutes: z.number() }),
  z
    .object({
      code: z.literal('initialization-rate'),
      minMiBps: z.number(),
      maxMiBps: z.number(),
      sizeGiB: z.number().meta({ description: 'of the volume: its snapshot has no more' }),
      minutesAtMost: z.number().meta({ description: 'to initialize so much at the highest rate' }),
      exampleUsdAtMost: z.number().meta({
        description:
          'for so much at the highest rate, at the price of an example of AWS: that of the Region is not known',
      }),
    })
    .meta({ description: 'a rate that the next volume can be made with' }),
  z.object({ code: z.literal('small-io-costs-credits'), ioKiB: z.number() }),
  z.object({
    code: z.literal('on-instance-credits'),
    refillHours: z.number().meta({ description: 'assumed: AWS does not document how they come back' }),
  }),
  z
    .object({
      code: z.literal('limited-by-instance'),
      instanceId: z.string(),
      instanceType: z.string().nullable(),
      iops: z.number().meta({ description: 'of the instance, at most' }),
      throughputMiBps: z.number(),
      layout: layoutSchema,
      throttledMinutes: z.number(),
      throttledMinutesWithoutIt: z.number(),
    })
    .meta({ description: 'simulated with this layout, and on an instance that is no limit' }),
  z
    .object({
      code: z.literal('provisional'),
      days: z.number().meta({ description: 'of the window' }),
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      hasMonthEnd: z.boolean().meta({ description: 'the whole last day of a month is in the window' }),
    })
    .meta({
      description: 'it makes something smaller, and rests on less than 30 days and the end of a month',
    }),
]);
export type Risk = z.infer<typeof riskSchema>;

/** What a person does, with nothing to say beside the code. */
const plainSteps = [
  ...(['await-snapshot', 'unmount', 'name-figures', 'stop-and-unmount', 'start-and-mount'] as const),
  ...([
    'on-the-host',
    'create-like-siblings',
    'stays-in-use',
    'detach-old-volume',
    'await-recovery',
  ] as const),
  ...(['stop-application', 'start-application'] as const),
  ...(['copy-like-siblings', 'replace-by-copy', 'keep-old-volume', 'array-unknown'] as const),
  ...(['scheduler-role', 'schedule-by-hand'] as const),
  // Of volumes of Kubernetes.
  ...(['claim-to-check', 'attributes-class-version', 'claim-grows', 'class-in-force'] as const),
  ...(['claim-has-volume'] as const),
  // Of volumes that are slow on first reads.
  ...(['initialization-status', 'read-once'] as const),
] as const;

/** One after the other. */
const stepSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('run'), command: z.string() }).meta({
    description: 'in a shell; what stands in <> is to be filled in',
  }),
  z.object({ code: z.literal('run-later'), command: z.string() }).meta({
    description: 'what cannot be undone: only when all before it has proved itself',
  }),
  z
    .object({
      code: z.literal('scheduled'),
      what: z.enum(['raise', 'lower']),
      days: z.string().meta({ description: 'of the week, as cron names them: MON-FRI; * for all' }),
      atUtc: z.string().meta({ description: 'HH:MM' }),
      command: z.string(),
    })
    .meta({
      description: 'what a schedule runs at that time, for who uses another one than the steps that follow',
    }),
  z.object({ code: z.literal('plan-note'), note: stepNoteSchema }).meta({
    description: 'between the commands that lead to a layout: a code with its figures',
  }),
  z.object({ code: z.enum(plainSteps) }),
  z.object({ code: z.literal('check-instance-type'), instanceType: z.string() }),
  z.object({
    code: z.literal('launch-instance'),
    instanceType: z.string(),
    availabilityZone: z.string().nullable().meta({ description: 'null: not known' }),
  }),
  z.object({
    code: z.literal('modification-limit'),
    most: z.number().meta({ description: 'modifications of a volume' }),
    hours: z.number(),
  }),
  z.object({ code: z.literal('initialization-rate'), minMiBps: z.number(), maxMiBps: z.number() }),
]);
export type Step = z.infer<typeof stepSchema>;

/** A configuration that was simulated and does not help. */
export const notRecommendedSchema = z.object({
  layout: layoutSchema,
  throttledMinutesNow: z.number(),
  throttledMinutes: z.number().meta({ description: 'with a demand as high as it may be' }),
  throttledMinutesIfLikely: z.number(),
});
export type NotRecommended = z.infer<typeof notRecommendedSchema>;

/** What an action is for, where the action alone does not say it. */
const purposes = [
  'leave-the-bucket',
  'larger-or-other-type',
  'spread-the-burst',
  'raise-in-steps',
  'host-errors',
  'initialization',
  'first-reads',
  'replace-member',
  'instance-first',
  'instance-after',
  'spread-the-load',
  'unused',
  'lower-to-need',
  'lower-to-reach',
  'keep-figures',
  'use-figures',
  'throttle-nothing',
  'faster',
  'less-cost',
  'less-latency',
] as const;

export const recommendationSchema = z.object({
  action: z.enum(actions),
  purpose: z.enum(purposes),
  inPlace: z.boolean().meta({ description: 'what it is about stays in use' }),
  change: changeSchema.nullable().meta({ description: 'null where nothing is sized' }),
  effect: effectSchema,
  monthlyUsdDelta: z
    .number()
    .nullable()
    .meta({ description: 'negative saves; null where a price is unknown, or nothing is bought' }),
  priceUnknownReason: priceUnknownSchema.nullable(),
  sizedBy: z.enum(sizings).nullable(),
  headroomPercent: z
    .number()
    .nullable()
    .meta({ description: 'what a size has more: than the peak, or than the limit' }),
  sizedFor: ratesSchema
    .nullable()
    .meta({ description: 'the rates that a size is to serve, headroom included' }),
  risks: z.array(riskSchema),
  steps: z.array(stepSchema).meta({ description: 'in order' }),
});
export type Recommendation = z.infer<typeof recommendationSchema>;
