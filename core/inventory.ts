/** What the account has: volumes and instances, as the engine sees them, whoever described them. */
import type { Deployment } from './limits/volume-types.ts';

/** Values by key. */
export type Tags = Record<string, string>;

interface Attachment {
  instanceId: string;
  /** Which of the instance's EBS cards it is on; null where nobody told. */
  ebsCardIndex: number | null;
}

export interface Volume {
  volumeId: string;
  /** As EC2 says it: it may be a type that this version does not know. */
  volumeType: string;
  sizeGiB: number;
  /** As EC2 reports it: also on gp2, where it follows from the size. */
  iops: number | null;
  throughputMiBps: number | null;
  state: string;
  region: string;
  account: string | null;
  deployment: Deployment;
  multiAttach: boolean;
  attachments: Attachment[];
  name: string | null;
  /** The value of its tag `stripewise:stripe`: volumes of one instance with the same are one stripe; null without. */
  stripeTag: string | null;
  /** Of its tags those alone that the configuration or `--resource` asks about: others are nobody's business here. */
  tags: Tags;
}

export interface Instance {
  instanceId: string;
  /** Null for an instance that nobody described. */
  instanceType: string | null;
  /** `unknown` for an instance that nobody described. */
  state: string;
  region: string;
  account: string | null;
  name: string | null;
  /** How it shares its bandwidth between network and EBS: `default`, `ebs-1`, `vpc-1`; null where nobody told. */
  bandwidthWeighting: string | null;
  /** As of a volume. */
  tags?: Tags | undefined;
  /** Attached volumes that the configuration excludes: there, and not looked at. Absent: none. */
  excludedVolumes?: number | undefined;
}

/** Volumes that are attached to it, excluded ones too. */
export const attachedCount = ({ excludedVolumes = 0 }: Instance, volumes: readonly Volume[]): number =>
  volumes.length + excludedVolumes;
