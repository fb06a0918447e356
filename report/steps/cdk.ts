/**
 * The volumes in AWS CDK, by the L1 constructs: the L2 Volume of aws-cdk-lib 2.276.0 refuses io2 above 500 IOPS per GiB,
 * where EBS allows 1,000, and knows no Outposts.
 * Source of what an update does: CloudFormation, AWS::EC2::Volume (Size, Iops, Throughput, VolumeType: no interruption)
 * and AWS::EC2::VolumeAttachment (Device: replacement), read 2026-11-21.
 */
import type { Deployment } from '../../core/limits/volume-limits.ts';
import { type Layout, provisioned } from '../../core/plan/layout.ts';
import { attachmentNames, type Route } from '../../core/plan/step-commands.ts';
import { heading } from './heading.ts';

interface CdkOptions {
  next: Layout;
  deployment: Deployment;
  route: Route;
  /** What of it is less than what is there, in words. */
  lowered: readonly string[];
}

const staysComment = [
  '// Put these figures into the definition that the volumes have. Keep its construct ids (another id is another volume)',
  '// and its attachments (another device name replaces one). CloudFormation changes size, IOPS, throughput and type',
  '// without replacement, by ModifyVolume: the update takes as long as that. A roll-back counts as one more of the',
  '// 4 modifications that a volume takes in 24 hours. A size stays as it has become.',
];
const movesComment = [
  '// The data moves: this makes the volumes only. Copying, switching over and removing the old ones is in the AWS CLI steps.',
];
const newComment = [
  '// New volumes, kept when they leave the stack. Encryption is as the account has it by default; to be sure, add',
  '// encrypted: true. A file system, and what joins several volumes, is made on the host.',
];

function figureLines({ next, deployment }: CdkOptions): string[] {
  const { volumeType, sizeGiB, iops, throughputMiBps } = provisioned(next, deployment);
  return [
    `volumeType: '${volumeType}',`,
    `size: ${sizeGiB},`,
    ...(iops === undefined ? [] : [`iops: ${iops},`]),
    ...(throughputMiBps === undefined ? [] : [`throughput: ${throughputMiBps},`]),
  ];
}

const indent = (lines: readonly string[], by: number): string[] => lines.map((line) => ' '.repeat(by) + line);

function volumeLines(options: CdkOptions, stays: boolean): string[] {
  return [
    `const volume = new CfnVolume(this, \`Volume\${number}\`, {`,
    ...indent(
      [
        'availabilityZone: props.availabilityZone,',
        ...figureLines(options),
        ...(options.route === 'snapshot' ? ['snapshotId: props.snapshotId,'] : []),
        ...(options.deployment === 'outposts' ? ['outpostArn: props.outpostArn,'] : []),
        ...(stays ? [] : [`tags: [{ key: 'Name', value: \`data-\${number}\` }],`]),
      ],
      2,
    ),
    '});',
    'volume.applyRemovalPolicy(RemovalPolicy.RETAIN);',
    ...(stays
      ? []
      : [
          `new CfnVolumeAttachment(this, \`Attachment\${number}\`, {`,
          '  volumeId: volume.ref,',
          '  instanceId: props.instanceId,',
          '  device,',
          '});',
        ]),
  ];
}

/** A construct that can be pasted as a file: strict TypeScript, aws-cdk-lib 2. */
export function cdk(options: CdkOptions): string {
  const { next, deployment, route, lowered } = options;
  const stays = route === 'modify' || route === 'nothing';
  const numbers = Array.from({ length: next.members }, (_, i) => i + 1).join(', ');
  const devices = attachmentNames(next.members, route !== 'create').map((name) => `'${name}'`);
  return [
    `// ${heading(next, deployment)}`,
    ...lowered.map((text) => `// ${text}`),
    ...(stays ? staysComment : newComment),
    ...(stays || route === 'create' ? [] : movesComment),
    "import { RemovalPolicy } from 'aws-cdk-lib';",
    `import { CfnVolume${stays ? '' : ', CfnVolumeAttachment'} } from 'aws-cdk-lib/aws-ec2';`,
    "import { Construct } from 'constructs';",
    '',
    'export interface DataVolumesProps {',
    '  availabilityZone: string;',
    ...(stays ? [] : ['  instanceId: string;']),
    ...(route === 'snapshot' ? ['  snapshotId: string;'] : []),
    ...(deployment === 'outposts' ? ['  outpostArn: string;'] : []),
    '}',
    '',
    'export class DataVolumes extends Construct {',
    '  constructor(scope: Construct, id: string, props: DataVolumesProps) {',
    '    super(scope, id);',
    ...(stays ? [] : [`    const devices = [${devices.join(', ')}];`]),
    stays
      ? `    for (const number of [${numbers}]) {`
      : '    for (const [index, device] of devices.entries()) {',
    ...(stays ? [] : ['      const number = index + 1;']),
    ...indent(volumeLines(options, stays), 6),
    '    }',
    '  }',
    '}',
    '',
  ].join('\n');
}
