/** A host of stubs: tools that print what the real ones do, hang or fail. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

export const script = join(__dirname, '../../ssm-documents/describe-stripes/describe-stripes.sh');
export const directory = temporaryDirectory();

export const pathOf = (tool: string): string | null =>
  (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, tool))
    .find((path) => existsSync(path)) ?? null;

/** What the script itself is made of: on every distribution. */
const basics = ['sed', 'tr', 'head', 'cut', 'readlink', 'awk', 'od', 'date', 'sleep', 'cat'];

/** A file that prints a text, or does as it says. */
export type Stub = { prints: string } | { does: string };

let count = 0;

/** A host whose tools and whose /sys and /dev are files of a directory. */
export class Host {
  readonly root: string;
  readonly bin: string;

  constructor(stubs: Record<string, Stub>, hasTimeout = true) {
    this.root = join(directory.path, `host-${count++}`);
    this.bin = join(this.root, 'bin');
    mkdirSync(this.bin, { recursive: true });
    // A stub is never written over one of these: it would be written through the link.
    for (const tool of basics.filter((one) => !Object.hasOwn(stubs, one)))
      symlinkSync(pathOf(tool) ?? tool, join(this.bin, tool));
    // The real one, in a hurry: `timeout -k 2 10 lsblk ...` gets a second.
    const real = [
      '#!/bin/sh',
      `echo "$1 $2 $3" >> '${this.root}/limits'`,
      'shift 3',
      'seconds=1',
      // What waits for all others, a pause between their readings included.
      '[ "$1" != cat ] || seconds=7',
      `exec ${pathOf('timeout')} -k 1 "$seconds" "$@"\n`,
    ].join('\n');
    if (hasTimeout) this.executable('timeout', real);
    for (const [tool, stub] of Object.entries(stubs)) {
      const text = 'prints' in stub ? `cat <<'END'\n${stub.prints}\nEND` : stub.does;
      this.executable(
        tool,
        `#!/bin/sh\necho "${tool} $*" >> '${this.root}/calls'\nPATH=/usr/bin:/bin\n${text}\n`,
      );
    }
  }

  private executable(name: string, text: string): void {
    writeFileSync(join(this.bin, name), text, { flag: 'wx' });
    chmodSync(join(this.bin, name), 0o755);
  }

  /** Files below what stands for /. */
  with(files: Record<string, string>): this {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(this.root, path, '..'), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
    return this;
  }

  linked(path: string, target: string): this {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    symlinkSync(target, join(this.root, path));
    return this;
  }

  get calls(): string[] {
    return existsSync(join(this.root, 'calls'))
      ? readFileSync(join(this.root, 'calls'), 'utf8').trim().split('\n')
      : [];
  }

  run(shell = 'sh') {
    const [command = '', ...options] = shell.split(' ');
    const { status, stdout, stderr } = spawnSync(
      pathOf(command) ?? command,
      [...options, script, this.root],
      {
        env: { PATH: this.bin },
        cwd: this.bin,
        encoding: 'utf8',
        timeout: 30_000,
      },
    );
    return { status, stderr, text: stdout, document: JSON.parse(stdout) as Record<string, unknown> };
  }
}
