/**
 * The guests of instances: started, changed and ended one by one, each in a directory of its own. The data of a volume are
 * apart from them, so that they outlive the guest as those of a volume do.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import type { Image } from '../lab/image.ts';
import { type Disk, LabVm } from '../lab/vm.ts';
import { endRunning } from '../running.ts';
import type { Action, DesiredGuest, DiskChanges, GuestState, PresentGuest } from './reconcile.ts';
import { Uploads } from './uploads.ts';

/** Of a change that failed. */
const retryMs = 5_000;

interface Guest extends PresentGuest {
  state: GuestState;
  disks: readonly Disk[];
  directory: string;
  pid: number | null;
  /** What went wrong with it last. */
  problem: string | null;
  vm: LabVm | null;
  uploads: Uploads | null;
  started: Promise<void>;
}

export interface GuestsOptions {
  image: Image;
  directory: string;
  s3: S3Client;
  say: (line: string) => void;
}

export class Guests {
  private readonly options: GuestsOptions;
  private readonly volumes: string;
  private readonly byId = new Map<string, Guest>();
  private isClosed = false;

  /** @param options.directory is there, and empty. */
  constructor(options: GuestsOptions) {
    this.options = options;
    this.volumes = join(options.directory, 'volumes');
    mkdirSync(this.volumes);
  }

  present(): Guest[] {
    return [...this.byId.values()];
  }

  /** Where its agent answers. */
  answering(instanceId: string): { vm: LabVm; uploads: Uploads } | null {
    const guest = this.byId.get(instanceId);
    if (guest === undefined || (guest.state !== 'running' && guest.state !== 'changing')) return null;
    const { vm, uploads } = guest;
    return vm === null || uploads === null || vm.agent.isGone ? null : { vm, uploads };
  }

  /** Begun, and not waited for: what becomes of it is seen in `present`. */
  begin(action: Action): void {
    if (this.isClosed) return;
    if (action.kind === 'boot') {
      this.boot(action.guest);
      return;
    }
    const guest = this.byId.get(action.instanceId);
    if (guest === undefined) return;
    if (action.kind === 'end') void this.end(guest);
    else void this.change(guest, action.changes);
  }

  /** Of those whose QEMU or agent went by itself. */
  async noticeGone(): Promise<void> {
    const gone = this.present().filter(({ vm, state }) => vm?.agent.isGone === true && state !== 'ending');
    for (const guest of gone) if (guest.state !== 'failed') await this.fail(guest, 'its agent is gone');
  }

  /** Volumes that have a file here and are in no guest. */
  looseVolumes(): string[] {
    const held = new Set(this.present().flatMap(({ disks }) => disks.map(({ volumeId }) => volumeId)));
    return readdirSync(this.volumes)
      .map((name) => name.replace('.raw', ''))
      .filter((volumeId) => !held.has(volumeId));
  }

  forgetVolume(volumeId: string): void {
    rmSync(this.fileOf(volumeId), { force: true });
  }

  /** With their files; none is started from then on. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.present().map((guest) => this.end(guest)));
    rmSync(this.options.directory, { recursive: true, force: true });
  }

  private fileOf(volumeId: string): string {
    return join(this.volumes, `${volumeId}.raw`);
  }

  private withFile(disk: Disk): Disk {
    return { ...disk, file: this.fileOf(disk.volumeId) };
  }

  private boot(desired: DesiredGuest): void {
    const { instanceId, disks } = desired;
    const guest: Guest = {
      ...{ instanceId, disks, state: 'starting', pid: null, problem: null, vm: null, uploads: null },
      directory: join(this.options.directory, instanceId),
      started: Promise.resolve(),
    };
    this.byId.set(instanceId, guest);
    guest.started = this.start(guest, desired);
  }

  private async start(guest: Guest, { limit, disks }: DesiredGuest): Promise<void> {
    const { image, s3, say } = this.options;
    const beganMs = Date.now();
    try {
      guest.vm = await LabVm.start({
        ...{ image, directory: guest.directory, disks: disks.map((disk) => this.withFile(disk)) },
        onSpawn: (pid) => {
          guest.pid = pid;
        },
      });
      await guest.vm.limitInstance(limit);
      guest.uploads = await Uploads.install(guest.vm.agent, s3);
      if (!isIn(guest, 'starting')) return;
      guest.state = 'running';
      const seconds = ((Date.now() - beganMs) / 1_000).toFixed(1);
      say(`${guest.instanceId}: up after ${seconds} s, process ${guest.pid}, ${listed(disks)}`);
    } catch (error) {
      if (isIn(guest, 'starting')) await this.fail(guest, (error as Error).message);
    }
  }

  private async change(guest: Guest, changes: DiskChanges): Promise<void> {
    guest.state = 'changing';
    try {
      for (const step of this.steps(guest, changes)) {
        await step();
        if (!isIn(guest, 'changing')) return;
      }
      guest.problem = null;
    } catch (error) {
      if (!isIn(guest, 'changing')) return;
      this.note(guest, (error as Error).message);
      await after(retryMs);
    }
    if (isIn(guest, 'changing')) guest.state = 'running';
  }

  private *steps(guest: Guest, { detach, modify, attach }: DiskChanges): Generator<() => Promise<void>> {
    const { vm } = guest;
    if (vm === null) return;
    const without = (volumeId: string) => guest.disks.filter((disk) => disk.volumeId !== volumeId);
    const { say } = this.options;
    for (const volumeId of detach)
      yield async () => {
        await vm.detach(volumeId);
        guest.disks = without(volumeId);
        say(`${guest.instanceId}: ${volumeId} is detached`);
      };
    for (const disk of modify)
      yield async () => {
        await vm.modify(disk.volumeId, disk.throttle);
        guest.disks = [...without(disk.volumeId), disk];
        say(`${guest.instanceId}: ${disk.volumeId} has other limits`);
      };
    for (const disk of attach)
      yield async () => {
        await vm.attach(this.withFile(disk));
        guest.disks = [...guest.disks, disk];
        say(`${guest.instanceId}: ${disk.volumeId} is attached`);
      };
  }

  private note(guest: Guest, problem: string): void {
    guest.problem = sanitizeFirstLine(problem, 400);
    this.options.say(`${guest.instanceId}: ${guest.problem}`);
  }

  /** It stays known as failed, without a process and without a file, until its instance is gone. */
  private async fail(guest: Guest, reason: string): Promise<void> {
    guest.state = 'failed';
    this.note(guest, `not managed: ${reason}`);
    await this.clear(guest);
  }

  private async clear(guest: Guest): Promise<void> {
    await endRunning(guest.directory);
    await guest.vm?.stop();
    guest.pid = null;
    guest.disks = [];
    rmSync(guest.directory, { recursive: true, force: true });
  }

  /** At once, also while it starts. */
  private async end(guest: Guest): Promise<void> {
    guest.state = 'ending';
    await endRunning(guest.directory);
    // Without its process the start fails; what it made until then is removed.
    await guest.started;
    await this.clear(guest);
    this.byId.delete(guest.instanceId);
    this.options.say(`${guest.instanceId}: ended`);
  }
}

/** It may have come into another while something was waited for. */
const isIn = (guest: Guest, state: GuestState): boolean => guest.state === state;

const listed = (disks: readonly Disk[]): string =>
  disks.length === 0 ? 'no volumes' : `volumes ${disks.map(({ volumeId }) => volumeId).join(', ')}`;
