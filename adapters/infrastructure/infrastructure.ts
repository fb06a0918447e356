/** Files and directories of infrastructure as code: what each is, and all that is planned in them. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Planned } from '../../core/check/planned.ts';
import { BadInput } from '../../core/errors.ts';
import { codeOf } from '../files/read-file.ts';
import { cdkManifest, counting, readAssembly } from './cloud-assembly.ts';
import { isTemplate } from './cloudformation.ts';
import { isRecord, type JsonRecord } from './json-values.ts';
import { isManifest, noKind, readManifest } from './kubernetes.ts';
import { Stacks } from './nested-stacks.ts';
import { addReading, addResource, newReading, PassedOver, plannedOf, type Reading } from './reading.ts';
import {
  isBelow,
  isFlowYaml,
  jsonOf,
  linesOf,
  marks,
  NotInfrastructure,
  onlyEvents,
  realPath,
  right,
  type Source,
  textAt,
} from './sources.ts';
import { isEventStream, isOfTerraform, readTerraformPlan } from './terraform-plan.ts';
import { templateLine, yamlDocuments } from './yaml-documents.ts';

/** YAML takes a hundred times its size. */
const mostYamlMiB = 16;

// One file.

/** A chart may begin with a mark of its own. */
const isJson = (text: string, file: string): boolean => {
  const begin = text.trimStart();
  return /^[[{]/.test(begin) && !begin.startsWith('{{') && !isFlowYaml(text, file);
};

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
  let others = 0;
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
    } else if (value !== null) others++;
  }
  // Beside others it may be one that was written wrong.
  for (let at = 0; count > 0 && at < others; at++) addResource(reading, noKind, null);
  if (count > 0) return;
  const [first] = reading.unreadable;
  if (first !== undefined && marks.test(text)) throw new BadInput(first.reason);
  throw new NotInfrastructure(first?.reason ?? `${file}: it is no template or manifest; ${right}`);
}

function readSource(source: Source, stacks: Stacks): Reading {
  const reading = newReading();
  const text = textAt(source);
  try {
    if (isJson(text, source.file)) readJsonDocument(text, source, reading, stacks);
    else readYamlDocuments(text, source, reading, stacks);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BadInput(`${source.file}: it is nested too deeply to be read; ${right}`, { cause: error });
  }
  return reading;
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

/** All below a directory, apart from directories that were seen. */
function walk(root: Source, seen: Set<string>, passedOver: PassedOver): Below {
  const found: Below = { sources: [], assemblies: [] };
  const open = [root];
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    const real = realPath(directory.path);
    if (seen.has(real)) continue;
    const manifest = cdkManifest(directory);
    if (manifest !== null) {
      found.assemblies.push({ manifest, source: directory });
      continue;
    }
    seen.add(real);
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

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Reads files and directories, each once, however often and by whatever links it is named. */
class Reader {
  private readonly reading = newReading();
  private readonly passedOver = new PassedOver();
  private readonly stacks = new Stacks();
  /** By real path; null where a file has nothing of its own. */
  private readonly readings = new Map<string, Reading | null>();
  /** Endings of files below a directory that are something else, by real path. */
  private readonly noInfrastructure = new Map<string, string>();
  private readonly files = new Set<string>();
  private readonly directories = new Set<string>();

  file(source: Source, isNamed: boolean): void {
    const path = realPath(source.path);
    if (this.readings.has(path)) return;
    this.readings.set(path, null);
    // It was read where a stack nests it, with its parameters.
    if (this.stacks.nested.has(path)) {
      this.files.add(path);
      return;
    }
    const read = (): void => {
      this.readings.set(
        path,
        this.stacks.within(() => readSource(source, this.stacks)),
      );
      this.files.add(path);
    };
    if (isNamed) {
      read();
      return;
    }
    const own = newReading();
    counting(own, source.file, () => {
      try {
        read();
      } catch (error) {
        if (!(error instanceof NotInfrastructure)) throw error;
        this.noInfrastructure.set(path, extname(source.file));
      }
    });
    if (own.unreadable.length > 0) this.readings.set(path, own);
  }

  directory(root: Source): void {
    const found = walk(root, this.directories, this.passedOver);
    for (const source of found.sources) this.file(source, false);
    for (const { manifest, source } of found.assemblies)
      readAssembly(manifest, source, this.reading, this.stacks, this.directories, this.files);
  }

  planned(): Planned {
    for (const [path, own] of this.readings)
      if (own !== null && !this.stacks.nested.has(path)) addReading(this.reading, own);
    // A stack that nests it says that it cannot be read.
    for (const [path, ending] of this.noInfrastructure)
      if (!this.stacks.unreadable.has(path)) this.passedOver.add(ending);
    for (const [path, document] of this.stacks.unreadable) {
      // It says so itself where it is named, or stands in a directory.
      const isSaid = (this.readings.get(path)?.unreadable.length ?? 0) > 0;
      if (!isSaid) this.reading.unreadable.push(document);
    }
    return plannedOf(this.reading, this.files.size, this.passedOver);
  }
}

/**
 * All that is planned in files and directories: a directory is a cdk.out, or all files below it. What is named twice is read once.
 * @throws BadInput, in one line, where a path is not there, or a file that is named cannot be read at all.
 */
export function readPlanned(
  paths: readonly string[],
  { unreadable = 'refuse' }: ReadPlannedOptions = {},
): Planned {
  if (paths.includes(''))
    throw new BadInput('a path is missing: one of those given is empty; give a file or a directory');
  const reader = new Reader();
  // The outer ones first: what is within them may nest all that is below them.
  const directories = paths
    .filter(isDirectory)
    .sort((one, other) => realPath(one).length - realPath(other).length);
  for (const path of paths.filter((one) => !isDirectory(one))) {
    const root = directories.find((directory) => isBelow(directory, path)) ?? dirname(path);
    reader.file({ file: path, path, root }, unreadable === 'refuse');
  }
  for (const path of directories) reader.directory({ file: path, path, root: path });
  return reader.planned();
}
