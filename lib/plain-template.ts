/** Each stack as a CloudFormation template, the zips of their functions, and the member's role, for whoever deploys without the CDK. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CfnParameter,
  type DockerImageAssetLocation,
  type FileAssetLocation,
  type FileAssetSource,
  Fn,
  type IStackSynthesizer,
  type ISynthesisSession,
  type Stack,
  StackSynthesizer,
} from 'aws-cdk-lib';
import { kebabCase } from 'es-toolkit/string';
import { zipSync } from 'fflate';
import { auditStack, benchmarkStackOf, sharedParameter } from '../core/stacks.ts';
import { stripewiseApp } from './app.ts';
import { memberTemplate } from './member-template.ts';

interface FunctionCode {
  /** Below the assembly; holds index.js. */
  directory: string;
  zip: string;
}

const hashCharacters = 16;
const zipName = new RegExp(`^[a-z-]+-[0-9a-f]{${hashCharacters}}\\.zip$`);
const fileNames = {
  audit: 'stripewise.template.json',
  benchmark: 'stripewise-benchmark.template.json',
  member: 'member.template.json',
};
/** Of a former build. */
const isOurs = (name: string): boolean => zipName.test(name) || Object.values(fileNames).includes(name);

/** Functions come from where two parameters say; nothing is expected of a bootstrapped account. */
class PlainSynthesizer extends StackSynthesizer {
  readonly code: FunctionCode[] = [];

  override bind(stack: Stack): void {
    super.bind(stack);
    new CfnParameter(stack, 'CodeBucket', {
      description: 'The bucket, in the Region of this stack, that the zips of the functions are in.',
      allowedPattern: '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]',
    });
    new CfnParameter(stack, 'CodePrefix', {
      description: 'What their keys begin with: nothing, or a folder with its slash.',
      allowedPattern: '(.*/)?',
      default: 'stripewise/',
    });
  }

  override addFileAsset({ sourceHash, fileName, displayName }: FileAssetSource): FileAssetLocation {
    // Notification/NotifyFindings/Function/Code -> notify-findings-<hash of the code>.zip: new code has a new name.
    const name = kebabCase(displayName?.split('/').at(-3) ?? 'function');
    const zip = `${name}-${sourceHash.slice(0, hashCharacters)}.zip`;
    this.code.push({ directory: fileName ?? '', zip });
    const bucketName = Fn.ref('CodeBucket');
    const objectKey = Fn.join('', [Fn.ref('CodePrefix'), zip]);
    return {
      bucketName,
      objectKey,
      httpUrl: Fn.join('', ['https://s3.amazonaws.com/', bucketName, '/', objectKey]),
      s3ObjectUrl: Fn.join('', ['s3://', bucketName, '/', objectKey]),
    };
  }

  override addDockerImageAsset(): DockerImageAssetLocation {
    throw new Error('the plain template has no place for container images');
  }

  override synthesize(session: ISynthesisSession): void {
    this.synthesizeTemplate(session);
    this.emitArtifact(session);
  }
}

/** The same bytes whenever and wherever they are made; readable by everybody, as Lambda wants it. */
const zipOf = (indexFile: string): Uint8Array =>
  zipSync({
    'index.js': [readFileSync(indexFile), { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100644 << 16 }],
  });

/** One resource a line: readable, and each deployment differs in the lines of what has changed. */
function compact(template: Record<string, unknown>): string {
  const sections = Object.entries(template).map(([name, section]) => {
    if (typeof section !== 'object' || section === null)
      return `${JSON.stringify(name)}: ${JSON.stringify(section)}`;
    const lines = Object.entries(section).map(
      ([id, value]) => `${JSON.stringify(id)}: ${JSON.stringify(value)}`,
    );
    return `${JSON.stringify(name)}: {\n${lines.join(',\n')}\n}`;
  });
  return `{\n${sections.join(',\n')}\n}\n`;
}

const benchmarkReadme = `
4. The benchmark is a stack of its own. Deploy it after the first one:

   aws cloudformation deploy --stack-name ${benchmarkStackOf(auditStack)} --template-file ${fileNames.benchmark} \\
     --capabilities CAPABILITY_IAM --parameter-overrides CodeBucket=BUCKET CodePrefix=stripewise/ \\
     --s3-bucket BUCKET --s3-prefix stripewise

   It reads the names of the bucket of runs and of the topic for alarms from parameters of Systems Manager, which the
   first stack writes. If that stack has another name than ${auditStack}, add to --parameter-overrides:

     RunsBucketParameter=${sharedParameter('NAME', 'RunsBucket')} AlarmsTopicParameter=${sharedParameter('NAME', 'AlarmsTopic')}

   and call this one ${benchmarkStackOf('NAME')}. Delete it before the first one.
`;

/** Roles of fixed names are those of a hub that enters other accounts. */
const capabilityOf = (template: unknown): string =>
  JSON.stringify(template).includes('"RoleName":') ? 'CAPABILITY_NAMED_IAM' : 'CAPABILITY_IAM';

const readme = (
  zips: number,
  hasBenchmark: boolean,
  capability: string,
): string => `stripewise, as CloudFormation templates

${fileNames.audit} is the stack of the audit${hasBenchmark ? `, ${fileNames.benchmark} that of the benchmark` : '; without a section benchmark in the configuration there is no other'}.
The ${zips} zips are the code of the functions (Node 24, arm64). Regions, schedule and addresses are in the templates
already, from the configuration that they were built with. BUCKET is a bucket of yours in the Region that you deploy to.

1. Put the code where CloudFormation finds it:

   aws s3 cp --recursive --exclude '*' --include '*.zip' . s3://BUCKET/stripewise/

2. Deploy, and again after each new build:

   aws cloudformation deploy --stack-name ${auditStack} --template-file ${fileNames.audit} \\
     --capabilities ${capability} --parameter-overrides CodeBucket=BUCKET CodePrefix=stripewise/ \\
     --s3-bucket BUCKET --s3-prefix stripewise

3. For messages in Slack or Teams, give the stack what its channels need, by their names in the configuration (its output
   ChannelSecrets names the secret):

   aws secretsmanager put-secret-value --secret-id SECRET \\
     --secret-string '{"slack": {"webhookUrl": "https://hooks.slack.com/services/..."}}'
${hasBenchmark ? benchmarkReadme : ''}
${fileNames.member} needs none of this. It is a role for other accounts, which lets a stack here read their volumes:
docs/guides/accounts.md says how to deploy it, to one account or to an organization.

Deleting the stack of the audit leaves its bucket of runs, with what was found; unless the configuration that it was built with says
keep.removalPolicy: destroy.
`;

export interface PlainTemplate {
  /** Of the audit, then of the benchmark where the configuration has one. */
  templateFiles: string[];
  /** The member's role: the same for every configuration. */
  memberFile: string;
  /** Names of the files beside it. */
  zips: string[];
}

export interface BuildPlainTemplate {
  /** The checkout. */
  root: string;
  /** Templates and zips of a former build that lie there are removed. */
  out: string;
  /** @default stripewise.yaml */
  configFile?: string;
}

/** @throws BadConfig where the configuration cannot be used. */
export function buildPlainTemplate({
  root,
  out,
  configFile = join(root, 'stripewise.yaml'),
}: BuildPlainTemplate): PlainTemplate {
  const synthesizers: PlainSynthesizer[] = [];
  const assembly = mkdtempSync(join(tmpdir(), 'stripewise-assembly-'));
  try {
    const app = stripewiseApp({
      root,
      configFile,
      synthesizer: () => {
        const synthesizer = new PlainSynthesizer();
        synthesizers.push(synthesizer);
        // A StackSynthesizer is an IStackSynthesizer, but for CDK's types under exactOptionalPropertyTypes.
        return synthesizer as IStackSynthesizer;
      },
      appProps: { outdir: assembly, analyticsReporting: false },
    });
    const { stacks } = app.synth();
    mkdirSync(out, { recursive: true });
    for (const name of readdirSync(out).filter(isOurs)) rmSync(join(out, name));
    const templateFiles = stacks.map(({ stackName, template }) => {
      const file = join(out, stackName === auditStack ? fileNames.audit : fileNames.benchmark);
      writeFileSync(file, compact(template as Record<string, unknown>));
      return file;
    });
    const code = synthesizers.flatMap((one) => one.code);
    for (const { directory, zip } of code)
      writeFileSync(join(out, zip), zipOf(join(assembly, directory, 'index.js')));
    const zips = code.map(({ zip }) => zip);
    const memberFile = join(out, fileNames.member);
    writeFileSync(memberFile, compact(memberTemplate(root)));
    const capability = capabilityOf(stacks.find(({ stackName }) => stackName === auditStack)?.template);
    writeFileSync(join(out, 'README.txt'), readme(zips.length, stacks.length > 1, capability));
    return { templateFiles, memberFile, zips };
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
}
