/** The hosts that Systems Manager manages, and what they answer: where no others are given, what somebody said they would. */
import { z } from 'zod';
import { BadRequest, parseJson } from '../http.ts';

export interface ManagedHost {
  instanceId: string;
  isOnline: boolean;
  platform: 'Linux' | 'Windows' | 'MacOS';
}

/** How a command ended on a host. */
export interface HostAnswer {
  status: 'Success' | 'Failed' | 'TimedOut';
  stdout: string;
  stderr: string;
}

export interface Document {
  name: string;
  /** A number: which version `$LATEST` was. */
  version: string;
  /** As it was written. */
  content: string;
}

/** What a host is to run. */
export interface HostCommand {
  document: Document;
  /** All that the document has, with its defaults. */
  parameters: Readonly<Record<string, string>>;
  /** Aborted when the command is called off; what the host answers from then on is not heard. */
  signal: AbortSignal;
}

/** The one place that knows hosts. Another one may run the document on real ones. */
export interface Hosts {
  list(region: string): readonly ManagedHost[];
  /** Runs a document on a host that is online; may never be settled, as a host may never answer. */
  run(region: string, instanceId: string, command: HostCommand): Promise<HostAnswer>;
  /** For `GET /_stripewise/hosts`, where there is more to tell than Systems Manager does. */
  notified?(): readonly object[];
}

const givenHost = z.strictObject({
  stdout: z.string().default(''),
  stderr: z.string().default(''),
  /** InProgress: it takes the command and never ends. */
  status: z.enum(['Success', 'Failed', 'TimedOut', 'InProgress']).default('Success'),
  online: z.boolean().default(true),
  platform: z.enum(['Linux', 'Windows', 'MacOS']).default('Linux'),
});
const givenHosts = z.record(z.string().regex(/^i-(\w{8}|\w{17})$/), givenHost);
type GivenHost = z.infer<typeof givenHost>;
export type GivenHostInput = z.input<typeof givenHost>;

/** Hosts that run nothing: each answers what it was given. */
export class GivenHosts implements Hosts {
  private readonly byRegion = new Map<string, ReadonlyMap<string, GivenHost>>();

  /** Replaces those of a Region. @throws BadRequest where the text is none. */
  put(region: string, text: string): void {
    const parsed = givenHosts.safeParse(parseJson(text));
    if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error));
    this.byRegion.set(region, new Map(Object.entries(parsed.data)));
  }

  list(region: string): ManagedHost[] {
    return [...(this.byRegion.get(region) ?? [])].map(([instanceId, { online, platform }]) => ({
      instanceId,
      isOnline: online,
      platform,
    }));
  }

  run(region: string, instanceId: string): Promise<HostAnswer> {
    const host = this.byRegion.get(region)?.get(instanceId);
    if (host === undefined) return Promise.reject(new Error(`there is no host ${instanceId} in ${region}`));
    const { status, stdout, stderr } = host;
    return status === 'InProgress' ? new Promise(() => {}) : Promise.resolve({ status, stdout, stderr });
  }
}
