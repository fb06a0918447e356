/** npm run build: what is installed is made of, as a software bill of materials (CycloneDX). `npm sbom` makes it of package-lock.json. */
import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { packagesOfLock } from './licences.ts';

const componentSchema = z.looseObject({
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});
const bomSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: componentSchema }),
  components: z.array(componentSchema),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const lockRootSchema = z.object({
  packages: z.object({
    '': z.object({
      dependencies: z.record(z.string(), z.string()).default({}),
      optionalDependencies: z.record(z.string(), z.string()).default({}),
    }),
  }),
});
export type BillOfMaterials = z.infer<typeof bomSchema>;

const developmentMark = 'cdx:npm:package:development';

interface Narrowing {
  /** What `npm sbom` printed of all packages. */
  bom: unknown;
  /** package-lock.json. */
  lock: unknown;
  /** The name of the project: npm gives that of its folder. */
  name: string;
}

const asLicense = (licence: string): object =>
  licence.includes(' ') ? { expression: licence } : { license: { id: licence } };

/** npm before 11 lists a package again for each folder that it is in. */
const onceEach = <T>(all: readonly T[], idOf: (one: T) => string): T[] =>
  all.filter((one, i) => all.findIndex((other) => idOf(other) === idOf(one)) === i);

/**
 * Leaves out what is for development alone. `npm sbom --omit dev` would leave out too much: also what is needed by something else
 * as well (npm/cli issue 7909; of ours zod, yaml, commander and 32 more).
 */
export function withoutDevelopment({ bom, lock, name }: Narrowing): BillOfMaterials {
  const whole = bomSchema.parse(bom);
  const licences = new Map(packagesOfLock(lock).map((one) => [`${one.name}@${one.version}`, one.licence]));
  const root = whole.metadata.component;
  const components = onceEach(whole.components, (component) => component['bom-ref']).flatMap((component) => {
    const licence = licences.get(`${component.name}@${component.version}`);
    if (licence === undefined) return [];
    const properties = component.properties.filter((property) => property.name !== developmentMark);
    return [{ ...component, properties, licenses: [asLicense(licence)] }];
  });
  // The project's own needs: a package for its development may be there because another needs it.
  const { dependencies, optionalDependencies } = lockRootSchema.parse(lock).packages[''];
  const named = { ...dependencies, ...optionalDependencies };
  const direct = new Set(
    components.flatMap((component) => (Object.hasOwn(named, component.name) ? [component['bom-ref']] : [])),
  );
  const kept = new Set([root['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  return {
    ...whole,
    metadata: { ...whole.metadata, component: { ...root, name } },
    components,
    dependencies: onceEach(whole.dependencies, ({ ref }) => ref)
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter((one) => (ref === root['bom-ref'] ? direct : kept).has(one)),
      })),
  };
}

interface NpmSbom {
  /** The checkout. */
  root: string;
  /** The command; a test gives one that fails. */
  npm?: string;
}

/** @returns a bill of all packages, those for development too. @throws an error of one line where npm makes none. */
export function npmSbom({ root, npm = 'npm' }: NpmSbom): unknown {
  const { status, stdout, stderr, error } = spawnSync(
    npm,
    // Whatever the environment leaves out otherwise, and however quiet it is.
    [
      ...['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
      ...['--include=dev', '--include=optional', '--include=peer', '--loglevel=error'],
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' },
  );
  if (status === 0) return JSON.parse(stdout);
  // One line of many: a code and the place of a log say nothing, and usage comes later. An npm without the command says so on stdout.
  const said = `${stderr}\n${stdout}`
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .find((line) => line !== '' && !/^code \w+$|^A complete log/.test(line));
  const why = error?.message ?? said ?? `it ended with status ${status}`;
  throw new Error(`no bill of materials, for which \`npm sbom\` of npm 10.2 or newer is needed: ${why}`);
}
