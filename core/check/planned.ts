/**
 * What a Terraform plan, a CloudFormation template, a CDK app or Kubernetes manifests ask for: one model, whoever wrote the file.
 * Readers: adapters/infrastructure. A figure that the file does not say is unknown with a reason, never guessed: what AWS
 * takes where nothing is set is for the rules to apply.
 */
import type { Tags } from '../inventory.ts';
import type { Known } from '../known.ts';

// Figures.

/** Why a figure is not known. */
export const unknownFigureCodes = [
  /** Terraform knows it after the apply. */
  'known-after-apply',
  /** Terraform marks it as sensitive: it was not kept. */
  'sensitive',
  /** A parameter of the template without a default, or a value of Systems Manager. */
  'parameter',
  /** An intrinsic function, a condition or a mapping that the template alone does not decide. */
  'not-resolved',
  /** The file has something there that is no such figure: text for a number, a fraction of a GiB, a type that is none. */
  'not-readable',
  /** It stands elsewhere: a launch template, an image, a snapshot or a class that the files do not have. */
  'elsewhere',
  /** It follows from a size, which each claim of the class has. */
  'size-of-claim',
] as const;
export type UnknownFigureCode = (typeof unknownFigureCodes)[number];

export interface UnknownFigure {
  code: UnknownFigureCode;
  /** What it hangs on, sanitized: the name of a parameter or function, the text that is no number. Never a sensitive value. */
  detail: string | null;
}

/** A figure as asked for. A known null: it is not set, and AWS takes its default. */
export type Asked<T> = Known<T | null, UnknownFigure>;

/** What is set, where that is known; else null. */
export const setValue = <T>(asked: Asked<T> | undefined): T | null => (asked?.known ? asked.value : null);

/** A volume as the file asks for it. Nothing is checked: 99,999 IOPS on gp2 stand here as they stand there. */
export interface AskedVolume {
  /** As written, lower case: any text, so that a type that is none can be refused by a rule. */
  volumeType: Asked<string>;
  sizeGiB: Asked<number>;
  iops: Asked<number>;
  throughputMiBps: Asked<number>;
  /** MiB/s of Provisioned Rate for Volume Initialization. */
  initializationMiBps: Asked<number>;
  /** Where it is made from a snapshot, its size may be the snapshot's. */
  snapshotId: Asked<string>;
  multiAttach: Asked<boolean>;
  /** Where the volume stands on an Outpost other limits hold. */
  outpostArn: Asked<string>;
}

// Resources.

/** `declared`: a template or a manifest says what shall be, not what changes. `none`: the plan leaves it as it is. */
const plannedActions = ['create', 'update', 'replace', 'delete', 'none', 'declared'] as const;
export type PlannedAction = (typeof plannedActions)[number];

const plannedSources = ['terraform-plan', 'cloudformation', 'kubernetes'] as const;
type PlannedSource = (typeof plannedSources)[number];

/**
 * From a tag `stripewise:ignore` with the value `RULE reason`, or one for each rule: `stripewise:ignore:RULE` with the reason.
 * Kubernetes has annotations, whose keys take no colon: `stripewise/ignore` and `stripewise/ignore-RULE`.
 */
export interface IgnoredRule {
  /** As written: it may be the name of no rule. */
  rule: string;
  /** Sanitized; null where none was given. */
  reason: string | null;
}

/** Names another resource: by its address in the same `Planned`, or by an id of AWS; both null where it is neither. */
export interface ResourceReference {
  /** Equals the `address` of a resource with the same `scope`. */
  address: string | null;
  /** vol-.., i-.., lt-.., or a name (launch template, storage class). */
  id: string | null;
}

/** Terraform marks what it failed to make as tainted; `-replace` requests it. */
export type ReplaceReason = 'tainted' | 'requested';

/** What every resource has. */
export interface PlannedBase {
  /** `module.db.aws_ebs_volume.data["a"]`; `Stack/LogicalId`, for a nested stack `Stack/Nested/LogicalId`; `namespace/Kind/name`. Sanitized. */
  address: string;
  source: PlannedSource;
  /** As the file says it: aws_ebs_volume, AWS::EC2::Volume, PersistentVolumeClaim. */
  type: string;
  /** Addresses are unique within one scope: a plan, a stack with its nested ones, all manifests together. */
  scope: string;
  /** As the person gave it, or below the directory that was given. */
  file: string;
  /** From 1; null where the file has no lines that help (a plan). */
  line: number | null;
  action: PlannedAction;
  /** Attributes for which a plan replaces the resource, such as `availability_zone`; empty for anything else. */
  replacedFor: readonly string[];
  /** Why a plan replaces it though no attribute asks for that; null: for attributes, or the file does not say. */
  replaceReason: ReplaceReason | null;
  /** us-east-1; null where the file does not say it. */
  region: string | null;
  /** Of the plan or template; only those with a known value that is not sensitive. */
  tags: Tags;
  ignoredRules: readonly IgnoredRule[];
}

/** aws_ebs_volume, AWS::EC2::Volume. */
export interface PlannedVolume extends PlannedBase {
  kind: 'volume';
  /** What shall be; of a `delete`, what was. */
  asked: AskedVolume;
  /** What stands, of update, replace, delete and none; null where the file does not know it. */
  before: AskedVolume | null;
  /** Where the state has it: vol-... */
  volumeId: string | null;
  availabilityZone: Asked<string>;
}

/** A volume that an instance, a launch template or a group brings with it. */
export interface PlannedDevice {
  /** /dev/xvda; null where it is not known or not set. */
  device: string | null;
  isRoot: boolean;
  asked: AskedVolume;
  /** What stands; null where the file does not know it. */
  before: AskedVolume | null;
  volumeId: string | null;
  tags: Tags;
  /** Where its block begins; else the line of the resource. */
  line: number | null;
  /** A resource that changes may add or remove it; null: what its resource does. */
  action: Extract<PlannedAction, 'create' | 'delete'> | null;
}

interface WithDevices {
  /** Those that are written; a device of an image that is not named here is not among them. */
  devices: readonly PlannedDevice[];
  /** Not null: there are, or may be, more than `devices` has. */
  moreDevices: UnknownFigure | null;
}

/** aws_instance, aws_spot_instance_request, AWS::EC2::Instance. */
export interface PlannedInstance extends PlannedBase, WithDevices {
  kind: 'instance';
  instanceType: Asked<string>;
  /** What stands; null where the file does not know it, or nothing stands. */
  beforeInstanceType: Asked<string> | null;
  beforeIsSpot: Asked<boolean> | null;
  /** i-...; null where the state does not have it. */
  instanceId: string | null;
  ebsOptimized: Asked<boolean>;
  /** Its tenancy is dedicated or host: not the price of a shared one. */
  isDedicated: boolean;
  /** A known null: on demand, where its launch template says nothing else. */
  isSpot: Asked<boolean>;
  /** What is not set on the instance stands there. */
  launchTemplate: ResourceReference | null;
}

/** aws_launch_template, aws_launch_configuration, AWS::EC2::LaunchTemplate, AWS::AutoScaling::LaunchConfiguration. */
export interface PlannedLaunchTemplate extends PlannedBase, WithDevices {
  kind: 'launch-template';
  instanceType: Asked<string>;
  /** What stands; null where the file does not know it, or nothing stands. */
  beforeInstanceType: Asked<string> | null;
  beforeIsSpot: Asked<boolean> | null;
  ebsOptimized: Asked<boolean>;
  /** Its tenancy is dedicated or host: not the price of a shared one. */
  isDedicated: boolean;
  /** A known null: on demand, where who starts from it says nothing else. */
  isSpot: Asked<boolean>;
  /** lt-...; null where the state does not have it. */
  launchTemplateId: string | null;
  /** By which others may name it. */
  name: string | null;
}

/** What the instances of a group are. */
export interface InstancesOfGroup {
  /** A launch template or a launch configuration; both nulls where it is not known which. Null: none is named. */
  launchTemplate: ResourceReference | null;
  /** The version of the launch template is a number: a new one changes nothing here. */
  isPinned: boolean;
  /** Of a mixed policy or a node group, in their order; a known null: that of the launch template. */
  instanceTypes: Asked<readonly string[]>;
  /** Any of them; a known null: as the launch template says. */
  isSpot: Asked<boolean>;
}

/** aws_autoscaling_group, aws_eks_node_group, AWS::AutoScaling::AutoScalingGroup. */
export interface PlannedGroup extends PlannedBase, WithDevices, InstancesOfGroup {
  kind: 'auto-scaling-group';
  /** What stands; null where the file does not know it. */
  before: InstancesOfGroup | null;
  /** How many instances, and so copies of each device, it asks for: the desired capacity, else its minimum. */
  copies: Asked<number>;
  beforeCopies: Asked<number> | null;
  minCopies: Asked<number>;
  maxCopies: Asked<number>;
}

/** aws_volume_attachment, AWS::EC2::VolumeAttachment. */
export interface PlannedAttachment extends PlannedBase {
  kind: 'attachment';
  volume: ResourceReference;
  instance: ResourceReference;
  device: string | null;
}

/** Of ebs.csi.aws.com or the in-tree kubernetes.io/aws-ebs. A claim takes its figures; sizes stand in the claim. */
export interface PlannedStorageClass extends PlannedBase {
  kind: 'storage-class';
  name: string;
  /** `sizeGiB` is a known null: a class has no size. */
  asked: AskedVolume;
  before: AskedVolume | null;
  /** The driver's: IOPS for each GiB of the claim, of io1, io2 and gp3. */
  iopsPerGiB: Asked<number>;
  /** Raises IOPS that are below the least of the type to it, instead of an error. */
  allowAutoIopsPerGiBIncrease: Asked<boolean>;
  isDefault: boolean;
  allowsExpansion: boolean;
}

/** VolumeAttributesClass of ebs.csi.aws.com. */
export interface PlannedAttributesClass extends PlannedBase {
  kind: 'volume-attributes-class';
  name: string;
  /** `sizeGiB` is a known null. */
  asked: AskedVolume;
  before: AskedVolume | null;
  iopsPerGiB: Asked<number>;
}

/** PersistentVolumeClaim, or one of volumeClaimTemplates of a StatefulSet. */
export interface PlannedClaim extends PlannedBase {
  kind: 'claim';
  name: string;
  namespace: string | null;
  /** What is requested, rounded up to whole GiB as the driver does. */
  sizeGiB: Asked<number>;
  beforeSizeGiB: Asked<number> | null;
  /** Null: none is named, the cluster's default holds. */
  storageClass: ResourceReference | null;
  attributesClass: ResourceReference | null;
  /** 1 for a claim; the replicas of a StatefulSet for a template. */
  copies: Asked<number>;
}

export type PlannedResource =
  | PlannedVolume
  | PlannedInstance
  | PlannedLaunchTemplate
  | PlannedGroup
  | PlannedAttachment
  | PlannedStorageClass
  | PlannedAttributesClass
  | PlannedClaim;

/** By which others may name a resource: ids of AWS, names. */
export function idsOf(resource: PlannedResource): string[] {
  switch (resource.kind) {
    case 'volume':
      return resource.volumeId === null ? [] : [resource.volumeId];
    case 'instance':
      return resource.instanceId === null ? [] : [resource.instanceId];
    case 'launch-template':
      return [resource.launchTemplateId, resource.name].filter((id) => id !== null);
    case 'storage-class':
    case 'volume-attributes-class':
      return [resource.name];
    default:
      return [];
  }
}

// What was read, and what was not.

/** A file, or one of its documents, that could not be read; the rest was. */
export interface UnreadableDocument {
  file: string;
  line: number | null;
  /** One line: what, why, what would be right. Sanitized. */
  reason: string;
}

/** Every resource that was seen is understood, not made or counted by its type; every file below a directory is read, unreadable or passed over. */
interface PlannedCoverage {
  /** Resources (data sources of Terraform are none): `understood`, `notMade` and all of `unknown` together. */
  seen: number;
  /** Became a `PlannedResource`, or several: each template of claims of a StatefulSet is one. */
  understood: number;
  /** The condition of a template says that they are not made. One that cannot be decided counts as made. */
  notMade: number;
  /** Types that bring no volume, or that no reader knows: most first, then by name. */
  unknown: readonly { type: string; count: number }[];
  /** Files, read whole or in part. */
  files: number;
  /** Below a directory: what is no plan, template or manifest, by the ending of its name (`node_modules/` for all in it), most first. */
  passedOver: readonly { ending: string; count: number }[];
  unreadable: readonly UnreadableDocument[];
}

export interface Planned {
  resources: readonly PlannedResource[];
  coverage: PlannedCoverage;
}
