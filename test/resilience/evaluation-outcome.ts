/** What came of a run under trouble, held against the same run without any. */
import { isSaving } from '../../core/schemas/finding.ts';
import type { DeployedRun } from '../../local/run-audit.ts';
import { noticeText } from '../../report/wording/audit-notices.ts';

export type Ending = 'complete' | 'complete, with a notice' | 'partial' | 'failed';

interface Seen {
  ending: Ending;
  /** In the run's own words; empty where it had nothing to say. */
  reason: string;
  /** What is wrong with it, whatever ending was expected; empty where nothing is. */
  wrong: string[];
}

const idsOf = ({ result }: DeployedRun): Set<string> => new Set(result?.findings.map(({ id }) => id));

/** A run that could not read everything may miss what it says it did not evaluate, and nothing else. */
function lost(run: DeployedRun, usual: DeployedRun): string[] {
  const { result } = run;
  if (result === null) return [];
  const evaluated = new Set(
    result.volumes.filter(({ status }) => status !== 'unknown').map(({ volumeId }) => volumeId),
  );
  const notEvaluated = new Set(result.coverage.instances.notEvaluated.map(({ instanceId }) => instanceId));
  const notified = idsOf(run);
  // Without its instance a volume may be throttled by it: then nothing of it is saved, and that is said.
  const isWithoutInstances = result.coverage.incomplete.some(
    ({ code }) => code === 'instances-not-read' || code === 'instances-unlisted',
  );
  return (usual.result?.findings ?? [])
    .filter((finding) => !notified.has(finding.id) && !(isWithoutInstances && isSaving(finding)))
    .filter(({ resource: { type, id } }) =>
      type === 'volume' ? evaluated.has(id) : !notEvaluated.has(id) && evaluated.size > 0,
    )
    .map(({ kind, resource }) => `lost ${kind} of ${resource.id}`);
}

function invented(run: DeployedRun, usual: DeployedRun): string[] {
  const known = idsOf(usual);
  return (run.result?.findings ?? [])
    .filter(({ id }) => !known.has(id))
    .map(({ kind, resource }) => `invented ${kind} of ${resource.id}`);
}

export function seenOf(run: DeployedRun, usual: DeployedRun): Seen {
  const { result, status } = run;
  if (result === null) return { ending: 'failed', reason: status.replace(/^FAILED: /, ''), wrong: [] };
  const wrong = [...lost(run, usual), ...invented(run, usual)];
  const { incomplete } = result.coverage;
  const isPartial = (run.output as { partial: boolean }).partial;
  if (isPartial) return { ending: 'partial', reason: incomplete.map(noticeText).join(' | '), wrong };
  if (incomplete.length > 0) wrong.push('complete, though something could not be read');
  return result.notices.length > 0
    ? { ending: 'complete, with a notice', reason: result.notices.map(noticeText).join(' | '), wrong }
    : { ending: 'complete', reason: '', wrong };
}
