/** What `check` prints, in each of its formats, and the files that it writes beside it. */
import { statSync } from 'node:fs';
import { type WholeFile, wholeFile } from '../adapters/files/whole-file.ts';
import { BadInput } from '../core/errors.ts';
import { sanitizeJson } from '../core/sanitize.ts';
import type { CheckAnswer } from '../core/schemas/check-answer.ts';
import { checkJunit } from '../report/check/junit.ts';
import { checkMarkdown, commentMark } from '../report/check/markdown.ts';
import { checkSarif } from '../report/check/sarif.ts';
import { checkText } from '../report/check/table.ts';
import { sanitize } from '../report/terminal/text.ts';
import type { Io } from './io.ts';
import { requireEachOnce, requireNoInput, requireOurs } from './written-file.ts';

export const checkFormats = ['table', 'json', 'markdown', 'sarif', 'junit'] as const;
export type CheckFormat = (typeof checkFormats)[number];

export type FileByFormat = Partial<Record<CheckFormat, string>>;

const isFormat = (text: string): text is CheckFormat => (checkFormats as readonly string[]).includes(text);

/** A parser for an option that is repeated: "sarif=stripewise.sarif", each format once. */
export function outputOption(text: string, before: FileByFormat = {}): FileByFormat {
  const at = text.indexOf('=');
  const [format, path] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (!isFormat(format) || path === '')
    throw new BadInput(
      `--output "${sanitize(text)}" is no format with a file: give one like sarif=stripewise.sarif, of ${checkFormats.join(', ')}`,
    );
  if (before[format] !== undefined)
    throw new BadInput(`--output has ${format} twice: give each format one file`);
  return { ...before, [format]: path };
}

interface Style extends Pick<Io, 'columns' | 'color'> {
  /** Of markdown: below it, and without findings, there is none. */
  minUsd: number;
  /** SARIF names it. */
  version: string;
}

/** Lines; none of a comment that is not worth it. */
export function checkDocument(answer: CheckAnswer, format: CheckFormat, style: Style): string[] {
  switch (format) {
    case 'json':
      return [sanitizeJson(answer, 2)];
    case 'sarif':
      return [sanitizeJson(checkSarif(answer, style.version), 2)];
    case 'junit':
      return checkJunit(answer);
    case 'markdown':
      return checkMarkdown(answer, style.minUsd);
    case 'table':
      return checkText(answer, style);
  }
}

/** How each of these documents begins; nothing that check reads begins so. */
const beginnings = [
  /^stripewise check: /,
  /^\{\s*"findings": \[/,
  new RegExp(`^${commentMark}`),
  /^\{\s*"\$schema": "[^"]*sarif[^"]*",[^[]*\[\s*\{\s*"tool": \{\s*"driver": \{\s*"name": "stripewise"/,
  /^<\?xml [^>]*>\s*<testsuites name="stripewise check"/,
];
const isDocument = (beginning: string): boolean => beginnings.some((one) => one.test(beginning));

const inFile = { columns: null, color: false };

const isNoDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;

/** Files that are written whole: none stands under its name before all of them are written. */
export class CheckOutputs {
  private readonly files: [CheckFormat, WholeFile][] = [];

  /**
   * That each can be written is found out before anything is read.
   * @param inputs files and directories that are read. @throws BadInput where one cannot be written.
   */
  constructor(asked: FileByFormat, inputs: readonly string[]) {
    const named = checkFormats.flatMap((format) => {
      const path = asked[format];
      return path === undefined ? [] : [{ format, path }];
    });
    const paths = Object.fromEntries(named.map(({ format, path }) => [`--output ${format}`, path]));
    requireEachOnce(paths);
    // An earlier output may stand within a directory that is read; whatever else stands there is not ours.
    requireNoInput(paths, inputs.filter(isNoDirectory));
    requireOurs(paths, isDocument);
    try {
      for (const { format, path } of named) this.files.push([format, wholeFile(path)]);
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  keep(answer: CheckAnswer, style: Omit<Style, 'columns' | 'color'>): void {
    for (const [format, file] of this.files)
      file.write(
        checkDocument(answer, format, { ...style, ...inFile })
          .map((line) => `${line}\n`)
          .join(''),
      );
    for (const [, file] of this.files) file.keep();
  }

  drop(): void {
    for (const [, file] of this.files) file.drop();
  }
}
