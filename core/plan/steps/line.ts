/** A line of the steps: a command, or what a person has to know or do there, as a code. report/steps has the words. */
import type { VolumeType } from '../../limits/volume-types.ts';
import type { RouteReason } from '../../schemas/plan-route.ts';

interface Fall {
  from: number;
  to: number;
}

type PlainCode =
  // Before the volumes are modified, and while.
  | 'managed-elsewhere'
  | 'multi-attach'
  | 'io2-block-express'
  | 'attach-again-above-32000-iops'
  | 'one-after-the-other'
  | 'snapshot-before-growing'
  | 'repeat-until-completed'
  | 'modification-limits'
  // Of new volumes.
  | 'encryption-by-default'
  | 'outpost-types'
  | 'device-name-in-use'
  // Of the old ones.
  | 'keep-until-snapshots'
  | 'wait-gives-up'
  | 'delete-last'
  | 'stop-volume-group'
  | 'stop-array'
  // Through a snapshot.
  | 'root-volume-stops-instance'
  | 'unmount-first'
  | 'blocks-fetched-late'
  | 'put-in-id'
  | 'fstab-unchanged'
  | 'file-system-not-grown'
  // By a copy of files.
  | 'copied-as-files'
  | 'root-needs-instance'
  | 'may-copy'
  | 'database-copy'
  | 'stop-writers'
  | 'compare-all'
  | 'switch-over'
  | 'start-again'
  // On the host.
  | 'device-by-id'
  | 'one-command'
  | 'raid5-advised-against'
  | 'first-synchronisation'
  | 'mdadm-conf-place'
  | 'grow-on-host'
  | 'gpt-above-2-tib'
  | 'ext4-above-16-tib'
  | 'stripe-grown-alike'
  | 'raid10-far'
  | 'array-synchronises';

type Plain<C> = C extends string ? { code: C } : never;

export type StepNote =
  | Plain<PlainCode>
  | { code: 'not-for-root'; volumeType: VolumeType }
  | { code: 'lowered'; isEach: boolean; iops: Fall | null; throughputMiBps: Fall | null }
  | { code: 'host-packages'; packages: string[] }
  | { code: 'stop-joined'; lvm: string; mdadm: string }
  | { code: 'grow-partition'; command: string }
  | { code: 'grow-xfs'; command: string }
  | { code: 'grow-ext4'; command: string }
  | { code: 'nothing-to-do'; because: RouteReason };

export type StepLine = string | StepNote;

export const note = (code: PlainCode): StepNote => ({ code }) as Plain<PlainCode>;

/** For machines: a note is a comment of the shell with its code and figures. */
export const asCommands = (lines: readonly StepLine[]): string[] =>
  lines.map((line) => {
    if (typeof line === 'string') return line;
    const { code, ...figures } = line;
    const parts = Object.entries(figures).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    return `# ${[code, ...parts].join(' ')}`;
  });
