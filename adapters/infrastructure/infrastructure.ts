/** Files and directories of infrastructure as code: what each is, and all that is planned in them. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { Planned } from '../../core/check/planned.ts';
import { BadInput } from '../../core/errors.ts';
import { isRegionName } from '../../core/ids.ts';
import { sanitize, sanitizeFirstLine } from '../../core/sanitize.ts';
import { codeOf, readText } from '../files/read-file.ts';
import type { Value } from './asked.ts';
import { addUnreadStack, isTemplate, type NestedStack, readTemplate } from './cloudformation.ts';
import { isRecord, type JsonRecord, recordOf, stringOf, within } from './json-values.ts';
import { isManifest, readManifest } from './kubernetes.ts';
import { addReading, newReading, PassedOver, plannedOf, type Reading } from './reading.ts';
import { isEventStream, isOfTerraform, readTerraformPlan } from './terraform-plan.ts';
import { templateLine, type YamlFile, yamlDocuments } from './yaml-documents.ts';

const right =
  'give what `terraform show -json PLAN` prints, a CloudFormation template, a cdk.out or manifests of Kubernetes';

/** YAML, and JSON whose lines are looked for, take a hundred times their size. AWS takes templates of 1 MB. */
const mostYamlMiB = 16;
const mostBytesWithLines = 2_000_000;

// One file.

/** What a file is not at all: it may be passed over below a directory. */
class NotInfrastructure extends BadInput {
  override readonly name = 'NotInfrastructure';
}

interface Source {
  /** As messages and findings name it. */
  file: string;
  path: string;
  /** Templates below it alone are read for a nested stack. */
  root: string;
}

const textAt = ({ file, path }: Source): string => {
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
};

const noLines: YamlFile = { documents: [], lineOf: () => null, lineOfKey: () => null };

/** Ways in which a text that is not whole shows what it was to be. */
const marks =
  /"?(?:Resources|AWSTemplateFormatVersion|apiVersion|resource_changes|planned_values|@level)"?\s*:/;

const onlyEvents = (file: string): BadInput =>
  new BadInput(
    `${file}: it has the events of \`terraform plan -json\`, and no plan; store one with -out, and give what \`terraform show -json PLAN\` prints`,
  );

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [line = ''] = text.split('\n', 1);
    if (line.includes('"@level"')) throw onlyEvents(file);
    // Of some errors the message quotes the text around, which may be a secret.
    const message = error instanceof Error ? error.message : '';
    const what = sanitizeFirstLine(message.replace(/, (?:\.{3})?".*$/s, ''), 120);
    const Refused = marks.test(text) ? BadInput : NotInfrastructure;
    throw new Refused(`${file}: not whole JSON (${what}); ${right}`, { cause: error });
  }
}

const firstWord = (text: string): string => text.trimStart()[0] ?? '';

/** A template that was written as JSON: its lines are those of YAML, which JSON is. */
function linesOf(text: string): { yaml: YamlFile; value: unknown } {
  if (text.length > mostBytesWithLines) return { yaml: noLines, value: undefined };
  const yaml = yamlDocuments(text);
  const [document] = yaml.documents;
  return { yaml, value: document?.trouble === null ? document.value : undefined };
}

/** Reads one document of JSON. */
function readJsonDocument(text: string, source: Source, reading: Reading, stacks: Stacks): void {
  const { file } = source;
  const document = jsonOf(text, file);
  if (!isRecord(document)) throw new NotInfrastructure(`${file}: it is a list or a single value; ${right}`);
  if (isOfTerraform(document)) {
    readTerraformPlan(document, file, reading);
    return;
  }
  if (isEventStream(document)) throw onlyEvents(file);
  const isKnown = isTemplate(document) || isManifest(document);
  if (!isKnown) throw new NotInfrastructure(`${file}: it is no plan, template or manifest; ${right}`);
  const { yaml, value } = linesOf(text);
  const lined = isRecord(value) ? value : document;
  if (isTemplate(lined)) stacks.read(lined, yaml, source, reading);
  else readManifest(lined, yaml, file, reading);
}

/** Reads each document of YAML. */
function readYamlDocuments(text: string, source: Source, reading: Reading, stacks: Stacks): void {
  const { file } = source;
  if (text.length > mostYamlMiB * 2 ** 20)
    throw new BadInput(`${file}: it is YAML of more than ${mostYamlMiB} MiB; give it in smaller files`);
  const yaml = yamlDocuments(text);
  let count = 0;
  for (const { value, line, trouble } of yaml.documents) {
    if (trouble !== null) {
      const at = trouble.line ?? line;
      // A chart is a template as a whole: what is left of it without its marks is not what it makes.
      if (templateLine(text) === at) throw new BadInput(`${file}:${at}: ${trouble.reason}`);
      reading.unreadable.push({ file, line: at, reason: `${file}:${at}: ${trouble.reason}` });
    } else if (isTemplate(value)) {
      count++;
      stacks.read(value, yaml, source, reading);
    } else if (isManifest(value)) {
      count++;
      readManifest(value, yaml, file, reading);
    }
  }
  if (count > 0) return;
  const [first] = reading.unreadable;
  if (first !== undefined && marks.test(text)) throw new BadInput(first.reason);
  throw new NotInfrastructure(first?.reason ?? `${file}: it is no template or manifest; ${right}`);
}

function readSource(source: Source, stacks: Stacks): Reading {
  const reading = newReading();
  const text = textAt(source);
  try {
    if (firstWord(text) === '{' && !isTemplated(text)) readJsonDocument(text, source, reading, stacks);
    else if (firstWord(text) === '[') jsonOf(text, source.file);
    else readYamlDocuments(text, source, reading, stacks);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BadInput(`${source.file}: it is nested too deeply to be read; ${right}`, { cause: error });
  }
  return reading;
}

/** A chart may begin with a mark of its own. */
const isTemplated = (text: string): boolean => text.trimStart().startsWith('{{');

// Stacks.

interface StackName {
  name: string;
  scope: string;
  region: string | null;
  account: string | null;
}

/** Stacks within stacks at most so deep, and so many in all: one that nests itself ends here. */
const deepestStack = 16;
const mostStacks = 2_000;

/** Templates and those that they nest. */
class Stacks {
  /** Templates that a stack nests: they are not read by themselves as well. */
  readonly nested = new Set<string>();
  private count = 0;

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
    const path = resolve(source.path);
    for (const one of nested) {
      const isRead = this.readNested(one, { source, stack, reading, above: [...above, path] });
      if (!isRead) addUnreadStack(reading);
    }
  }

  /** Whether its template is there; one of those above is not read again. */
  private readNested(
    { logicalId, templatePath, parameters }: NestedStack,
    {
      source,
      stack,
      reading,
      above,
    }: { source: Source; stack: StackName; reading: Reading; above: readonly string[] },
  ): boolean {
    if (templatePath === null || above.length > deepestStack || ++this.count > mostStacks) return false;
    const path = resolve(dirname(source.path), templatePath);
    const isBelow = !relative(resolve(source.root), path).startsWith('..');
    if (!isBelow || above.includes(path) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      return false;
    const file = join(dirname(source.file), templatePath);
    const inner: Source = { file, path, root: source.root };
    const text = textAt(inner);
    const { yaml, value } = linesOf(text);
    const template = isRecord(value) ? value : jsonOrUndefined(text);
    if (!isTemplate(template)) return false;
    this.nested.add(path);
    // The stack itself is understood: what it brings is in its template.
    reading.understood++;
    const name = stack.name === '' ? logicalId : `${stack.name}/${logicalId}`;
    this.read(template, yaml, inner, reading, { ...stack, name }, parameters, above);
    return true;
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// A CDK app.

const manifestName = 'manifest.json';

/** The manifest of a cdk.out; null where a directory is none. */
function cdkManifest(path: string): JsonRecord | null {
  const at = join(path, manifestName);
  if (statSync(at, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const document = jsonOrUndefined(readText(at));
  const isOne =
    isRecord(document) && isRecord(document['artifacts']) && typeof document['version'] === 'string';
  return isOne ? document : null;
}

/** aws://111122223333/eu-west-1; what the app does not say is unknown-account and unknown-region. */
function environmentOf(text: unknown): { region: string | null; account: string | null } {
  const [, account = '', region = ''] = /^aws:\/\/([^/]+)\/(.+)$/.exec(stringOf(text) ?? '') ?? [];
  return {
    region: isRegionName(region) ? region : null,
    account: /^\d{12}$/.test(account) ? account : null,
  };
}

/** Adds the stacks of a cloud assembly, and of those of its stages. @returns the number of templates. */
function readAssembly(
  manifest: JsonRecord,
  source: Source,
  reading: Reading,
  stacks: Stacks,
  seen: Set<string>,
): number {
  seen.add(resolve(source.path));
  let files = 0;
  for (const [id, artifact] of Object.entries(recordOf(manifest['artifacts']))) {
    const type = within(artifact, 'type');
    const directory = stringOf(within(artifact, 'properties', 'directoryName'));
    if (type === 'cdk:cloud-assembly' && directory !== null) {
      const inner = below(source, directory);
      const nested = inner === null || seen.has(resolve(inner.path)) ? null : cdkManifest(inner.path);
      if (inner !== null && nested !== null) files += readAssembly(nested, inner, reading, stacks, seen);
      else notThere(reading, source, directory);
    }
    const template = stringOf(within(artifact, 'properties', 'templateFile'));
    if (type !== 'aws:cloudformation:stack' || template === null) continue;
    const inner = below(source, template);
    if (inner === null || statSync(inner.path, { throwIfNoEntry: false })?.isFile() !== true) {
      notThere(reading, source, template);
      continue;
    }
    files++;
    counting(reading, inner.file, () => {
      const text = textAt(inner);
      const { yaml, value } = linesOf(text);
      const read = isRecord(value) ? value : jsonOf(text, inner.file);
      if (!isTemplate(read))
        throw new BadInput(`${inner.file}: it is no CloudFormation template; synthesize the app again`);
      const name = sanitize(stringOf(within(artifact, 'properties', 'stackName')) ?? id, 128);
      const stack = {
        name,
        scope: `${source.file}/${id}`,
        ...environmentOf(within(artifact, 'environment')),
      };
      const own = newReading();
      stacks.read(read, yaml, inner, own, stack);
      addReading(reading, own);
    });
  }
  return files;
}

/** A path within a directory of the app; null where it leads out of it. */
function below(source: Source, name: string): Source | null {
  const path = join(source.path, name);
  const isOut = relative(resolve(source.root), resolve(path)).startsWith('..');
  return isOut ? null : { file: join(source.file, name), path, root: source.root };
}

const notThere = (reading: Reading, { file }: Source, name: string): void => {
  const at = join(file, manifestName);
  const reason = `${at}: what it names is not there or names itself: ${sanitize(name, 120)}; synthesize the app again`;
  reading.unreadable.push({ file: at, line: null, reason });
};

/** What cannot be read is counted with its reason. */
function counting(reading: Reading, file: string, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    reading.unreadable.push({ file, line: null, reason: sanitize(error.message, 400) });
  }
}

// Directories.

/** Nothing of what people write stands in them. */
const notEntered = ['node_modules', '.git', '.terraform', '.terragrunt-cache', '.venv'];
/** Endings of what is read; of others it is not looked into. */
const endings = ['.json', '.yaml', '.yml', '.template', '.tfplan'];
const planNames = /^(?:tfplan|plan)(?:\.(?:out|bin))?$/;

const mostFiles = 20_000;

interface Below {
  sources: Source[];
  assemblies: { manifest: JsonRecord; source: Source }[];
}

/** @throws BadInput where the directory may not be read. */
function entriesOf({ file, path }: Source): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw new BadInput(`${file}: cannot be read (${codeOf(error)}); give a directory that may be read`, {
      cause: error,
    });
  }
}

function walk(root: Source, passedOver: PassedOver): Below {
  const found: Below = { sources: [], assemblies: [] };
  const open = [root];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    const manifest = cdkManifest(directory.path);
    if (manifest !== null) {
      found.assemblies.push({ manifest, source: directory });
      continue;
    }
    const entries = entriesOf(directory);
    for (const entry of entries) {
      const { name } = entry;
      const source: Source = {
        file: join(directory.file, name),
        path: join(directory.path, name),
        root: root.path,
      };
      if (entry.isDirectory()) {
        if (notEntered.includes(name)) passedOver.add(`${name}/`);
        else open.push(source);
      } else if (entry.isFile() && (endings.includes(extname(name)) || planNames.test(name))) {
        found.sources.push(source);
        if (found.sources.length > mostFiles)
          throw new BadInput(
            `${root.file}: it has more than ${mostFiles} files of JSON or YAML; give a directory further down`,
          );
      } else passedOver.add(extname(name));
    }
  }
  return found;
}

export interface ReadPlannedOptions {
  /**
   * What cannot be read of the files that are named: `refuse` throws; `count` passes over what is no infrastructure, as below a
   * directory, for lists of files that somebody else made.
   */
  unreadable?: 'refuse' | 'count';
}

/**
 * All that is planned in files and directories: a directory is a cdk.out, or all files below it.
 * @throws BadInput, in one line, where a path is not there, or a file that is named cannot be read at all.
 */
export function readPlanned(
  paths: readonly string[],
  { unreadable = 'refuse' }: ReadPlannedOptions = {},
): Planned {
  const reading = newReading();
  const passedOver = new PassedOver();
  const stacks = new Stacks();
  const readings: { path: string; own: Reading }[] = [];
  let files = 0;
  const readOne = (source: Source, isNamed: boolean): void => {
    if (isNamed) {
      readings.push({ path: resolve(source.path), own: readSource(source, stacks) });
      return;
    }
    counting(reading, source.file, () => {
      try {
        readings.push({ path: resolve(source.path), own: readSource(source, stacks) });
      } catch (error) {
        if (!(error instanceof NotInfrastructure)) throw error;
        passedOver.add(extname(source.file));
      }
    });
  };
  if (paths.includes(''))
    throw new BadInput('a path is missing: one of those given is empty; give a file or a directory');
  for (const path of paths) {
    const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const root = isDirectory ? path : dirname(path);
    if (!isDirectory) {
      readOne({ file: path, path, root }, unreadable === 'refuse');
      continue;
    }
    const found = walk({ file: path, path, root }, passedOver);
    for (const source of found.sources) readOne(source, false);
    for (const { manifest, source } of found.assemblies)
      files += readAssembly(manifest, source, reading, stacks, new Set());
  }
  for (const { path, own } of readings) {
    // It was read where a stack nests it, with its parameters.
    files++;
    if (!stacks.nested.has(path)) addReading(reading, own);
  }
  return plannedOf(reading, files, passedOver);
}
