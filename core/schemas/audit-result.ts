/** What an audit run gives back. */
import { z } from 'zod';
import { confidences } from '../diagnosis/causes.ts';
import { volumeTypes } from '../limits/volume-limits.ts';
import { priceSourceSchema } from '../prices/prices.ts';
import { accountCoverageSchema, accountLeftSchema } from './accounts.ts';
import { auditNoticeSchema, notReadSchema } from './audit-notice.ts';
import { stripeSources, unlikeMemberSchema } from './evidence.ts';
import { findingSchema } from './finding.ts';
import { fleetSpanSchema, minutesOfDaySchema } from './fleet-days.ts';
import { kubernetesVolumeSchema } from './kubernetes-volume.ts';
import { opinionReadSchema, secondOpinionSchema } from './second-opinion.ts';
import { instanceReasonSchema, volumeReasonSchema } from './unknown-reasons.ts';

const statuses = ['healthy', 'finding', 'throttled-by-instance', 'unknown'] as const;

const limitsSchema = z.object({
  baselineIops: z.number(),
  burstIops: z.number(),
  baselineMiBps: z.number(),
  burstMiBps: z.number(),
  bucket: z.object({ unit: z.enum(['io', 'mib']), capacity: z.number() }).nullable(),
});

/** What a schedule of IOPS waits for where a load has the rhythm of one. */
export const missingForSchedule = ['modifications-unknown', 'modifications-too-slow'] as const;

export const volumeEvaluationSchema = z.object({
  volumeId: z.string(),
  name: z.string().nullable(),
  kubernetes: kubernetesVolumeSchema
    .optional()
    .meta({ description: 'what its tags say of Kubernetes; absent: nothing' }),
  region: z.string(),
  account: z
    .string()
    .optional()
    .meta({ description: 'of a run of several accounts; absent: one account was read' }),
  volumeType: z.string(),
  sizeGiB: z.number(),
  limits: limitsSchema
    .nullable()
    .meta({ description: 'what it can do; null where its configuration is not known' }),
  status: z.enum(statuses),
  reason: volumeReasonSchema.nullable().meta({ description: 'why it is unknown' }),
  evaluatedBy: z.enum(['coarse', 'fine']).nullable().default(null).meta({
    description:
      'coarse: the few metrics of the first of two passes showed no trouble, what they do not show is null; fine: by all its metrics; null: unknown, or by its configuration alone',
  }),
  knownMinutes: z.number(),
  unknownMinutes: z.number().meta({ description: 'of the window, without figures' }),
  repeatedPoints: z
    .number()
    .meta({ description: 'points with a timestamp that came again; the last was kept' }),
  topAverageIops: z.number().nullable().meta({ description: 'of the period with the most operations' }),
  activeTimeIopsInTopPeriod: z
    .number()
    .nullable()
    .meta({ description: 'the rate over the non-idle seconds of that same period' }),
  topActiveTimeIops: z.number().nullable().meta({ description: 'the highest rate over non-idle seconds' }),
  activePeriods: z
    .number()
    .meta({ description: 'periods with operations; of a volume evaluated by coarse, with any in flight' }),
  periodsBusyOverTwiceAverage: z.number().nullable().meta({
    description:
      'active periods whose active-time rate is above twice their average: bursts that the average hides',
  }),
  topShareOfLimit: z.number().nullable().default(null).meta({
    description:
      'in the period nearest to it, of the IOPS or MiB/s that were in force, whichever is nearer: of the baseline while burst credits were gone; null where its load was not read',
  }),
  monthlyUsd: z
    .number()
    .nullable()
    .default(null)
    .meta({ description: 'what it costs by list price; null where that is not known' }),
  mayCostLess: z.literal(true).optional().meta({
    description:
      'the prices of its Region are not known; with those of us-east-1 another type or lower figures would cost less. Absent: not so, or not known',
  }),
  missingForSchedule: z.enum(missingForSchedule).optional().meta({
    description:
      'its load has the rhythm for a schedule of IOPS: how long modifications take is not known, or an earlier one took longer than fits. Absent: not so, or not looked for',
  }),
  lowestBalancePercent: z
    .number()
    .nullable()
    .meta({ description: 'of its burst credits; null without a bucket' }),
  balanceModelled: z.boolean().meta({
    description: 'true where no balance was published and a bucket, full at the start, was replayed',
  }),
  throttledMinutesPeak24h: z.number().nullable().meta({
    description: 'by its own limits, its credits or its instance; null where its load is not known',
  }),
  throttledMinutesByCause: z
    .record(z.string(), z.number())
    .meta({ description: 'in the whole window; causes without a minute are left out' }),
  findings: z.array(z.string()).meta({ description: 'ids of its own findings' }),
  instanceFindings: z
    .array(z.string())
    .meta({ description: 'ids of findings on the instance that throttled it' }),
});
export type VolumeEvaluation = z.infer<typeof volumeEvaluationSchema>;

const coverageSchema = z.object({
  volumes: z.number(),
  excluded: z.number().optional().meta({
    description:
      'volumes that the configuration excludes by tag: not among the others, neither read nor evaluated; absent: none',
  }),
  benchmarkVolumes: z.number().optional().meta({
    description:
      "volumes of the benchmark's own hosts, by the ids it recorded: not among the others, neither read nor evaluated; absent: none",
  }),
  evaluated: z.number(),
  unknown: z.array(
    z.object({
      volumeId: z.string(),
      reason: volumeReasonSchema,
      nothingToRead: z.boolean().meta({
        description: 'its instance is stopped, so there is nothing to read: the run is not partial for it',
      }),
    }),
  ),
  instances: z.object({
    total: z.number().meta({ description: 'described, or with a volume attached' }),
    evaluated: z.number(),
    notEvaluated: z.array(z.object({ instanceId: z.string(), reason: instanceReasonSchema })),
  }),
  incomplete: z.array(notReadSchema).meta({ description: 'what could not be read, or not in whole' }),
  metricsWithoutResource: z
    .array(z.string())
    .meta({ description: 'ids that have metrics but are not in the inventory' }),
});

const stripeSchema = z.object({
  stripeId: z.string(),
  name: z.string().nullable().meta({ description: 'on the host, or in the tag; null where it is inferred' }),
  instanceId: z.string(),
  region: z.string(),
  volumeIds: z.array(z.string()),
  evidence: z.enum(stripeSources).meta({ description: 'who says that they are one' }),
  confidence: z.enum(confidences),
  kind: z.string().nullable(),
  chunkKiB: z.number().nullable(),
  builtWith: z.enum(['lvm', 'mdadm']).nullable(),
  mountPoints: z.array(z.string()),
  limits: z
    .object({
      baselineIops: z.number(),
      burstIops: z.number(),
      baselineMiBps: z.number(),
      burstMiBps: z.number(),
    })
    .nullable()
    .meta({ description: 'of all together: members times the slowest' }),
  unlikeMembers: z
    .array(unlikeMemberSchema)
    .meta({ description: 'members that are not configured as the others' }),
});

const pricesUsedSchema = z.object({
  region: z.string(),
  refreshedAt: z.string().nullable().meta({
    description: 'when they were read from the Price List; null: the tables that come with stripewise',
  }),
  sources: z.array(priceSourceSchema),
  ebsAsOf: z
    .string()
    .nullable()
    .meta({ description: 'the day of the EBS prices; null where they are not known' }),
  unpricedTypes: z
    .array(z.enum(volumeTypes))
    .optional()
    .meta({ description: 'types of volumes without a price; left out where each has one' }),
});

export const passNames = ['coarse', 'second-look', 'fine'] as const;

const pointsRead = z
  .number()
  .optional()
  .meta({ description: 'data points that came; absent in results of versions that did not count them' });

const passCostSchema = z.object({
  pass: z.enum(passNames).meta({
    description:
      'coarse: few metrics of all volumes; second-look: what clears more of them; fine: all other metrics of the suspects',
  }),
  volumes: z.number().meta({ description: 'asked about' }),
  instances: z.number().meta({ description: 'asked about' }),
  metricsRequested: z.number(),
  points: pointsRead,
  apiCalls: z.number(),
  usd: z.number(),
});
export type PassCost = z.infer<typeof passCostSchema>;

const costSchema = z.object({
  apiCalls: z.number(),
  metricsRequested: z.number(),
  points: pointsRead,
  usd: z.number().meta({ description: 'of the metrics requested, at the price of us-east-1' }),
  passes: z.array(passCostSchema).optional().meta({
    description: 'of an audit in passes, what each took of it; absent where one pass read everything',
  }),
});

const summarySchema = z.object({
  findingsBySeverity: z.object({ critical: z.number(), warning: z.number(), info: z.number() }),
  possibleSavingsMonthlyUsd: z.number().meta({
    description: 'the largest saving of each resource, the same money once: a stripe stands for its members',
  }),
  increasesMonthlyUsd: z
    .number()
    .meta({ description: 'what is recommended first against throttling, where it costs more than today' }),
  throttledMinutesPeak24h: z
    .number()
    .meta({ description: 'volume-minutes: of each volume its peak 24 hours, summed' }),
  unknownPrices: z.number().meta({ description: 'findings whose first recommendation has no known price' }),
  mayCostLess: z
    .array(z.object({ region: z.string(), volumes: z.number() }))
    .optional()
    .meta({
      description:
        'by Region without known prices: volumes that may cost less, by the order of prices of us-east-1; absent: none',
    }),
});

/** An instance that has room for a volume, whatever its load does. */
const instanceRoomSchema = z.object({
  instanceId: z.string(),
  instanceType: z.string(),
  account: z.string(),
  region: z.string(),
  availabilityZone: z.string(),
  architecture: z.string(),
  room: z
    .object({ iops: z.number(), throughputMiBps: z.number() })
    .meta({ description: 'its baseline less all that its volumes can do' }),
});
export type InstanceRoom = z.infer<typeof instanceRoomSchema>;

export const auditResultSchema = z.object({
  runId: z.string(),
  summary: summarySchema,
  window: z
    .object({ start: z.string(), end: z.string() })
    .nullable()
    .meta({ description: 'first to end of last period with a figure; null where there is none' }),
  coverage: coverageSchema,
  findings: z.array(findingSchema),
  volumes: z.array(volumeEvaluationSchema),
  stripes: z
    .array(stripeSchema)
    .default([])
    .meta({ description: 'volumes that form one array, evaluated and sized as one' }),
  prices: z.array(pricesUsedSchema).meta({ description: 'that recommendation was made with, by Region' }),
  thresholds: z.record(z.string(), z.number()).optional().meta({
    description:
      'figures that the configuration sets for words of the audit, where they are not the documented ones; absent: all are',
  }),
  notices: z
    .array(auditNoticeSchema)
    .meta({ description: 'oddities of the input that a reader should know' }),
  accounts: z.array(z.string()).optional().meta({
    description: 'that were read; absent where no account is known, as of files that do not name it',
  }),
  accountCoverage: z.array(accountCoverageSchema).optional().meta({
    description: 'of a run of several accounts, what came of each; absent: one account was read',
  }),
  accountsLeft: z.array(accountLeftSchema).optional().meta({
    description:
      'of a run of all accounts: those of the run before that are not among them; absent: nobody asked for all',
  }),
  wholeRegions: z.array(z.string()).optional().meta({
    description:
      'Regions whose inventory was read in whole: what is not in it is gone; absent: not known, or said by accountCoverage',
  }),
  instanceRooms: z.array(instanceRoomSchema).optional().meta({
    description:
      'where a volume could be moved to: by account, Availability Zone and architecture the few with the most room; absent: none is known',
  }),
  minutesByDay: z.array(minutesOfDaySchema).optional().meta({
    description: 'of a batch that was evaluated from an archive; absent in the result of a run',
  }),
  fleetWeeks: z.array(fleetSpanSchema).optional().meta({
    description:
      'with an archive, of all that its audits read: the last 13 ISO weeks, the oldest first; absent: there is no archive',
  }),
  secondOpinion: z.array(secondOpinionSchema).optional().meta({
    description:
      'of an audit that is compared with another service, a row for each volume; absent: nothing was compared',
  }),
  secondOpinionReads: z.array(opinionReadSchema).optional().meta({
    description: 'what came of asking that service; absent: it was not asked',
  }),
  cost: costSchema,
});
export type AuditResult = z.infer<typeof auditResultSchema>;
