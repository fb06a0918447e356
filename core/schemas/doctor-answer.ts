/** What `stripewise doctor --json` answers. */
import { z } from 'zod';

const doctorPurposes = ['audit', 'deploy', 'benchmark'] as const;
export type DoctorPurpose = (typeof doctorPurposes)[number];

const checkStatuses = ['ok', 'warning', 'trouble', 'unknown'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** In the order of the lines. */
export const checkNames = [
  ...(['credentials', 'region', 'permissions', 'volumes', 'metric-delay', 'metric-quota', 'cost'] as const),
  ...(['bootstrap', 'cdk-roles', 'execution-role', 'lambda-concurrency'] as const),
  ...(['vpc', 'subnets', 'egress', 'ebs-key', 'vcpu-quota', 'launch'] as const),
] as const;
export type CheckName = (typeof checkNames)[number];

const action = z.string().meta({ description: 'like ec2:DescribeVolumes' });
const byOrganization = z
  .boolean()
  .meta({ description: 'AWS says that a policy of the organization denies it' });
const reason = z.string().meta({ description: 'as AWS says it' });
const subnetIds = z.array(z.string());

const notRead = { action, isRefused: z.boolean(), byOrganization, reason };
export const notReadSchema = z.object(notRead);

const delayFigures = {
  seconds: z.number().meta({ description: 'age of the newest minute, median of the volumes' }),
  volumes: z.number(),
};
const callFigures = {
  perSecond: z.number(),
  callsAtOnce: z.number().meta({ description: 'of one audit' }),
};
const costFigures = {
  volumes: z.number(),
  usd: z.number().meta({ description: 'a month, for reading metrics' }),
  auditsUsd: z.number(),
  oneAuditUsd: z.number(),
  monitoringUsd: z.number().nullable().meta({ description: 'null: monitoring is off' }),
  troubledUsd: z
    .number()
    .nullable()
    .meta({ description: 'monitoring without a budget, one volume in three in trouble' }),
  budgetUsd: z.number().nullable().meta({ description: 'null: no bound' }),
};
const concurrencyFigures = {
  unreserved: z.number(),
  needed: z.number(),
};
const vcpuFigures = {
  quota: z.number(),
  smallest: z.object({ instanceType: z.string(), vcpus: z.number() }),
  tooLarge: z.array(z.string()).meta({ description: 'of the types that are configured by name' }),
};

const accountFacts = [
  z.object({ code: z.literal('signed-in'), account: z.string(), principal: z.string() }),
  z.object({ code: z.literal('not-signed-in'), reason }),
  z.object({ code: z.literal('regions-enabled'), regions: z.array(z.string()) }),
  z.object({ code: z.literal('regions-not-enabled'), regions: z.array(z.string()) }),
  z
    .object({ code: z.literal('regions-not-there'), regions: z.array(z.string()) })
    .meta({ description: 'AWS knows none of that name' }),
  z.object({ code: z.literal('calls-answered'), actions: z.array(action) }),
  z.object({
    code: z.literal('calls-refused'),
    refused: z.array(z.object({ action, region: z.string(), byOrganization })),
  }),
  z.object({ code: z.literal('volumes-counted'), volumes: z.number(), excluded: z.number() }),
  z.object({ code: z.literal('no-volumes'), excluded: z.number() }),
  z.object({ code: z.literal('delay-usual'), ...delayFigures }),
  z.object({ code: z.literal('delay-long'), ...delayFigures }),
  z.object({ code: z.literal('no-recent-metrics'), volumes: z.number() }),
  z.object({ code: z.literal('metric-calls-enough'), ...callFigures }),
  z.object({ code: z.literal('metric-calls-few'), ...callFigures }),
  z.object({ code: z.literal('metric-quota-not-read'), usualPerSecond: z.number(), ...notRead }),
  z.object({ code: z.literal('cost-expected'), ...costFigures }),
  z.object({ code: z.literal('budget-too-small'), ...costFigures }),
] as const;

const deployFacts = [
  z.object({ code: z.literal('bootstrapped'), version: z.number() }),
  z.object({ code: z.literal('not-bootstrapped'), account: z.string(), region: z.string() }),
  z.object({
    code: z.literal('bootstrap-too-old'),
    ...{ version: z.number(), needed: z.number(), account: z.string(), region: z.string() },
  }),
  z.object({ code: z.literal('roles-assumed'), roles: z.array(z.string()) }),
  z.object({
    code: z.literal('roles-refused'),
    roles: z.array(z.object({ role: z.string(), byOrganization, reason })),
  }),
  z.object({ code: z.literal('actions-allowed'), actions: z.number() }),
  z.object({
    code: z.literal('actions-denied'),
    denied: z.array(z.object({ action, by: z.enum(['organization', 'boundary', 'policy']) })),
  }),
  z.object({ code: z.literal('no-execution-role'), role: z.string() }),
  z.object({ code: z.literal('concurrency-enough'), ...concurrencyFigures }),
  z.object({ code: z.literal('concurrency-low'), ...concurrencyFigures }),
  z.object({ code: z.literal('concurrency-not-to-reserve'), ...concurrencyFigures }),
] as const;

const benchmarkFacts = [
  z.object({ code: z.literal('vpc-there'), vpcId: z.string(), isDefault: z.boolean() }),
  z.object({ code: z.literal('no-default-vpc') }),
  z.object({ code: z.literal('vpc-not-there'), vpcId: z.string() }),
  z.object({ code: z.literal('subnets-there'), subnetIds, freeAddresses: z.number() }),
  z.object({ code: z.literal('subnets-full'), subnetIds }),
  z.object({ code: z.literal('subnets-not-there'), subnetIds }),
  z.object({ code: z.literal('subnets-of-other-vpc'), subnetIds, vpcId: z.string() }),
  z.object({ code: z.literal('no-default-subnets') }),
  z.object({
    code: z.literal('egress-open'),
    subnets: z.array(
      z.object({ subnetId: z.string(), by: z.enum(['internet-gateway', 'nat-gateway', 'endpoints']) }),
    ),
  }),
  z.object({
    code: z.literal('egress-closed'),
    subnets: z.array(
      z.object({
        subnetId: z.string(),
        why: z.enum(['no-public-address', 'blackhole', 'endpoints-missing']),
        endpoints: z.array(z.string()).meta({ description: 'those that are missing' }),
      }),
    ),
  }),
  z
    .object({
      code: z.literal('egress-not-seen'),
      subnets: z.array(z.object({ subnetId: z.string(), target: z.string() })),
    })
    .meta({ description: 'their default route leads to something that is not looked at' }),
  z.object({ code: z.literal('key-of-aws') }),
  z.object({ code: z.literal('key-configured'), keyId: z.string(), actions: z.array(action) }).meta({
    description: 'its key policy is not read: who launches must be allowed these actions there too',
  }),
  z.object({ code: z.literal('key-of-customer'), keyId: z.string(), actions: z.array(action) }),
  z.object({ code: z.literal('vcpus-enough'), ...vcpuFigures }),
  z.object({ code: z.literal('vcpus-too-few'), ...vcpuFigures }),
  z.object({ code: z.literal('vcpus-too-few-for-some'), ...vcpuFigures }),
  z
    .object({ code: z.literal('types-not-known'), instanceTypes: z.array(z.string()) })
    .meta({ description: 'none of the configured types is a known one of the standard families' }),
  z.object({ code: z.literal('launch-allowed'), instanceType: z.string(), subnetId: z.string() }),
  z.object({
    code: z.literal('launch-refused'),
    ...{ instanceType: z.string(), byOrganization, reason },
    decoded: z
      .object({
        action: z.string(),
        resource: z.string(),
        isExplicit: z.boolean(),
        statements: z.array(z.string()),
      })
      .nullable()
      .meta({
        description: 'null: sts:DecodeAuthorizationMessage was refused, or there was nothing to decode',
      }),
  }),
  z.object({ code: z.literal('launch-fails'), instanceType: z.string(), error: z.string(), reason }),
  z.object({ code: z.literal('launch-not-tried') }).meta({ description: 'for want of a subnet or a type' }),
] as const;

const factSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('not-read'), ...notRead })
    .meta({ description: 'what the check needs could not be read' }),
  ...accountFacts,
  ...deployFacts,
  ...benchmarkFacts,
]);
export type DoctorFact = z.infer<typeof factSchema>;

const checkSchema = z.object({
  check: z.enum(checkNames),
  status: z.enum(checkStatuses),
  fact: factSchema,
});
export type DoctorCheck = z.infer<typeof checkSchema>;

export const doctorAnswerSchema = z.object({
  purposes: z.array(z.enum(doctorPurposes)).meta({ description: 'what the account was checked for' }),
  region: z.string(),
  file: z.string().nullable().meta({ description: 'the configuration; null: the defaults' }),
  checks: z.array(
    checkSchema.extend({
      text: z.string().meta({ description: 'what it means' }),
      fix: z.string().nullable().meta({ description: 'what to do; null: nothing' }),
    }),
  ),
  counts: z.record(z.enum(checkStatuses), z.number()),
  cost: z
    .object({ apiCalls: z.number(), metricsRequested: z.number(), usd: z.number() })
    .meta({ description: 'of this command: metrics cost, other calls do not' }),
});
export type DoctorAnswer = z.infer<typeof doctorAnswerSchema>;
