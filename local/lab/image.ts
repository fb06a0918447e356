/**
 * The guest's kernel and root file system, made from Debian's packages and kept: another is made when the packages or the
 * way it is made have changed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvironment } from '../processes.ts';

export interface Image {
  kernel: string;
  root: string;
  /** PARTUUID of the root file system. */
  rootPartition: string;
}

/** As build-image.sh writes it. */
const rootPartition = '1ab00001-01';
const guestFiles = join(import.meta.dirname, 'guest');

/** What documents need on a host, and what the lab measures with. */
const guestPackages = [
  ...['lvm2', 'mdadm', 'xfsprogs', 'e2fsprogs', 'thin-provisioning-tools', 'nvme-cli'],
  ...['fio', 'sysbench', 'sysstat', 'postgresql-15', 'mariadb-server-core', 'mariadb-client-core'],
  ...['qemu-guest-agent', 'kmod', 'udev', 'procps', 'iproute2'],
];
/** Tool on this machine, and the package that has it. */
const hostTools = [
  ['qemu-system-x86_64', 'qemu-system-x86'],
  ['qemu-img', 'qemu-utils'],
  ['mmdebstrap', 'mmdebstrap'],
  ['sfdisk', 'fdisk'],
  ['mke2fs', 'e2fsprogs'],
] as const;

/** The lab cannot be here; not a failure of what it tests. */
export class LabUnavailable extends Error {
  override readonly name = 'LabUnavailable';
}

type Say = (line: string) => void;

function run(command: string, args: readonly string[]): string {
  const env = { ...plainEnvironment(), DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
  const done = spawnSync(command, args, { env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (done.status === 0) return done.stdout;
  const why =
    done.error?.message ?? (done.stderr.trim().split('\n').slice(-3).join(' | ') || `status ${done.status}`);
  throw new Error(`${command} ${args.slice(0, 3).join(' ')}: ${why}`);
}

const isThere = (tool: string): boolean =>
  `${process.env['PATH']}:/usr/sbin:/sbin`.split(':').some((directory) => existsSync(join(directory, tool)));

/** @throws LabUnavailable where this machine cannot have it. */
function ensureHostTools(say: Say): void {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new LabUnavailable(
      `the lab runs on Linux on x86-64, and this is ${process.platform} on ${process.arch}`,
    );
  if (process.getuid?.() !== 0)
    throw new LabUnavailable('the lab needs root, to make its image; this is another user');
  const missing = hostTools.filter(([tool]) => !isThere(tool)).map(([, name]) => name);
  if (missing.length === 0) return;
  if (!isThere('apt-get'))
    throw new LabUnavailable(`${missing.join(', ')} are not there, and no apt-get to install them`);
  say(`lab: installing ${missing.join(', ')} ...`);
  try {
    run('apt-get', ['-q', 'update']);
    run('apt-get', ['-q', '-y', 'install', '--no-install-recommends', ...missing]);
  } catch (error) {
    throw new LabUnavailable(`${missing.join(', ')} could not be installed: ${(error as Error).message}`);
  }
}

/**
 * Of the packages that a guest made now would have: its kernel, fio and whatever else is named here.
 * @throws where there is no index of packages, or it lacks one.
 */
export function guestVersions(): { name: string; version: string }[] {
  const shown = run('apt-cache', ['show', '--no-all-versions', 'linux-image-cloud-amd64', ...guestPackages]);
  return [...shown.matchAll(/^Package: (.+)\n(?:.+\n)*?Version: (.+)$/gm)].map(
    ([, name = '', version = '']) => ({ name, version }),
  );
}

/**
 * @returns the version of QEMU that is installed, or that a lab would install: Debian's, where it is Debian's.
 * @throws where it is not installed and there is no index of packages.
 */
export function qemuVersion(): string {
  const [emulator, name] = hostTools[0];
  if (!isThere(emulator)) {
    const [, candidate] =
      /^Version: (.+)$/m.exec(run('apt-cache', ['show', '--no-all-versions', name])) ?? [];
    if (candidate === undefined) throw new Error(`no version of ${name} in the index of packages`);
    return candidate;
  }
  const [said = ''] = run(emulator, ['--version']).split('\n');
  return /\(Debian (.+)\)/.exec(said)?.[1] ?? said;
}

/** Changes with what is made and how. */
function imageKey(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(guestFiles).toSorted())
    hash.update(name).update(readFileSync(join(guestFiles, name)));
  const versions = guestVersions().map(({ name, version }) => `Package: ${name}\nVersion: ${version}`);
  return hash.update(versions.join('\n')).digest('hex').slice(0, 16);
}

/**
 * @param directory where images are kept. @param say told in one line when something takes time.
 * @throws LabUnavailable where this machine cannot have a lab.
 */
export function ensureImage(directory: string, say: Say): Image {
  ensureHostTools(say);
  const place = join(directory, `image-${imageKey()}`);
  if (!existsSync(place)) {
    say('lab: making the image of the guest from packages (once; about a minute) ...');
    const fresh = `${place}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    try {
      run('sh', [join(guestFiles, 'build-image.sh'), fresh, ...guestPackages]);
      if (!existsSync(place)) renameSync(fresh, place);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    // Of earlier packages; none is in use for longer than a test.
    for (const name of readdirSync(directory))
      if (name.startsWith('image-') && join(directory, name) !== place)
        rmSync(join(directory, name), { recursive: true, force: true });
  }
  return { kernel: join(place, 'vmlinuz'), root: join(place, 'root.img'), rootPartition };
}
