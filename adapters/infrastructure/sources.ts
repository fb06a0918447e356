/** A file that is read: where it stands, its text, and its text as JSON or YAML. */
import { realpathSync, statSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { BadInput } from '../../core/errors.ts';
import { sanitize, sanitizeFirstLine } from '../../core/sanitize.ts';
import { readText } from '../files/read-file.ts';
import { type YamlFile, yamlDocuments } from './yaml-documents.ts';

export const right =
  'give what `terraform show -json PLAN` prints, a CloudFormation template, a cdk.out or manifests of Kubernetes';

/** JSON whose lines are looked for takes a hundred times its size. AWS takes templates of 1 MB. */
const mostBytesWithLines = 2_000_000;

/** What a file is not at all: it may be passed over below a directory. */
export class NotInfrastructure extends BadInput {
  override readonly name = 'NotInfrastructure';
}

export interface Source {
  /** As messages and findings name it. */
  file: string;
  path: string;
  /** Templates below it alone are read for a nested stack. */
  root: string;
}

/** Where a path leads, whatever links are on the way; what is not there stays as it is written. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/** Whether a path that is there stands below a directory, after all links. */
export const isBelow = (root: string, path: string): boolean => isWithin(realPath(root), realPath(path));

/** Whether a path is below a directory as it is written; a link may lead elsewhere. */
export const isWrittenBelow = (root: string, path: string): boolean => isWithin(resolve(root), resolve(path));

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** @throws BadInput where it cannot be read, or is a plan as Terraform stores it; NotInfrastructure where it is empty or no text. */
export function textAt({ file, path }: Source): string {
  let text: string;
  try {
    text = readText(path);
  } catch (error) {
    // As the person named it, wherever it is.
    throw error instanceof BadInput ? new BadInput(error.message.replace(path, () => file)) : error;
  }
  if (text.startsWith('PK\u0003\u0004'))
    throw new BadInput(
      `${file}: it is a plan as Terraform stores it; give what \`terraform show -json ${sanitize(basename(file))}\` prints`,
    );
  if (text.includes('\0')) throw new NotInfrastructure(`${file}: it is no text in UTF-8; ${right}`);
  if (text.trim() === '') throw new NotInfrastructure(`${file}: it is empty; ${right}`);
  return text.replace(/^\uFEFF/, '');
}

/** Ways in which a text that is not whole shows what it was to be. */
export const marks =
  /"?(?:Resources|AWSTemplateFormatVersion|apiVersion|resource_changes|planned_values|@level)"?\s*:/;

export const onlyEvents = (file: string): BadInput =>
  new BadInput(
    `${file}: it has the events of \`terraform plan -json\`, and no plan; store one with -out, and give what \`terraform show -json PLAN\` prints`,
  );

/** A text whose first line is an event of Terraform. */
const hasEvents = (text: string): boolean => (text.split('\n', 1)[0] ?? '').includes('"@level"');

/** @throws BadInput where it is not whole. */
export function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (hasEvents(text)) throw onlyEvents(file);
    // Of some errors the message quotes the text around, which may be a secret.
    const message = error instanceof Error ? error.message : '';
    const what = sanitizeFirstLine(message.replace(/, (?:\.{3})?".*$/s, ''), 120);
    const Refused = marks.test(text) ? BadInput : NotInfrastructure;
    throw new Refused(`${file}: not whole JSON (${what}); ${right}`, { cause: error });
  }
}

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text in braces or brackets is YAML in flow style, which its name says and JSON is not. */
export const isFlowYaml = (text: string, file: string): boolean =>
  /\.ya?ml$/i.test(file) && !hasEvents(text) && jsonOrUndefined(text) === undefined;

const noLines: YamlFile = { documents: [], lineOf: () => null, lineOfKey: () => null };

/** A template that was written as JSON: its lines are those of YAML, which JSON is. */
export function linesOf(text: string): { yaml: YamlFile; value: unknown } {
  if (text.length > mostBytesWithLines) return { yaml: noLines, value: undefined };
  const yaml = yamlDocuments(text);
  const [document] = yaml.documents;
  return { yaml, value: document?.trouble === null ? document.value : undefined };
}
