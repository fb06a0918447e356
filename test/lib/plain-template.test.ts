/** The stack without the CDK, as it is built. That CloudFormation takes it is tested in test/workflows. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { readChannelSecrets } from '../../adapters/aws/channel-secrets.ts';
import { templateFindings } from '../../tools/template-findings.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import {
  patience,
  plainTemplate,
  root,
  Synthesized,
  synthesized,
  synthesizedBenchmark,
} from './synthesized.ts';

const directory = temporaryDirectory();
const templateName = 'stripewise.template.json';
const benchmarkName = 'stripewise-benchmark.template.json';
let out: string;
let templateFile: string;
let text: string;
let plain: Synthesized;
let usual: Synthesized;

const ofChanges = ['advance-change', 'decide-change'];
const ofBenchmark = [
  ...['check-campaign', 'end-command', 'find-host', 'grade-campaign', 'launch-host', 'next-command'],
  ...['run-command', 'clean-up-orphans', 'terminate-host', 'end-hosts'],
];

beforeAll(async () => {
  out = await plainTemplate('usual');
  templateFile = join(out, templateName);
  text = readFileSync(templateFile, 'utf8');
  plain = new Synthesized(templateFile);
  usual = await synthesized('usual');
}, patience);

const zipsIn = (at: string): string[] => readdirSync(at).filter((name) => name.endsWith('.zip'));

/** As people build it, with files in the directory that were there before. */
function build(at: string, config: object) {
  const configFile = directory.write(`${at}.yaml`, config);
  return spawnSync(
    process.execPath,
    [join(root, 'tools/build-template.ts'), '--out', join(directory.path, at), '--config', configFile],
    { encoding: 'utf8' },
  );
}

test('cfn-lint and asl-validator find nothing', async () => {
  expect(await templateFindings(root, templateFile)).toEqual([]);
}, 180_000);

test('cfn-lint would find a property that does not exist', async () => {
  const wrong = directory.write('wrong.json', text.replace('"AlarmDescription"', '"AlarmDescripton"'));
  expect(await templateFindings(root, wrong)).toEqual([
    expect.stringMatching(/^cfn-lint E3002 \(Error\): .*AlarmDescripton/),
  ]);
}, 180_000);

test('nothing in it belongs to a bootstrapped account, or to one account or Region', () => {
  const bound = /bootstrap|hnb659fds|aws:cdk|CDKMetadata|:\d{12}:|us-east-1|arn:aws/gi;
  // A title may say whose prices it counts with.
  const unpriced = text.replaceAll(/prices? of us-east-1/g, '');
  expect([...unpriced.matchAll(bound)].map(([found]) => found)).toEqual([]);
  expect(Object.keys(plain.json['Parameters'] as object)).toEqual(['CodeBucket', 'CodePrefix']);
  expect(plain.json).not.toHaveProperty('Rules');
});

const bare = ({ json }: Synthesized) =>
  Object.fromEntries(
    Object.entries(json.Resources)
      .filter(([id]) => id !== 'CDKMetadata')
      .map(([id, { Metadata, Properties, ...rest }]) => {
        const { Code, ...others } = Properties;
        return [id, { ...rest, Properties: others }];
      }),
  );

test('but for where the code is, it is what `cdk deploy` deploys', () => {
  expect(bare(plain)).toEqual(bare(usual));
});

test('the benchmark is a template beside it, which names what it reads of the first one', async () => {
  const at = await plainTemplate('everything');
  const benchmark = new Synthesized(join(at, benchmarkName));
  expect(bare(benchmark)).toEqual(bare(await synthesizedBenchmark('everything')));
  expect(Object.keys(benchmark.json['Parameters'] as object)).toEqual([
    ...['CodeBucket', 'CodePrefix', 'RunsBucketParameter', 'AlarmsTopicParameter'],
  ]);
  const readme = readFileSync(join(at, 'README.txt'), 'utf8');
  expect(readme).toContain(
    `aws cloudformation deploy --stack-name Stripewise-Bench --template-file ${benchmarkName}`,
  );
  expect(readFileSync(join(out, 'README.txt'), 'utf8')).not.toContain(benchmarkName);
  expect(await templateFindings(root, join(at, benchmarkName))).toEqual([]);
}, 180_000);

test('as large as what is in it makes it: CloudFormation takes it from the bucket of the code, and its README says so', async () => {
  const at = await plainTemplate('everything');
  const zips = zipsIn(at);
  // All but what they share, and those of changes, which are off also where all else is on.
  expect(zips).toHaveLength(readdirSync(join(root, 'lambdas')).length - 1 - ofChanges.length);
  expect(statSync(join(at, templateName)).size).toBeLessThan(1_000_000); // CloudFormation's most for one in a bucket
  expect(readFileSync(join(at, 'README.txt'), 'utf8')).toContain(`The ${zips.length} zips`);
  expect(readFileSync(join(at, 'README.txt'), 'utf8')).toContain(
    'CodePrefix=stripewise/ \\\n     --s3-bucket BUCKET --s3-prefix stripewise\n',
  );
});

test('beside it are the zips of the functions, the role of members and a README, and nothing else', () => {
  const functions = plain.all('AWS::Lambda::Function').map(([, { Properties }]) => Properties['Code']);
  const zips = zipsIn(out);
  const codeOf = (zip: string) => ({
    S3Bucket: { Ref: 'CodeBucket' },
    S3Key: { 'Fn::Join': ['', [{ Ref: 'CodePrefix' }, zip]] },
  });
  expect(functions).toHaveLength(zips.length);
  expect(functions).toEqual(expect.arrayContaining(zips.map(codeOf)));
  // The function that empties the bucket is not there while the bucket stays, nor are those of the benchmark while it is off
  // and those of buttons, links and the archive while nobody asks for them.
  const others = [
    ...ofChanges,
    ...['shared', 'empty-bucket', 'slack-actions', 'open-report', 'commit-archive'],
    ...ofBenchmark,
  ];
  expect(zips.map((zip) => zip.replace(/-[0-9a-f]{16}\.zip$/, '')).sort()).toEqual(
    readdirSync(join(root, 'lambdas')).filter((name) => !others.includes(name)),
  );
  expect(readdirSync(out).sort()).toEqual(
    ['README.txt', 'member.template.json', templateName, ...zips].sort(),
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

test('with an organization the README allows roles of fixed names, which members trust', async () => {
  const readme = readFileSync(join(await plainTemplate('organization'), 'README.txt'), 'utf8');
  expect(readme).toContain('--capabilities CAPABILITY_NAMED_IAM --parameter-overrides CodeBucket=BUCKET');
  expect(readme).not.toContain('CAPABILITY_IAM');
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

describe('built again', () => {
  let built: ReturnType<typeof build>;
  const again = join(directory.path, 'again');
  beforeAll(() => {
    directory.write('again/list-targets-0123456789abcdef.zip', 'of a former build');
    directory.write(`again/${benchmarkName}`, 'of a former build');
    directory.write('again/holiday-pictures.zip', 'of somebody');
    built = build('again', {});
  }, patience);

  test('every file is the same to the byte, and nothing is there of a former build', () => {
    expect([built.status, built.stderr]).toEqual([0, '']);
    expect(built.stdout).toContain(
      ` and ${zipsIn(out).length} zips; README.txt beside them says how to deploy.`,
    );
    expect(readdirSync(again).sort()).toEqual(['holiday-pictures.zip', ...readdirSync(out)].sort());
    for (const name of readdirSync(out))
      expect([name, readFileSync(join(again, name)).equals(readFileSync(join(out, name)))]).toEqual([
        name,
        true,
      ]);
  });

  test('of a configuration that is wrong, it leaves what was built', () => {
    const files = () =>
      readdirSync(again).map((name) => [name, statSync(join(again, name)).mtimeMs] as const);
    const before = files();
    const wrong = build('again', { regions: 'all' });
    expect([wrong.status, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(/^build-template: .+: regions: .+\n$/);
    expect(files()).toEqual(before);
  }, 120_000);
});

test('another configuration is in the template', async () => {
  const other = new Synthesized(join(await plainTemplate('otherValues'), templateName));
  const { Environment } = other.one('AWS::Lambda::Function', 'AuditListTargets').Properties;
  expect(Environment).toMatchObject({ Variables: { REGIONS: 'eu-west-1,eu-west-3' } });
});
