/**
 * The volumes in Terraform. Source: hashicorp/aws, aws_ebs_volume and aws_volume_attachment (arguments; a changed size,
 * type, IOPS or throughput is a ModifyVolume, a changed device name a new attachment), read 2026-11-21.
 */
import type { Deployment } from '../../core/limits/volume-limits.ts';
import { type Layout, provisioned } from '../../core/plan/layout.ts';
import { attachmentNames, type Route } from '../../core/plan/step-commands.ts';
import { heading } from './heading.ts';

interface TerraformOptions {
  next: Layout;
  deployment: Deployment;
  route: Route;
  /** What of it is less than what is there, in words. */
  lowered: readonly string[];
}

const staysComment = [
  '# Put these figures into the resource that the volumes have, and keep its name, its keys and its attachments.',
  '# Terraform changes size, type, IOPS and throughput where the volume stands, by ModifyVolume. EC2 takes 4 in 24 hours,',
  '# each after the one before is completed. Terraform goes on as soon as the state is optimizing.',
];
const movesComment = [
  '# The data moves: this makes the volumes only. Copying, switching over and removing the old ones is in the AWS CLI steps.',
];
const newComment = [
  '# New volumes, which Terraform refuses to destroy. Encryption is as the account has it by default; to be sure, add',
  '# encrypted = true. A file system, and what joins several volumes, is made on the host.',
];

const variable = (name: string): string[] => ['', `variable "${name}" {`, '  type = string', '}'];

/** Argument names padded to one width, as `terraform fmt` does. */
function aligned(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `  ${name.padEnd(width)} = ${value}`);
}

function volumeLines({ next, deployment, route }: TerraformOptions, stays: boolean): string[] {
  const { volumeType, sizeGiB, iops, throughputMiBps } = provisioned(next, deployment);
  const pairs: [string, string][] = [
    ['for_each', 'local.devices'],
    ['availability_zone', 'var.availability_zone'],
    ['type', `"${volumeType}"`],
    ['size', `${sizeGiB}`],
  ];
  if (iops !== undefined) pairs.push(['iops', `${iops}`]);
  if (throughputMiBps !== undefined) pairs.push(['throughput', `${throughputMiBps}`]);
  if (route === 'snapshot') pairs.push(['snapshot_id', 'var.snapshot_id']);
  if (deployment === 'outposts') pairs.push(['outpost_arn', 'var.outpost_arn']);
  if (stays)
    pairs.splice(0, 1, ...(next.members === 1 ? [] : [['count', `${next.members}`] as [string, string]]));
  return [
    '',
    'resource "aws_ebs_volume" "data" {',
    ...aligned(pairs),
    ...(stays ? [] : ['', '  tags = {', `    Name = "data-\${each.key}"`, '  }']),
    '',
    '  lifecycle {',
    '    prevent_destroy = true',
    '  }',
    '}',
  ];
}

function attachmentLines(): string[] {
  return [
    '',
    'resource "aws_volume_attachment" "data" {',
    ...aligned([
      ['for_each', 'local.devices'],
      ['device_name', 'each.value'],
      ['instance_id', 'var.instance_id'],
      ['volume_id', 'aws_ebs_volume.data[each.key].id'],
    ]),
    '}',
  ];
}

function deviceLines({ next, route }: TerraformOptions): string[] {
  const names = attachmentNames(next.members, route !== 'create');
  const width = Math.max(...names.map((_, i) => `${i + 1}`.length));
  return [
    '',
    'locals {',
    '  devices = {',
    ...names.map((name, i) => `    ${`"${i + 1}"`.padEnd(width + 2)} = "${name}"`),
    '  }',
    '}',
  ];
}

/** A module that can be pasted as a file, formatted as `terraform fmt` does. */
export function terraform(options: TerraformOptions): string {
  const { next, deployment, route, lowered } = options;
  const stays = route === 'modify' || route === 'nothing';
  return [
    `# ${heading(next, deployment)}`,
    ...lowered.map((text) => `# ${text}`),
    ...(stays ? staysComment : newComment),
    ...(stays || route === 'create' ? [] : movesComment),
    'terraform {',
    '  required_providers {',
    '    aws = {',
    '      source  = "hashicorp/aws"',
    '      version = ">= 6.17.0" # older ones refuse a gp3 above 1,000 MiB/s',
    '    }',
    '  }',
    '}',
    ...variable('availability_zone'),
    ...(stays ? [] : variable('instance_id')),
    ...(route === 'snapshot' ? variable('snapshot_id') : []),
    ...(deployment === 'outposts' ? variable('outpost_arn') : []),
    ...(stays ? [] : deviceLines(options)),
    ...volumeLines(options, stays),
    ...(stays ? [] : attachmentLines()),
    '',
  ].join('\n');
}
