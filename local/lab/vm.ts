/**
 * The guest: a Linux under QEMU without hardware virtualisation, with disks that are limited as EBS volumes are. They come,
 * go and change while it runs. The image stays as it is: what the guest writes is in an overlay in its own directory.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { release, spawnOwned } from '../owned-process.ts';
import { plainEnvironment } from '../processes.ts';
import { endRunning, noteProcess } from '../running.ts';
import { GuestAgent } from './guest-agent.ts';
import type { Image } from './image.ts';
import { HostGone } from './line-socket.ts';
import { processorSeconds, watchProcessorWait } from './processor-wait.ts';
import { Qmp } from './qmp.ts';
import { deviceThrottle, groupThrottle, type Throttle } from './throttle.ts';

/** Seen: 5 s on a machine with nothing else to do. */
const usualBootTimeoutMs = 90_000;
const memoryMiB = 1_024;
/** Every disk is behind it, without limits until somebody sets some. */
const instanceGroup = 'instance';

export interface Disk {
  volumeId: string;
  sizeMiB: number;
  throttle: Throttle;
  /** Where its data are; in the guest's directory where nothing is said. */
  file?: string;
}

/** What NVMe tells of it on EC2, and what it is called here. */
const serialOf = (volumeId: string): string => volumeId.replace('-', '');
/** As udev links it in the guest, whatever its name is after this start. */
export const deviceLink = (volumeId: string): string =>
  `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${serialOf(volumeId)}`;

function qemuArguments(image: Image, directory: string): string[] {
  const socket = (id: string): string => `socket,id=${id},path=${join(directory, id)},server=on,wait=off`;
  const root = `if=none,id=root,file=${join(directory, 'root.qcow2')},format=qcow2`;
  return [
    ...['-nodefaults', '-display', 'none', '-no-reboot', '-machine', 'pc'],
    ...['-accel', 'tcg,thread=multi,tb-size=256', '-cpu', 'Nehalem', '-smp', '2', '-m', `${memoryMiB}`],
    ...['-serial', `file:${join(directory, 'console.log')}`],
    ...['-chardev', socket('qmp'), '-mon', 'chardev=qmp,mode=control'],
    // Programs at the same addresses each time: what the emulator has translated of them fits the next run (three times as fast).
    ...['-kernel', image.kernel, '-append'],
    `norandmaps console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on root=PARTUUID=${image.rootPartition} rootwait rw init=/sbin/lab-init`,
    ...['-drive', root, '-device', 'nvme,serial=root,drive=root'],
    ...['-device', 'virtio-serial-pci', '-chardev', socket('agent')],
    ...['-device', 'virtserialport,chardev=agent,name=org.qemu.guest_agent.0'],
    ...['-object', `throttle-group,id=${instanceGroup}`],
    // Nothing runs before the disks are there.
    '-S',
  ];
}

function makeOverlay(image: Image, directory: string): void {
  const file = join(directory, 'root.qcow2');
  if (existsSync(file)) return;
  const made = spawnSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-b', image.root, '-F', 'raw', file], {
    env: plainEnvironment(),
  });
  if (made.status !== 0) throw new Error(`qemu-img could not make ${file}: ${made.stderr}`);
}

export interface StartVm {
  image: Image;
  /** Of this guest alone. What an earlier one left there, its disks too, goes on. */
  directory: string;
  /** Attached before it starts, in the order given: that of their names in the guest. */
  disks: readonly Disk[];
  /** Called with the process as soon as there is one. */
  onSpawn?: (pid: number) => void;
  /** Until something is heard of it. @default 90_000 */
  bootTimeoutMs?: number;
}

export class LabVm {
  readonly directory: string;
  readonly agent: GuestAgent;
  private readonly qmp: Qmp;
  /** Null where another process started it. */
  private readonly pid: number | null;

  private constructor(directory: string, qmp: Qmp, agent: GuestAgent, pid: number | null) {
    this.directory = directory;
    this.qmp = qmp;
    this.agent = agent;
    this.pid = pid;
  }

  /** One that another process left running. @throws HostGone where there is none. */
  static async connect(directory: string): Promise<LabVm> {
    const qmp = await Qmp.connect(join(directory, 'qmp'), 2_000);
    return new LabVm(directory, qmp, await GuestAgent.connect(join(directory, 'agent'), 10_000), null);
  }

  /**
   * A guest that says nothing is started once more, said on stderr: one in hundreds hung while it booted, and nobody knows why.
   * @throws with the end of the guest's console where it does not start.
   */
  static async start(options: StartVm): Promise<LabVm> {
    try {
      return await LabVm.startOnce(options);
    } catch (error) {
      if (!(error instanceof NotStarted && error.isSilent)) throw error;
      console.error(`STARTED AGAIN, once: ${error.message}`);
      return await LabVm.startOnce(options);
    }
  }

  /** @throws NotStarted */
  private static async startOnce({
    image,
    directory,
    disks,
    onSpawn,
    bootTimeoutMs = usualBootTimeoutMs,
  }: StartVm): Promise<LabVm> {
    mkdirSync(directory, { recursive: true });
    for (const socket of ['qmp', 'agent']) rmSync(join(directory, socket), { force: true });
    makeOverlay(image, directory);
    const log = openSync(join(directory, 'qemu.log'), 'w');
    const process = spawnOwned('qemu-system-x86_64', qemuArguments(image, directory), {
      env: plainEnvironment(),
      output: log,
    });
    closeSync(log);
    const pid = process.pid ?? null;
    if (pid !== null) {
      noteProcess(directory, pid);
      onSpawn?.(pid);
    }
    const boot = async (): Promise<LabVm> => {
      const qmp = await Qmp.connect(join(directory, 'qmp'), 10_000);
      for (const disk of disks) await addDisk(qmp, directory, disk);
      await qmp.ask('cont');
      const agent = await GuestAgent.connect(join(directory, 'agent'), bootTimeoutMs);
      return new LabVm(directory, qmp, agent, pid);
    };
    // Nobody waits for what ended before it listened.
    const ended = once(process, 'exit').then(([status]): never => {
      throw new HostGone(`QEMU ended with ${status}`);
    });
    try {
      return await Promise.race([boot(), ended]);
    } catch (error) {
      const used = pid === null ? null : processorSeconds(pid);
      await endRunning(directory);
      if (pid !== null) release(pid);
      throw new NotStarted(directory, used, error as Error);
    }
  }

  /** Back when the guest has it; its data are those that a disk of this id had here before. */
  async attach(disk: Disk): Promise<void> {
    await addDisk(this.qmp, this.directory, disk);
    const wait = `until [ -e ${deviceLink(disk.volumeId)} ]; do sleep 0.1; done; udevadm settle`;
    const { exitCode } = await this.agent.shell(wait, { timeoutMs: 30_000 });
    if (exitCode !== 0) throw new Error(`the guest does not see ${disk.volumeId} after 30 s`);
  }

  /** Pulled, whatever uses it. */
  async detach(volumeId: string): Promise<void> {
    await this.qmp.removeDevice(serialOf(volumeId));
    await this.qmp.ask('blockdev-del', { 'node-name': `shared-${serialOf(volumeId)}` });
    await this.qmp.ask('blockdev-del', { 'node-name': `file-${serialOf(volumeId)}` });
  }

  /**
   * Removes all that is on a disk that nobody in the guest uses, and that may be attached: as a new volume it reads zeros.
   * @returns false where it was like that.
   */
  blank(disk: Disk): boolean {
    const file = fileOf(this.directory, disk);
    if (!existsSync(file) || statSync(file).blocks === 0) return false;
    const { size } = statSync(file);
    truncateSync(file, 0);
    truncateSync(file, size);
    return true;
  }

  /** As ModifyVolume does, while it is used; a bucket of credits is full again. */
  async modify(volumeId: string, throttle: Throttle): Promise<void> {
    await setThrottle(this.qmp, volumeId, throttle);
  }

  /** What all disks get together. */
  async limitInstance(throttle: Throttle): Promise<void> {
    const value = groupThrottle(throttle);
    await this.qmp.ask('qom-set', { path: `/objects/${instanceGroup}`, property: 'limits', value });
  }

  /**
   * @returns asked later, the share of the time since now that the guest waited for a processor of this machine.
   * @throws where another process started it.
   */
  watchProcessorWait(): () => number {
    if (this.pid === null)
      throw new Error('this guest was started by another process: its waits are not known');
    return watchProcessorWait(this.pid);
  }

  /** As a power failure. The directory stays, and another guest can go on with it. */
  async stop(): Promise<void> {
    this.agent.close();
    this.qmp.close();
    await endRunning(this.directory);
    if (this.pid !== null) release(this.pid);
  }

  /** It stays when this process ends. */
  leave(): void {
    this.agent.close();
    this.qmp.close();
    if (this.pid !== null) release(this.pid);
  }
}

/** The guest did not start, and nothing of it runs. */
class NotStarted extends Error {
  override readonly name = 'NotStarted';
  /** QEMU ran, and nothing was heard of what is in it. */
  readonly isSilent: boolean;

  constructor(directory: string, processor: number | null, cause: Error) {
    const used = processor === null ? '' : `; it had a processor for ${processor.toFixed(0)} s`;
    const said = ['qemu.log', 'console.log'].map((name) => lastLines(join(directory, name)));
    super(
      `the lab's guest did not start: ${cause.message}${used}. It printed: ${said.join(' ').trim() || 'nothing'}`,
      { cause },
    );
    this.isSilent = cause instanceof HostGone && cause.isSilent;
  }
}

function lastLines(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-5).join(' | ') : '';
}

async function setThrottle(qmp: Qmp, volumeId: string, throttle: Throttle): Promise<void> {
  await qmp.ask('block_set_io_throttle', { id: serialOf(volumeId), ...deviceThrottle(throttle) });
}

const fileOf = (directory: string, { volumeId, file }: Disk): string =>
  file ?? join(directory, `${serialOf(volumeId)}.raw`);

async function addDisk(qmp: Qmp, directory: string, disk: Disk): Promise<void> {
  const { volumeId, sizeMiB, throttle } = disk;
  const serial = serialOf(volumeId);
  const file = fileOf(directory, disk);
  closeSync(openSync(file, 'a'));
  truncateSync(file, sizeMiB * 1024 * 1024);
  await qmp.ask('blockdev-add', {
    ...{ driver: 'raw', 'node-name': `file-${serial}`, discard: 'unmap' },
    cache: { direct: true },
    file: { driver: 'file', filename: file, aio: 'threads', discard: 'unmap', cache: { direct: true } },
  });
  await qmp.ask('blockdev-add', {
    ...{ driver: 'throttle', 'node-name': `shared-${serial}` },
    ...{ 'throttle-group': instanceGroup, file: `file-${serial}` },
  });
  await qmp.ask('device_add', { driver: 'nvme', id: serial, serial, drive: `shared-${serial}` });
  await setThrottle(qmp, volumeId, throttle);
}
