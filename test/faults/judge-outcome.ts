/** What came of a run under trouble, held against the same run without any. */
import { isSaving } from '../../core/schemas/finding.ts';
import type { DeployedRun } from '../../local/run-audit.ts';
import { noticeText } from '../../report/wording/audit-notices.ts';

export type Ending = 'complete' | 'complete, with a notice' | 'partial' | 'failed';

interface Seen {
  ending: Ending;
  /** In the run's own words; empty where it had nothing to say. */
  because: string;
  /** What is wrong with it, whatever ending was expected; empty where nothing is. */
  wrong: string[];
}

const idsOf = ({ result }: DeployedRun): Set<string> => new Set(result?.findings.map(({ id }) => id));

/** A run that could not read everything may miss what it says it did not judge, and nothing else. */
function lost(run: DeployedRun, usual: DeployedRun): string[] {
  const { result } = run;
  if (result === null) return [];
  const judged = new Set(
    result.volumes.filter(({ verdict }) => verdict !== 'unknown').map(({ volumeId }) => volumeId),
  );
  const notJudged = new Set(result.coverage.instances.notJudged.map(({ instanceId }) => instanceId));
  const told = idsOf(run);
  // Without its instance a volume may be held back by it: then nothing of it is saved, and that is said.
  const isWithoutInstances = result.coverage.incomplete.some(
    ({ code }) => code === 'instances-not-read' || code === 'instances-unlisted',
  );
  return (usual.result?.findings ?? [])
    .filter((finding) => !told.has(finding.id) && !(isWithoutInstances && isSaving(finding)))
    .filter(({ resource: { type, id } }) =>
      type === 'volume' ? judged.has(id) : !notJudged.has(id) && judged.size > 0,
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
  if (result === null) return { ending: 'failed', because: status.replace(/^FAILED: /, ''), wrong: [] };
  const wrong = [...lost(run, usual), ...invented(run, usual)];
  const { incomplete } = result.coverage;
  const isPartial = (run.output as { partial: boolean }).partial;
  if (isPartial) return { ending: 'partial', because: incomplete.map(noticeText).join(' | '), wrong };
  if (incomplete.length > 0) wrong.push('complete, though something could not be read');
  return result.notices.length > 0
    ? { ending: 'complete, with a notice', because: result.notices.map(noticeText).join(' | '), wrong }
    : { ending: 'complete', because: '', wrong };
}
