/** The cdk.out of a CDK app: its stacks, and those of its stages. */
import { join } from 'node:path';
import { BadInput } from '../../core/errors.ts';
import { isRegionName } from '../../core/ids.ts';
import { sanitize } from '../../core/sanitize.ts';
import { readText } from '../files/read-file.ts';
import { isTemplate } from './cloudformation.ts';
import { isRecord, type JsonRecord, recordOf, stringOf, within } from './json-values.ts';
import type { Stacks } from './nested-stacks.ts';
import { addReading, newReading, type Reading } from './reading.ts';
import {
  isBelow,
  isFile,
  jsonOf,
  jsonOrUndefined,
  linesOf,
  realPath,
  type Source,
  textAt,
} from './sources.ts';

const manifestName = 'manifest.json';

/** The manifest of a cdk.out; null where a directory is none. */
export function cdkManifest({ path, root }: Source): JsonRecord | null {
  const at = join(path, manifestName);
  if (!isFile(at) || !isBelow(root, at)) return null;
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

/** Files by the name that each has in the bucket of assets, as the asset manifests of an app say it. */
function assetsOf(artifacts: JsonRecord, source: Source): Map<string, string> {
  const found = new Map<string, string>();
  for (const artifact of Object.values(artifacts)) {
    const name = stringOf(within(artifact, 'properties', 'file'));
    const inner =
      within(artifact, 'type') === 'cdk:asset-manifest' && name !== null ? below(source, name) : null;
    if (inner === null || !isFile(inner.path)) continue;
    const files = recordOf(within(jsonOrUndefined(readText(inner.path)), 'files'));
    for (const [hash, file] of Object.entries(files)) {
      const path = stringOf(within(file, 'source', 'path'));
      if (path !== null) found.set(`${hash}.json`, path);
    }
  }
  return found;
}

/** Adds the stacks of a cloud assembly, and of those of its stages; one that was seen is not read again. */
export function readAssembly(
  manifest: JsonRecord,
  source: Source,
  reading: Reading,
  stacks: Stacks,
  seen: Set<string>,
  files: Set<string>,
): void {
  seen.add(realPath(source.path));
  const artifacts = recordOf(manifest['artifacts']);
  const assets = assetsOf(artifacts, source);
  for (const [id, artifact] of Object.entries(artifacts)) {
    const type = within(artifact, 'type');
    const directory = stringOf(within(artifact, 'properties', 'directoryName'));
    if (type === 'cdk:cloud-assembly' && directory !== null) {
      const inner = below(source, directory);
      const nested = inner === null || seen.has(realPath(inner.path)) ? null : cdkManifest(inner);
      if (inner !== null && nested !== null) readAssembly(nested, inner, reading, stacks, seen, files);
      else notThere(reading, source, directory);
    }
    const template = stringOf(within(artifact, 'properties', 'templateFile'));
    if (type !== 'aws:cloudformation:stack' || template === null) continue;
    const inner = below(source, template);
    if (inner === null || !isFile(inner.path)) {
      notThere(reading, source, template);
      continue;
    }
    const path = realPath(inner.path);
    files.add(path);
    counting(reading, inner.file, () => {
      const text = textAt(inner);
      const { yaml, value } = linesOf(text);
      const read = isRecord(value) ? value : jsonOf(text, inner.file);
      // A stack without resources, as the CDK writes one for the assertions of a test.
      if (isRecord(read) && !Object.hasOwn(read, 'Resources')) return;
      if (!isTemplate(read))
        throw new BadInput(`${inner.file}: it is no CloudFormation template; synthesize the app again`);
      const name = sanitize(stringOf(within(artifact, 'properties', 'stackName')) ?? id, 128);
      const stack = {
        name,
        scope: `${source.file}/${id}`,
        ...environmentOf(within(artifact, 'environment')),
      };
      const own = newReading();
      stacks.assets = assets;
      stacks.within(() => stacks.read(read, yaml, inner, own, stack));
      // It may be named as well: it is read here, with what the app says of it.
      stacks.nested.add(path);
      addReading(reading, own);
    });
  }
}

/** A path within a directory of the app; null where it is not there, or leads out of it by its name or by a link. */
function below(source: Source, name: string): Source | null {
  const path = join(source.path, name);
  return isBelow(source.root, path) ? { file: join(source.file, name), path, root: source.root } : null;
}

const notThere = (reading: Reading, { file }: Source, name: string): void => {
  const at = join(file, manifestName);
  const reason = `${at}: what it names is not there, leads out of it or names itself: ${sanitize(name, 120)}; synthesize the app again`;
  reading.unreadable.push({ file: at, line: null, reason });
};

/** What cannot be read is counted with its reason. */
export function counting(reading: Reading, file: string, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    reading.unreadable.push({ file, line: null, reason: sanitize(error.message, 400) });
  }
}
