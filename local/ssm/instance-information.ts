/** DescribeInstanceInformation: which hosts Systems Manager reaches. */
import { ServiceError } from '../service-error.ts';
import { notSupported } from './errors.ts';
import type { ManagedHost } from './hosts.ts';
import { pageOf } from './pages.ts';
import type { DescribeInstances } from './requests.ts';

const pingStatus = ({ isOnline }: ManagedHost): string => (isOnline ? 'Online' : 'ConnectionLost');

/** What a filter looks at. Source of the keys: SSM API reference, InstanceInformationStringFilter, read 2026-11-22. */
const filtered = new Map<string, (host: ManagedHost) => string>([
  ['PingStatus', pingStatus],
  ['PlatformTypes', ({ platform }) => platform],
  // The reference says that an id which is not there is an error; people wait for new instances with this filter, and
  // get empty lists until they are there.
  ['InstanceIds', ({ instanceId }) => instanceId],
]);
const otherKeys =
  /^(ActivationIds|AgentVersion|AssociationStatus|IamRole|ResourceType|SourceIds|SourceTypes|tag-key|tag:.+)$/;
const values = new Map([
  ['PingStatus', ['Online', 'ConnectionLost', 'Inactive']],
  ['PlatformTypes', ['Windows', 'Linux', 'MacOS']],
]);

function predicate({ Key, Values }: DescribeInstances['Filters'][number]): (host: ManagedHost) => boolean {
  const of = filtered.get(Key);
  if (of === undefined) {
    if (otherKeys.test(Key)) throw notSupported(`the filter ${Key}`);
    throw new ServiceError('InvalidFilterKey', 'The specified key is not valid.');
  }
  const wrong = Values.find((value) => values.get(Key)?.includes(value) === false);
  if (wrong !== undefined) {
    throw new ServiceError('InvalidInstanceInformationFilterValue', `${wrong} is no value of ${Key}.`);
  }
  return (host) => Values.includes(of(host));
}

export function describeInstances(
  hosts: readonly ManagedHost[],
  nowMs: number,
  request: DescribeInstances,
): object {
  const matches = request.Filters.map(predicate);
  const { items, next } = pageOf(
    hosts.filter((host) => matches.every((match) => match(host))),
    request,
  );
  return {
    InstanceInformationList: items.map((host) => ({
      InstanceId: host.instanceId,
      PingStatus: pingStatus(host),
      LastPingDateTime: nowMs / 1000,
      PlatformType: host.platform,
      ResourceType: 'EC2Instance',
    })),
    // Documented for this operation: on the last page the string is empty.
    NextToken: next ?? '',
  };
}
