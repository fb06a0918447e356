/** Buttons of findings in Slack: a function with an address of its own, which obeys Slack alone. */
import { Duration } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Policy, type Role } from 'aws-cdk-lib/aws-iam';
import { FunctionUrlAuthType, type IFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Config } from '../../core/config/config.ts';
import { lifecycleVariablesOf } from '../../core/config/variables.ts';
import type { Env } from '../../lambdas/slack-actions/env.ts';
import { NodeFunction } from '../shared/node-function.ts';
import { permission, policyOf } from '../shared/permissions.ts';

export interface SlackActionsProps {
  config: Config;
  secrets: Secret;
  posted: TableV2;
  findings: TableV2;
}

export class SlackActions extends Construct {
  /** What the Slack app has as its request URL. */
  readonly url: string;
  readonly function: LambdaFunction;
  private readonly role: Role;

  constructor(scope: Construct, id: string, { config, secrets, posted, findings }: SlackActionsProps) {
    super(scope, id);
    const actions = new NodeFunction<Env>(this, 'SlackActions', {
      name: 'slack-actions',
      description: 'stripewise: mutes and acknowledges findings for who presses a button in Slack',
      environment: {
        CHANNEL_SECRETS_ARN: secrets.secretArn,
        POSTED_TABLE: posted.tableName,
        FINDINGS_TABLE: findings.tableName,
        ...lifecycleVariablesOf(config),
      },
      // Slack waits for three seconds, and most of a start is processor time.
      memoryMiB: 1_024,
      timeout: Duration.seconds(10),
      logsDays: config.keep.logsDays,
      may: [
        permission(['secretsmanager:GetSecretValue'], secrets.secretArn),
        permission(['dynamodb:PutItem'], posted.tableArn),
        permission(['dynamodb:BatchGetItem', 'dynamodb:PutItem'], findings.tableArn),
      ],
    });
    this.function = actions.function;
    this.role = actions.role;
    // Slack has no credentials of AWS: its signature is what is asked for.
    this.url = this.function.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url;
  }

  /** Its buttons request changes of volumes, approve, reject and undo them, by the function that decides. */
  mayDecide(decide: IFunction): void {
    const variable: keyof Env = 'DECIDE_CHANGE_FUNCTION_ARN';
    this.function.addEnvironment(variable, decide.functionArn);
    new Policy(this, 'MayDecide', {
      document: policyOf([permission(['lambda:InvokeFunction'], decide.functionArn)]),
      roles: [this.role],
    });
  }
}
