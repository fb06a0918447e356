/** The configuration of the stacks: one YAML file, checked, with defaults. */
import { readFileSync } from 'node:fs';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { readingPlan } from '../core/audit/reading-plan.ts';
import { BadInput } from '../core/errors.ts';
import { isRegionName } from '../core/region.ts';
import { severities } from '../core/schemas/finding.ts';

const logRetentions = Object.values(RetentionDays).filter((days) => typeof days === 'number');

const regionSchema = z.string().refine(isRegionName, 'a Region like us-east-1');
const section = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).prefault({} as never);

/** Who says a period, and nothing of passes, wants every metric in it: one pass. */
const auditSchema = section({
  everyHours: z.int().min(1).max(48).default(24),
  lookbackDays: z.number().positive().default(14),
  passes: z.enum(['two', 'one']).optional(),
  periodSeconds: z.int().optional(),
  batchesAtOnce: z.int().min(1).max(40).default(4),
  askHosts: z.boolean().default(false),
}).transform(({ passes, periodSeconds, ...audit }) => ({
  ...audit,
  passes: passes ?? (periodSeconds === undefined ? 'two' : 'one'),
  periodSeconds: periodSeconds ?? 300,
}));

/** What is there only where somebody asks for it: it may launch instances. */
const benchmarkSchema = z
  .strictObject({
    /** What one campaign may cost at most, in USD. */
    mostUsd: z.number().positive().default(20),
    /** Where hosts are; without them in the default subnets of the default VPC. */
    vpcId: z
      .string()
      .regex(/^vpc-[0-9a-f]{8,17}$/, 'the id of a VPC')
      .optional(),
    subnetIds: z.array(z.string().regex(/^subnet-[0-9a-f]{8,17}$/, 'the id of a subnet')).default([]),
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

const configSchema = z.strictObject({
  benchmark: benchmarkSchema.optional(),
  regions: z.array(regionSchema).default([]),
  audit: auditSchema,
  advisory: section({
    leastSeverity: z.enum(severities).default('warning'),
    forgetAfterDays: z.number().positive().default(7),
    emails: z.array(z.email()).default([]),
  }),
  alarms: section({ emails: z.array(z.email()).default([]) }),
  report: reportSchema,
  keep: section({
    logsDays: z
      .number()
      .default(30)
      .refine((days) => logRetentions.includes(days), `one of ${logRetentions.join(', ')}`),
    workDays: z.int().min(1).default(14),
    runsDays: z.int().min(1).default(400),
    findingsOnDestroy: z.boolean().default(true),
  }),
});
export type Config = z.infer<typeof configSchema>;

/** The message is one line: which file, where in it, what would be right. */
export class BadConfig extends BadInput {
  override readonly name = 'BadConfig';
}

function parseYaml(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8')) ?? {};
  } catch (error) {
    if (error instanceof YAMLParseError)
      throw new BadConfig(`${path}: ${error.message.split('\n')[0]?.replace(/:$/, '')}`);
    throw new BadConfig(
      `${path}: cannot be read (${(error as NodeJS.ErrnoException).code}): give the path of a configuration file`,
    );
  }
}

/** @throws BadConfig, in one line, where the file cannot be used. */
export function readConfig(path: string): Config {
  const read = configSchema.safeParse(parseYaml(path));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new BadConfig(`${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
  }
  const { lookbackDays, passes } = read.data.audit;
  const periodSeconds = passes === 'two' ? 'two-passes' : read.data.audit.periodSeconds;
  const now = new Date();
  try {
    readingPlan({ lookbackDays, periodSeconds, until: now, now, settleSeconds: 0 });
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    throw new BadConfig(`${path}: audit.lookbackDays and audit.periodSeconds: ${error.message}`);
  }
  const { advisory, audit } = read.data;
  if (advisory.forgetAfterDays * 24 < 2 * audit.everyHours) {
    throw new BadConfig(
      `${path}: advisory.forgetAfterDays: ${advisory.forgetAfterDays} days are shorter than two audits (audit.everyHours: ${audit.everyHours}): what goes on would be told again; give ${(2 * audit.everyHours) / 24} or more`,
    );
  }
  return read.data;
}
