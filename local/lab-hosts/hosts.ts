/** Instances of the local EC2 as hosts of the local Systems Manager: managed once their guest's agent answers. */
import { setTimeout as after } from 'node:timers/promises';
import type { EC2Client } from '@aws-sdk/client-ec2';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import { LabHosts } from '../lab/hosts.ts';
import type { HostAnswer, HostCommand, Hosts, ManagedHost } from '../ssm/hosts.ts';
import { readDesired, readExisting } from './desired.ts';
import type { Guests } from './guests.ts';
import { actionsFor } from './reconcile.ts';

const pollMs = 500;

export interface Ec2HostsOptions {
  region: string;
  guests: Guests;
  ec2: EC2Client;
  /** Guests for all instances, and not only for those of campaigns. */
  isAll: boolean;
  maxStarting: number;
  say: (line: string) => void;
}

export class Ec2Hosts implements Hosts {
  private readonly options: Ec2HostsOptions;
  /** So that nothing is said twice a second. */
  private readonly said = new Set<string>();

  constructor(options: Ec2HostsOptions) {
    this.options = options;
  }

  list(region: string): ManagedHost[] {
    const { guests } = this.options;
    if (region !== this.options.region) return [];
    return guests
      .present()
      .filter(({ instanceId }) => guests.answering(instanceId) !== null)
      .map(({ instanceId }) => ({ instanceId, isOnline: true, platform: 'Linux' }));
  }

  async run(region: string, instanceId: string, command: HostCommand): Promise<HostAnswer> {
    const answering = region === this.options.region ? this.options.guests.answering(instanceId) : null;
    if (answering === null) throw new Error(`the lab has no host ${instanceId} in ${region}`);
    const { vm, uploads } = answering;
    const hosts = new LabHosts(region, 'environment');
    hosts.add(instanceId, () => vm);
    return uploads.during(() => hosts.run(region, instanceId, command));
  }

  notified(): object[] {
    return this.options.guests.present().map(({ instanceId, state, pid, problem, disks }) => ({
      ...{ instanceId, state, pid, problem },
      disks: disks.map(({ volumeId, throttle }) => ({ volumeId, iops: throttle.iops })),
    }));
  }

  /** Follows EC2 until it is called off. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.look(signal);
      } catch (error) {
        // An EC2 that does not answer is none without instances.
        if (!signal.aborted) this.sayOnce(`EC2: ${sanitizeFirstLine(String(error), 300)}`);
      }
      await after(pollMs);
    }
  }

  private async look(signal: AbortSignal): Promise<void> {
    const { ec2, guests, isAll, maxStarting } = this.options;
    const desired = await readDesired(ec2, isAll);
    if (signal.aborted) return;
    for (const remark of desired.remarks) this.sayOnce(remark);
    await guests.noticeGone();
    for (const action of actionsFor(desired.guests, guests.present(), maxStarting)) guests.begin(action);
    const loose = guests.looseVolumes();
    if (loose.length === 0) return;
    const existing = await readExisting(ec2, loose);
    for (const volumeId of guests.looseVolumes())
      if (loose.includes(volumeId) && !existing.has(volumeId)) guests.forgetVolume(volumeId);
  }

  private sayOnce(line: string): void {
    if (this.said.has(line)) return;
    this.said.add(line);
    this.options.say(line);
  }
}
