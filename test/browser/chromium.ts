/** The browser that pages are tested and measured in: Debian's Chromium, or whatever of its kind is there. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { plainEnvironment } from '../../local/processes.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** There is none, and none could be had; not a failure of what is tested in it. */
export class ChromiumUnavailable extends Error {
  override readonly name = 'ChromiumUnavailable';
}

/**
 * Where it is; null where it is not.
 * @throws ChromiumUnavailable where CHROMIUM names what is not there.
 */
export function chromiumPath(): string | null {
  const given = process.env['CHROMIUM'];
  if (given !== undefined && given !== '') {
    if (existsSync(given)) return given;
    throw new ChromiumUnavailable(
      `CHROMIUM is ${given}, which is not there: give the path of a Chromium, or leave it out`,
    );
  }
  const directories = ['/usr/bin', ...(process.env['PATH'] ?? '').split(':')];
  const paths = names.flatMap((name) => directories.map((directory) => join(directory, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

function install(): void {
  for (const args of [
    ['-q', 'update'],
    ['-q', '-y', 'install', '--no-install-recommends', 'chromium'],
  ]) {
    const env = { ...plainEnvironment(), DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
    const done = spawnSync('apt-get', args, { env, encoding: 'utf8' });
    if (done.status === 0) continue;
    const why = done.error?.message ?? done.stderr.trim().split('\n').slice(-2).join(' | ');
    throw new ChromiumUnavailable(`chromium is not there and could not be installed: ${why}`);
  }
}

/**
 * @param say told in one line when something takes time. @returns its path.
 * @throws ChromiumUnavailable where this machine cannot have it.
 */
export function ensureChromium(say: (line: string) => void): string {
  const there = chromiumPath();
  if (there !== null) return there;
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0)
    throw new ChromiumUnavailable(
      'no Chromium is there, and only root on a Debian can install it here: say in CHROMIUM where one is',
    );
  say('pages: installing chromium ...');
  install();
  const path = chromiumPath();
  if (path === null) throw new ChromiumUnavailable('chromium was installed, and is not in any usual place');
  return path;
}
