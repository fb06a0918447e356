/** A labelled scenario as it is written down: test/scenarios/README.md says what each word means. */
import { z } from 'zod';
import { volumeTypes } from '../../core/limits/volume-limits.ts';
import { causes } from './causes.ts';
import { instanceTypeNames } from './instance-types.ts';

const name = z.string().regex(/^[a-z0-9-]+$/, 'use small letters, digits and hyphens');
const minute = z.int().nonnegative();
const percent = z.number().min(0).max(100);

/** Once, or `times` times every so many minutes. */
const repeats = {
  fromMinute: minute,
  everyMinutes: z.int().positive().optional(),
  times: z.int().positive().optional(),
};
const spanShape = { ...repeats, minutes: z.int().positive(), ioKiB: z.number().positive().optional() };

const stalledSchema = z.array(z.strictObject({ ...repeats, minutes: z.int().positive() })).optional();
const everyLoad = {
  ioKiB: z.number().positive(),
  readShare: z.number().min(0).max(1).optional(),
  stalled: stalledSchema,
};

const openLoadSchema = z.strictObject({
  kind: z.enum(['database', 'workers', 'stream']),
  ...everyLoad,
  ioPerSecond: z.number().nonnegative(),
  spans: z
    .array(z.strictObject({ ...spanShape, ioPerSecond: z.number().nonnegative().optional() }))
    .optional(),
  wave: z
    .strictObject({
      ioPerSecond: z.number().nonnegative(),
      peakMinute: minute,
      everyMinutes: z.int().positive(),
    })
    .optional(),
  bursts: z
    .array(
      z.strictObject({
        ...repeats,
        fromSecond: z.int().min(0).max(59),
        seconds: z.int().min(1).max(60),
        ioPerSecond: z.number().positive(),
      }),
    )
    .optional(),
  maxWaitingIo: z.union([z.int().positive(), z.literal('endless')]).optional(),
});

const closedLoopSchema = z.strictObject({
  kind: z.literal('closedLoop'),
  ...everyLoad,
  workers: z.int().nonnegative(),
  thinkMs: z.number().nonnegative(),
  sequential: z.boolean().optional(),
  spans: z.array(z.strictObject({ ...spanShape, workers: z.int().nonnegative().optional() })).optional(),
});

const loadSchema = z.discriminatedUnion('kind', [openLoadSchema, closedLoopSchema], {
  error: 'give database, workers, stream or closedLoop',
});

const metric = z.enum([
  'VolumeReadOps',
  'VolumeWriteOps',
  'VolumeReadBytes',
  'VolumeWriteBytes',
  'VolumeTotalReadTime',
  'VolumeTotalWriteTime',
  'VolumeIdleTime',
  'VolumeQueueLength',
  'BurstBalance',
  'VolumeStalledIOCheck',
  'VolumeIOPSExceededCheck',
  'VolumeThroughputExceededCheck',
  'InstanceEBSIOPSExceededCheck',
  'InstanceEBSThroughputExceededCheck',
  'EBSIOBalance%',
  'EBSByteBalance%',
]);

const missingSchema = z
  .array(
    z.union([metric, z.strictObject({ metric, fromMinute: minute, minutes: z.int().positive() })], {
      error: 'give the name of a metric, or { metric, fromMinute, minutes }',
    }),
  )
  .optional();

const volumeSchema = z.strictObject({
  name,
  type: z.enum(volumeTypes),
  sizeGiB: z.int().positive(),
  iops: z.int().positive().optional(),
  throughputMiBps: z.int().positive().optional(),
  startBalancePercent: percent.optional(),
  serviceFactor: z.number().positive().optional(),
  fromSnapshot: z
    .strictObject({
      hoursOld: z.number().nonnegative(),
      firstReadMs: z.number().nonnegative(),
      halfLifeMinutes: z.number().positive(),
    })
    .optional(),
  alsoOn: z.array(name).optional(),
  movedFrom: z.strictObject({ instance: name, atMinute: z.int().positive() }).optional(),
  stripe: z
    .strictObject({
      members: z.int().min(2),
      straggler: z
        .strictObject({ member: z.int().nonnegative(), serviceFactor: z.number().positive() })
        .optional(),
    })
    .optional(),
  missing: missingSchema,
  silentChecks: z.boolean().optional(),
  load: loadSchema,
});

const instanceSchema = z.strictObject({
  name,
  type: z.enum(instanceTypeNames),
  outpost: z.boolean().optional(),
  sharing: z.enum(['in-proportion', 'fair']).optional(),
  startIoBalancePercent: percent.optional(),
  startByteBalancePercent: percent.optional(),
  monitoring: z.enum(['basic', 'detailed']).optional(),
  missing: missingSchema,
  volumes: z.array(volumeSchema),
});

const troubles = [...causes.filter((cause) => cause !== 'none'), 'straggler', 'first-reads'] as const;

export const scenarioSchema = z.strictObject({
  name,
  what: z.string().min(20, 'say in a sentence what happens'),
  hours: z.number().min(3).max(26),
  trouble: z.union([z.literal('none'), z.array(z.enum(troubles)).min(1)], {
    error: `give none, or a list of ${troubles.join(', ')}`,
  }),
  instances: z.array(instanceSchema).min(1),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioInstance = z.infer<typeof instanceSchema>;
export type ScenarioVolume = z.infer<typeof volumeSchema>;
export type ScenarioLoad = z.infer<typeof loadSchema>;
export type ScenarioMissing = z.infer<typeof missingSchema>;
export type Repeats = { fromMinute: number; everyMinutes?: number | undefined; times?: number | undefined };
