/** npm run build: what makes dist/ a package of its own, without dependencies: its manifest, and the licences of what is bundled. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readOfNpm } from './licences.ts';

const rootManifestSchema = z.object({
  ...{ name: z.string(), version: z.string(), description: z.string(), license: z.string() },
  engines: z.object({ node: z.string() }),
  peerDependencies: z.record(z.string(), z.string()),
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.literal(true) })),
});
const bundledManifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
});

/** Files and folders of dist/ that are packed, beside package.json. */
export const packedFiles = [
  ...['stripewise.js', 'stripewise/', 'sbom.cdx.json'],
  ...['README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'],
];

/** @param root what package.json of the checkout says. @returns the manifest of dist/: everything is bundled; what one command asks besides is optional. */
export function distManifest(root: unknown): object {
  const { name, version, description, license, engines, ...optional } = rootManifestSchema.parse(root);
  return {
    ...{ name, version, description, license, type: 'module', engines, ...optional },
    bin: { stripewise: 'stripewise.js' },
    files: packedFiles,
  };
}

/** @param inputs paths that esbuild bundled. @returns the folder of each package among them, once. */
export function foldersOf(inputs: Iterable<string>): string[] {
  const folders = [...inputs].flatMap((input) => {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    return folder === undefined ? [] : [folder];
  });
  return [...new Set(folders)].sort();
}

/** Its licence and notices: files, or a folder of files. */
const licenceFilesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => /^(licen[cs]e|copying|notice)/i.test(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(join(folder, entry.name)).map((name) => join(entry.name, name))
        : [entry.name],
    )
    .sort();
const line = '-'.repeat(80);

/**
 * @param root the checkout.
 * @param folders of packages, relative to it.
 * @returns the licence of each, with the text that it comes with. @throws where one says none.
 */
export function thirdPartyLicences(root: string, folders: readonly string[]): string {
  const parts = folders.map((folder) => {
    const at = join(root, folder);
    const { name, version, license } = bundledManifestSchema.parse(
      JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')),
    );
    const licence = readOfNpm[name]?.licence ?? license;
    if (licence === undefined) throw new Error(`${name} ${version} has no licence: tools/licences.ts`);
    const texts = licenceFilesOf(at);
    return [
      ...[line, `${name} ${version}: ${licence}`, ''],
      ...texts.map((file) => `${readFileSync(join(at, file), 'utf8').trim()}\n`),
    ].join('\n');
  });
  return `${parts.join('\n')}${line}\n`;
}
