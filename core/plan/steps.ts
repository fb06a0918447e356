/** The way from what stands to a layout: whether the volumes stay, why, and the lines of the AWS CLI and the host. */
import { type Deployment, isHdd, type VolumeConfiguration } from '../limits/volume-limits.ts';
import { type Layout, provisioned } from './layout.ts';
import {
  attachmentNames,
  type Change,
  type Current,
  changeTo,
  copySteps,
  currentVolumeIds,
  fstabSteps,
  growSteps,
  hostSteps,
  mountLine,
  newVolumeVariables,
  note,
  regionOrPlaceholder,
  requireChunk,
  requireLegal,
  type StepLine,
  set,
  snapshotIds,
  stopSteps,
  variableSteps,
} from './step-commands.ts';

// The steps as AWS CLI and host commands, top to bottom. Each line is a command, or a note of what a person has to do.
// Sources: EC2 API reference (CreateVolume, ModifyVolume, AttachVolume), EBS user guide (modify-volume-requirements,
// monitoring-volume-modifications), read 2026-11-21.

interface Plan {
  next: Layout;
  current: Current;
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

const notForRoot = ({ volumeType }: Layout): StepLine[] =>
  isHdd(volumeType) ? [{ code: 'not-for-root', volumeType }] : [];

/** What of a member becomes less; the size never does where the volume stays. */
function lowered(layout: Layout, next: Layout): StepLine[] {
  const fall = (from: number, to: number) => (to < from ? { from, to } : null);
  const iops = fall(layout.iops, next.iops);
  const throughputMiBps = fall(layout.throughputMiBps, next.throughputMiBps);
  return iops === null && throughputMiBps === null
    ? []
    : [{ code: 'lowered', isEach: next.members > 1, iops, throughputMiBps }];
}

function modifyNotes({ next, current }: Plan): StepLine[] {
  const { layout } = current;
  const wasProvisioned = layout.volumeType === 'io1' || layout.volumeType === 'io2';
  const isProvisioned = next.volumeType === 'io1' || next.volumeType === 'io2';
  return [
    note('managed-elsewhere'),
    ...notForRoot(next),
    ...lowered(layout, next),
    ...(wasProvisioned ? [note('multi-attach')] : []),
    ...(next.volumeType === 'io2' && (next.sizeGiB > 16_384 || next.iops > 64_000)
      ? [note('io2-block-express')]
      : []),
    ...(isProvisioned && next.iops > 32_000 ? [note('attach-again-above-32000-iops')] : []),
    ...(next.members > 1 ? [note('one-after-the-other')] : []),
  ];
}

/** Of several volumes at one moment: snapshots taken one by one would not fit together. */
function safetySnapshot(ec2: Ec2, ids: readonly string[]): StepLine[] {
  const [only] = ids;
  const snapshot =
    ids.length === 1 && only !== undefined
      ? ec2('create-snapshot', `--volume-id ${only}`)
      : ec2('create-snapshots', '--instance-specification InstanceId=<instance-id>,ExcludeBootVolume=true');
  return [note('snapshot-before-growing'), snapshot];
}

function modifySteps(plan: Plan): StepLine[] {
  const { next, current, deployment } = plan;
  const ec2 = ec2In(plan.region);
  const ids = currentVolumeIds(current.volumeIds, next.members);
  const grows = next.sizeGiB > current.layout.sizeGiB;
  const target = figures(provisioned(next, deployment));
  return [
    ...modifyNotes(plan),
    ...(grows ? safetySnapshot(ec2, ids) : []),
    ...ids.map((id) => ec2('modify-volume', `--volume-id ${id}`, ...target)),
    note('repeat-until-completed'),
    ec2(
      'describe-volumes-modifications',
      `--volume-ids ${ids.join(' ')}`,
      "--query 'VolumesModifications[].[VolumeId,ModificationState,Progress]' --output text",
    ),
    note('modification-limits'),
    ...(grows ? [note('grow-on-host'), ...growSteps(next, current, ids)] : []),
  ];
}

type CreatePlan = Omit<Plan, 'current'> & { beside: boolean; snapshotId?: string };

/** What was printed stays in V1 and so on: nobody has to copy an id from one of these lines to the next. */
function createSteps({ next, deployment, region, beside, snapshotId }: CreatePlan): StepLine[] {
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
      ? [note('encryption-by-default'), ec2('get-ebs-encryption-by-default')]
      : []),
    ...(deployment === 'outposts' ? [note('outpost-types')] : []),
    // Else, with a placeholder left in below, an id of another migration would stay.
    `unset ${variables.join(' ')}`,
    ...variables.map(create),
    ec2('wait volume-available', ids),
    note('device-name-in-use'),
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
function retireSteps({ current, region }: Plan, snapshotsExist: boolean): StepLine[] {
  const ec2 = ec2In(region);
  const ids = currentVolumeIds(current.volumeIds, current.layout.members);
  const snapshots = snapshotIds(ids.length);
  return [
    ...(snapshotsExist
      ? []
      : [
          ...stopSteps(current),
          note('keep-until-snapshots'),
          ...ids.map((id) => ec2('create-snapshot', `--volume-id ${id}`, '--query SnapshotId --output text')),
          note('wait-gives-up'),
          ec2('wait snapshot-completed', `--snapshot-ids ${snapshots.join(' ')}`),
        ]),
    note('delete-last'),
    ...ids.map((id) => `# ${ec2('detach-volume', `--volume-id ${id}`)}`),
    ...ids.map((id) => `# ${ec2('delete-volume', `--volume-id ${id}`)}`),
  ];
}

function snapshotSteps(plan: Plan): StepLine[] {
  const { next, current } = plan;
  const ec2 = ec2In(plan.region);
  const old = currentVolumeIds(current.volumeIds, 1).join(' ');
  const snapshot = snapshotIds(1).join(' ');
  const hdd = notForRoot(next);
  return [
    ...(hdd.length > 0 ? hdd : [note('root-volume-stops-instance')]),
    note('unmount-first'),
    'unset MOUNT',
    mountLine,
    `sudo umount ${set('MOUNT')}`,
    ec2('create-snapshot', `--volume-id ${old}`, '--query SnapshotId --output text'),
    note('wait-gives-up'),
    ec2('wait snapshot-completed', `--snapshot-ids ${snapshot}`),
    ...createSteps({ ...plan, beside: true, snapshotId: snapshot }),
    note('blocks-fetched-late'),
    note('put-in-id'),
    ...variableSteps(next, []),
    note('fstab-unchanged'),
    `! mountpoint -q ${set('MOUNT')} && sudo mount ${set('DATA')} "$MOUNT"`,
    note('start-again'),
    ...(next.sizeGiB > current.layout.sizeGiB
      ? [note('file-system-not-grown'), ...growSteps(next, current, [])]
      : []),
    ...retireSteps(plan, true),
  ];
}

function migrateSteps(plan: Plan): StepLine[] {
  const { next, chunkKiB } = plan;
  return [
    note('copied-as-files'),
    note('root-needs-instance'),
    ...createSteps({ ...plan, beside: true }),
    ...hostSteps(next, chunkKiB, true),
    ...copySteps(),
    ...retireSteps(plan, false),
  ];
}

type AwsCliOptions = Omit<Plan, 'current'> & Change & { current: Current | null };

function awsCli({ current, route, reason, ...plan }: AwsCliOptions): StepLine[] {
  if (current === null) {
    const { next, chunkKiB } = plan;
    return [
      ...notForRoot(next),
      ...createSteps({ ...plan, beside: false }),
      ...hostSteps(next, chunkKiB),
      ...fstabSteps(),
    ];
  }
  if (route === 'nothing') return [{ code: 'nothing-to-do', reason }];
  const of = { modify: modifySteps, snapshot: snapshotSteps, copy: migrateSteps, create: migrateSteps };
  return of[route]({ ...plan, current });
}

interface Route extends Change {
  /** The volumes stay, and stay in use. */
  inPlace: boolean;
}

interface Way extends Route {
  /** Top to bottom; each a command on the host, an aws command, or a note. */
  lines: StepLine[];
}

const usualChunkKiB = 64;

export interface StepOptions {
  region: string;
  deployment: Deployment;
  /** Of a stripe, RAID10 or RAID5 that is made. @default 64 */
  chunkKiB?: number | undefined;
}

/**
 * By which route `next` is reached from what is present, without its lines: for those who compare thousands of layouts.
 * @throws IllegalConfiguration where EBS, LVM or mdadm would refuse `next`.
 */
export function routeTo(
  next: Layout,
  current: Current | null,
  { deployment, chunkKiB = usualChunkKiB }: StepOptions,
): Route {
  requireLegal(next, deployment);
  requireChunk(chunkKiB);
  const { route, reason } = changeTo(next, current, deployment);
  return { route, reason, inPlace: route === 'modify' || route === 'nothing' };
}

/**
 * How `next` is reached from what is present; from null: how it is made.
 * @throws IllegalConfiguration where EBS, LVM or mdadm would refuse `next`.
 */
export function wayTo(next: Layout, current: Current | null, options: StepOptions): Way {
  const { region, deployment, chunkKiB = usualChunkKiB } = options;
  const found = routeTo(next, current, options);
  const { route, reason } = found;
  return { ...found, lines: awsCli({ next, current, region, deployment, chunkKiB, route, reason }) };
}
