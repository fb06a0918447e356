/**
 * The steps as AWS CLI and host commands, top to bottom. Each line is a command or a comment that says what a person
 * has to do.
 * Sources: EC2 API reference (CreateVolume, ModifyVolume, AttachVolume), EBS user guide (modify-volume-requirements,
 * monitoring-volume-modifications), read 2026-11-21.
 */
import { type Deployment, isHdd, type VolumeConfiguration } from '../../limits/volume-types.ts';
import { type Layout, provisioned } from '../layout.ts';
import type { Route } from './change.ts';
import { copySteps, fstabSteps, stopSteps } from './copy.ts';
import { growSteps, hostSteps, mountLine, variableSteps } from './host.ts';
import {
  attachmentNames,
  newVolumeVariables,
  presentVolumeIds,
  regionOrPlaceholder,
  set,
  snapshotIds,
} from './names.ts';
import type { Present } from './present.ts';
import { lowered } from './provisioned.ts';

interface Plan {
  next: Layout;
  present: Present;
  region: string;
  deployment: Deployment;
  chunkKiB: number;
}
type Ec2 = (operation: string, ...parameters: string[]) => string;

const ec2In =
  (region: string): Ec2 =>
  (operation, ...parameters) =>
    ['aws ec2', operation, '--region', regionOrPlaceholder(region), ...parameters].join(' ');

/** IOPS and throughput always explicitly: left out, what EC2 takes depends on the type it comes from. */
function figures({ volumeType, sizeGiB, iops, throughputMiBps }: VolumeConfiguration): string[] {
  return [
    `--volume-type ${volumeType} --size ${sizeGiB}`,
    ...(iops === undefined ? [] : [`--iops ${iops}`]),
    ...(throughputMiBps === undefined ? [] : [`--throughput ${throughputMiBps}`]),
  ];
}

const notForRoot = (next: Layout): string[] =>
  isHdd(next.volumeType) ? [`# Not for a root volume: ${next.volumeType} cannot be one.`] : [];

function modifyNotes({ next, present }: Plan): string[] {
  const { layout } = present;
  const wasProvisioned = layout.volumeType === 'io1' || layout.volumeType === 'io2';
  const isProvisioned = next.volumeType === 'io1' || next.volumeType === 'io2';
  return [
    '# If CloudFormation or Terraform manages these volumes, change it there instead.',
    ...notForRoot(next),
    ...lowered(layout, next).map(
      (figures) => `# Less than what is there${next.members > 1 ? ', each' : ''}: ${figures}.`,
    ),
    ...(wasProvisioned
      ? ['# With Multi-Attach on, EC2 refuses a change of type, and of an io1 any change.']
      : []),
    ...(next.volumeType === 'io2' && (next.sizeGiB > 16_384 || next.iops > 64_000)
      ? ['# Above 16 TiB or 64,000 IOPS the instance it is attached to has to support io2 Block Express.']
      : []),
    ...(isProvisioned && next.iops > 32_000
      ? ['# Above 32,000 IOPS it may need to be detached and attached again, or the instance restarted.']
      : []),
    ...(next.members > 1
      ? ['# All of them, one after the other: until the last is done, the slowest member sets the pace.']
      : []),
  ];
}

/** Of several volumes at one moment: snapshots taken one by one would not fit together. */
function safetySnapshot(ec2: Ec2, ids: readonly string[]): string[] {
  const [only] = ids;
  const snapshot =
    ids.length === 1 && only !== undefined
      ? ec2('create-snapshot', `--volume-id ${only}`)
      : ec2('create-snapshots', '--instance-specification InstanceId=<instance-id>,ExcludeBootVolume=true');
  return ['# Before anything grows, a way back:', snapshot];
}

function modifySteps(plan: Plan): string[] {
  const { next, present, deployment } = plan;
  const ec2 = ec2In(plan.region);
  const ids = presentVolumeIds(present.volumeIds, next.members);
  const grows = next.sizeGiB > present.layout.sizeGiB;
  const target = figures(provisioned(next, deployment));
  return [
    ...modifyNotes(plan),
    ...(grows ? safetySnapshot(ec2, ids) : []),
    ...ids.map((id) => ec2('modify-volume', `--volume-id ${id}`, ...target)),
    '# Repeat until every volume says completed; optimizing is in use already, between the old and the new performance.',
    ec2(
      'describe-volumes-modifications',
      `--volume-ids ${ids.join(' ')}`,
      "--query 'VolumesModifications[].[VolumeId,ModificationState,Progress]' --output text",
    ),
    '# A volume is modified at most 4 times in 24 hours, each time after the one before is completed; it never shrinks.',
    ...(grows
      ? ['# On the host, when every volume says optimizing or completed:', ...growSteps(next, present, ids)]
      : []),
  ];
}

type CreatePlan = Omit<Plan, 'present'> & { beside: boolean; snapshotId?: string };

/** What was printed stays in V1 and so on: nobody has to copy an id from one of these lines to the next. */
function createSteps({ next, deployment, region, beside, snapshotId }: CreatePlan): string[] {
  const ec2 = ec2In(region);
  const variables = newVolumeVariables(next.members);
  const ids = `--volume-ids ${variables.map(set).join(' ')}`;
  const devices = attachmentNames(next.members, beside);
  const fixed = [
    '--availability-zone <availability-zone>',
    ...figures(provisioned(next, deployment)),
    ...(snapshotId === undefined ? [] : [`--snapshot-id ${snapshotId}`]),
    ...(deployment === 'outposts' ? ['--outpost-arn <outpost-arn>'] : []),
  ];
  const tags = (number: number): string =>
    `--tag-specifications 'ResourceType=volume,Tags=[{Key=Name,Value=data-${number}}]'`;
  const create = (variable: string, i: number): string =>
    `${variable}=$(${ec2('create-volume', ...fixed, tags(i + 1), '--query VolumeId --output text')}) && echo "${variable}=$${variable}"`;
  return [
    ...(snapshotId === undefined
      ? [
          '# Encryption is as the account has it by default; where that says false, add --encrypted below.',
          ec2('get-ebs-encryption-by-default'),
        ]
      : []),
    ...(deployment === 'outposts' ? ['# Not every Outpost offers every type.'] : []),
    // Else, with a placeholder left in below, an id of another migration would stay.
    `unset ${variables.join(' ')}`,
    ...variables.map(create),
    ec2('wait volume-available', ids),
    '# Where EC2 says that a device name is in use, take another one.',
    ...variables.map((variable, i) =>
      ec2('attach-volume', `--volume-id ${set(variable)} --instance-id <instance-id> --device ${devices[i]}`),
    ),
    ec2('wait volume-in-use', ids),
  ];
}

/**
 * The old volumes go last, when there is a snapshot of each and nobody has missed anything. What takes them away is
 * commented out: pasted in one piece, it would run even where an earlier command has failed.
 */
function retireSteps({ present, region }: Plan, snapshotsExist: boolean): string[] {
  const ec2 = ec2In(region);
  const ids = presentVolumeIds(present.volumeIds, present.layout.members);
  const snapshots = snapshotIds(ids.length);
  return [
    ...(snapshotsExist
      ? []
      : [
          ...stopSteps(present),
          '# Keep what was there until its snapshots are completed; take them when all is unmounted and stopped.',
          ...ids.map((id) => ec2('create-snapshot', `--volume-id ${id}`, '--query SnapshotId --output text')),
          '# It gives up after ten minutes: repeat it then.',
          ec2('wait snapshot-completed', `--snapshot-ids ${snapshots.join(' ')}`),
        ]),
    '# Only when the new ones have proved themselves; deleting cannot be undone:',
    ...ids.map((id) => `# ${ec2('detach-volume', `--volume-id ${id}`)}`),
    ...ids.map((id) => `# ${ec2('delete-volume', `--volume-id ${id}`)}`),
  ];
}

function snapshotSteps(plan: Plan): string[] {
  const { next, present } = plan;
  const ec2 = ec2In(plan.region);
  const old = presentVolumeIds(present.volumeIds, 1).join(' ');
  const snapshot = snapshotIds(1).join(' ');
  const hdd = notForRoot(next);
  return [
    ...(hdd.length > 0
      ? hdd
      : [
          '# A root volume: stop the instance in the place of unmounting, and attach the new one by the name of the old one.',
        ]),
    '# On the host: stop everything that writes to the volume. Go on only when it is unmounted.',
    'unset MOUNT',
    mountLine,
    `sudo umount ${set('MOUNT')}`,
    ec2('create-snapshot', `--volume-id ${old}`, '--query SnapshotId --output text'),
    '# It gives up after ten minutes: repeat it then.',
    ec2('wait snapshot-completed', `--snapshot-ids ${snapshot}`),
    ...createSteps({ ...plan, beside: true, snapshotId: snapshot }),
    '# The new volume fetches each block from the snapshot when it is first read: slow until all were read.',
    '# On the host; put in the id that was printed:',
    ...variableSteps(next, []),
    '# In /etc/fstab nothing changes where it names the UUID: the copy has the same. Never mount both at once.',
    `! mountpoint -q ${set('MOUNT')} && sudo mount ${set('DATA')} "$MOUNT"`,
    '# Start what was stopped, and look whether all is there.',
    ...(next.sizeGiB > present.layout.sizeGiB
      ? ['# The file system is still as large as it was.', ...growSteps(next, present, [])]
      : []),
    ...retireSteps(plan, true),
  ];
}

function migrateSteps(plan: Plan): string[] {
  const { next, chunkKiB } = plan;
  return [
    '# A snapshot is of one volume: it cannot turn it into several, nor into a smaller one. The data is copied as files.',
    '# Not for a root volume: start a new instance with the new layout in its place.',
    ...createSteps({ ...plan, beside: true }),
    ...hostSteps(next, chunkKiB, true),
    ...copySteps(),
    ...retireSteps(plan, false),
  ];
}

type AwsCliOptions = Omit<Plan, 'present'> & { present: Present | null; route: Route; because: string };

export function awsCli({ present, route, because, ...plan }: AwsCliOptions): string[] {
  if (present === null) {
    const { next, chunkKiB } = plan;
    return [
      ...notForRoot(next),
      ...createSteps({ ...plan, beside: false }),
      ...hostSteps(next, chunkKiB),
      ...fstabSteps(),
    ];
  }
  if (route === 'nothing') return [`# Nothing to do: ${because}.`];
  const of = { modify: modifySteps, snapshot: snapshotSteps, copy: migrateSteps, create: migrateSteps };
  return of[route]({ ...plan, present });
}
