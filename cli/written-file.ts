/** Pages and pictures that a command writes beside what it prints. */
import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type WholeFile, wholeFile } from '../adapters/files/whole-file.ts';
import { BadInput } from '../core/errors.ts';
import { figure } from '../core/figures.ts';
import { kibFromMiB, mibFromBytes } from '../core/units.ts';
import type { Chart } from '../report/charts/chart.ts';
import { sanitize } from '../report/terminal/text.ts';
import type { Io } from './io.ts';

const maxPathCharacters = 300;

/** 1.2 MiB; of what is small 12 KiB. */
function sizeText(bytes: number): string {
  const mib = mibFromBytes(bytes);
  return mib >= 0.1 ? `${figure(mib, 1)} MiB` : `${figure(Math.ceil(kibFromMiB(mib)))} KiB`;
}

/** The one name of a file that is written: also through a linked directory. */
function placeOf(path: string): string {
  const absolute = resolve(path);
  try {
    return join(realpathSync(dirname(absolute)), basename(absolute));
  } catch {
    // A directory that is not there is refused where the file is opened.
    return absolute;
  }
}

/**
 * Of paths by the options that name them: a file that is asked for twice would have what comes last.
 * @throws BadInput
 */
export function requireEachOnce(paths: Record<string, string | undefined>): void {
  const options = new Map<string, string>();
  for (const [option, path] of Object.entries(paths)) {
    if (path === undefined) continue;
    const place = placeOf(path);
    const before = options.get(place);
    if (before !== undefined)
      throw new BadInput(`${before} and ${option} name the same file: give each its own`);
    options.set(place, option);
  }
}

/** The same for every name of a file: also through links. Null: there is none. */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

const filesBelow = (directory: string): string[] =>
  statSync(directory, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(directory).map((name) => join(directory, name))
    : [];

/**
 * What is read is never written over.
 * @param outputs paths by the options that name them. @param inputs files; of a directory all files in it are.
 * @throws BadInput
 */
export function requireNoInput(
  outputs: Record<string, string | undefined>,
  inputs: readonly (string | undefined)[],
): void {
  const read = new Map<string | null, string>();
  for (const input of inputs.filter((one) => one !== undefined))
    for (const path of [input, ...filesBelow(input)]) read.set(identityOf(path), path);
  read.delete(null);
  for (const [option, path] of Object.entries(outputs)) {
    const input = path === undefined ? undefined : read.get(identityOf(path));
    if (input !== undefined)
      throw new BadInput(`${option} ${path} is a file that is read (${input}): give another path`);
  }
}

const beginningBytes = 2_048;

/** Null where it may not be read. */
function beginningOf(path: string): string | null {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(beginningBytes);
      return bytes.toString('utf8', 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/**
 * What is there is only written over where it is empty, or begins as one of our own documents: whatever else it is, it may be read.
 * @param outputs paths by the options that name them. @param isOurs of how a file begins.
 * @throws BadInput
 */
export function requireOurs(
  outputs: Record<string, string | undefined>,
  isOurs: (beginning: string) => boolean,
): void {
  for (const [option, path] of Object.entries(outputs)) {
    if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const beginning = beginningOf(path);
    if (beginning !== '' && (beginning === null || !isOurs(beginning)))
      throw new BadInput(
        `${option} ${path}: a file is there that is no output of this command: remove it, or give another path`,
      );
  }
}

export interface PictureFile {
  path: string;
  kind: 'svg' | 'png';
}

/** A parser for the path of a picture, which says what kind it is. */
export const pictureOption =
  (option: string) =>
  (path: string): PictureFile => {
    const kind = /\.(svg|png)$/i.exec(path)?.[1]?.toLowerCase();
    if (kind === 'svg' || kind === 'png') return { path, kind };
    throw new BadInput(`${option} "${sanitize(path)}" is no picture: give a path that ends in .svg or .png`);
  };

/** As wide as a page of text, or a message, shows it. */
const widthPixels = 1_000;

/** Loaded when it is needed: what draws is larger than all the rest. */
async function drawn(chart: Chart, kind: PictureFile['kind'], note: string | null): Promise<string | Buffer> {
  const { chartPng, chartSvg } = await import('../report/charts/picture.ts');
  const svg = chartSvg(chart, { widthPixels, note });
  return kind === 'png' ? chartPng(svg) : `${svg}\n`;
}

/** Puts what is written under its name, and says so: called when all files of a run are written. */
export type Keep = () => void;

/** @param about what it shows, in brackets behind its path. */
function written(io: Io, file: WholeFile, content: string | Uint8Array, about: string, then: string): Keep {
  file.write(content);
  return () => {
    file.keep();
    const path = sanitize(file.path, maxPathCharacters);
    io.err(`wrote ${path} (${about}, ${sizeText(Buffer.byteLength(content))})${then}`);
  };
}

export const writtenPage = (io: Io, file: WholeFile, page: string, about: string): Keep =>
  written(io, file, page, about, ': open it in a browser');

export interface OpenPicture extends WholeFile {
  kind: PictureFile['kind'];
}

/** @throws BadInput where it cannot be written. */
export const openPicture = ({ path, kind }: PictureFile): OpenPicture => ({ ...wholeFile(path), kind });

/** @param note stands below its title, such as: emulated. */
export async function writtenPicture(
  io: Io,
  file: OpenPicture,
  chart: Chart,
  { about, note }: { about: string; note: string | null },
): Promise<Keep> {
  return written(io, file, await drawn(chart, file.kind, note), about, '');
}

interface Droppable {
  drop: () => void;
}

/** Runs what ends with files kept; where it fails, they do not appear. */
export async function orDropped<T>(files: Droppable | null, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    files?.drop();
    throw error;
  }
}

/** Files that appear together: what is opened here is dropped where something fails. */
export class OpenFiles {
  private readonly files: Droppable[] = [];

  /** @throws BadInput where it cannot be written. */
  open<Asked, File extends Droppable>(asked: Asked | undefined, open: (asked: Asked) => File): File | null {
    if (asked === undefined) return null;
    try {
      const file = open(asked);
      this.files.push(file);
      return file;
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  drop(): void {
    for (const file of this.files) file.drop();
  }
}
