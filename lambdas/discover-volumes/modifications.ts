/** Earlier modifications of the volumes of a target. Without them there is no schedule of IOPS, and all else is as complete. */
import { Unreadable } from '../../core/errors.ts';
import type { Modifications } from '../../core/recommendations/modifications.ts';

/** Null where EC2 does not give them: a member may not allow it, and the run is not partial for it. */
export async function modificationsOrNone(
  read: () => Promise<Modifications>,
  onUnread: (reason: string) => void,
): Promise<Modifications | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    onUnread(error.message);
    return null;
  }
}
