/** From a volume's load to its diagnosis, period by period. */
import { demandOf } from '../demand/demand.ts';
import { attribute } from '../diagnosis/attribute.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { type InstanceOnAxis, instanceOnAxis } from '../diagnosis/instance-on-axis.ts';
import type { Volume } from '../inventory.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Evaluating, EvaluationContext } from './evaluating.ts';

/** What each of its instances throttled, on the axis of its load; a Multi-Attach volume has several. */
const instancesOf = (
  { attachments }: Volume,
  { observed }: EvaluationContext,
  load: VolumeLoad,
): InstanceOnAxis[] =>
  attachments.flatMap(({ instanceId }) => {
    const evidence = observed.evidenceOf(instanceId);
    return evidence === null ? [] : [instanceOnAxis(evidence, load)];
  });

export function diagnose(
  { volume, limits }: Evaluating,
  load: VolumeLoad,
  context: EvaluationContext,
): DiagnosedVolume {
  const { thresholds } = context;
  const metrics = context.metrics.of(volume.volumeId);
  const attribution = attribute(limits, load, metrics, instancesOf(volume, context, load), thresholds);
  const diagnosed = { volume, limits, load, attribution, demand: demandOf(load, attribution, thresholds) };
  context.observed.note(diagnosed);
  context.onDiagnosed(diagnosed, metrics);
  return diagnosed;
}
