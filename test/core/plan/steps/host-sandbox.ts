/**
 * A host of files: what is a volume group, formatted or mounted is a file, and what would be refused there is refused
 * here. Only mkdir and ls are real, on directories of the sandbox, and rsync where there is one.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fill, type Pasting, paste } from './paste.ts';

const commands = [
  ...['sudo', 'aws', 'ls', 'mkdir', 'rsync', 'vgcreate', 'lvcreate', 'mdadm', 'mkfs.xfs'],
  ...['mount', 'umount', 'mountpoint', 'blkid', 'tee', 'vgchange', 'pvresize', 'lvextend'],
];

const script = (state: string, bin: string): string => `#!/bin/sh
PATH=/usr/bin:/bin:/usr/local/bin
name=\${0##*/}
[ "$name" = mountpoint ] || echo "$name $*" >> '${state}/calls'
[ ! -e "${state}/failing.$name" ] || exit 1
at() { echo '${state}'/"$1.$(echo "$2" | tr / _)"; }
take() { for one; do [ ! -e "$(at used "$one")" ] || exit 5; done; for one; do : > "$(at used "$one")"; done; }
case $name in
sudo) PATH='${bin}'; exec "$@" ;;
ls | mkdir) exec "$name" "$@" ;;
rsync)
  if command -v rsync > /dev/null; then exec rsync "$@"; fi
  delete=no
  while [ $# -gt 2 ]; do [ "$1" != --delete ] || delete=yes; shift; done
  [ $delete = no ] || find "$2" -mindepth 1 -delete
  cp -a "$1." "$2" ;;
vgcreate) [ ! -e "$(at group "$1")" ] || exit 5; group=$1; shift; take "$@"; : > "$(at group "$group")" ;;
lvcreate) while [ $# -gt 1 ]; do shift; done; [ -e "$(at group "$1")" ] || exit 5 ;;
mdadm) [ "$1" != --create ] || { shift 5; take "$@"; } ;;
mkfs.xfs) [ ! -e "$(at formatted "$1")" ] || exit 1; : > "$(at formatted "$1")" ;;
mount) [ -e "$(at formatted "$1")" ] || exit 32; echo "$1" > "$(at mounted "$2")" ;;
umount) rm "$(at mounted "$1")" ;;
mountpoint)
  case $1 in
  -q) [ -e "$(at mounted "$2")" ] ;;
  -d) cat "$(at mounted "$2")" ;;
  -x) [ -e "$(at formatted "$2")" ] && echo "$2" ;;
  esac ;;
blkid) echo 0000-1111 ;;
tee) cat >> '${state}/written' ;;
esac
`;

const key = (path: string): string => path.replaceAll('/', '_');

export class HostSandbox {
  readonly #root: string;
  readonly #state: string;
  readonly old: string;
  readonly new: string;

  constructor(root: string) {
    rmSync(root, { recursive: true, force: true });
    this.#root = root;
    this.#state = join(root, 'state');
    this.old = join(root, 'old');
    this.new = join(root, 'new');
    const bin = join(root, 'bin');
    for (const path of [this.#state, this.old, this.new, bin]) mkdirSync(path, { recursive: true });
    for (const name of commands) {
      writeFileSync(join(bin, name), script(this.#state, bin));
      chmodSync(join(bin, name), 0o755);
    }
  }

  /** As if it had been there before. */
  mounted(device: string, directory: string, files: Record<string, string>): this {
    writeFileSync(join(this.#state, `formatted.${key(device)}`), '');
    writeFileSync(join(this.#state, `mounted.${key(directory)}`), `${device}\n`);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    return this;
  }

  failing(command: string): this {
    writeFileSync(join(this.#state, `failing.${command}`), '');
    return this;
  }

  /** All the lines but those for the shell of aws, with what a person puts in. */
  async paste(lines: readonly string[], shell: Pasting['shell'], values: Record<string, string> = {}) {
    const filled = lines.map((line) =>
      fill(line, { '<mount-point>': this.old, '<new-mount-point>': this.new, ...values }),
    );
    const host = filled.filter((line) => !/^(V\d+=\$\(aws |aws |unset V)/.test(line));
    await paste(host, { shell, bin: join(this.#root, 'bin'), cwd: this.#root });
  }

  /** What was called, without what only looks; `sudo` is left out. */
  calls(): string[] {
    const file = join(this.#state, 'calls');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    return lines.filter((line) => !/^(sudo|ls|mkdir) /.test(line));
  }
  names = (): string[] => this.calls().map((line) => line.split(' ')[0] as string);
  written = (): string => {
    const file = join(this.#state, 'written');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };

  deviceAt(directory: string): string | null {
    const file = join(this.#state, `mounted.${key(directory)}`);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  }
  files = (directory: string): string[] => readdirSync(directory).sort();
}
