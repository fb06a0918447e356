/** Writing to a path that a person named: what stops it is one line. */
import { BadInput } from '../../core/errors.ts';
import { codeOf } from './read-file.ts';

const reasons: Record<string, string> = {
  EEXIST: 'a file is there',
  ENOTDIR: 'a file is there',
  EACCES: 'it may not be written',
  EROFS: 'it may not be written',
};

/** Runs something that writes to a path. */
export function writing<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    const reason = reasons[codeOf(error)] ?? String(error);
    throw new BadInput(`${path}: cannot be written: ${reason}; give a directory that can`, { cause: error });
  }
}
