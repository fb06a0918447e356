/** What a role may do, said exactly; what has a wildcard in it says why. */
import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { recommendationActions } from '../../core/reading-actions.ts';
import type { OpinionSource } from '../../core/schemas/second-opinion.ts';

export interface Permission {
  actions: string[];
  resources: string[];
  conditions?: Record<string, Record<string, unknown>>;
  /** Why there is a wildcard in its resources. */
  reason?: string;
}

export const permission = (actions: string[], ...resources: string[]): Permission => ({ actions, resources });

/** For actions that know no resources: AWS lets them be allowed on `*` only. */
export const onEverything = (reason: string, ...actions: string[]): Permission => ({
  actions,
  resources: ['*'],
  reason,
});

/** @param actions of core/reading-actions.ts */
export const mayRead = (actions: readonly string[]): Permission =>
  onEverything(
    'reads of EC2 and CloudWatch know no resources; the Regions of an account are its own.',
    ...actions,
  );

/** Nothing where no service is asked. */
export const mayReadRecommendations = (sources: readonly OpinionSource[]): Permission[] => {
  const actions = [...new Set(sources)].flatMap((source) => [...recommendationActions[source]]);
  if (actions.length === 0) return [];
  return [onEverything('recommendations are of an account: their calls know no resources.', ...actions)];
};

/** Actions on the objects below a prefix (`work/`). */
export const onObjects = (bucket: IBucket, prefix: string, ...actions: string[]): Permission => ({
  actions,
  resources: [bucket.arnForObjects(`${prefix}*`)],
  reason: `what is written below ${prefix} has keys of its own, not known before it.`,
});

export const listObjects = (bucket: IBucket, prefix: string): Permission => ({
  actions: ['s3:ListBucket'],
  resources: [bucket.bucketArn],
  conditions: { StringLike: { 's3:prefix': `${prefix}*` } },
});

const xrayBecause = 'X-Ray knows no resources.';
export const sendTraces = onEverything(xrayBecause, 'xray:PutTraceSegments', 'xray:PutTelemetryRecords');
/** A state machine also asks which requests it shall trace. */
export const traceRequests = onEverything(
  xrayBecause,
  ...sendTraces.actions,
  'xray:GetSamplingRules',
  'xray:GetSamplingTargets',
);

export const policyOf = (permissions: readonly Permission[]): PolicyDocument =>
  new PolicyDocument({
    statements: permissions.map(
      ({ actions, resources, conditions = {} }) => new PolicyStatement({ actions, resources, conditions }),
    ),
  });

/** A value of a template as cdk-nag writes it: `<Bucket.Arn>/work/*`. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, inner] = ['', '']] = Object.entries(value as Record<string, unknown>);
  if (name === 'Fn::Join') {
    const [between, parts] = inner as [string, unknown[]];
    return parts.map(asText).join(between);
  }
  return `<${Array.isArray(inner) ? inner.join('.') : inner}>`;
}

/** Tells cdk-nag about the wildcards of a role or policy; one without a reason fails `cdk synth`. */
export function acknowledgeWildcards(scope: Construct, permissions: readonly Permission[]): void {
  const reasons = new Map<string, Set<string>>();
  for (const { resources, reason } of permissions) {
    if (reason === undefined) continue;
    for (const resource of resources) {
      const text = asText(Stack.of(scope).resolve(resource));
      reasons.set(text, (reasons.get(text) ?? new Set()).add(reason));
    }
  }
  for (const [resource, reason] of reasons) {
    Validations.of(scope).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${resource}]`,
      reason: [...reason].join(' '),
    });
  }
}
