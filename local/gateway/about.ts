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

/** Tags that an instance or a volume has. */
export type TagsOf = (region: string, id: string) => Promise<Readonly<Record<string, string>>>;

/** The ARN of the instance profile that an instance has; null without one. */
export type ProfileOf = (region: string, id: string) => Promise<string | null>;

interface Asked {
  call: AwsCall;
  account: string;
  text: string;
  tagsOf: TagsOf;
  profileOf: ProfileOf;
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
 * What is launched, with its tags, and what it is launched from. The security groups and the role of the template are not
 * in the call.
 */
function ofLaunch({ call: { region }, account, text }: Asked): About[] {
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
    context: { ...byTemplate, ...prefixed('aws:RequestTag/', tagged.get(type) ?? {}) },
  }));
  const from = [
    ...templates,
    arn(`subnet/${form.get('SubnetId')}`),
    arn(`image/${form.get('ImageId')}`, ''),
  ].map((resource) => ({ action: 'ec2:RunInstances', resource, context: byTemplate }));
  const tagging = specifications.map((type) => ({
    action: 'ec2:CreateTags',
    resource: arn(`${type}/new`),
    context: { 'ec2:CreateAction': 'RunInstances' },
  }));
  return [...made, ...from, ...tagging];
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
      return ofTaking(asked, 'volume', [new URLSearchParams(text).get('VolumeId') ?? '']);
    default:
      return [{ action: `${service}:${operation}`, resource: '*' }];
  }
}
