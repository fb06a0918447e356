/** What each check of `doctor` means, and what to do about it. */
import { figure, usdText } from '../../core/figures.ts';
import type { CheckName, DoctorFact } from '../../core/schemas/doctor-answer.ts';
import { cited, counted, shortText, type WordsByCode, wordsOf } from './words.ts';

const longest = 200;
const named = (words: readonly string[]): string => words.map((word) => shortText(word, longest)).join(', ');

const byOrganization = (is: boolean): string => (is ? ' (a policy of the organization denies it)' : '');

const actionText = ({ action, region, byOrganization: is }: Refused): string =>
  `${shortText(action, longest)} in ${shortText(region, 30)}${byOrganization(is)}`;
type Fact<Code extends DoctorFact['code']> = Extract<DoctorFact, { code: Code }>;
type Refused = Fact<'calls-refused'>['refused'][number];
type NotRead = Pick<Fact<'not-read'>, 'action' | 'isRefused' | 'byOrganization' | 'reason'>;

/** "ec2:DescribeVpcs is refused", or what failed. */
const notReadText = ({ action, isRefused, byOrganization: is, reason }: NotRead): string =>
  isRefused ? `${shortText(action, longest)} is refused${byOrganization(is)}` : cited(reason);

const delayText = ({ seconds, volumes }: { seconds: number; volumes: number }): string =>
  `The newest minutes of ${counted(volumes, 'volume')} are ${figure(seconds, 0)} s old (median).`;

function costText({
  volumes,
  usd,
  auditsUsd,
  monitoringUsd,
  oneAuditUsd,
  budgetUsd,
  ...rest
}: CostFact): string {
  const { troubledUsd } = rest;
  const monitoring =
    monitoringUsd === null
      ? 'monitoring is off'
      : `monitoring ${usdText(monitoringUsd)}${troubledUsd === null || budgetUsd !== null ? '' : ` (up to ${usdText(troubledUsd)} in trouble)`}`;
  const budget = budgetUsd === null ? 'no budget' : `budget ${usdText(budgetUsd)}`;
  return `Metrics of ${counted(volumes, 'volume')}: ${usdText(usd)} a month expected. Audits ${usdText(auditsUsd)} (${usdText(oneAuditUsd)} each), ${monitoring}; ${budget}.`;
}
type CostFact = Fact<'cost-expected' | 'budget-too-small'>;

const concurrencyText = ({ unreserved, needed }: { unreserved: number; needed: number }): string =>
  `Lambda has ${figure(unreserved)} unreserved calls at one time; ${figure(needed)} are needed`;

const deniedText = ({ action, by }: Fact<'actions-denied'>['denied'][number]): string => {
  const why = { organization: ' (organization)', boundary: ' (permissions boundary)', policy: '' };
  return `${shortText(action, longest)}${why[by]}`;
};

const vcpuText = ({ quota, smallest }: Pick<VcpuFact, 'quota' | 'smallest'>): string =>
  `Quota of ${figure(quota)} vCPUs (L-1216C47A); the smallest configured type, ${smallest.instanceType}, has ${smallest.vcpus}`;
type VcpuFact = Fact<'vcpus-enough' | 'vcpus-too-few' | 'vcpus-too-few-for-some'>;

const closedText = ({ subnetId, why, endpoints }: Fact<'egress-closed'>['subnets'][number]): string => {
  const reasons = {
    'no-public-address': 'internet gateway, but no public address',
    blackhole: 'its default route leads nowhere',
    'endpoints-missing': `no default route, and no VPC endpoint of ${endpoints.join(', ')}`,
  };
  return `${shortText(subnetId, longest)}: ${reasons[why]}`;
};

const decodedText = (decoded: Fact<'launch-refused'>['decoded']): string => {
  if (decoded === null) return '';
  const { action, resource, isExplicit, statements } = decoded;
  const by = statements.length === 0 ? '' : ` by ${named(statements)}`;
  return ` Decoded: ${shortText(action, longest)} on ${shortText(resource, longest)} is ${isExplicit ? `denied explicitly${by}` : 'allowed by no policy'}.`;
};

const meanings: WordsByCode<DoctorFact> = {
  'not-read': (fact) => `Unknown: ${notReadText(fact)}.`,
  'signed-in': ({ account, principal }) => `Account ${account}, as ${shortText(principal, longest)}.`,
  'not-signed-in': ({ reason }) => `The credentials cannot be used: ${cited(reason)}.`,
  'regions-enabled': ({ regions }) => `Enabled: ${named(regions)}.`,
  'regions-not-enabled': ({ regions }) =>
    `Not enabled in this account: ${named(regions)}. Nothing works there.`,
  'regions-not-there': ({ regions }) => `AWS has no Region ${named(regions)}.`,
  'calls-answered': ({ actions }) => `Allowed, as an audit needs them: ${named(actions)}.`,
  'calls-refused': ({ refused }) =>
    `An audit stays partial or fails. Refused: ${refused.map(actionText).join(', ')}.`,
  'volumes-counted': ({ volumes, excluded }) =>
    `${counted(volumes, 'volume')} to audit${excluded === 0 ? '' : `, ${figure(excluded)} excluded by tags`}.`,
  'no-volumes': ({ excluded }) =>
    excluded === 0
      ? 'There is no volume to audit.'
      : `There is no volume to audit: all ${figure(excluded)} are excluded by tags.`,
  'delay-usual': delayText,
  'delay-long': (fact) => `${delayText(fact)} Findings and warnings come as much later.`,
  'no-recent-metrics': ({ volumes }) =>
    volumes === 0
      ? 'Unknown: no attached volume to measure it by.'
      : `Unknown: ${counted(volumes, 'volume')} without points in the last 20 minutes.`,
  'metric-calls-enough': ({ perSecond, callsAtOnce }) =>
    `GetMetricData: ${figure(perSecond)} calls a second; an audit has at most ${figure(callsAtOnce)} open.`,
  'metric-calls-few': ({ perSecond, callsAtOnce }) =>
    `GetMetricData: only ${figure(perSecond)} calls a second; an audit has up to ${figure(callsAtOnce)} open and takes longer.`,
  'metric-quota-not-read': ({ usualPerSecond, ...fact }) =>
    `Unknown: ${notReadText(fact)}. The default is ${figure(usualPerSecond)} calls of GetMetricData a second.`,
  'cost-expected': costText,
  'budget-too-small': (fact) => `${costText(fact)} The budget is less than quiet times take.`,
  bootstrapped: ({ version }) => `Bootstrapped for the CDK, version ${version}.`,
  'not-bootstrapped': ({ region }) => `${region} is not bootstrapped for the CDK: \`cdk deploy\` fails.`,
  'bootstrap-too-old': ({ version, needed }) =>
    `The bootstrap has version ${version}, the stack needs ${needed}: \`cdk deploy\` fails.`,
  'roles-assumed': ({ roles }) => `Can be assumed: ${named(roles)}.`,
  'roles-refused': ({ roles }) =>
    `\`cdk deploy\` falls back on your own credentials. Refused: ${roles.map(({ role, byOrganization: is }) => `${shortText(role, longest)}${byOrganization(is)}`).join(', ')}.`,
  'actions-allowed': ({ actions }) =>
    `${counted(actions, 'action')} of the template simulated, all allowed. Conditions on resources and tags are not simulated.`,
  'actions-denied': ({ denied }) =>
    `The deployment fails and rolls back. Denied to CloudFormation: ${denied.map(deniedText).join(', ')}.`,
  'no-execution-role': ({ role }) => `There is no role ${shortText(role, longest)}: \`cdk deploy\` fails.`,
  'concurrency-enough': (fact) => `${concurrencyText(fact)}.`,
  'concurrency-low': (fact) => `${concurrencyText(fact)}: functions are throttled, and runs take longer.`,
  'concurrency-not-to-reserve': (fact) =>
    `${concurrencyText(fact)} for functions.reserveConcurrency: the deployment fails.`,
  'vpc-there': ({ vpcId, isDefault }) =>
    isDefault
      ? `The default VPC ${vpcId} is there. The benchmark is in it only where benchmark.vpcId names it.`
      : `The VPC ${vpcId} is there.`,
  'no-default-vpc': () => 'There is no default VPC, and benchmark.vpcId names none.',
  'vpc-not-there': ({ vpcId }) => `There is no ${vpcId} here: the deployment fails.`,
  'subnets-there': ({ subnetIds, freeAddresses }) =>
    `${counted(subnetIds.length, 'subnet')} with ${figure(freeAddresses)} free addresses: ${named(subnetIds)}.`,
  'subnets-full': ({ subnetIds }) => `No free address in ${named(subnetIds)}: no host can be there.`,
  'subnets-not-there': ({ subnetIds }) => `Not there: ${named(subnetIds)}. Hosts cannot be launched.`,
  'subnets-of-other-vpc': ({ subnetIds, vpcId }) =>
    `Not in ${vpcId}: ${named(subnetIds)}. Hosts cannot be launched.`,
  'no-default-subnets': () => 'There is no default subnet: campaigns have no place for hosts.',
  'egress-open': ({ subnets }) =>
    `Hosts reach Systems Manager and S3: ${subnets.map(({ subnetId, by }) => `${shortText(subnetId, longest)} by ${by.replaceAll('-', ' ')}`).join(', ')}.`,
  'egress-closed': ({ subnets }) =>
    `Hosts reach neither Systems Manager nor S3. ${subnets.map(closedText).join('; ')}.`,
  'egress-not-seen': ({ subnets }) =>
    subnets.length === 0
      ? 'Unknown: there is no subnet to look at.'
      : `Unknown what is behind the default route: ${subnets.map(({ subnetId, target }) => `${shortText(subnetId, longest)} to ${shortText(target, longest)}`).join(', ')}.`,
  'key-of-aws': () => 'New volumes are encrypted with the key of AWS (alias/aws/ebs), which needs no grant.',
  'key-configured': ({ keyId }) =>
    `Volumes of hosts are encrypted with ${shortText(keyId, longest)}. Whether its key policy allows that was not read.`,
  'key-of-customer': ({ keyId }) =>
    `New volumes are encrypted with ${shortText(keyId, longest)}. Hosts end with Client.InternalError where it is not granted.`,
  'vcpus-enough': (fact) => `${vcpuText(fact)}.`,
  'vcpus-too-few': (fact) => `${vcpuText(fact)}: no host can be launched.`,
  'vcpus-too-few-for-some': (fact) => `${vcpuText(fact)}. Too large for it: ${named(fact.tooLarge)}.`,
  'types-not-known': ({ instanceTypes }) =>
    `Unknown: no type of the standard families on Nitro matches ${named(instanceTypes)}.`,
  'launch-allowed': ({ instanceType, subnetId }) =>
    `A dry run of ec2:RunInstances is allowed (${instanceType} in ${subnetId}). Functions have roles of their own.`,
  'launch-refused': ({ instanceType, byOrganization: is, reason, decoded }) =>
    `A dry run of ec2:RunInstances (${instanceType}) is refused${byOrganization(is)}. AWS: ${cited(reason)}.${decodedText(decoded)}`,
  'launch-fails': ({ instanceType, error, reason }) =>
    `A dry run of ec2:RunInstances (${instanceType}) fails with ${shortText(error, longest)}. AWS: ${cited(reason)}.`,
  'launch-not-tried': () => 'Unknown: no subnet, or no known type, to try a launch with.',
};

const allowText = ({ action, isRefused, byOrganization: is }: NotRead): string => {
  if (!isRefused) return 'Try again later.';
  return is
    ? `Ask who owns the policies of the organization about ${shortText(action, longest)}.`
    : `Allow ${shortText(action, longest)}, or ask somebody who may.`;
};
const bootstrapText = ({ account, region }: { account: string; region: string }): string =>
  `Run \`npm run cdk -- bootstrap aws://${account}/${region}\`.`;
const nothing = (): string => '';

/** Empty: nothing is to be done. */
const fixes: WordsByCode<DoctorFact> = {
  'not-read': allowText,
  'signed-in': nothing,
  'not-signed-in': () => 'Sign in, or give --profile.',
  'regions-enabled': nothing,
  'regions-not-enabled': ({ regions }) =>
    `Enable it: \`aws account enable-region --region-name ${shortText(regions[0] ?? '', 30)}\`; or take another (--region, \`regions\`).`,
  'regions-not-there': () => 'Correct --region, or `regions` in the configuration.',
  'calls-answered': nothing,
  'calls-refused': () => 'Give the policy of docs/operate/permissions.md.',
  'volumes-counted': nothing,
  'no-volumes': () => 'Is it the right account and Region (--profile, --region)? See `exclude.tags` too.',
  'delay-usual': nothing,
  'delay-long': () => 'Monitoring learns the delay by itself. Look at the AWS Health Dashboard if it stays.',
  'no-recent-metrics': () => 'Look again when volumes are attached and in use.',
  'metric-calls-enough': nothing,
  'metric-calls-few': () => 'Lower `audit.batchesAtOnce`, or ask AWS for more (CloudWatch, L-5E141212).',
  'metric-quota-not-read': allowText,
  'cost-expected': nothing,
  'budget-too-small': () =>
    'Raise `budget.apiUsdPerMonth` or `audit.everyHours`; `config check` says the delay.',
  bootstrapped: nothing,
  'not-bootstrapped': bootstrapText,
  'bootstrap-too-old': bootstrapText,
  'roles-assumed': nothing,
  'roles-refused': () =>
    'Allow sts:AssumeRole on these roles, or deploy with credentials that may do it all.',
  'actions-allowed': nothing,
  'actions-denied': ({ denied }) =>
    denied.some(({ by }) => by === 'organization')
      ? 'Ask who owns the policies of the organization, or switch off what needs them (docs/reference/configuration.md).'
      : 'Extend the policies of the execution role (`cdk bootstrap --cloudformation-execution-policies`).',
  'no-execution-role': () => 'Bootstrap the Region again.',
  'concurrency-enough': nothing,
  'concurrency-low': () => 'Ask AWS for more: Service Quotas, Lambda, Concurrent executions (L-B99A9384).',
  'concurrency-not-to-reserve': () =>
    'Set `functions.reserveConcurrency: false`, or ask AWS for more (Lambda, L-B99A9384).',
  'vpc-there': nothing,
  'no-default-vpc': () => 'Name `benchmark.vpcId` and `benchmark.subnetIds`.',
  'vpc-not-there': () => 'Correct `benchmark.vpcId`, or --region.',
  'subnets-there': nothing,
  'subnets-full': () => 'Name other subnets (`benchmark.subnetIds`).',
  'subnets-not-there': () => 'Correct `benchmark.subnetIds`, or --region.',
  'subnets-of-other-vpc': () => 'Name subnets of `benchmark.vpcId`.',
  'no-default-subnets': () => 'Name `benchmark.vpcId` and `benchmark.subnetIds`.',
  'egress-open': nothing,
  'egress-closed': () =>
    'Take subnets that give public addresses, or add a NAT gateway or VPC endpoints of ssm, ssmmessages and s3.',
  'egress-not-seen': () => 'Make sure that hosts there reach Systems Manager and S3 by HTTPS.',
  'key-of-aws': nothing,
  'key-configured': nothing,
  'key-of-customer': ({ actions }) =>
    `Set \`benchmark.kmsKeyArn\`: that allows it to the role that launches. Allow the same in the key policy: ${named(actions)}.`,
  'vcpus-enough': nothing,
  'vcpus-too-few': () => 'Ask AWS for more (Service Quotas, EC2, L-1216C47A), or configure smaller types.',
  'vcpus-too-few-for-some': () =>
    'Ask AWS for more (Service Quotas, EC2, L-1216C47A), or take these types out.',
  'types-not-known': () =>
    'Name usual types in `benchmark.instanceTypes`; `stripewise catalog refresh` reads newer ones.',
  'launch-allowed': nothing,
  'launch-refused': ({ byOrganization: is }) =>
    is
      ? 'Ask who owns the policies of the organization: they bind the functions too.'
      : 'Is it your own policy alone? Functions have roles of their own: only policies of the organization bind them too.',
  'launch-fails': () => 'Correct what EC2 names; hosts are launched the same way.',
  'launch-not-tried': () => 'Fix the checks above first.',
};

/** What a check found, in one or two sentences. */
export const checkText = (fact: DoctorFact): string => wordsOf(meanings, fact);

/** What to do about it; null: nothing. */
export const fixText = (fact: DoctorFact): string | null => wordsOf(fixes, fact) || null;

export const checkWords: Readonly<Record<CheckName, string>> = {
  credentials: 'credentials',
  region: 'Region',
  permissions: 'permissions',
  volumes: 'volumes',
  'metric-delay': 'delay of metrics',
  'metric-quota': 'quota of metrics',
  cost: 'expected cost',
  bootstrap: 'CDK bootstrap',
  'cdk-roles': 'CDK roles',
  'execution-role': 'execution role',
  'lambda-concurrency': 'Lambda quota',
  vpc: 'VPC',
  subnets: 'subnets',
  egress: 'egress',
  'ebs-key': 'EBS key',
  'vcpu-quota': 'vCPU quota',
  launch: 'launch',
};
