/**
 * Volumes of Kubernetes: what their tags say, and the commands that change one through its claim. The EBS CSI driver does not know
 * of a change by ModifyVolume: the claim would go on asking for what was before.
 * Sources, read 2026-11-28: aws-ebs-csi-driver, docs/tagging.md, docs/modify-volume.md and pkg/driver/constants.go; EKS, policy
 * AmazonEBSCSIDriverEKSClusterScopedPolicy (ebs.csi.aws.com/cluster-name); Kubernetes, Volume Attributes Classes (v1 from 1.34,
 * v1beta1 on 1.31 to 1.33) and names (RFC 1123).
 */
import { isVolumeId } from './ids.ts';
import type { Tags } from './inventory.ts';
import type { KubernetesVolume } from './schemas/kubernetes-volume.ts';
import type { VolumeSettings } from './schemas/volume-change.ts';

/** On every volume that the driver made; its value is `true`. */
const driverTag = 'ebs.csi.aws.com/cluster';
/** The first three are there where the provisioner runs with --extra-create-metadata. */
const claimTag = 'kubernetes.io/created-for/pvc/name';
const namespaceTag = 'kubernetes.io/created-for/pvc/namespace';
const volumeTag = 'kubernetes.io/created-for/pv/name';
const clusterTags = ['KubernetesCluster', 'ebs.csi.aws.com/cluster-name'] as const;
/** Of a cluster that has the volume; the name is part of the key. */
const ownedBy = 'kubernetes.io/cluster/';

const read: readonly string[] = [driverTag, claimTag, namespaceTag, volumeTag, ...clusterTags];

/** Tags that are read of every volume, whatever the configuration asks for. */
export const isKubernetesTag = (key: string): boolean => read.includes(key) || key.startsWith(ownedBy);

/** EC2 takes no longer value; a file may have one. */
const mostCharacters = 256;

const tagValue = (tags: Tags, key: string): string | null =>
  (Object.hasOwn(tags, key) ? tags[key] : undefined)?.slice(0, mostCharacters) || null;

function clusterOf(tags: Tags): string | null {
  for (const key of clusterTags) {
    const name = tagValue(tags, key);
    if (name !== null) return name;
  }
  const owners = Object.keys(tags).filter((key) => key.startsWith(ownedBy) && tags[key] === 'owned');
  const [only = ''] = owners;
  return owners.length === 1 ? only.slice(ownedBy.length, ownedBy.length + mostCharacters) || null : null;
}

/** Null where no tag says that it is one: a cluster alone owns disks of its nodes too. */
export function kubernetesOf(tags: Tags): KubernetesVolume | null {
  const [claim, volume] = [tagValue(tags, claimTag), tagValue(tags, volumeTag)];
  const driver = Object.hasOwn(tags, driverTag) ? tags[driverTag] : undefined;
  if (driver === undefined && claim === null && volume === null) return null;
  return {
    ...{ claim, namespace: tagValue(tags, namespaceTag), volume, cluster: clusterOf(tags) },
    isOfDriver: driver === 'true',
  };
}

/** What all of them say alike; null where one is none of Kubernetes. */
export function sharedKubernetes(
  all: readonly { kubernetes?: KubernetesVolume | undefined }[],
): KubernetesVolume | null {
  const [first, ...others] = all.map(({ kubernetes }) => kubernetes ?? null);
  if (first == null || others.includes(null)) return null;
  const same = <Key extends keyof KubernetesVolume>(key: Key): KubernetesVolume[Key] | null =>
    others.every((one) => one?.[key] === first[key]) ? first[key] : null;
  return {
    ...{
      claim: same('claim'),
      namespace: same('namespace'),
      volume: same('volume'),
      cluster: same('cluster'),
    },
    isOfDriver: same('isOfDriver') ?? false,
  };
}

// Commands. A name goes into one only where it has the form of its kind; a placeholder stops a shell.

/** A label: at most 63 characters. */
const labelForm = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** Labels with dots between them: at most 253 characters. */
const subdomainForm = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

export const isNamespace = (name: string): boolean => labelForm.test(name);
export const isClaimName = (name: string): boolean => name.length <= 253 && subdomainForm.test(name);

/** "--namespace shop patch pvc orders" and the like. */
const onClaim = (
  { claim, namespace }: Pick<KubernetesVolume, 'claim' | 'namespace'>,
  verb: string,
): string => {
  const space = namespace !== null && isNamespace(namespace) ? namespace : '<namespace>';
  const name = claim !== null && isClaimName(claim) ? claim : '<claim>';
  return `kubectl --namespace ${space} ${verb} pvc ${name}`;
};

/** "ebs-gp3-3000-iops-250-mibps": the parameters of a class never change, so they are its name. */
const classNameOf = ({ volumeType, iops, throughputMiBps }: VolumeSettings): string =>
  [
    `ebs-${volumeType}`,
    ...(iops === null ? [] : [`${iops}-iops`]),
    ...(throughputMiBps === null ? [] : [`${throughputMiBps}-mibps`]),
  ].join('-');

/** Makes the class where it is not there. */
function classCommand(to: VolumeSettings): string {
  const { volumeType, iops, throughputMiBps } = to;
  const parameters: [string, string | number | null][] = [
    ['type', volumeType],
    ['iops', iops],
    ['throughput', throughputMiBps],
  ];
  return [
    "kubectl apply --filename - <<'EOF'",
    'apiVersion: storage.k8s.io/v1',
    'kind: VolumeAttributesClass',
    'metadata:',
    `  name: ${classNameOf(to)}`,
    'driverName: ebs.csi.aws.com',
    'parameters:',
    ...parameters.flatMap(([name, value]) => (value === null ? [] : [`  ${name}: "${value}"`])),
    'EOF',
  ].join('\n');
}

export interface ClaimCommands {
  /** Of several lines. */
  makeClass: string;
  /** The claim names the class, and asks for the size where it grows. */
  patchClaim: string;
  /** Prints the class that the volume has by now. */
  showClass: string;
  grows: boolean;
}

export function claimCommands(
  of: Pick<KubernetesVolume, 'claim' | 'namespace'>,
  from: Pick<VolumeSettings, 'sizeGiB'>,
  to: VolumeSettings,
): ClaimCommands {
  const grows = to.sizeGiB > from.sizeGiB;
  const spec = {
    volumeAttributesClassName: classNameOf(to),
    ...(grows ? { resources: { requests: { storage: `${to.sizeGiB}Gi` } } } : {}),
  };
  return {
    makeClass: classCommand(to),
    patchClaim: `${onClaim(of, 'patch')} --patch '${JSON.stringify({ spec })}'`,
    showClass: `${onClaim(of, 'get')} --output jsonpath='{.status.currentVolumeAttributesClassName}'`,
    grows,
  };
}

/** Prints the claim that has a volume, by the cluster: its tags may name another one. */
export const claimOfVolume = (volumeId: string): string =>
  `kubectl get pv --output jsonpath='{range .items[?(@.spec.csi.volumeHandle=="${isVolumeId(volumeId) ? volumeId : '<volume-id>'}")]}{.spec.claimRef.namespace}/{.spec.claimRef.name}{end}'`;
