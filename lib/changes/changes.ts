/**
 * Changes of volumes: the ledger, who decides, who makes them, and the workflow that waits in between. The one place of the service
 * that may write to a volume. Nothing of it is there where the configuration has no `changes:`.
 */
import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ArnPrincipal } from 'aws-cdk-lib/aws-iam';
import { FunctionUrlAuthType, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { historyPrefix } from '../../core/archive/keys.ts';
import type { ChangesConfig } from '../../core/config/changes.ts';
import type { Config } from '../../core/config/config.ts';
import { changesRoleOf, packChanges, variablesOf } from '../../core/config/variables.ts';
import { mayModify, readsOfChanges, writesOfChanges } from '../../core/reading-actions.ts';
import type { Env as AdvanceEnv } from '../../lambdas/advance-change/env.ts';
import type { Env as DecideEnv } from '../../lambdas/decide-change/env.ts';
import { hubRights } from '../audit/hub.ts';
import { NodeFunction } from '../shared/node-function.ts';
import {
  listObjects,
  mayRead,
  onEverything,
  onObjects,
  type Permission,
  permission,
} from '../shared/permissions.ts';
import { tableOnDemand } from '../shared/table.ts';
import { ChangeWorkflow } from './workflow.ts';

export interface ChangesProps {
  config: Config;
  changes: ChangesConfig;
  bucket: IBucket;
  /** The life of each finding. */
  findings: TableV2;
  /** Where people hear of a change. */
  topic: Topic;
}

const answerTasks = onEverything(
  'a task is answered by its token, which only who was given it has: its state machine comes after this function.',
  'states:SendTaskSuccess',
);

export class Changes extends Construct {
  readonly ledger: TableV2;
  readonly killSwitch: StringParameter;
  readonly advance: LambdaFunction;
  readonly decide: LambdaFunction;
  readonly stateMachine: StateMachine;
  /** Of who decides; a call of it is signed. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ChangesProps) {
    super(scope, id);
    const { config, changes } = props;
    this.ledger = this.table(config);
    this.killSwitch = new StringParameter(this, 'KillSwitch', {
      parameterName: `/stripewise/${Aws.STACK_NAME}/changes`,
      simpleName: false,
      description: 'stripewise: go: changes of volumes may begin. stop: none begins, and none is undone.',
      stringValue: 'go',
    });
    this.advance = this.advancing(props);
    const workflow = new ChangeWorkflow(this, 'Workflow', {
      advance: this.advance,
      logsDays: config.keep.logsDays,
    });
    this.stateMachine = workflow.stateMachine;
    this.decide = this.deciding(props);
    this.url = this.decide.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM }).url;
    this.letIn(changes);
  }

  /** For ever: it goes with the stack only where the bucket of runs does too. */
  private table({ keep }: Config): TableV2 {
    const table = tableOnDemand(this, 'Ledger', {
      key: 'changeId',
      globalSecondaryIndexes: [
        { indexName: 'open', partitionKey: { name: 'isOpen', type: AttributeType.STRING } },
      ],
    });
    if (keep.removalPolicy !== 'destroy') table.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return table;
  }

  private readsSwitch(...more: string[]): Permission {
    return permission(['ssm:GetParameter', ...more], this.killSwitch.parameterArn);
  }

  private advancing({ config, changes, bucket, topic }: ChangesProps): LambdaFunction {
    const stack = Stack.of(this);
    const hub = hubRights(stack, config, 'AdvanceChange');
    return new NodeFunction<AdvanceEnv>(this, 'AdvanceChange', {
      name: 'advance-change',
      description:
        'stripewise: the next step of a change of a volume; may modify volumes that no tag refuses',
      environment: {
        CHANGES_TABLE: this.ledger.tableName,
        CHANGES: packChanges(changes),
        KILL_SWITCH: this.killSwitch.parameterName,
        TOPIC_ARN: topic.topicArn,
        BUCKET: bucket.bucketName,
        THRESHOLDS: variablesOf(config).THRESHOLDS,
        ...changesRoleOf(config),
      },
      // Two weeks of a volume's minutes are evaluated.
      memoryMiB: 1_024,
      timeout: Duration.minutes(2),
      logsDays: config.keep.logsDays,
      ...hub.role,
      may: [
        mayRead(readsOfChanges),
        {
          actions: [...writesOfChanges],
          resources: [`arn:${stack.partition}:ec2:*:${stack.account}:volume/*`],
          conditions: mayModify,
          reason:
            'which volume is changed is decided by people; the conditions leave out what a tag refuses.',
        },
        permission(['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem'], this.ledger.tableArn),
        this.readsSwitch(),
        permission(['sns:Publish'], topic.topicArn),
        answerTasks,
        listObjects(bucket, historyPrefix),
        onObjects(bucket, historyPrefix, 's3:GetObject'),
        listObjects(bucket, 'catalog/'),
        {
          ...onObjects(bucket, 'catalog/', 's3:GetObject'),
          reason: 'each Region has a key of its own below catalog/.',
        },
        ...hub.may,
      ],
    }).function;
  }

  private deciding({ config, changes, findings }: ChangesProps): LambdaFunction {
    const hub = hubRights(Stack.of(this), config, 'DecideChange');
    return new NodeFunction<DecideEnv>(this, 'DecideChange', {
      name: 'decide-change',
      description: 'stripewise: asks for changes of volumes, and writes what people decide of them',
      environment: {
        CHANGES_TABLE: this.ledger.tableName,
        CHANGES: packChanges(changes),
        KILL_SWITCH: this.killSwitch.parameterName,
        FINDINGS_TABLE: findings.tableName,
        STATE_MACHINE_ARN: this.stateMachine.stateMachineArn,
        ...changesRoleOf(config),
      },
      memoryMiB: 1_024,
      timeout: Duration.seconds(30),
      logsDays: config.keep.logsDays,
      ...hub.role,
      may: [
        mayRead(['ec2:DescribeVolumes', 'ec2:DescribeInstances']),
        permission(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Scan'], this.ledger.tableArn),
        permission(['dynamodb:BatchGetItem'], findings.tableArn),
        this.readsSwitch('ssm:PutParameter'),
        permission(['states:StartExecution'], this.stateMachine.stateMachineArn),
        answerTasks,
        ...hub.may,
      ],
    }).function;
  }

  /** Roles that may approve may call the address, and the function by it alone. */
  private letIn({ approvers }: ChangesConfig): void {
    for (const [i, arn] of approvers.roles.entries()) {
      const principal = new ArnPrincipal(arn);
      this.decide.addPermission(`Approver${i}Calls`, {
        ...{ principal, action: 'lambda:InvokeFunctionUrl' },
        functionUrlAuthType: FunctionUrlAuthType.AWS_IAM,
      });
      this.decide.addPermission(`Approver${i}Invokes`, {
        ...{ principal, action: 'lambda:InvokeFunction', invokedViaFunctionUrl: true },
      });
    }
  }
}
