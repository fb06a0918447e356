/** What the roles of functions may do, and the same with one action less. */
import { GetRolePolicyCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { clientSettings } from '../../local/deploy.ts';
import { authoriser } from '../../local/gateway/authorise.ts';
import { iamIn } from '../../local/organization.ts';
import { localAccount, type Services } from '../../local/services.ts';
import { lookupsIn } from '../requests/lookups.ts';
import type { Trouble } from './behind-gateway.ts';

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
}
interface PolicyDocument {
  Statement: Statement[];
}
export interface RoleOfFunction {
  functionName: string;
  roleName: string;
  document: PolicyDocument;
}

/** The inline policy that NodeFunction gives each role. */
const PolicyName = 'May';

export class FunctionRoles {
  private readonly iam: IAMClient;
  private readonly lambda: LambdaClient;
  readonly isAllowed: ReturnType<typeof authoriser>;

  constructor(services: Services) {
    this.iam = new IAMClient(clientSettings(services));
    this.lambda = new LambdaClient(clientSettings(services));
    this.isAllowed = authoriser({
      ...{ iam: this.iam, lambda: this.lambda, account: localAccount, iamOf: iamIn(services) },
      ...lookupsIn(services),
    });
  }

  /** Of functions with one of these in their name. */
  async of(parts: readonly string[]): Promise<RoleOfFunction[]> {
    const { Functions = [] } = await this.lambda.send(new ListFunctionsCommand({}));
    const ours = Functions.filter(({ FunctionName }) => parts.some((part) => FunctionName?.includes(part)));
    return Promise.all(
      ours.map(async ({ FunctionName = '', Role = '' }) => {
        const roleName = Role.split('/').at(-1) ?? '';
        const { PolicyDocument = '' } = await this.iam.send(
          new GetRolePolicyCommand({ RoleName: roleName, PolicyName }),
        );
        const document = JSON.parse(decodeURIComponent(PolicyDocument)) as PolicyDocument;
        return { functionName: FunctionName, roleName, document };
      }),
    );
  }

  /** What the role of the function with this part in its name allows. */
  async allowed(part: string): Promise<Allowed[]> {
    const [role] = await this.of([part]);
    if (role === undefined) throw new Error(`no function ${part}`);
    return allowedOf(role);
  }

  /** @returns gives it back. */
  async takeAway(allowed: Allowed): Promise<() => Promise<void>> {
    await this.put(allowed.role, without(allowed));
    return () => this.put(allowed.role, allowed.role.document);
  }

  async put({ roleName }: RoleOfFunction, document: PolicyDocument): Promise<void> {
    await this.iam.send(
      new PutRolePolicyCommand({
        RoleName: roleName,
        PolicyName,
        PolicyDocument: JSON.stringify({ Version: '2012-10-17', ...document }),
      }),
    );
  }
}

/**
 * A day on which IAM is asked: MiniStack asks for its own services; before the stand-ins the gateway asks for the caller's
 * role.
 * @param onRoles told of them before anything is deployed.
 */
export function withIam(onRoles: (roles: FunctionRoles) => void): Trouble {
  let roles: FunctionRoles | undefined;
  return {
    options: { isAllowed: async (call, body) => roles?.isAllowed(call, body) ?? false },
    environment: { AUTH: 'true' },
    onServices: (services) => {
      // The CDK's parameters, which the stand-in would hand on: the signature is of the place that was called.
      services.env['AWS_ENDPOINT_URL_SSM'] = services.urls.aws;
      roles = new FunctionRoles(services);
      onRoles(roles);
    },
  };
}

export interface Allowed {
  role: RoleOfFunction;
  statement: number;
  action: string;
  /** What the statement allows it on, in a word or two. */
  on: string;
}

/** Each action of each statement: the same action on two things is two permissions. */
export const allowedOf = (role: RoleOfFunction): Allowed[] =>
  role.document.Statement.flatMap(({ Action, Resource }, statement) =>
    [Action].flat().map((action) => {
      const [resource = ''] = [Resource].flat() as string[];
      return { role, statement, action, on: resource.replace(/^.*[:/](?=[^:/]*(\/\*)?$)/, '').slice(0, 24) };
    }),
  );

export const without = ({ role, statement, action }: Allowed): PolicyDocument => ({
  Statement: role.document.Statement.map((one, index) => ({
    ...one,
    Action: [one.Action].flat().filter((name) => index !== statement || name !== action),
  })).filter(({ Action }) => Action.length > 0),
});

export const statementOf = ({ role, statement }: Allowed): string =>
  JSON.stringify(role.document.Statement[statement]);
