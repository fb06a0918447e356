/**
 * YAML as values with their lines: short intrinsic functions of CloudFormation become long ones, and aliases are copied up to a
 * limit, so that a few lines do not become billions.
 */
import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
} from 'yaml';
import { sanitizeFirstLine } from '../../core/sanitize.ts';

/** Nodes that aliases may add to one file, and how deep a value may be. */
const mostOfAliases = 100_000;
const deepest = 100;

/** Why a document cannot be used, and where. */
interface YamlTrouble {
  line: number | null;
  /** What, and what would be right. */
  reason: string;
}

interface YamlDocument {
  value: unknown;
  line: number;
  trouble: YamlTrouble | null;
}

export interface YamlFile {
  documents: readonly YamlDocument[];
  /** Of an object or a list of a value: where it begins. */
  lineOf: (object: unknown) => number | null;
  /** Of a member: where its key stands. */
  lineOfKey: (object: unknown, key: string) => number | null;
}

class Trouble extends Error {
  readonly offset: number | null;

  constructor(reason: string, node: Node | null) {
    super(reason);
    this.offset = node?.range?.[0] ?? null;
  }
}

/** !GetAtt A.B is a list in the long form. */
function longForm(tag: string, value: unknown): unknown {
  const name = tag.slice(1);
  if (name === 'Ref' || name === 'Condition') return { [name]: value };
  if (name === 'GetAtt' && typeof value === 'string') {
    const dot = value.indexOf('.');
    return { 'Fn::GetAtt': dot < 0 ? [value] : [value.slice(0, dot), value.slice(dot + 1)] };
  }
  return { [`Fn::${name}`]: value };
}

class Values {
  readonly lines = new WeakMap<object, number>();
  readonly keyLines = new WeakMap<object, ReadonlyMap<string, number>>();
  private ofAliases = 0;
  /** The last of each name so far: an alias is of the one before it. */
  private readonly anchors = new Map<string, unknown>();
  private readonly counter: LineCounter;

  constructor(counter: LineCounter) {
    this.counter = counter;
  }

  lineAt(offset: number | undefined | null): number | null {
    return offset == null ? null : this.counter.linePos(offset).line;
  }

  /** Anchors end with their document. */
  forget(): void {
    this.anchors.clear();
  }

  of(node: unknown, depth = 0, isCopied = false): unknown {
    if (node === null || node === undefined) return null;
    if (depth > deepest)
      throw new Trouble(`it is nested deeper than ${deepest} levels; give it flatter, without aliases`, null);
    if (isCopied && ++this.ofAliases > mostOfAliases)
      throw new Trouble(
        `its aliases stand for more than ${mostOfAliases} values; give it without aliases`,
        null,
      );
    if (isAlias(node)) {
      const source = this.anchors.get(node.source);
      if (source === undefined) throw new Trouble('an alias names no anchor; give it without aliases', node);
      return this.of(source, depth + 1, true);
    }
    const { tag, anchor } = node as Node & { anchor?: string };
    if (anchor !== undefined && !isCopied) this.anchors.set(anchor, node);
    const value = this.plain(node as Node, depth, isCopied);
    return tag !== undefined && /^!\w/.test(tag) ? this.placed(longForm(tag, value), node as Node) : value;
  }

  private placed<T extends object>(value: T | unknown, node: Node): T | unknown {
    const line = this.lineAt(node.range?.[0]);
    if (typeof value === 'object' && value !== null && line !== null) this.lines.set(value, line);
    return value;
  }

  private plain(node: Node, depth: number, isCopied: boolean): unknown {
    if (isMap(node)) return this.placed(this.map(node.items, depth, isCopied), node);
    if (isSeq(node))
      return this.placed(
        node.items.map((item) => this.of(item, depth + 1, isCopied)),
        node,
      );
    if (!isScalar(node)) return null;
    const { value, source } = node;
    // Dates and their like stay as they are written.
    return ['string', 'number', 'boolean'].includes(typeof value) || value === null
      ? value
      : (source ?? null);
  }

  private map(items: readonly Pair[], depth: number, isCopied: boolean): object {
    const entries = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    const keyLines = new Map<string, number>();
    for (const { key, value } of items) {
      if (isCollection(key)) throw new Trouble(templated, key as Node);
      const name = isScalar(key) ? String(key.value) : '';
      const inner = this.of(value, depth + 1, isCopied);
      if (name === '<<') {
        for (const one of Array.isArray(inner) ? inner : [inner])
          for (const [member, of] of Object.entries((one ?? {}) as object))
            if (!merged.has(member)) merged.set(member, of);
        continue;
      }
      if (entries.has(name)) throw new Trouble('a key is there twice; leave one of them', key as Node);
      entries.set(name, inner);
      const line = isScalar(key) ? this.lineAt(key.range?.[0]) : null;
      if (line !== null) keyLines.set(name, line);
    }
    const object = Object.fromEntries([...merged, ...entries]);
    this.keyLines.set(object, keyLines);
    return object;
  }
}

const templated =
  'it is a template with {{ }} in it; render it first, as with `helm template`, and give that';

/** Of a chart: not a dynamic reference of CloudFormation, which stands within a text. */
const templateMark = /^[^#\n]*\{\{(?!resolve:)/m;

/** Where a text has the first mark of a template. */
function templateLine(text: string): number | null {
  const found = templateMark.exec(text);
  if (found === null) return null;
  const at = text.indexOf('{{', found.index);
  return text.slice(0, at).split('\n').length;
}

/** A document that is no YAML for its marks of a template is said to be one. */
function troubleOf(error: unknown, text: string, lines: LineCounter): YamlTrouble {
  const mark = templateLine(text);
  if (error instanceof Trouble)
    return { line: error.offset === null ? null : lines.linePos(error.offset).line, reason: error.message };
  if (mark !== null) return { line: mark, reason: templated };
  if (error instanceof RangeError) return { line: null, reason: 'it is nested too deeply; give it flatter' };
  const said = error as { message?: unknown; linePos?: readonly { line: number }[] };
  const what = sanitizeFirstLine(String(said.message ?? error), 120)
    .replace(/ at line \d+, column \d+:?$/, '')
    .replace(/:$/, '');
  return { line: said.linePos?.[0]?.line ?? null, reason: `not valid YAML (${what})` };
}

/** Every document of a text; one that cannot be used says why, and the others are read. */
export function yamlDocuments(text: string): YamlFile {
  const counter = new LineCounter();
  const values = new Values(counter);
  const lineOf: YamlFile['lineOf'] = (object) =>
    typeof object === 'object' && object !== null ? (values.lines.get(object) ?? null) : null;
  const lineOfKey: YamlFile['lineOfKey'] = (object, key) =>
    typeof object === 'object' && object !== null ? (values.keyLines.get(object)?.get(key) ?? null) : null;
  let parsed: ReturnType<typeof parseAllDocuments>;
  try {
    // Whether keys are unique is looked at here: the parser's own way takes time with the square of their number.
    parsed = parseAllDocuments(text, { lineCounter: counter, uniqueKeys: false, logLevel: 'silent' });
  } catch (error) {
    const trouble = troubleOf(error, text, counter);
    return { documents: [{ value: null, line: 1, trouble }], lineOf, lineOfKey };
  }
  const documents = (Array.isArray(parsed) ? parsed : []).map((document): YamlDocument => {
    const line = values.lineAt(document.contents?.range?.[0]) ?? 1;
    try {
      const [broken] = document.errors;
      if (broken !== undefined) throw broken;
      values.forget();
      return { value: values.of(document.contents), line, trouble: null };
    } catch (error) {
      return { value: null, line, trouble: troubleOf(error, text, counter) };
    }
  });
  return { documents, lineOf, lineOfKey };
}

export { templated, templateLine };
