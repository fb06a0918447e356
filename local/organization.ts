/** Accounts of an organization in the local AWS, each with its state, its member role and what keeps a hub out of it. */
import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  IAMClient,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import { z } from 'zod';
import { defaultMemberRole } from '../core/config/organization.ts';
import { memberActions } from '../core/reading-actions.ts';
import { auditStack, hubRoleNames } from '../core/stacks.ts';
import { clientSettings } from './deploy.ts';
import { loadFleet, type RecordedFleet, sendJson } from './load-fleet.ts';
import { localAccount, type Services } from './services.ts';

interface PlantedAccount {
  id: string;
  name: string;
  /** @default ACTIVE */
  state?: 'ACTIVE' | 'SUSPENDED' | 'PENDING_CLOSURE' | 'CLOSED';
  /** Names from the root down: `Prod/Data`. @default the root itself */
  unit?: string;
  disabledRegions?: readonly string[];
  /** @default present */
  role?: 'present' | 'absent' | 'other external id';
  /** STS throttles whoever takes on its role, however often it is tried. */
  isThrottled?: true;
  /** Actions that a service control policy of the account denies: `ec2:DescribeVolumes`, or `ec2:*`. */
  denied?: readonly string[];
  fleet?: RecordedFleet;
}

interface PlantOrganization {
  services: Pick<Services, 'urls'>;
  accounts: readonly PlantedAccount[];
  externalId: string;
  /** Accounts that leave it. */
  left?: readonly string[];
  /** @default the account of the local AWS; of another one, that is a delegated administrator */
  managementAccount?: string;
  /** False: the account of the local AWS is in another organization, or in none. @default true */
  isHubIn?: boolean;
  /** That members want the hub to be in. @default their own */
  wantedOrganization?: string;
  /** @default as the configuration */
  roleName?: string;
  /** Roles of the hub that members trust, without `role/`. @default those of functions that read in members */
  trusted?: readonly string[];
  /** What the member role allows. */
  actions?: readonly string[];
}

const plantedSchema = z.object({
  OrganizationId: z.string(),
  RootId: z.string(),
  /** Ids by names. */
  Units: z.record(z.string(), z.string()),
});

export interface PlantedOrganization {
  id: string;
  rootId: string;
  /** Ids of units, by their names from the root down. */
  units: Readonly<Record<string, string>>;
}

/** IAM of any account of the local AWS, as the account itself. */
export const iamIn = (services: Pick<Services, 'urls'>) => {
  const clients = new Map<string, IAMClient>();
  return (accessKeyId: string): IAMClient => {
    const credentials = { accessKeyId, secretAccessKey: 'test' };
    const client = clients.get(accessKeyId) ?? new IAMClient({ ...clientSettings(services), credentials });
    clients.set(accessKeyId, client);
    return client;
  };
};

const document = (...statements: object[]): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements });

interface MemberRole {
  iam: IAMClient;
  roleName: string;
  externalId: string;
  organizationId: string;
  trusted: readonly string[];
  actions: readonly string[];
}

const policyName = 'May';

async function deleteRole(iam: IAMClient, RoleName: string): Promise<void> {
  try {
    await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName: policyName }));
    await iam.send(new DeleteRoleCommand({ RoleName }));
  } catch (error) {
    if ((error as Error).name !== 'NoSuchEntityException') throw error;
  }
}

async function createRole(member: MemberRole): Promise<void> {
  const { iam, roleName, externalId, organizationId, trusted, actions } = member;
  await iam.send(
    new CreateRoleCommand({
      RoleName: roleName,
      AssumeRolePolicyDocument: document({
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Principal: { AWS: `arn:aws:iam::${localAccount}:root` },
        Condition: {
          ArnLike: { 'aws:PrincipalArn': trusted.map((role) => `arn:aws:iam::${localAccount}:role/${role}`) },
          StringEquals: { 'sts:ExternalId': externalId, 'aws:PrincipalOrgID': organizationId },
        },
      }),
    }),
  );
  await iam.send(
    new PutRolePolicyCommand({
      RoleName: roleName,
      PolicyName: policyName,
      PolicyDocument: document({ Effect: 'Allow', Action: actions, Resource: '*' }),
    }),
  );
}

/** The stand-ins of EC2 and CloudWatch know no policies and no Regions that are off: they are told what to refuse. */
async function orderRefusals({ urls }: Pick<Services, 'urls'>, account: PlantedAccount): Promise<void> {
  const { id, disabledRegions = [], denied = [] } = account;
  const refuse = (url: string, fault: object) =>
    sendJson('POST', `${url}/_stripewise/faults`, { ...fault, account: id, times: -1 });
  for (const region of disabledRegions) {
    const ofAny = { region, operation: '*' };
    const validated = 'AWS was not able to validate the provided access credentials';
    await refuse(urls.ec2, { ...ofAny, code: 'AuthFailure', status: 401, message: validated });
    const message = 'The security token included in the request is invalid.';
    await refuse(urls.cloudWatch, { ...ofAny, error: 'UnrecognizedClientException', status: 403, message });
  }
  for (const action of denied) {
    const [service = '', operation = '*'] = action.split(':');
    const message = `You are not authorized to perform this operation: ${action} with an explicit deny in a service control policy`;
    if (service === 'ec2')
      await refuse(urls.ec2, { operation, code: 'UnauthorizedOperation', status: 403, message });
    if (service === 'cloudwatch')
      await refuse(urls.cloudWatch, { operation, error: 'AccessDeniedException', status: 400, message });
  }
}

/**
 * Puts accounts into the organization of a management account, or says anew what they are; what is refused in them stays refused.
 * Roles are checked when they are assumed: that they are there and who may assume them. What their sessions may do is asked of IAM
 * where a gateway does (authorise.ts).
 */
export async function plantOrganization({
  services,
  accounts,
  externalId,
  left = [],
  managementAccount = localAccount,
  isHubIn = true,
  wantedOrganization,
  roleName = defaultMemberRole,
  trusted = [hubRoleNames(auditStack)],
  actions = memberActions,
}: PlantOrganization): Promise<PlantedOrganization> {
  const hub = { id: localAccount, name: 'hub', role: 'absent' as const };
  const management = { id: managementAccount, name: 'management', role: 'absent' as const };
  const named = new Set(accounts.map(({ id }) => id));
  const unnamed = [...(isHubIn ? [hub] : []), management].filter(
    ({ id }, at, all) => !named.has(id) && all.findIndex((one) => one.id === id) === at,
  );
  const all: PlantedAccount[] = [...unnamed, ...accounts];
  const reply = await sendJson(
    'POST',
    `${services.urls.aws}/_stripewise/organization?management=${managementAccount}`,
    {
      DelegatedAdministrators: isHubIn ? [localAccount] : [],
      Left: left,
      Accounts: all.map(({ id, name, state, unit, disabledRegions, denied, isThrottled }) => ({
        ...{ Id: id, Name: name, State: state, Unit: unit, DisabledRegions: disabledRegions, Denied: denied },
        IsThrottled: isThrottled,
      })),
    },
  );
  const { OrganizationId, RootId, Units } = plantedSchema.parse(reply);
  const iamOf = iamIn(services);
  for (const account of all) {
    const { id, role = 'present', fleet } = account;
    await deleteRole(iamOf(id), roleName);
    if (role !== 'absent') {
      await createRole({
        ...{ iam: iamOf(id), roleName, trusted, actions },
        organizationId: wantedOrganization ?? OrganizationId,
        externalId: role === 'present' ? externalId : `${externalId}-of-another`,
      });
    }
    if (fleet !== undefined) await loadFleet(services.urls, fleet, {}, id);
    await orderRefusals(services, account);
  }
  return { id: OrganizationId, rootId: RootId, units: Units };
}
