/** What the tags of a volume say of Kubernetes. Anybody who may tag the volume writes them: names to read, and no proof. */
import { z } from 'zod';

export const kubernetesVolumeSchema = z.object({
  claim: z.string().nullable().meta({ description: 'the PersistentVolumeClaim; null: no tag names it' }),
  namespace: z.string().nullable().meta({ description: 'of the claim' }),
  volume: z.string().nullable().meta({ description: 'the PersistentVolume' }),
  cluster: z.string().nullable().meta({ description: 'null: no tag names it, or several do' }),
  isOfDriver: z.boolean().meta({
    description: 'the EBS CSI driver made it: only then its claim takes a VolumeAttributesClass',
  }),
});
export type KubernetesVolume = z.infer<typeof kubernetesVolumeSchema>;
