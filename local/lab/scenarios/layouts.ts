/** Layouts as the scenarios need them: made by the project's own documents, gone again afterwards. */
import { layFile } from '../fio.ts';
import type { Lab } from '../lab.ts';
import { iopsOnly, type Throttle, unlimited } from '../throttle.ts';
import type { Disk } from '../vm.ts';

export type Layout = 'single' | 'linear' | 'stripe' | 'raid0' | 'raid5' | 'raid10' | 'raid10-far2';

const diskMiB = 512;
const fileMiB = 128;

export const volumeIdAt = (index: number): string => `vol-${(index + 1).toString(16).padStart(17, '0')}`;
export const disksOf = (throttles: readonly Throttle[]): Disk[] =>
  throttles.map((throttle, index) => ({ volumeId: volumeIdAt(index), sizeMiB: diskMiB, throttle }));
export const sameDisks = (count: number, iops: number): Disk[] =>
  disksOf(Array.from({ length: count }, () => iopsOnly(iops)));

/** @throws with what the document said where it fails. */
async function run(lab: Lab, document: string, parameters: Record<string, string>): Promise<void> {
  const { exitCode, signal, stdout, stderr } = await lab.run(document, parameters);
  if (exitCode !== 0) throw new Error(`${document} ended with ${exitCode ?? signal}: ${stderr || stdout}`);
}

export interface Laid {
  /** A file of it that was written all over. */
  file: string;
  mountPoint: string;
}

/**
 * Disks, joined and with a file on them, while `work` uses them. They are limited only once the file is there, and are
 * removed afterwards.
 */
export async function withLayout<T>(
  lab: Lab,
  layout: Layout,
  disks: readonly Disk[],
  work: (laid: Laid) => Promise<T>,
): Promise<T> {
  const { vm } = lab;
  for (const disk of disks) {
    vm.blank(disk);
    await vm.attach({ ...disk, throttle: unlimited });
  }
  const mountPoint = '/srv/scenario';
  try {
    await run(lab, 'build-stripe', {
      ...{ name: 'scenario', layout, members: disks.map(({ volumeId }) => volumeId).join(',') },
      ...{
        chunkKiB: '128',
        fileSystemType: 'xfs',
        fileSystems: `data=${mountPoint}:100`,
        dataOnMembers: 'destroy',
      },
      // They are blank, so copies and parity are right; a pass over them could still go on while it is measured.
      initialSync: 'skip',
    });
    const file = `${mountPoint}/load`;
    await layFile(vm.agent, file, fileMiB);
    for (const { volumeId, throttle } of disks) await vm.modify(volumeId, throttle);
    return await work({ file, mountPoint });
  } finally {
    for (const { volumeId } of disks) await vm.modify(volumeId, unlimited).catch(() => {});
    await run(lab, 'teardown-stripe', { name: 'scenario', destroy: 'yes' });
    for (const { volumeId } of disks) await vm.detach(volumeId).catch(() => {});
  }
}
