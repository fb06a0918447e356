/** A function of lambdas/<name>: arm64, Node 24, its own log group and role, traced. */
import { join } from 'node:path';
import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledgeWildcards, type Permission, permission, policyOf, sendTraces } from './permissions.ts';

export interface NodeFunctionProps<Env extends object> {
  /** The folder below lambdas/. */
  name: string;
  description: string;
  /** By the contract of the function's env.ts: a variable that is missing does not compile. */
  environment: { [Name in keyof Env]: string };
  memoryMiB: number;
  timeout: Duration;
  logsDays: number;
  /** All that it may do, besides writing its log and its traces. */
  may: readonly Permission[];
  /** Where somebody trusts the role by its name. @default CloudFormation names it */
  roleName?: string | undefined;
}

export class NodeFunction<Env extends object> extends Construct {
  readonly function: LambdaFunction;
  /** What it may do is written here alone: the function itself adds nothing. */
  readonly role: Role;

  constructor(scope: Construct, id: string, props: NodeFunctionProps<Env>) {
    super(scope, id);
    const { name, description, environment, memoryMiB, timeout, logsDays, roleName } = props;
    const functions = this.node.getContext('functions') as string;
    const logGroup = new LogGroup(this, 'Logs', {
      retention: logsDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const may = [
      permission(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
      sendTraces,
      ...props.may,
    ];
    this.role = new Role(this, 'Role', {
      ...(roleName === undefined ? {} : { roleName }),
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { May: policyOf(may) },
    });
    acknowledgeWildcards(this.role, may);
    this.function = new LambdaFunction(this, 'Function', {
      description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(join(functions, name)),
      environment: { ...environment, POWERTOOLS_LOG_LEVEL: 'INFO' },
      memorySize: memoryMiB,
      timeout,
      tracing: Tracing.ACTIVE,
      logGroup,
      // What CDK grants on its own would be more than is needed.
      role: this.role.withoutPolicyUpdates(),
    });
  }
}
