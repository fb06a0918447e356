/**
 * The document that asks a host how its volumes are joined, and what a role needs to run it. It is off unless somebody
 * makes it: it lets the audit run that one script, which only reads, on every instance of the account and Region.
 */
import { Stack } from 'aws-cdk-lib';
import { CfnDocument } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { commandDocument } from '../shared/command-document.ts';
import { onEverything, type Permission, permission } from '../shared/permissions.ts';

export class HostEvidence extends Construct {
  readonly documentName: string;
  /** What a role needs to ask hosts, and no more. */
  readonly may: readonly Permission[];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { partition, region, account } = Stack.of(this);
    const document = new CfnDocument(this, 'Document', {
      content: commandDocument(this.node.getContext('root') as string, 'describe-stripes'),
      documentType: 'Command',
      documentFormat: 'JSON',
      targetType: '/AWS::EC2::Instance',
      // A script that has changed is a new version of the same document.
      updateMethod: 'NewVersion',
    });
    this.documentName = document.ref;
    this.may = [
      permission(
        ['ssm:SendCommand'],
        `arn:${partition}:ssm:${region}:${account}:document/${this.documentName}`,
      ),
      {
        actions: ['ssm:SendCommand'],
        resources: [`arn:${partition}:ec2:${region}:${account}:instance/*`],
        reason:
          'which instances have volumes is not known before a run; the one document that may be sent only reads.',
      },
      onEverything(
        'Systems Manager lets commands and managed instances be listed, read and called off on everything only.',
        'ssm:DescribeInstanceInformation',
        'ssm:ListCommandInvocations',
        'ssm:GetCommandInvocation',
        'ssm:CancelCommand',
      ),
    ];
  }
}
