/** What parliament finds in the policies of templates: unknown actions and keys, resources that an action does not know. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ensurePython } from '../local/python.ts';

/** Findings that do not hold here, each with its reason. */
const ignored: readonly { issue: string; about: RegExp; reason: string }[] = [
  {
    ...{ issue: 'RESOURCE_MISMATCH', about: /"action":"(ec2:RunInstances|ssm:SendCommand)"/ },
    reason: 'the call needs several resources, each with conditions of its own: a statement has one of them',
  },
  {
    ...{ issue: 'RESOURCE_MISMATCH', about: /"action":"states:DescribeExecution"/ },
    reason: 'it may also be of an express execution: there are none',
  },
  {
    ...{ issue: 'RESOURCE_MISMATCH', about: /"action":"ssm:GetParameters"/ },
    reason: 'a parameter that AWS publishes has no account in its ARN',
  },
];

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
const templateSchema = z.object({ Resources: z.record(z.string(), resourceSchema) });
type Resources = z.output<typeof templateSchema>['Resources'];

const pseudo: Record<string, string> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'us-east-1',
  'AWS::AccountId': '111122223333',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'Stripewise',
  'AWS::StackId': 'arn:aws:cloudformation:us-east-1:111122223333:stack/Stripewise/1',
};

/** The form of an ARN by the type of what has it. */
const arns: Record<string, (id: string) => string> = {
  'AWS::S3::Bucket': (id) => `arn:aws:s3:::${id.toLowerCase()}`,
  'AWS::IAM::Role': (id) => `arn:aws:iam::111122223333:role/${id}`,
  'AWS::IAM::InstanceProfile': (id) => `arn:aws:iam::111122223333:instance-profile/${id}`,
};
const kinds: Record<string, string> = {
  'AWS::Lambda::Function': 'lambda:us-east-1:111122223333:function:',
  'AWS::DynamoDB::GlobalTable': 'dynamodb:us-east-1:111122223333:table/',
  'AWS::SQS::Queue': 'sqs:us-east-1:111122223333:',
  'AWS::SNS::Topic': 'sns:us-east-1:111122223333:',
  'AWS::SecretsManager::Secret': 'secretsmanager:us-east-1:111122223333:secret:',
  'AWS::StepFunctions::StateMachine': 'states:us-east-1:111122223333:stateMachine:',
  'AWS::Logs::LogGroup': 'logs:us-east-1:111122223333:log-group:',
};
/** What a reference to them is: their ARN. */
const referredByArn = new Set([
  'AWS::SNS::Topic',
  'AWS::SecretsManager::Secret',
  'AWS::StepFunctions::StateMachine',
]);

function arnOf(resources: Resources, id: string): string {
  const type = resources[id]?.Type ?? '';
  const known = arns[type]?.(id) ?? (kinds[type] === undefined ? undefined : `arn:aws:${kinds[type]}${id}`);
  if (known === undefined) throw new Error(`policy-findings: the ARN of a ${type} (${id}) is not known`);
  return type === 'AWS::Logs::LogGroup' ? `${known}:*` : known;
}

/** A part of a template as it could be when it is deployed. */
function deployed(resources: Resources, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((one) => deployed(resources, one));
  if (typeof part !== 'object' || part === null) return part;
  const [[name, inner] = ['', ''], ...others] = Object.entries(part);
  if (others.length === 0) {
    if (name === 'Ref') {
      const id = String(inner);
      return (
        pseudo[id] ?? (referredByArn.has(resources[id]?.Type ?? '') ? arnOf(resources, id) : id.toLowerCase())
      );
    }
    if (name === 'Fn::GetAtt') {
      const [id = '', attribute = ''] = inner as [string, string];
      return attribute.endsWith('Arn') ? arnOf(resources, id) : id;
    }
    if (name === 'Fn::Join') {
      const [between, parts] = inner as [string, unknown[]];
      return parts.map((one) => String(deployed(resources, one))).join(between);
    }
    if (name.startsWith('Fn::')) throw new Error(`policy-findings: ${name} is not known`);
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, deployed(resources, value)]));
}

/** Every policy of a role or on a resource, by where it stands. */
function policiesOf(template: unknown): Map<string, unknown> {
  const { Resources } = templateSchema.parse(template);
  const found = new Map<string, unknown>();
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    if (Type === 'AWS::IAM::Role')
      for (const { PolicyName, PolicyDocument } of z
        .array(z.object({ PolicyName: z.string(), PolicyDocument: z.unknown() }))
        .default([])
        .parse(Properties['Policies']))
        found.set(`${id}.${PolicyName}`, deployed(Resources, PolicyDocument));
    else if (Type === 'AWS::IAM::Policy') found.set(id, deployed(Resources, Properties['PolicyDocument']));
  }
  return found;
}

const findingSchema = z.object({
  issue: z.string(),
  title: z.string(),
  severity: z.string(),
  detail: z.unknown(),
  location: z.object({ filepath: z.string().nullish() }),
});

/** @param templates name and file of each. @param scratch where policies are written. @returns one line a finding. */
export async function policyFindings(
  root: string,
  templates: readonly (readonly [name: string, file: string])[],
  scratch: string,
): Promise<string[]> {
  const python = await ensurePython({ root, say: (line) => process.stderr.write(`${line}\n`) });
  const directory = join(scratch, 'policies');
  mkdirSync(directory);
  const policies = templates.flatMap(([name, file]) =>
    [...policiesOf(JSON.parse(readFileSync(file, 'utf8')))].map(
      ([where, policy]) => [`${name}: ${where}`, policy] as const,
    ),
  );
  if (policies.length < 20)
    throw new Error(`the templates have ${policies.length} policies: that cannot be all`);
  for (const [index, [, policy]] of policies.entries())
    writeFileSync(join(directory, `${index}.json`), JSON.stringify(policy));
  const lint = spawnSync(join(dirname(python), 'parliament'), ['--directory', directory, '--json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  // 1: it has found something.
  if (lint.status !== 0 && lint.status !== 1)
    throw new Error(`parliament failed: ${lint.stderr || lint.error?.message}`);
  return lint.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => findingSchema.parse(JSON.parse(line)))
    .filter(
      ({ issue, detail }) =>
        !ignored.some((one) => one.issue === issue && one.about.test(JSON.stringify(detail))),
    )
    .map(({ issue, title, detail, location }) => {
      const [name = ''] = policies[Number(/(\d+)\.json$/.exec(location.filepath ?? '')?.[1])] ?? [];
      return `${name}: parliament ${issue}: ${title} ${JSON.stringify(detail)}`;
    });
}
