/** What a benchmark needs of an account: a place with a route to AWS, a key, vCPUs, and that instances may be launched. */

import { keyActions } from '../benchmark/campaign/cells.ts';
import { isStandard } from '../benchmark/campaign/preflight.ts';
import { type InstanceCatalog, type InstanceType, matchesType } from '../catalog/instance-types.ts';
import type { PlacelessBenchmark } from '../config/config.ts';
import type { DoctorCheck } from '../schemas/doctor-answer.ts';
import { checkOf, notReadOf, ofRead } from './account-checks.ts';
import {
  type BenchmarkFacts,
  isOfOrganization,
  type Network,
  type RouteTable,
  type Subnet,
} from './facts.ts';

export type BenchmarkConfig = PlacelessBenchmark;

const vpcCheck = ({ vpcIds }: Network, { vpcId }: BenchmarkConfig): DoctorCheck =>
  ofRead('vpc', vpcIds, ([found]) => {
    if (found !== undefined)
      return checkOf('vpc', 'ok', { code: 'vpc-there', vpcId: found, isDefault: vpcId === undefined });
    return checkOf(
      'vpc',
      'trouble',
      vpcId === undefined ? { code: 'no-default-vpc' } : { code: 'vpc-not-there', vpcId },
    );
  });

function subnetFact(found: readonly Subnet[], { vpcId, subnetIds }: BenchmarkConfig): DoctorCheck {
  const missing = subnetIds.filter((id) => !found.some(({ subnetId }) => subnetId === id));
  if (missing.length > 0)
    return checkOf('subnets', 'trouble', { code: 'subnets-not-there', subnetIds: missing });
  if (found.length === 0) return checkOf('subnets', 'trouble', { code: 'no-default-subnets' });
  const ids = (of: readonly Subnet[]): string[] => of.map(({ subnetId }) => subnetId);
  const elsewhere = found.filter((subnet) => vpcId !== undefined && subnet.vpcId !== vpcId);
  if (vpcId !== undefined && elsewhere.length > 0) {
    const fact = { code: 'subnets-of-other-vpc' as const, subnetIds: ids(elsewhere), vpcId };
    return checkOf('subnets', 'trouble', fact);
  }
  const full = found.filter(({ freeAddresses }) => freeAddresses === 0);
  if (full.length > 0) return checkOf('subnets', 'warning', { code: 'subnets-full', subnetIds: ids(full) });
  const freeAddresses = found.reduce((sum, subnet) => sum + subnet.freeAddresses, 0);
  return checkOf('subnets', 'ok', { code: 'subnets-there', subnetIds: ids(found), freeAddresses });
}

/**
 * Without a route to the internet a host reaches what it needs by endpoints alone: Systems Manager, and S3 for its results and the
 * packages of Amazon Linux. Source: Systems Manager User Guide, "ec2messages, ssmmessages, and other API operations" (the agent
 * takes commands by ssmmessages), read 2026-11-25.
 */
const neededEndpoints = ['ssm', 'ssmmessages', 's3'] as const;

type Egress =
  | { is: 'open'; by: 'internet-gateway' | 'nat-gateway' | 'endpoints' }
  | { is: 'closed'; why: 'no-public-address' | 'blackhole' | 'endpoints-missing'; endpoints: string[] }
  | { is: 'not-seen'; target: string };

const closed = (why: 'no-public-address' | 'blackhole' | 'endpoints-missing', endpoints: string[] = []) =>
  ({ is: 'closed', why, endpoints }) as const;

function egressOf(subnet: Subnet, tables: readonly RouteTable[], endpoints: readonly string[]): Egress {
  const table =
    tables.find(({ subnetIds }) => subnetIds.includes(subnet.subnetId)) ??
    tables.find(({ isMain }) => isMain);
  const route = table?.defaultRoute ?? null;
  if (route === null) {
    const missing = neededEndpoints.filter((name) => !endpoints.some((one) => one.endsWith(`.${name}`)));
    return missing.length > 0 ? closed('endpoints-missing', missing) : { is: 'open', by: 'endpoints' };
  }
  if (route.isBlackhole) return closed('blackhole');
  if (route.target.startsWith('nat-')) return { is: 'open', by: 'nat-gateway' };
  if (!route.target.startsWith('igw-')) return { is: 'not-seen', target: route.target };
  return subnet.givesPublicAddress ? { is: 'open', by: 'internet-gateway' } : closed('no-public-address');
}

function egressCheck({ subnets, routeTables, endpoints }: Network): DoctorCheck {
  if (!subnets.known) return notReadOf('egress', subnets.reason);
  if (!routeTables.known) return notReadOf('egress', routeTables.reason);
  if (!endpoints.known) return notReadOf('egress', endpoints.reason);
  const all = subnets.value.map((subnet) => ({
    subnetId: subnet.subnetId,
    egress: egressOf(subnet, routeTables.value, endpoints.value),
  }));
  const shut = all.flatMap(({ subnetId, egress }) =>
    egress.is === 'closed' ? [{ subnetId, why: egress.why, endpoints: egress.endpoints }] : [],
  );
  if (shut.length > 0) return checkOf('egress', 'trouble', { code: 'egress-closed', subnets: shut });
  const unseen = all.flatMap(({ subnetId, egress }) =>
    egress.is === 'not-seen' ? [{ subnetId, target: egress.target }] : [],
  );
  if (unseen.length > 0 || all.length === 0)
    return checkOf('egress', 'unknown', { code: 'egress-not-seen', subnets: unseen });
  const open = all.flatMap(({ subnetId, egress }) =>
    egress.is === 'open' ? [{ subnetId, by: egress.by }] : [],
  );
  return checkOf('egress', 'ok', { code: 'egress-open', subnets: open });
}

/** Hosts' volumes are always encrypted: with the key of the configuration, else with the Region's default key. */
const keyCheck = ({ ebsKeyId }: BenchmarkFacts, { kmsKeyArn }: BenchmarkConfig): DoctorCheck => {
  if (kmsKeyArn !== undefined)
    return checkOf('ebs-key', 'ok', { code: 'key-configured', keyId: kmsKeyArn, actions: [...keyActions] });
  return ofRead('ebs-key', ebsKeyId, (keyId) =>
    keyId.endsWith('alias/aws/ebs')
      ? checkOf('ebs-key', 'ok', { code: 'key-of-aws' })
      : checkOf('ebs-key', 'trouble', { code: 'key-of-customer', keyId, actions: [...keyActions] }),
  );
};

/** Of the configured types those that can be hosts and share the quota of standard families; smallest first. */
export const hostTypes = ({ instanceTypes }: BenchmarkConfig, catalog: InstanceCatalog): InstanceType[] =>
  catalog.types
    .filter(
      ({ instanceType, nitro }) =>
        nitro &&
        isStandard(instanceType) &&
        instanceTypes.some((pattern) => matchesType(instanceType, pattern)),
    )
    .toSorted((a, b) => a.vcpus - b.vcpus);

function vcpuCheck(
  { vcpuQuota }: BenchmarkFacts,
  config: BenchmarkConfig,
  catalog: InstanceCatalog,
): DoctorCheck {
  const types = hostTypes(config, catalog);
  const [first] = types;
  if (first === undefined)
    return checkOf('vcpu-quota', 'unknown', {
      ...{ code: 'types-not-known', instanceTypes: config.instanceTypes },
    });
  return ofRead('vcpu-quota', vcpuQuota, (quota) => {
    const smallest = { instanceType: first.instanceType, vcpus: first.vcpus };
    const tooLarge = types.flatMap(({ instanceType, vcpus }) =>
      vcpus > quota && config.instanceTypes.includes(instanceType) ? [instanceType] : [],
    );
    const figures = { quota, smallest, tooLarge };
    if (smallest.vcpus > quota)
      return checkOf('vcpu-quota', 'trouble', { code: 'vcpus-too-few', ...figures });
    return tooLarge.length > 0
      ? checkOf('vcpu-quota', 'warning', { code: 'vcpus-too-few-for-some', ...figures })
      : checkOf('vcpu-quota', 'ok', { code: 'vcpus-enough', ...figures });
  });
}

function launchCheck({ launch }: BenchmarkFacts): DoctorCheck {
  if (launch === null) return checkOf('launch', 'unknown', { code: 'launch-not-tried' });
  const { instanceType, subnetId } = launch;
  return ofRead('launch', launch.tried, (tried) => {
    if (tried.outcome === 'allowed')
      return checkOf('launch', 'ok', { code: 'launch-allowed', instanceType, subnetId });
    if (tried.outcome === 'fails') {
      const { error, reason } = tried;
      return checkOf('launch', 'trouble', { code: 'launch-fails', instanceType, error, reason });
    }
    const { reason, decoded } = tried;
    const byOrganization = isOfOrganization(reason);
    const fact = { code: 'launch-refused' as const, instanceType, byOrganization, reason, decoded };
    return checkOf('launch', 'trouble', fact);
  });
}

export const benchmarkChecks = (
  facts: BenchmarkFacts,
  benchmark: BenchmarkConfig,
  catalog: InstanceCatalog,
): DoctorCheck[] => [
  vpcCheck(facts.network, benchmark),
  ofRead('subnets', facts.network.subnets, (found) => subnetFact(found, benchmark)),
  egressCheck(facts.network),
  keyCheck(facts, benchmark),
  vcpuCheck(facts, benchmark, catalog),
  launchCheck(facts),
];
