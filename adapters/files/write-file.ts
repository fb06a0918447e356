/** Writing to a path that a person named: what stops it is one line. */
import { BadInput, DiskFull } from '../../core/errors.ts';
import { codeOf } from './read-file.ts';

/** What stopped it, and what would be right. */
const reasons: Record<string, string> = {
  EEXIST: 'a file is there; give a directory',
  ENOTDIR: 'a file is there; give a directory',
  ENOENT: 'there is no such directory; make it, or give another path',
  EISDIR: 'it is a directory; give the path of a file',
  EACCES: 'it may not be written; check its permissions, or give another path',
  EROFS: 'nothing may be written there; give another path',
};

const fullCodes = ['ENOSPC', 'EDQUOT'];

/**
 * Runs something that writes to a path.
 * @throws DiskFull where there is no room; BadInput where the path cannot be written.
 */
export function writing<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (fullCodes.includes(codeOf(error)))
      throw new DiskFull(`${path}: cannot be written: the disk is full; make room, or give another path`, {
        cause: error,
      });
    const reason = reasons[codeOf(error)] ?? String(error);
    throw new BadInput(`${path}: cannot be written: ${reason}`, { cause: error });
  }
}
