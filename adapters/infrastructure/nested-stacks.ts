/** Templates of CloudFormation, and those that they nest. */
import { dirname, join, resolve } from 'node:path';
import type { UnreadableDocument } from '../../core/check/planned.ts';
import { BadInput } from '../../core/errors.ts';
import { sanitize } from '../../core/sanitize.ts';
import type { Value } from './asked.ts';
import { addUnreadStack, isTemplate, type NestedStack, readTemplate } from './cloudformation.ts';
import { isRecord, type JsonRecord } from './json-values.ts';
import type { Reading } from './reading.ts';
import {
  isBelow,
  isFile,
  isWrittenBelow,
  jsonOrUndefined,
  linesOf,
  realPath,
  type Source,
  textAt,
} from './sources.ts';
import type { YamlFile } from './yaml-documents.ts';

interface StackName {
  name: string;
  scope: string;
  region: string | null;
  account: string | null;
}

/** Stacks within stacks at most so deep, and so many in all: one that nests itself ends here. */
const deepestStack = 16;
const mostStacks = 2_000;

interface NestedTemplate {
  template: JsonRecord;
  yaml: YamlFile;
}

interface Above {
  source: Source;
  stack: StackName;
  reading: Reading;
  /** Where the templates stand that it is nested in. */
  above: readonly string[];
}

/** @throws BadInput where the file is no template. */
function nestedTemplate(source: Source): NestedTemplate {
  const text = textAt(source);
  const { yaml, value } = linesOf(text);
  const template = isRecord(value) ? value : jsonOrUndefined(text);
  if (isTemplate(template)) return { template, yaml };
  throw new BadInput(
    `${source.file}: a stack nests it, and it is no CloudFormation template; give the template of the stack`,
  );
}

const linkedAway = ({ file }: Source): UnreadableDocument => ({
  ...{ file, line: null },
  reason: sanitize(`${file}: a link leads out of the directory; give the file itself in its place`, 400),
});

/** Templates and those that they nest. */
export class Stacks {
  /** Templates that were read within a stack, by real path: they are not read by themselves as well. */
  readonly nested = new Set<string>();
  /** Nested templates that are there and cannot be read, by real path. */
  readonly unreadable = new Map<string, UnreadableDocument>();
  /** Each is parsed once, however often it is nested. */
  private readonly parsed = new Map<string, NestedTemplate | null>();
  /** Those of the file that is being read. */
  private found: string[] = [];
  private count = 0;
  /** Of the stack of a CDK app that is read: the file of each asset by its name in the bucket. */
  assets: ReadonlyMap<string, string> = new Map();

  /** Reads a file: what it nests counts as read with it, unless it cannot be read as a whole. */
  within<T>(read: () => T): T {
    this.found = [];
    const result = read();
    for (const path of this.found) this.nested.add(path);
    return result;
  }

  read(
    template: JsonRecord,
    yaml: YamlFile,
    source: Source,
    reading: Reading,
    stack: StackName = { name: '', scope: source.file, region: null, account: null },
    given: ReadonlyMap<string, Value> = new Map(),
    above: readonly string[] = [],
  ): void {
    const prefix = stack.name === '' ? '' : `${stack.name}/`;
    const { file } = source;
    const { scope, region, account } = stack;
    const place = { file, scope, region, account, prefix, lines: yaml, given };
    const nested = readTemplate(template, place, reading);
    const path = realPath(source.path);
    for (const one of nested) {
      const isRead = this.readNested(one, { source, stack, reading, above: [...above, path] });
      if (!isRead) addUnreadStack(reading);
    }
  }

  /** Whether its template is there and can be read; one of those above is not read again. */
  private readNested(
    { logicalId, templatePath: named, assetName, parameters }: NestedStack,
    { source, stack, reading, above }: Above,
  ): boolean {
    const templatePath = named ?? (assetName === null ? null : (this.assets.get(assetName) ?? null));
    if (templatePath === null || above.length > deepestStack || ++this.count > mostStacks) return false;
    const path = resolve(dirname(source.path), templatePath);
    const real = realPath(path);
    if (above.includes(real) || !isFile(path)) return false;
    const inner: Source = { file: join(dirname(source.file), templatePath), path, root: source.root };
    if (!isBelow(source.root, path)) {
      if (isWrittenBelow(source.root, path)) this.unreadable.set(path, linkedAway(inner));
      return false;
    }
    const parsed = this.parsedOnce(inner, real);
    if (parsed === null) return false;
    this.found.push(real);
    // The stack itself is understood: what it brings is in its template.
    reading.understood++;
    const name = stack.name === '' ? logicalId : `${stack.name}/${logicalId}`;
    this.read(parsed.template, parsed.yaml, inner, reading, { ...stack, name }, parameters, above);
    return true;
  }

  /** Null where it cannot be read: it is counted with its reason, and what nests it is read. */
  private parsedOnce(source: Source, real: string): NestedTemplate | null {
    const before = this.parsed.get(real);
    if (before !== undefined) return before;
    let parsed: NestedTemplate | null = null;
    try {
      parsed = nestedTemplate(source);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      const reason = sanitize(error.message, 400);
      this.unreadable.set(real, { file: source.file, line: null, reason });
    }
    this.parsed.set(real, parsed);
    return parsed;
  }
}
