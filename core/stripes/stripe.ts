/** Volumes of one instance that carry one load, in even parts. */
import type { Confidence } from '../diagnosis/causes.ts';
import type { Volume } from '../inventory.ts';
import { configurationOf } from '../limits/volume-configuration.ts';
import type { UnlikeMember } from '../schemas/evidence.ts';
import type { ArrayKind } from './array-kind.ts';

/** Kinds whose members all have the same to do. */
export type EvenKind = Exclude<ArrayKind, 'linear' | 'other'>;

/** host: it said so. tag: its owner did. inferred: the volumes are alike and their loads nearly the same. */
type StripeEvidence = 'host' | 'tag' | 'inferred';

export interface Stripe {
  /** Stable: the instance with the name, or with a hash of the members where there is none. */
  stripeId: string;
  /** What it is called on the host or in the tag; null where it is inferred. */
  name: string | null;
  instanceId: string;
  region: string;
  account: string | null;
  /** At least two, by id. */
  volumes: readonly Volume[];
  evidence: StripeEvidence;
  confidence: Confidence;
  /** Null where it is inferred, or where the host has several kinds on the same volumes. */
  kind: EvenKind | null;
  chunkKiB: number | null;
  mountPoints: readonly string[];
  builtWith: 'lvm' | 'mdadm' | null;
}

export const idsOf = ({ volumes }: Pick<Stripe, 'volumes'>): string[] =>
  volumes.map(({ volumeId }) => volumeId);

type MemberConfiguration = UnlikeMember['configuration'];

/** Of a configuration that is not known, its type and size. */
function configurationOfMember(volume: Volume): MemberConfiguration {
  const { volumeType, sizeGiB } = volume;
  const configured = configurationOf(volume);
  if (!configured.known) return { volumeType, sizeGiB, iops: null, throughputMiBps: null };
  const { baselineIops, baselineMiBps } = configured.value.limits;
  return { volumeType, sizeGiB, iops: baselineIops, throughputMiBps: baselineMiBps };
}

const isSame = (a: MemberConfiguration, b: MemberConfiguration): boolean =>
  a.volumeType === b.volumeType &&
  a.sizeGiB === b.sizeGiB &&
  a.iops === b.iops &&
  a.throughputMiBps === b.throughputMiBps;

/**
 * Members that are not as most of them are; where no configuration is that of more than half, all of them. A stripe is as
 * fast as its slowest member allows, and as large as its smallest.
 */
export function unlikeMembers({ volumes }: Pick<Stripe, 'volumes'>): UnlikeMember[] {
  const all = volumes.map(configurationOfMember);
  const usual = all.find((one) => all.filter((other) => isSame(one, other)).length > all.length / 2);
  return volumes.flatMap(({ volumeId }, i) => {
    const configuration = all[i] as MemberConfiguration;
    if (usual !== undefined && isSame(configuration, usual)) return [];
    return [{ volumeId, configuration, othersConfiguration: usual ?? null }];
  });
}
