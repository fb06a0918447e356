/** Volumes of one instance that carry one load, in even parts. */
import type { Confidence } from '../diagnosis/causes.ts';
import type { Volume } from '../inventory.ts';
import { configurationOf } from '../limits/volume-configuration.ts';
import { memberText } from '../plan/steps/provisioned.ts';
import type { ArrayKind } from './array-kind.ts';

/** Kinds whose members all have the same to do. */
export type EvenKind = Exclude<ArrayKind, 'linear' | 'other'>;

/** host: it said so. tag: its owner did. inferred: the volumes are alike and their loads nearly the same. */
export type StripeEvidence = 'host' | 'tag' | 'inferred';

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

/** How it is known, for a sentence. */
export const evidenceText: Record<StripeEvidence, string> = {
  host: 'the host says so',
  tag: 'their tag says so',
  inferred: 'inferred: same figures, and nearly the same load at all times',
};

export const idsOf = ({ volumes }: Pick<Stripe, 'volumes'>): string[] =>
  volumes.map(({ volumeId }) => volumeId);

/** gp3, 500 GiB, 3,000 IOPS, 125 MiB/s; of a configuration that is not known, its type and size. */
function figuresText(volume: Volume): string {
  const configured = configurationOf(volume);
  if (!configured.known) return `${volume.volumeType}, ${volume.sizeGiB} GiB`;
  const { baselineIops, baselineMiBps } = configured.value.limits;
  return memberText({ ...configured.value.config, iops: baselineIops, throughputMiBps: baselineMiBps });
}

/**
 * Members that are not as most of them are, "vol-2: gp3, 100 GiB, ... (the others: ...)"; where no figures are those of
 * more than half, all members are named. A stripe is as fast as its slowest member allows, and as large as its smallest.
 */
export function unlikeMembers({ volumes }: Pick<Stripe, 'volumes'>): string[] {
  const texts = volumes.map(figuresText);
  const usual = texts.find((text) => texts.filter((other) => other === text).length > volumes.length / 2);
  return volumes.flatMap(({ volumeId }, i) => {
    const text = texts[i] as string;
    if (text === usual) return [];
    return [`${volumeId}: ${text}${usual === undefined ? '' : ` (the others: ${usual})`}`];
  });
}
