/**
 * The change as a patch for who describes the volume, as text to copy. What comes from tags is spliced only where its form is that
 * of a name of its kind; otherwise a placeholder in angle brackets, at which a shell stops and which CloudFormation refuses.
 * Sources, read 2026-11-28: CloudFormation, AWS::EC2::Volume (no interruption), AWS::EC2::Instance BlockDeviceMapping (replacement;
 * it has no throughput); of Kubernetes those in core/kubernetes.ts; EC2, CreateLaunchTemplateVersion; hashicorp/aws, aws_ebs_volume and aws_instance.
 */

import { claimCommands, claimOfVolume } from '../../core/kubernetes.ts';
import { regionOrPlaceholder, set } from '../../core/plan/step-commands.ts';
import type { PlannedChange, VolumeSettings } from '../../core/schemas/volume-change.ts';
import type { Owner } from '../../core/schemas/volume-owner.ts';
import { ownerText, settingsText } from '../wording/changes.ts';
import { stepLines } from '../wording/steps.ts';
import { shortText } from '../wording/words.ts';

export interface OwnerPatch {
  says: string;
  /** Null: there is nothing to copy. */
  patch: string | null;
}

const named = (name: string | null, form: RegExp, placeholder: string): string =>
  name !== null && form.test(name) ? name : placeholder;

const logicalIdForm = /^[A-Za-z0-9]{1,255}$/;
const templateIdForm = /^lt-[0-9a-f]{8,17}$/;
/** Auto Scaling takes more; what a shell would act on is none of these. */
const groupForm = /^[A-Za-z0-9][\w.:/=+@-]{0,254}$/;
const volumeForm = /^vol-[0-9a-f]{8,17}$/;

type Names = Readonly<Record<'volumeType' | 'sizeGiB' | 'iops' | 'throughputMiBps', string>>;

/** What the settings are called somewhere, and their values; without what the type does not provision. */
const pairsOf = (settings: VolumeSettings, names: Partial<Names>): [string, string | number][] =>
  (['volumeType', 'sizeGiB', 'iops', 'throughputMiBps'] as const).flatMap((key) => {
    const [name, value] = [names[key], settings[key]];
    return name === undefined || value === null ? [] : [[name, value] as [string, string | number]];
  });

const yamlLines = (pairs: readonly [string, string | number][], indent: number): string[] =>
  pairs.map(([name, value]) => `${' '.repeat(indent)}${name}: ${value}`);

/** Where the type has them no more, they must go. */
function dropped({ from, to }: PlannedChange, names: Partial<Names>): string[] {
  const gone = (['iops', 'throughputMiBps'] as const).filter(
    (key) => from[key] !== null && to[key] === null && names[key] !== undefined,
  );
  return gone.length === 0 ? [] : [`# Remove ${gone.map((key) => names[key]).join(' and ')}.`];
}

const volumeLine = ({ volumeId }: PlannedChange): string =>
  `# Volume ${named(volumeId, volumeForm, '<volume-id>')}.`;

const ofResource = {
  ...{ volumeType: 'VolumeType', sizeGiB: 'Size', iops: 'Iops', throughputMiBps: 'Throughput' },
} as const;

function volumeOfStack(logicalId: string, plan: PlannedChange): string[] {
  return [
    volumeLine(plan),
    ...dropped(plan, ofResource),
    'Resources:',
    `  ${logicalId}:`,
    '    Type: AWS::EC2::Volume',
    '    Properties:',
    ...yamlLines(pairsOf(plan.to, ofResource), 6),
  ];
}

const ofMapping = { volumeType: 'VolumeType', sizeGiB: 'VolumeSize', iops: 'Iops' } as const;

function mappingOfStack(logicalId: string, plan: PlannedChange): string[] {
  return [
    volumeLine(plan),
    '# The update replaces the instance.',
    ...(plan.to.throughputMiBps === null
      ? []
      : [
          `# Throughput of ${plan.to.throughputMiBps} MiB/s needs a launch template: an instance takes none here.`,
        ]),
    ...dropped(plan, ofMapping),
    'Resources:',
    `  ${logicalId}:`,
    '    Type: AWS::EC2::Instance',
    '    Properties:',
    '      BlockDeviceMappings:',
    '        - DeviceName: <device-name>',
    '          Ebs:',
    ...yamlLines(pairsOf(plan.to, ofMapping), 12),
  ];
}

function claimOfCluster(
  owner: Extract<Owner, { kind: 'eks' }>,
  { volumeId, from, to }: PlannedChange,
): string[] {
  const { makeClass, patchClaim, grows } = claimCommands(owner, from, to);
  return [
    ...stepLines([{ code: 'claim-to-check' }]),
    claimOfVolume(volumeId),
    ...stepLines([{ code: 'attributes-class-version' }]),
    makeClass,
    ...(grows ? stepLines([{ code: 'claim-grows' }]) : []),
    patchClaim,
  ];
}

const ofTemplate = {
  ...{ volumeType: 'VolumeType', sizeGiB: 'VolumeSize', iops: 'Iops', throughputMiBps: 'Throughput' },
} as const;

function versionOfTemplate(
  { group }: Extract<Owner, { kind: 'launch-template' }>,
  { region, to }: PlannedChange,
): string[] {
  const where = `--region ${regionOrPlaceholder(region)}`;
  const isTemplate = templateIdForm.test(group);
  const ebs = JSON.stringify(Object.fromEntries(pairsOf(to, ofTemplate)));
  return [
    ...(isTemplate
      ? [`TEMPLATE=${group}`]
      : [
          '# The launch template of the group, by its id:',
          `aws autoscaling describe-auto-scaling-groups ${where} --auto-scaling-group-names ${named(group, groupForm, '<group-name>')} --query 'AutoScalingGroups[].[LaunchTemplate,MixedInstancesPolicy.LaunchTemplate]'`,
          'TEMPLATE=<launch-template-id>',
        ]),
    '# The device of the volume. List the other devices of the template too.',
    'DEVICE=<device-name>',
    `aws ec2 create-launch-template-version ${where} --launch-template-id ${set('TEMPLATE')} --source-version '$Default' --launch-template-data '{"BlockDeviceMappings":[{"DeviceName":"'${set('DEVICE')}'","Ebs":${ebs}}]}'`,
    '# Then let the group use the new version. Instances that run keep their volumes as they are.',
  ];
}

const ofTerraform = {
  ...{ volumeType: 'type', sizeGiB: 'size', iops: 'iops', throughputMiBps: 'throughput' },
} as const;

/** Argument names padded to one width, as `terraform fmt` does. */
function argumentsOfTerraform(plan: PlannedChange): string[] {
  const pairs = pairsOf(plan.to, ofTerraform);
  const width = Math.max(...pairs.map(([name]) => name.length));
  const quoted = (value: string | number): string =>
    typeof value === 'number' ? `${value}` : JSON.stringify(value);
  return [
    volumeLine(plan),
    '# Keep the name of the resource that it has. In root_block_device of an instance: volume_type, volume_size.',
    ...dropped(plan, ofTerraform),
    'resource "aws_ebs_volume" "data" {',
    ...pairs.map(([name, value]) => `  ${name.padEnd(width)} = ${quoted(value)}`),
    '}',
  ];
}

function linesOf(owner: Owner, plan: PlannedChange): string[] | null {
  switch (owner.kind) {
    case 'cloudformation': {
      const logicalId = named(owner.logicalId, logicalIdForm, '<logical-id>');
      return owner.isOfInstance ? mappingOfStack(logicalId, plan) : volumeOfStack(logicalId, plan);
    }
    case 'eks':
      return claimOfCluster(owner, plan);
    case 'launch-template':
      return versionOfTemplate(owner, plan);
    case 'terraform':
      return argumentsOfTerraform(plan);
    case 'nobody':
    case 'other':
    case 'service':
    case 'refused':
      return null;
  }
}

/** The name of the stack, from its ARN. */
const stackForm = /^arn:aws[a-z-]*:cloudformation:[a-z0-9-]+:\d{12}:stack\/([A-Za-z][A-Za-z0-9-]{0,127})\//;

/** "Stack orders." or "Settings: gp3, 500 GiB, …": what is beside the patch, or in its place. */
function besideText(owner: Owner, { to }: PlannedChange): string {
  if (owner.kind === 'cloudformation') {
    const stack = stackForm.exec(owner.stackId)?.[1];
    return stack === undefined ? '' : ` Stack ${shortText(stack, 128)}.`;
  }
  return owner.kind === 'other' ? ` Settings: ${settingsText(to)}.` : '';
}

/** Who owns the volume, and what to change there. */
export function ownerPatch(owner: Owner, plan: PlannedChange): OwnerPatch {
  const lines = linesOf(owner, plan);
  return {
    says: `${ownerText(owner)}${besideText(owner, plan)}`,
    patch: lines === null ? null : `${lines.join('\n')}\n`,
  };
}
