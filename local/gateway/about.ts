/** What a call of a stand-in is about, as policies speak of it: actions, resources and what conditions look at. */
import { jsonOrNull } from '../../core/json.ts';
import type { AwsCall } from './aws-call.ts';

export interface About {
  /** As policies name it; one call may be several. */
  action: string;
  resource: string;
  /** By keys of conditions. */
  context?: Readonly<Record<string, string>>;
}

/** What must be looked up in EC2. */
export interface Lookups {
  /** Tags that an instance or a volume has. */
  tagsOf(region: string, id: string): Promise<Readonly<Record<string, string>>>;
  /** The ARN of the instance profile that an instance has; null without one. */
  profileOf(region: string, id: string): Promise<string | null>;
  /** The image that the newest version of a launch template names; null without one. */
  imageOf(region: string, templateId: string): Promise<string | null>;
}

interface Asked extends Lookups {
  call: AwsCall;
  account: string;
  text: string;
}

const prefixed = (prefix: string, tags: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(tags).map(([name, value]) => [`${prefix}${name}`, value]));

/** Values of a list of the query protocol: Name.1, Name.2. */
function listOf(form: URLSearchParams, name: string, suffix = ''): string[] {
  const values: string[] = [];
  for (;;) {
    const value = form.get(`${name}.${values.length + 1}${suffix}`);
    if (value === null) return values;
    values.push(value);
  }
}

/**
 * What is launched, with its tags and its type, and what it is launched from. The security groups and the role of the template are
 * not in the call.
 */
async function ofLaunch({ call: { region }, account, text, imageOf }: Asked): Promise<About[]> {
  const form = new URLSearchParams(text);
  const arn = (resource: string, owner = account): string => `arn:aws:ec2:${region}:${owner}:${resource}`;
  const specifications = listOf(form, 'TagSpecification', '.ResourceType');
  const tagged = new Map(
    specifications.map((type, index) => {
      const tags = `TagSpecification.${index + 1}.Tag`;
      const values = listOf(form, tags, '.Value');
      return [type, Object.fromEntries(listOf(form, tags, '.Key').map((key, at) => [key, values[at] ?? '']))];
    }),
  );
  const templateId = form.get('LaunchTemplate.LaunchTemplateId');
  const templates = templateId === null ? [] : [arn(`launch-template/${templateId}`)];
  const byTemplate = Object.fromEntries(templates.map((template) => ['ec2:LaunchTemplate', template]));
  const made = ['instance', 'volume', 'network-interface'].map((type) => ({
    action: 'ec2:RunInstances',
    resource: arn(`${type}/new`),
    context: {
      ...byTemplate,
      ...prefixed('aws:RequestTag/', tagged.get(type) ?? {}),
      ...(type === 'instance' ? { 'ec2:InstanceType': form.get('InstanceType') ?? '' } : {}),
    },
  }));
  const imageAsked = form.get('ImageId');
  const image = imageAsked ?? (templateId === null ? null : await imageOf(region, templateId)) ?? '';
  // EC2 reads the parameter for whoever launches.
  const parameter = /^resolve:ssm:(?<name>[^:]+)$/.exec(image)?.groups?.['name'];
  const resolving =
    parameter === undefined
      ? []
      : [{ action: 'ssm:GetParameters', resource: `arn:aws:ssm:${region}::parameter${parameter}` }];
  const isOfTemplate = (is: boolean) => ({ 'ec2:IsLaunchTemplateResource': `${is}` });
  const from = [
    ...[...templates, arn(`subnet/${form.get('SubnetId')}`)].map((resource) => ({ resource, is: false })),
    { resource: arn(`image/${parameter === undefined ? image : 'resolved'}`, ''), is: imageAsked === null },
  ].map(({ resource, is }) => ({
    ...{ action: 'ec2:RunInstances', resource },
    context: { ...byTemplate, ...isOfTemplate(is) },
  }));
  const tagging = specifications.map((type) => ({
    action: 'ec2:CreateTags',
    resource: arn(`${type}/new`),
    context: { 'ec2:CreateAction': 'RunInstances' },
  }));
  return [...resolving, ...made, ...from, ...tagging];
}

/** A key without a value is not in the context of a call: IAM takes a condition on it as not met. */
const profileContext = (arn: string | null): Record<string, string> =>
  arn === null ? {} : { 'ec2:InstanceProfile': arn };

function ofTaking(
  { call, account, tagsOf, profileOf }: Asked,
  kind: 'instance' | 'volume',
  ids: readonly string[],
) {
  const { region, service, operation } = call;
  return Promise.all(
    ids.map(async (id) => ({
      action: `${service}:${operation}`,
      resource: `arn:aws:ec2:${region}:${account}:${kind}/${id}`,
      context: {
        ...prefixed('aws:ResourceTag/', await tagsOf(region, id)),
        ...profileContext(kind === 'instance' ? await profileOf(region, id) : null),
      },
    })),
  );
}

async function ofSending({ call: { region }, account, text, tagsOf }: Asked): Promise<About[]> {
  const body = jsonOrNull(text) as { DocumentName?: string; InstanceIds?: string[] } | null;
  const action = 'ssm:SendCommand';
  const hosts = await Promise.all(
    (body?.InstanceIds ?? []).map(async (id) => ({
      action,
      resource: `arn:aws:ec2:${region}:${account}:instance/${id}`,
      context: prefixed('ssm:resourceTag/', await tagsOf(region, id)),
    })),
  );
  return [{ action, resource: `arn:aws:ssm:${region}:${account}:document/${body?.DocumentName}` }, ...hosts];
}

/** Every other call is about everything: that is how policies allow it. */
export async function aboutOf(asked: Asked): Promise<About[]> {
  const { call, account, text } = asked;
  const { service, operation } = call;
  switch (operation) {
    case 'PutDashboard': {
      const { DashboardName } = jsonOrNull(text) as { DashboardName: string };
      return [
        {
          action: `${service}:${operation}`,
          resource: `arn:aws:${service}::${account}:dashboard/${DashboardName}`,
        },
      ];
    }
    case 'SendCommand':
      return ofSending(asked);
    case 'RunInstances':
      return ofLaunch(asked);
    case 'TerminateInstances':
      return ofTaking(asked, 'instance', listOf(new URLSearchParams(text), 'InstanceId'));
    case 'DeleteVolume':
    case 'ModifyVolume':
    case 'DetachVolume':
      return ofTaking(asked, 'volume', [new URLSearchParams(text).get('VolumeId') ?? '']);
    default:
      return [{ action: `${service}:${operation}`, resource: '*' }];
  }
}
