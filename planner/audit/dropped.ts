/** What was dropped or chosen: files, and all files of directories, each with its path. */
import type { GivenPath } from './given-files.ts';

/** A directory may be that of a home: no archive has as many files. */
const maxFiles = 100_000;

/** More than that is no archive. */
class TooManyFiles extends Error {
  override readonly name = 'TooManyFiles';
  constructor() {
    super(
      `There are more than ${maxFiles.toLocaleString('en')} files in it: give the directory of the archive alone.`,
    );
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** A reader gives some at a time; none: that was all. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function collect(entry: FileSystemEntry, into: GivenPath[]): Promise<void> {
  if (into.length > maxFiles) throw new TooManyFiles();
  if (entry.isFile)
    into.push({
      path: entry.fullPath.replace(/^\//, ''),
      file: await fileOf(entry as FileSystemFileEntry),
    });
  else if (entry.isDirectory)
    for (const one of await entriesOf(entry as FileSystemDirectoryEntry)) await collect(one, into);
}

/** @throws TooManyFiles; DOMException where one cannot be read. */
export async function pathsOfDrop({ items }: DataTransfer): Promise<GivenPath[]> {
  // After the first turn the browser forgets what was dropped: all entries are taken before it.
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const paths: GivenPath[] = [];
  for (const { entry, file } of dropped) {
    if (entry !== null) await collect(entry, paths);
    else if (file !== null) paths.push({ path: file.name, file });
  }
  return paths;
}

export const pathsOfChoice = (files: FileList): GivenPath[] =>
  [...files].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }));
