/** Guests of the lab as the hosts of the local Systems Manager: what is sent to them really runs. */
import type { HostAnswer, HostCommand, Hosts, ManagedHost } from '../ssm/hosts.ts';
import type { Passing } from './agent-script.ts';
import { runDocument } from './document-run.ts';
import type { LabVm } from './vm.ts';

/** What the agent does with a script that ended by itself, or not. */
const statusOf = (exitCode: number | null, hasTimedOut: boolean): HostAnswer['status'] => {
  if (hasTimedOut) return 'TimedOut';
  return exitCode === 0 ? 'Success' : 'Failed';
};

export class LabHosts implements Hosts {
  private readonly region: string;
  private readonly passing: Passing;
  private readonly guests = new Map<string, () => LabVm>();

  constructor(region: string, passing: Passing) {
    this.region = region;
    this.passing = passing;
  }

  /** @param guest the one that runs at that moment: it may be started anew. */
  add(instanceId: string, guest: () => LabVm): void {
    this.guests.set(instanceId, guest);
  }

  list(region: string): ManagedHost[] {
    if (region !== this.region) return [];
    return [...this.guests.keys()].map((instanceId) => ({ instanceId, isOnline: true, platform: 'Linux' }));
  }

  async run(
    region: string,
    instanceId: string,
    { document, parameters, signal }: HostCommand,
  ): Promise<HostAnswer> {
    const guest = this.guests.get(instanceId);
    if (guest === undefined || region !== this.region)
      throw new Error(`the lab has no host ${instanceId} in ${region}`);
    const { exitCode, hasTimedOut, stdout, stderr } = await runDocument(guest().agent, {
      ...{ document, parameters, signal, passing: this.passing },
      environment: { AWS_SSM_INSTANCE_ID: instanceId, AWS_SSM_REGION_NAME: region },
    });
    return { status: statusOf(exitCode, hasTimedOut), stdout, stderr };
  }
}
