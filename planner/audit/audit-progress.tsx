/** How far the worker is. */
import { figure } from '../../core/figures.ts';
import { Text } from '../../report/browser/shared/text.tsx';
import { sizeText } from './given-files.ts';
import type { Progress } from './messages.ts';
import type { SessionState } from './session.ts';

interface AuditProgressProps {
  running: NonNullable<SessionState['running']>;
  onCancel: () => void;
}

function textOf(progress: Progress): string {
  if (progress.of === 'evaluating') {
    const what =
      progress.what === 'parts' ? 'parts of the fleet are read and evaluated' : 'volumes evaluated';
    return `${figure(progress.done, 0)} of ${figure(progress.total, 0)} ${what}`;
  }
  const { name, doneBytes, bytes, file, files } = progress;
  return `Reading file ${file} of ${files}, ${name}: ${sizeText(doneBytes)} of ${sizeText(bytes)}`;
}

const shareOf = (progress: Progress): { value: number; max: number } =>
  progress.of === 'evaluating'
    ? { value: progress.done, max: Math.max(1, progress.total) }
    : { value: progress.doneBytes, max: Math.max(1, progress.bytes) };

export function AuditProgress({ running: { of, progress }, onCancel }: AuditProgressProps) {
  const name = of === 'audit' ? 'The audit' : 'Making the queries';
  return (
    <div class="audit-progress no-print">
      <progress aria-label={name} {...(progress === null ? {} : shareOf(progress))} />
      <p>
        <Text value={progress === null ? 'Starting' : textOf(progress)} />
      </p>
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
