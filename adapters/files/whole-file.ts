/** A file that a person named, written whole or not at all: what was there before stays until then. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { BadInput } from '../../core/errors.ts';
import { writing } from './write-file.ts';

export interface WholeFile {
  readonly path: string;
  /** Adds to what will stand there. */
  write: (content: string | Uint8Array) => void;
  /** The file stands under its name from here on; what was there before is replaced. */
  keep: () => void;
  /** Nothing is written, and what was there before stays. */
  drop: () => void;
}

/** A pipe would be waited for without end, a device replaced by a file. */
function requireReplaceable(path: string): void {
  const found = statSync(path);
  if (!found.isFile() && !found.isDirectory())
    throw new BadInput(`${path}: cannot be written: it is no regular file; give the path of a file`);
}

/**
 * That it can be written is found out now, before an hour of reading, not after it.
 * @param mode who may read it; by default as the system says.
 * @throws BadInput where the path cannot be written.
 */
export function wholeFile(path: string, mode?: number): WholeFile {
  const part = `${path}.part`;
  const wasThere = existsSync(path);
  if (wasThere) requireReplaceable(path);
  writing(path, () => closeSync(openSync(path, 'a', mode)));
  if (!wasThere) rmSync(path, { force: true });
  const file = writing(path, () => {
    // One that was left behind may be readable by others.
    rmSync(part, { force: true });
    return openSync(part, 'w', mode);
  });
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    path,
    write: (content) => writing(path, () => writeFileSync(file, content)),
    keep: () => {
      writing(path, () => {
        close();
        renameSync(part, path);
      });
    },
    drop: () => {
      close();
      rmSync(part, { force: true });
    },
  };
}
