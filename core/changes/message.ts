/** What people hear of a change, and whether it can wait. */
import type { ChangeMessage } from '../schemas/change-message.ts';
import type { NotifiedStep, VolumeChange } from '../schemas/volume-change.ts';

/** The message of a step. Its id is the same whenever it is sent: channels leave out what they had. */
export const changeMessageOf = (
  change: VolumeChange,
  step: NotifiedStep,
  approvalsNeeded: number,
): ChangeMessage => ({
  ...{ type: 'stripewise.change', version: 1, id: `${change.id}#${step}` },
  ...{ step, approvalsNeeded, change },
});

/** A person must look at the volume now: it may have what hurts it, or nobody knows what it has. */
export function needsPerson({ end }: Pick<VolumeChange, 'end'>): boolean {
  if (end?.code === 'not-made')
    return end.reason === 'outcome-unknown' || end.reason === 'modification-failed';
  return (
    end?.code === 'modification-failed' || (end?.code === 'undo-not-made' && end.reason !== 'volume-gone')
  );
}
