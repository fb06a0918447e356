/** The roles of a deployment as IAM has them, and what is asked with those that are no function's: state machines, schedules, hosts. */
import {
  CloudFormationClient,
  GetTemplateCommand,
  ListStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import {
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  ListRolePoliciesCommand,
} from '@aws-sdk/client-iam';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import {
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import jsonata from 'jsonata';
import { z } from 'zod';
import { clientSettings } from '../../local/deploy.ts';
import type { About } from '../../local/gateway/about.ts';
import { localAccount, localRegion, type Services } from '../../local/services.ts';
import type { Policy, RolePolicies } from './simulate.ts';

/** A call that somebody makes with a role. */
export interface AskedWith {
  roleName: string;
  about: About;
}

export interface DeployedRole extends RolePolicies {
  /** Without the hash of its path. */
  logicalId: string;
  /** Who may assume it: `lambda.amazonaws.com`. */
  assumedBy: string;
}

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
type TemplateResource = z.output<typeof templateSchema>['Resources'][string];

interface Resource extends TemplateResource {
  logicalId: string;
  physicalId: string;
}

const trustSchema = z.object({
  Statement: z.array(
    z.object({ Principal: z.object({ Service: z.union([z.string(), z.array(z.string())]) }) }),
  ),
});

const hostService = 'ec2.amazonaws.com';

const withoutHash = (logicalId: string): string => logicalId.replace(/[0-9A-F]{8}$/, '');

/** The ARN of what CloudFormation made. */
function arnOf({ Type, physicalId }: Resource): string {
  const local = (service: string, resource: string): string =>
    `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;
  if (physicalId.startsWith('arn:')) return physicalId;
  if (Type === 'AWS::Lambda::Function') return local('lambda', `function:${physicalId}`);
  if (Type === 'AWS::SQS::Queue') return local('sqs', physicalId.split('/').at(-1) ?? '');
  throw new Error(`the ARN of a ${Type} is not known here`);
}

export class Deployment {
  private readonly iam: IAMClient;
  private readonly lambda: LambdaClient;
  private readonly stepFunctions: SFNClient;
  private readonly cloudFormation: CloudFormationClient;
  private resources: Resource[] = [];
  roles: DeployedRole[] = [];
  /** Of functions, by name. */
  readonly roleOfFunction = new Map<string, string>();

  private constructor(services: Services) {
    const settings = clientSettings(services);
    this.iam = new IAMClient(settings);
    this.lambda = new LambdaClient(settings);
    this.stepFunctions = new SFNClient(settings);
    this.cloudFormation = new CloudFormationClient(settings);
  }

  static async read(services: Services): Promise<Deployment> {
    const deployment = new Deployment(services);
    await deployment.readAll();
    return deployment;
  }

  close(): void {
    for (const client of [this.iam, this.lambda, this.stepFunctions, this.cloudFormation]) client.destroy();
  }

  private async readAll(): Promise<void> {
    const { StackSummaries = [] } = await this.cloudFormation.send(new ListStacksCommand({}));
    const stacks = StackSummaries.filter(
      ({ StackName, StackStatus }) =>
        StackName !== 'CDKToolkit' &&
        StackStatus !== 'DELETE_COMPLETE' &&
        StackStatus !== 'ROLLBACK_COMPLETE',
    );
    for (const { StackName } of stacks) this.resources.push(...(await this.resourcesOf(StackName)));
    const { Functions = [] } = await this.lambda.send(new ListFunctionsCommand({}));
    for (const { FunctionName = '', Role = '' } of Functions)
      this.roleOfFunction.set(FunctionName, Role.split('/').at(-1) ?? '');
    const roles = this.resources.filter(({ Type }) => Type === 'AWS::IAM::Role');
    this.roles = await Promise.all(roles.map((role) => this.roleOf(role)));
  }

  private async resourcesOf(StackName: string | undefined): Promise<Resource[]> {
    const { TemplateBody = '' } = await this.cloudFormation.send(new GetTemplateCommand({ StackName }));
    const { Resources } = templateSchema.parse(JSON.parse(TemplateBody));
    const physical = new Map<string, string>();
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client: this.cloudFormation },
      { StackName },
    ))
      for (const { LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries)
        physical.set(LogicalResourceId, PhysicalResourceId);
    return Object.entries(Resources).map(([logicalId, resource]) => ({
      ...{ ...resource, logicalId, physicalId: physical.get(logicalId) ?? '' },
    }));
  }

  private async roleOf({ logicalId, physicalId: RoleName }: Resource): Promise<DeployedRole> {
    const { Role } = await this.iam.send(new GetRoleCommand({ RoleName }));
    const trust = trustSchema.parse(JSON.parse(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? '')));
    const { PolicyNames = [] } = await this.iam.send(new ListRolePoliciesCommand({ RoleName }));
    const policies = await Promise.all(
      PolicyNames.map(async (PolicyName) => {
        const { PolicyDocument = '' } = await this.iam.send(
          new GetRolePolicyCommand({ RoleName, PolicyName }),
        );
        const policy = JSON.parse(decodeURIComponent(PolicyDocument)) as Policy;
        // The simulation validates what AWS would not take; a policy without a version is one of 2008.
        return { name: PolicyName, policy: { ...policy, Version: policy.Version ?? '2012-10-17' } };
      }),
    );
    const assumedBy = [trust.Statement[0]?.Principal.Service ?? ''].flat()[0] ?? '';
    return { roleName: RoleName, logicalId: withoutHash(logicalId), assumedBy, policies };
  }

  private ofType(type: string): Resource[] {
    return this.resources.filter(({ Type }) => Type === type);
  }

  /** A reference of a template, as what was made. */
  private referred(reference: unknown): Resource {
    const [, id] = /"(?:Ref":|Fn::GetAtt":\[)"(\w+)"/.exec(JSON.stringify(reference)) ?? [];
    const found = this.resources.find(({ logicalId }) => logicalId === id);
    if (found === undefined) throw new Error(`no resource of the stacks: ${JSON.stringify(reference)}`);
    return found;
  }

  /** Names that CloudFormation gave, replaced by logical ids: alike in every deployment. */
  asWritten(text: string): string {
    const named = this.resources
      .flatMap(({ logicalId, physicalId }) =>
        [physicalId, physicalId.split(/[/:]/).at(-1) ?? ''].map((name) => ({ logicalId, name })),
      )
      .filter(({ name }) => name.length > 3 && text.includes(name))
      .sort((a, b) => b.name.length - a.name.length);
    const replaced = named.reduce(
      (so, { logicalId, name }) => so.replaceAll(name, `<${withoutHash(logicalId)}>`),
      text,
    );
    return replaced
      .replace(/^arn:aws:[^:]*:[^:]*:[^:]*:/, '')
      .replaceAll(/\b(subnet|sg|lt|vpc)-[0-9a-f]{8,}/g, '<$1>');
  }

  /** Each action of each statement of each role, on each of its resources. */
  granted(): { role: DeployedRole; action: string; resource: string }[] {
    return this.roles.flatMap((role) =>
      role.policies.flatMap(({ policy }) =>
        [policy.Statement]
          .flat()
          .flatMap(({ Action = [], Resource }) =>
            [Action]
              .flat()
              .flatMap((action) =>
                ([Resource].flat() as string[]).map((resource) => ({ role, action, resource })),
              ),
          ),
      ),
    );
  }

  /** What EC2 looks at beside the call itself where an instance is launched from a template of the stacks: its role and its group. */
  ofTemplate(context: About['context']): About[] {
    const hosts = this.hostRole;
    const launched = { 'ec2:IsLaunchTemplateResource': 'true', ...context };
    return [
      ...(hosts === undefined
        ? []
        : [
            {
              ...{ action: 'iam:PassRole', resource: `arn:aws:iam::${localAccount}:role/${hosts.roleName}` },
              context: { 'iam:PassedToService': hostService },
            },
          ]),
      ...this.ofType('AWS::EC2::SecurityGroup').map(({ physicalId }) => ({
        action: 'ec2:RunInstances',
        resource: `arn:aws:ec2:${localRegion}:${localAccount}:security-group/${physicalId}`,
        context: launched,
      })),
    ];
  }

  /** The role of hosts of campaigns, where there is a benchmark. */
  get hostRole(): DeployedRole | undefined {
    return this.roles.find(({ assumedBy }) => assumedBy === hostService);
  }

  /** What EventBridge Scheduler calls by the schedules of the templates, and where it puts a call that it gave up. */
  schedules(): AskedWith[] {
    const targetSchema = z.object({
      Target: z.object({
        Arn: z.unknown(),
        RoleArn: z.unknown(),
        DeadLetterConfig: z.object({ Arn: z.unknown() }).optional(),
      }),
    });
    return this.ofType('AWS::Scheduler::Schedule').flatMap(({ Properties }) => {
      const { Arn, RoleArn, DeadLetterConfig } = targetSchema.parse(Properties).Target;
      const target = this.referred(Arn);
      const roleName = this.referred(RoleArn).physicalId;
      const action =
        target.Type === 'AWS::StepFunctions::StateMachine'
          ? 'states:StartExecution'
          : 'lambda:InvokeFunction';
      const calls = [{ roleName, about: { action, resource: arnOf(target) } }];
      if (DeadLetterConfig !== undefined) {
        const resource = arnOf(this.referred(DeadLetterConfig.Arn));
        calls.push({ roleName, about: { action: 'sqs:SendMessage', resource } });
      }
      return calls;
    });
  }

  /**
   * What Step Functions called: states of the definition itself by the histories of executions; those of a map's items, which the
   * local histories leave out, where their function asked something.
   * @param ran names of functions that asked something.
   */
  async stateMachines(ran: ReadonlySet<string>): Promise<AskedWith[]> {
    const calls: AskedWith[] = [];
    for (const { physicalId: stateMachineArn } of this.ofType('AWS::StepFunctions::StateMachine')) {
      const { definition = '', roleArn = '' } = await this.stepFunctions.send(
        new DescribeStateMachineCommand({ stateMachineArn }),
      );
      const { outer, inner } = statesOf(definitionSchema.parse(JSON.parse(definition)));
      const roleName = roleArn.split('/').at(-1) ?? '';
      const { runId, entered } = await this.entered(stateMachineArn, outer.size);
      const called = [
        ...[...outer].flatMap(([name, state]) => (entered.has(name) ? [state] : [])),
        ...inner.filter((state) => isRun(state, ran)),
      ];
      for (const state of called)
        for (const about of await aboutsOfState(state, stateMachineArn, runId))
          calls.push({ roleName, about });
    }
    return calls;
  }

  /** Newest executions first, until every state that calls something was entered in one of them. */
  private async entered(
    stateMachineArn: string,
    states: number,
  ): Promise<{ runId: string; entered: Set<string> }> {
    const entered = new Set<string>();
    const { executions = [] } = await this.stepFunctions.send(new ListExecutionsCommand({ stateMachineArn }));
    let runId = '';
    for (const { executionArn, name = '' } of executions) {
      if (entered.size >= states) break;
      runId = name;
      const { events = [] } = await this.stepFunctions.send(
        new GetExecutionHistoryCommand({ executionArn, maxResults: 1_000 }),
      );
      for (const { stateEnteredEventDetails, type } of events)
        if (/^(Task|Map)StateEntered$/.test(type ?? '')) entered.add(stateEnteredEventDetails?.name ?? '');
    }
    return { runId, entered };
  }
}

interface State {
  Type: string;
  Resource?: string | undefined;
  Arguments?: Record<string, unknown> | undefined;
  ItemReader?: ReadPlace | undefined;
  ResultWriter?: Place | undefined;
  ItemProcessor?:
    | { ProcessorConfig?: { Mode?: string | undefined } | undefined; States: Record<string, State> }
    | undefined;
}
interface Place {
  Arguments: { Bucket: string; Prefix: string };
}
/** A list of what is below a prefix, or one object. */
interface ReadPlace {
  Arguments: { Bucket: string; Prefix?: string | undefined; Key?: string | undefined };
}
interface Definition {
  States: Record<string, State>;
}
const placeSchema = z.object({ Arguments: z.object({ Bucket: z.string(), Prefix: z.string() }) });
const readPlaceSchema = z.object({
  Arguments: z.object({ Bucket: z.string(), Prefix: z.string().optional(), Key: z.string().optional() }),
});
const stateSchema: z.ZodType<State> = z.lazy(() =>
  z.object({
    Type: z.string(),
    Resource: z.string().optional(),
    Arguments: z.record(z.string(), z.unknown()).optional(),
    ItemReader: readPlaceSchema.optional(),
    ResultWriter: placeSchema.optional(),
    ItemProcessor: z
      .object({
        ProcessorConfig: z.object({ Mode: z.string().optional() }).optional(),
        States: z.record(z.string(), stateSchema),
      })
      .optional(),
  }),
);
const definitionSchema: z.ZodType<Definition> = z.object({ States: z.record(z.string(), stateSchema) });

const callsSomething = ({ Type, ItemProcessor }: State): boolean =>
  Type === 'Task' || ItemProcessor?.ProcessorConfig?.Mode === 'DISTRIBUTED';

/** Those that call something: tasks, and maps whose items are executions of their own. */
function statesOf({ States }: Definition): { outer: Map<string, State>; inner: State[] } {
  const tasksIn = (states: Record<string, State>): State[] =>
    Object.values(states).flatMap((state) => [
      ...(callsSomething(state) ? [state] : []),
      ...tasksIn(state.ItemProcessor?.States ?? {}),
    ]);
  return {
    outer: new Map(Object.entries(States).filter(([, state]) => callsSomething(state))),
    inner: Object.values(States).flatMap(({ ItemProcessor }) => tasksIn(ItemProcessor?.States ?? {})),
  };
}

/** A map ran where a function of its items did. */
const isRun = (state: State, ran: ReadonlySet<string>): boolean =>
  state.Type === 'Map'
    ? Object.values(state.ItemProcessor?.States ?? {}).some((one) => isRun(one, ran))
    : ran.has(functionOf(state).split(':').at(-1) ?? '');

const functionOf = ({ Arguments }: State): string => String(Arguments?.['FunctionName']);

async function evaluated(text: string, runId: string): Promise<string> {
  const [, expression] = /^\{%(.*)%\}$/s.exec(text) ?? [];
  if (expression === undefined) return text;
  const target = { account: localAccount, region: localRegion };
  return String(await jsonata(expression).evaluate({}, { run: { runId }, asked: { runId, target } }));
}

async function aboutOfReading(
  { Arguments: { Bucket, Prefix, Key } }: ReadPlace,
  runId: string,
): Promise<About> {
  const bucket = `arn:aws:s3:::${Bucket}`;
  if (Key !== undefined)
    return { action: 's3:GetObject', resource: `${bucket}/${await evaluated(Key, runId)}` };
  const context = { 's3:prefix': await evaluated(Prefix ?? '', runId) };
  return { action: 's3:ListBucket', resource: bucket, context };
}

async function aboutsOfState(state: State, stateMachineArn: string, runId: string): Promise<About[]> {
  if (state.Type === 'Map') {
    const { ItemReader: read, ResultWriter: written } = state;
    const bucketOf = ({ Arguments }: Place): string => `arn:aws:s3:::${Arguments.Bucket}`;
    return [
      { action: 'states:StartExecution', resource: stateMachineArn },
      ...(read === undefined ? [] : [await aboutOfReading(read, runId)]),
      ...(written === undefined
        ? []
        : [
            {
              action: 's3:PutObject',
              resource: `${bucketOf(written)}/${await evaluated(written.Arguments.Prefix, runId)}/run/manifest.json`,
            },
          ]),
    ];
  }
  if (!/^arn:aws:states:::lambda:invoke(\.waitForTaskToken)?$/.test(state.Resource ?? ''))
    throw new Error(`what a task of ${state.Resource} is about is not known here`);
  return [{ action: 'lambda:InvokeFunction', resource: functionOf(state) }];
}
