/** The stripes of one instance: what is reported of their volumes is reported once of each, and their slow members are named. */
import { causeCode } from '../diagnosis/causes.ts';
import { stragglerFindings } from '../diagnosis/straggler.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { type Finding, isSaving } from '../schemas/finding.ts';
import { findingsAsOne } from '../stripes/findings-as-one.ts';
import { loadAsOne } from '../stripes/load-as-one.ts';
import { idsOf, type Stripe } from '../stripes/stripes.ts';
import type { EvaluatedVolume } from './evaluate-volume.ts';
import type { Observed } from './observed.ts';

const quiet: readonly number[] = [causeCode.none, causeCode.unknown];

function stragglersOf(stripe: Stripe, observed: Observed, thresholds: Thresholds): Finding[] {
  const loadOf = (volumeId: string): VolumeLoad | null => observed.diagnosisOf(volumeId)?.load ?? null;
  const isThrottled = (volumeId: string, period: number): boolean => {
    const code = observed.diagnosisOf(volumeId)?.attribution.cause[period];
    return code !== undefined && !quiet.includes(code);
  };
  return stragglerFindings(stripe, loadOf, isThrottled, thresholds);
}

function loadOfAll(stripe: Stripe, observed: Observed): VolumeLoad | null {
  const loads = idsOf(stripe).flatMap((id) => observed.diagnosisOf(id)?.load ?? []);
  if (loads.length < stripe.volumes.length) return null;
  return loadAsOne(loads);
}

/** The evaluation of a volume whose findings are reported of its stripe, and of itself where it is the slow member. */
function withStripes(
  { evaluation, ...rest }: EvaluatedVolume,
  findings: readonly Finding[],
  inPlaceOf: ReadonlyMap<string, string | null>,
): EvaluatedVolume {
  const notified = evaluation.findings.flatMap((id) => {
    const instead = inPlaceOf.get(id);
    return instead === undefined ? [id] : instead === null ? [] : [instead];
  });
  const own = findings.filter(
    ({ id, resource }) => resource.id === evaluation.volumeId && !notified.includes(id),
  );
  const ids = [...notified, ...own.map(({ id }) => id)];
  const isTrouble = findings.some((finding) => ids.includes(finding.id) && !isSaving(finding));
  const evaluated = evaluation.status === 'unknown' ? 'unknown' : isTrouble ? 'finding' : 'healthy';
  return { ...rest, findings: [], evaluation: { ...evaluation, findings: ids, status: evaluated } };
}

export interface EvaluatedTogether {
  volumes: EvaluatedVolume[];
  findings: Finding[];
}

/** The volumes of one instance with their stripes; without a stripe they stay as they are. */
export function evaluateStripes(
  evaluated: readonly EvaluatedVolume[],
  stripes: readonly Stripe[],
  observed: Observed,
  thresholds: Thresholds,
): EvaluatedTogether {
  let findings = evaluated.flatMap((one) => one.findings);
  if (stripes.length === 0) return { volumes: [...evaluated], findings };
  const inPlaceOf = new Map<string, string | null>();
  for (const stripe of stripes) {
    const asOne = findingsAsOne(findings, stripe, loadOfAll(stripe, observed), thresholds);
    findings = [...asOne.findings, ...stragglersOf(stripe, observed, thresholds)];
    for (const [id, instead] of asOne.inPlaceOf) inPlaceOf.set(id, instead);
  }
  return { volumes: evaluated.map((one) => withStripes(one, findings, inPlaceOf)), findings };
}
