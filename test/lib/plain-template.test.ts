/** The stack without the CDK: built, checked, and deployed by CloudFormation into the local AWS. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackResourceCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { readChannelSecrets } from '../../adapters/aws/channel-secrets.ts';
import { buildPlainTemplate, type PlainTemplate } from '../../lib/plain-template.ts';
import { clientSettings } from '../../local/deploy.ts';
import { localAccount, localRegion, type Services, startServices } from '../../local/services.ts';
import { everyChannel } from '../../tools/every-channel.ts';
import { templateFindings } from '../../tools/template-findings.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { root, Synthesized, synthesizer } from './synthesized.ts';

const directory = temporaryDirectory();
const synthesize = synthesizer();
const out = join(directory.path, 'plain');
let built: PlainTemplate;
let text: string;
let plain: Synthesized;

const ofBenchmark = [
  ...['check-campaign', 'end-command', 'find-host', 'grade-campaign', 'launch-host', 'next-command'],
  ...['run-command', 'sweep-leftovers', 'terminate-host'],
];

beforeAll(() => {
  directory.write('plain/list-targets-0123456789abcdef.zip', 'of a former build');
  directory.write('plain/holiday-pictures.zip', 'of somebody');
  built = buildPlainTemplate({ root, out });
  text = readFileSync(built.templateFile, 'utf8');
  plain = new Synthesized(built.templateFile);
}, 120_000);

test('cfn-lint and asl-validator find nothing', async () => {
  expect(await templateFindings(root, built.templateFile)).toEqual([]);
}, 180_000);

test('cfn-lint would find a property that does not exist', async () => {
  const wrong = directory.write('wrong.json', text.replace('"AlarmDescription"', '"AlarmDescripton"'));
  expect(await templateFindings(root, wrong)).toEqual([
    expect.stringMatching(/^cfn-lint E3002 \(Error\): .*AlarmDescripton/),
  ]);
}, 180_000);

test('nothing in it belongs to a bootstrapped account, or to one account or Region', () => {
  const bound = /bootstrap|hnb659fds|aws:cdk|CDKMetadata|:\d{12}:|us-east-1|arn:aws/gi;
  expect([...text.matchAll(bound)].map(([found]) => found)).toEqual([]);
  expect(Object.keys(plain.json['Parameters'] as object)).toEqual(['CodeBucket', 'CodePrefix']);
  expect(plain.json).not.toHaveProperty('Rules');
});

test('but for where the code is, it is what `cdk deploy` deploys', () => {
  const bare = ({ json }: Synthesized) =>
    Object.fromEntries(
      Object.entries(json.Resources)
        .filter(([id]) => id !== 'CDKMetadata')
        .map(([id, { Metadata, Properties, ...rest }]) => {
          const { Code, ...others } = Properties;
          return [id, { ...rest, Properties: others }];
        }),
    );
  expect(bare(plain)).toEqual(bare(synthesize()));
}, 120_000);

test('as large as what is in it makes it: CloudFormation takes it from the bucket of the code, and its README says so', () => {
  const configFile = directory.write('everything.yaml', {
    ...everyChannel,
    ...{ pulse: {}, advisory: {}, benchmark: {} },
    audit: { askHosts: true },
    keep: { findingsOnDestroy: false },
  });
  const at = join(directory.path, 'everything');
  const { templateFile, zips } = buildPlainTemplate({ root, out: at, configFile });
  expect(zips).toHaveLength(readdirSync(join(root, 'lambdas')).length - 1); // All but what they share.
  expect(statSync(templateFile).size).toBeLessThan(1_000_000); // CloudFormation's most for one in a bucket
  expect(readFileSync(join(at, 'README.txt'), 'utf8')).toContain(`the ${zips.length} zips`);
  expect(readFileSync(join(at, 'README.txt'), 'utf8')).toContain(
    'CodePrefix=stripewise/ \\\n     --s3-bucket BUCKET --s3-prefix stripewise\n',
  );
}, 120_000);

test('beside it are the zips of the functions and a README, and nothing of a former build', () => {
  const functions = plain.all('AWS::Lambda::Function').map(([, { Properties }]) => Properties['Code']);
  expect(functions).toEqual(
    built.zips.map((zip) => ({
      S3Bucket: { Ref: 'CodeBucket' },
      S3Key: { 'Fn::Join': ['', [{ Ref: 'CodePrefix' }, zip]] },
    })),
  );
  // The function that empties the bucket is not there while the bucket stays, nor are those of the benchmark while it is off
  // and that of buttons while no channel has them.
  const others = ['shared', 'empty-bucket', 'slack-actions', ...ofBenchmark];
  expect(built.zips.map((zip) => zip.replace(/-[0-9a-f]{16}\.zip$/, '')).sort()).toEqual(
    readdirSync(join(root, 'lambdas')).filter((name) => !others.includes(name)),
  );
  expect(readdirSync(out).sort()).toEqual(
    ['README.txt', 'holiday-pictures.zip', 'stripewise.template.json', ...built.zips].sort(),
  );
});

test('the README gives the commands', () => {
  const readme = readFileSync(join(out, 'README.txt'), 'utf8');
  for (const part of ['aws s3 cp --recursive', 'aws cloudformation deploy', '--capabilities CAPABILITY_IAM'])
    expect(readme).toContain(part);
  expect(readme).toContain(
    '--parameter-overrides CodeBucket=BUCKET CodePrefix=stripewise/ \\\n     --s3-bucket BUCKET --s3-prefix stripewise\n',
  );
});

test('what the README puts into the secret of channels is of the form that it is read in, and the output is there', async () => {
  const readme = readFileSync(join(out, 'README.txt'), 'utf8');
  const [, output = ''] = /its output\s+(\w+)\s+names the secret/.exec(readme) ?? [];
  expect(Object.keys(plain.json['Outputs'] as object)).toContain(output);
  const [, SecretString = ''] = /--secret-string '([^']+)'/.exec(readme) ?? [];
  const secrets = mockClient(SecretsManagerClient);
  secrets.on(GetSecretValueCommand).resolves({ SecretString });
  // The channel that there is by default.
  expect((await readChannelSecrets('arn:of-readme')).of('slack')).not.toBeNull();
  secrets.restore();
});

test('built again, every file is the same to the byte', () => {
  const again = join(directory.path, 'again');
  buildPlainTemplate({ root, out: again });
  for (const name of readdirSync(again)) {
    expect([name, readFileSync(join(again, name)).equals(readFileSync(join(out, name)))]).toEqual([
      name,
      true,
    ]);
  }
}, 120_000);

test('another configuration is in the template', () => {
  const config = directory.write('config.yaml', { regions: ['eu-west-1', 'eu-west-3'] });
  const other = join(directory.path, 'other');
  const { Environment } = new Synthesized(
    buildPlainTemplate({ root, out: other, configFile: config }).templateFile,
  ).one('AWS::Lambda::Function', 'AuditListTargets').Properties;
  expect(Environment).toMatchObject({ Variables: { REGIONS: 'eu-west-1,eu-west-3' } });
}, 120_000);

test('a configuration that is wrong leaves what was built', () => {
  const config = directory.write('wrong.yaml', { regions: 'all' });
  const before = statSync(built.templateFile).mtimeMs;
  expect(() => buildPlainTemplate({ root, out, configFile: config })).toThrow(/regions: /);
  expect(statSync(built.templateFile).mtimeMs).toBe(before);
});

describe('in the local AWS', () => {
  let services: Services;
  beforeAll(async () => {
    const say = (line: string) => process.stderr.write(`${line}\n`);
    services = await startServices({ root, directory: join(directory.path, 'services'), say });
  }, 300_000);
  afterAll(() => services?.stop());

  test('CloudFormation creates the stack from it, and its functions run', async () => {
    const settings = clientSettings(services);
    const s3 = new S3Client({ ...settings, forcePathStyle: true });
    const cloudFormation = new CloudFormationClient(settings);
    const lambda = new LambdaClient(settings);
    await s3.send(new CreateBucketCommand({ Bucket: 'code' }));
    for (const zip of built.zips) {
      const Body = readFileSync(join(out, zip));
      await s3.send(new PutObjectCommand({ Bucket: 'code', Key: `v1/${zip}`, Body }));
    }
    await s3.send(new PutObjectCommand({ Bucket: 'code', Key: 'stack', Body: text }));
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
    const patience = { client: cloudFormation, maxWaitTime: 60, minDelay: 1, maxDelay: 1 };
    await waitUntilStackCreateComplete(patience, { StackName });
    const { id } = plain.one('AWS::Lambda::Function', 'AuditListTargets');
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
});
