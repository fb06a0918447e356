/**
 * The plain template, created by CloudFormation. It needs a stack of its own: those of the other tests come from `cdk deploy`,
 * with assets, roles and a bucket of a bootstrapped account, and this one must do without.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackResourceCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { clientSettings } from '../../local/deploy.ts';
import { localAccount, localRegion, type Services, startServices } from '../../local/services.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { patience, plainTemplate, root, Synthesized } from '../lib/synthesized.ts';

const directory = temporaryDirectory();
let out: string;
let services: Services;
beforeAll(async () => {
  out = await plainTemplate('usual');
  const say = (line: string) => process.stderr.write(`${line}\n`);
  services = await startServices({ root, directory: join(directory.path, 'services'), say });
}, patience);
afterAll(() => services?.stop());

test('CloudFormation creates the stack from it, and its functions run', async () => {
  const settings = clientSettings(services);
  const s3 = new S3Client({ ...settings, forcePathStyle: true });
  const cloudFormation = new CloudFormationClient(settings);
  const lambda = new LambdaClient(settings);
  await s3.send(new CreateBucketCommand({ Bucket: 'code' }));
  for (const zip of readdirSync(out).filter((name) => name.endsWith('.zip'))) {
    const Body = readFileSync(join(out, zip));
    await s3.send(new PutObjectCommand({ Bucket: 'code', Key: `v1/${zip}`, Body }));
  }
  const templateFile = join(out, 'stripewise.template.json');
  const Body = readFileSync(templateFile);
  await s3.send(new PutObjectCommand({ Bucket: 'code', Key: 'stack', Body }));
  const StackName = 'plain';
  await cloudFormation.send(
    new CreateStackCommand({
      StackName,
      TemplateURL: `https://s3.${localRegion}.amazonaws.com/code/stack`,
      Capabilities: ['CAPABILITY_IAM'],
      Parameters: [
        { ParameterKey: 'CodeBucket', ParameterValue: 'code' },
        { ParameterKey: 'CodePrefix', ParameterValue: 'v1/' },
      ],
    }),
  );
  const untilCreated = { client: cloudFormation, maxWaitTime: 60, minDelay: 1, maxDelay: 1 };
  await waitUntilStackCreateComplete(untilCreated, { StackName });
  const { id } = new Synthesized(templateFile).one('AWS::Lambda::Function', 'AuditListTargets');
  const { StackResourceDetail } = await cloudFormation.send(
    new DescribeStackResourceCommand({ StackName, LogicalResourceId: id }),
  );
  const FunctionName = StackResourceDetail?.PhysicalResourceId;
  const { Payload, FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
  expect(FunctionError).toBeUndefined();
  expect(JSON.parse(Buffer.from(Payload ?? []).toString('utf8'))).toMatchObject({
    plan: { periodSeconds: 60, coarsePeriodSeconds: 300 },
    targets: [{ account: localAccount, region: localRegion }],
  });
  for (const client of [s3, cloudFormation, lambda]) client.destroy();
}, 180_000);
