/** The CDK snippets are compiled as strict TypeScript and synthesized: what CloudFormation gets is what was asked for. */
import { join } from 'node:path';
import { App, Fn, Size, Stack } from 'aws-cdk-lib';
import { EbsDeviceVolumeType, Volume } from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import ts from 'typescript';
import { type Snippet, snippets } from './snippets.ts';

const root = join(__dirname, '../../..');
const options: ts.CompilerOptions = {
  strict: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  // The whole of aws-cdk-lib is read in seconds, and what a snippet takes of it is core's; running it takes the real one.
  paths: { 'aws-cdk-lib': [join(root, 'node_modules/aws-cdk-lib/core')] },
  skipLibCheck: true,
  types: [],
  noEmit: true,
};

/** Diagnostics by file, of files that are nowhere on disk but see the packages of this project. */
function compiled(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path);
    return text === undefined
      ? getSourceFile(path, version, ...rest)
      : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const bySource = ([path]: [string, string]): [string, string[]] => {
    const source = program.getSourceFile(path);
    const found = source === undefined ? [] : ts.getPreEmitDiagnostics(program, source);
    return [path, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))];
  };
  return new Map([...files].map(bySource));
}

type DataVolumes = new (scope: Construct, id: string, props: Record<string, string>) => Construct;

/** The construct in a stack of its own, with an instance and an Outpost that are elsewhere. */
function addStack(app: App, name: string, cdk: string): void {
  const { outputText } = ts.transpileModule(cdk, { compilerOptions: options });
  const module = { exports: {} as { DataVolumes: DataVolumes } };
  new Function('require', 'module', 'exports', outputText)(require, module, module.exports);
  const stack = new Stack(app, name);
  new module.exports.DataVolumes(stack, 'Volumes', {
    availabilityZone: Fn.importValue('Zone'),
    instanceId: Fn.importValue('Instance'),
    snapshotId: Fn.importValue('Snapshot'),
    outpostArn: Fn.importValue('Outpost'),
  });
}

/** The resources of every snippet, in one synthesis. */
function synthesized(): Map<Snippet, Record<string, Resource>> {
  const app = new App();
  for (const [i, { steps }] of snippets.entries()) addStack(app, `Data${i}`, steps.cdk);
  const assembly = app.synth();
  return new Map(
    snippets.map((snippet, i) => [snippet, assembly.getStackByName(`Data${i}`).template.Resources]),
  );
}

interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

let resources: ReturnType<typeof synthesized>;
beforeAll(() => {
  resources = synthesized();
});
const resourcesOf = (snippet: Snippet, type: string): Resource[] =>
  Object.values(resources.get(snippet) ?? {}).filter((resource) => resource.Type === type);

const defined = (properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));

const pathOf = (index: number): string => join(__dirname, `snippet-${index}.ts`);
const broken = join(__dirname, 'broken-snippet.ts');

test('every snippet compiles as strict TypeScript, and one with a wrong property does not', () => {
  const files = new Map(snippets.map(({ steps }, i) => [pathOf(i), steps.cdk]));
  files.set(broken, (snippets[0] as Snippet).steps.cdk.replace('volumeType:', 'volumeTyp:'));
  const found = compiled(files);
  expect(found.get(broken)).toEqual([expect.stringContaining("'volumeTyp' does not exist")]);
  const troubles = snippets.map(({ what }, i) => ({ what, found: found.get(pathOf(i)) }));
  expect(troubles).toEqual(snippets.map(({ what }) => ({ what, found: [] })));
});

test.each(snippets)('$what: CloudFormation gets each volume with its figures', (snippet) => {
  const { layout, each, deployment, stays } = snippet;
  const volumes = resourcesOf(snippet, 'AWS::EC2::Volume');
  expect(volumes).toHaveLength(layout.members);
  for (const { Properties, DeletionPolicy, UpdateReplacePolicy } of volumes) {
    const { Tags, OutpostArn, SnapshotId, ...rest } = Properties;
    expect(rest).toEqual(
      defined({
        AvailabilityZone: { 'Fn::ImportValue': 'Zone' },
        VolumeType: each.volumeType,
        Size: each.sizeGiB,
        Iops: each.iops,
        Throughput: each.throughputMiBps,
      }),
    );
    expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
    expect(OutpostArn !== undefined).toBe(deployment === 'outposts');
    expect(SnapshotId !== undefined).toBe(snippet.what.includes('snapshot'));
    expect(Tags !== undefined).toBe(!stays); // the tags that a volume has are not touched
  }
});

test.each(snippets)('$what: what is new is attached, each by a name of its own', (snippet) => {
  const { layout, stays } = snippet;
  const attachments = resourcesOf(snippet, 'AWS::EC2::VolumeAttachment');
  const devices = new Set(attachments.map(({ Properties }) => Properties['Device']));
  const volumes = new Set(attachments.map(({ Properties }) => JSON.stringify(Properties['VolumeId'])));
  const expected = stays ? 0 : layout.members;
  expect([attachments.length, devices.size, volumes.size]).toEqual([expected, expected, expected]);
});

test('the L1 construct is needed: the L2 refuses 1,000 IOPS per GiB of io2, which EBS allows', () => {
  const stack = new Stack(new App(), 'Data');
  const fastest = (): Volume =>
    new Volume(stack, 'Fastest', {
      availabilityZone: 'us-east-1a',
      volumeType: EbsDeviceVolumeType.PROVISIONED_IOPS_SSD_IO2,
      size: Size.gibibytes(256),
      iops: 256_000, // 256 x 1,000
    });
  expect(fastest).toThrow('maximum ratio of 500 IOPS/GiB');
});
