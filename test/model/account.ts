/**
 * An account as EC2 keeps it, small: what is launched, tagged and ended, by whom, and what ends by itself. Written from the EC2
 * API reference and sharing nothing with what it is there to test.
 */
import {
  DescribeInstancesCommand,
  type DescribeInstancesCommandInput,
  EC2Client,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';

export interface Instance {
  id: string;
  /** A stack, or null: somebody else. */
  owner: string | null;
  profile: string | null;
  tags: Map<string, string>;
  launchedAtMs: number;
  /** When its operating system shuts down; never, where nothing asked for it or it hangs. */
  endsAtMs: number;
  isThere: boolean;
  /** Who ended it; null: nobody, or it did by itself. */
  endedBy: string | null;
}
export interface Volume {
  attachedTo: string | null;
  owner: string | null;
  goesWithInstance: boolean;
  isThere: boolean;
}

/** One for each architecture. */
export const templatesOf = (stack: string) => ({ x86_64: `lt-x86-${stack}`, arm64: `lt-arm-${stack}` });
export const profileOf = (stack: string): string =>
  `arn:aws:iam::111122223333:instance-profile/hosts-${stack}`;

const refused = (name: string): Error => Object.assign(new Error(`${name}: refused`), { name });

export class Account {
  nowMs = Date.parse('2026-11-22T12:00:00Z');
  instances: Instance[] = [];
  volumes: Volume[] = [];
  /** Who calls. */
  caller = '';
  /** The next calls of these operations fail so often. */
  failing = new Map<string, number>();
  /** The next host hangs: it does not shut itself down. */
  nextHangs = false;
  private readonly tokens = new Map<string, { asked: string; instance: Instance }>();

  private check(operation: string): void {
    const times = this.failing.get(operation) ?? 0;
    if (times === 0) return;
    this.failing.set(operation, times - 1);
    throw refused('UnauthorizedOperation');
  }

  add(one: Pick<Instance, 'owner' | 'profile' | 'endsAtMs'>, tags: Iterable<[string, string]>): Instance {
    const instance: Instance = {
      ...{ ...one, id: `i-${this.instances.length}`, tags: new Map(tags), launchedAtMs: this.nowMs },
      ...{ isThere: true, endedBy: null },
    };
    this.instances.push(instance);
    return instance;
  }

  run(input: RunInstancesCommandInput) {
    this.check('RunInstances');
    const asked = JSON.stringify(input);
    const before = this.tokens.get(input.ClientToken ?? '');
    if (before !== undefined) {
      if (before.asked !== asked) throw refused('IdempotentParameterMismatch');
      return { Instances: [{ InstanceId: before.instance.id }] };
    }
    const template = input.LaunchTemplate?.LaunchTemplateId ?? '';
    const owner = template.replace(/^lt-(x86|arm)-/, '');
    const script = Buffer.from(input.UserData ?? '', 'base64').toString();
    const minutes = Number(/^shutdown -P \+(\d+)$/m.exec(script)?.[1] ?? Number.NaN);
    const given =
      input.TagSpecifications?.find(({ ResourceType }) => ResourceType === 'instance')?.Tags ?? [];
    const instance = this.add(
      {
        ...{ owner, profile: profileOf(owner) },
        endsAtMs:
          this.nextHangs || Number.isNaN(minutes) ? Number.POSITIVE_INFINITY : this.nowMs + minutes * 60_000,
      },
      [
        ...given.map(({ Key = '', Value = '' }): [string, string] => [Key, Value]),
        ['aws:ec2launchtemplate:id', template],
      ],
    );
    this.nextHangs = false;
    // The root volume of the template, and those of the request.
    for (const device of [{ Ebs: { DeleteOnTermination: true } }, ...(input.BlockDeviceMappings ?? [])])
      this.volumes.push({
        ...{ attachedTo: instance.id, owner, isThere: true },
        goesWithInstance: device.Ebs?.DeleteOnTermination === true,
      });
    this.tokens.set(input.ClientToken ?? '', { asked, instance });
    return { Instances: [{ InstanceId: instance.id }] };
  }

  describe({ Filters = [] }: DescribeInstancesCommandInput) {
    this.check('DescribeInstances');
    const state = ({ isThere }: Instance): string => (isThere ? 'running' : 'terminated');
    const holds = (one: Instance, name: string, values: readonly string[]): boolean => {
      if (name === 'instance-state-name') return values.includes(state(one));
      if (name === 'tag-key') return values.some((key) => one.tags.has(key));
      const value = name.startsWith('tag:') ? one.tags.get(name.slice(4)) : undefined;
      return value !== undefined && values.includes(value);
    };
    const found = this.instances.filter((one) =>
      Filters.every(({ Name = '', Values = [] }) => holds(one, Name, Values)),
    );
    const Instances = found.map((one) => ({
      ...{ InstanceId: one.id, State: { Name: state(one) }, LaunchTime: new Date(one.launchedAtMs) },
      Tags: [...one.tags].map(([Key, Value]) => ({ Key, Value })),
      ...(one.profile === null ? {} : { IamInstanceProfile: { Arn: one.profile } }),
    }));
    return { Reservations: [{ Instances }] };
  }

  terminate(ids: readonly string[]) {
    this.check('TerminateInstances');
    for (const one of this.instances) if (ids.includes(one.id)) this.end(one, this.caller);
    return {};
  }

  private end(one: Instance, by: string | null): void {
    if (!one.isThere) return;
    one.isThere = false;
    one.endedBy = by;
    for (const volume of this.volumes.filter(({ attachedTo }) => attachedTo === one.id)) {
      volume.attachedTo = null;
      if (volume.goesWithInstance) volume.isThere = false;
    }
  }

  pass(minutes: number): void {
    this.nowMs += minutes * 60_000;
    for (const one of this.instances) if (one.endsAtMs <= this.nowMs) this.end(one, null);
  }
}

/** A client of whichever account is set. */
export function clientOf(account: () => Account): EC2Client {
  const ec2 = mockClient(EC2Client);
  ec2.on(RunInstancesCommand).callsFake((input) => account().run(input));
  ec2.on(DescribeInstancesCommand).callsFake((input) => account().describe(input));
  ec2
    .on(TerminateInstancesCommand)
    .callsFake(({ InstanceIds = [] }: { InstanceIds?: string[] }) => account().terminate(InstanceIds));
  return new EC2Client({ region: 'us-east-1' });
}
