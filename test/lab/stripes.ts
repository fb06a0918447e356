/** What the tests of the documents that build, snapshot and remove stripes have in common. */
import { join } from 'node:path';
import type { Ended } from '../../local/lab/guest-agent.ts';
import { Lab } from '../../local/lab/lab.ts';
import { unlimited } from '../../local/lab/throttle.ts';
import { type Disk, deviceLink } from '../../local/lab/vm.ts';

export const volumeId = (number: number): string => `vol-${String(number).padStart(17, '0')}`;
export const volumeIds = (...numbers: readonly number[]): string => numbers.map(volumeId).join(',');
export const deviceOf = (number: number): string => deviceLink(volumeId(number));
export const diskOf = (number: number): Disk => ({
  volumeId: volumeId(number),
  sizeMiB: 1_024,
  throttle: unlimited,
});
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export function startLab(name: string, disks: number): Promise<Lab> {
  const root = join(__dirname, '../..');
  return Lab.start({
    root,
    name,
    disks: upTo(disks).map(diskOf),
    say: (line) => process.stderr.write(`${line}\n`),
  });
}

/** A line of shell that must succeed: what it prints. */
export async function ask(lab: Lab, script: string): Promise<string> {
  const { exitCode, stdout, stderr } = await lab.vm.agent.shell(script);
  if (exitCode !== 0) throw new Error(`${script}: ${stderr || stdout}`);
  return stdout.trim();
}

type Run = Pick<Ended, 'exitCode' | 'stdout' | 'stderr'>;

/** The last line of a document that succeeded. */
export function resultOf({ exitCode, stdout, stderr }: Run): Record<string, unknown> {
  if (exitCode !== 0 || stderr !== '') throw new Error(`exit ${exitCode}: ${stderr}\n${stdout}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}

/** The one line of a document that failed. */
export function failureOf({ exitCode, stdout, stderr }: Run): string {
  if (exitCode !== 1 || stderr.trimEnd().includes('\n'))
    throw new Error(`exit ${exitCode}: ${stderr}\n${stdout}`);
  return stderr.trimEnd();
}

export const stepsOf = ({ stdout }: { stdout: string }): string[] =>
  stdout.split('\n').flatMap((line) => (line.startsWith('== ') ? [line.slice(3)] : []));

/** What is mounted below /srv, in order of the mount points. */
export const mountsOf = (lab: Lab): Promise<string> =>
  ask(lab, `awk '$2 ~ "^/srv/" { print $2, $3 }' /proc/mounts | sort`);

/** What is left of stripes: mounts, lines of fstab, device-mapper, arrays, signatures, records, directories. */
export const remaining = (lab: Lab): Promise<string> =>
  ask(
    lab,
    `grep ' /srv/' /proc/mounts; cat /etc/fstab; dmsetup ls | grep -v '^No devices'; grep '^md' /proc/mdstat 2> /dev/null
     for disk in /sys/block/nvme*; do grep -q '^vol' "$disk/device/serial" && wipefs --noheadings "/dev/\${disk##*/}"; done
     ls -A /var/lib/stripewise/stripes /srv 2> /dev/null | grep -v -e ':$' -e '^$'; ls -d /run/stripewise-freeze* 2> /dev/null; true`,
  );
