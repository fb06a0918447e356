/**
 * The document that asks a host how its volumes are joined, and what a role needs to run it. It is off unless somebody
 * makes it: it lets the audit run that one script, which only reads, on every instance of the account and Region.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { CfnDocument } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { parse } from 'yaml';
import { z } from 'zod';
import { onEverything, type Permission, permission } from '../shared/permissions.ts';

/** As far as the script has a place in it; the rest stays as it is written. */
const documentSchema = z.looseObject({
  schemaVersion: z.literal('2.2'),
  mainSteps: z.tuple([z.looseObject({ action: z.literal('aws:runShellScript'), inputs: z.looseObject({}) })]),
});
export type CommandDocument = z.infer<typeof documentSchema>;

/** The document with its script in it, line by line. @param root the checkout. */
export function stripesDocument(root: string): CommandDocument {
  const directory = join(root, 'ssm-documents', 'describe-stripes');
  const document = documentSchema.parse(parse(readFileSync(join(directory, 'document.yaml'), 'utf8')));
  const runCommand = readFileSync(join(directory, 'describe-stripes.sh'), 'utf8').trimEnd().split('\n');
  const [step] = document.mainSteps;
  return { ...document, mainSteps: [{ ...step, inputs: { ...step.inputs, runCommand } }] };
}

export class HostEvidence extends Construct {
  readonly documentName: string;
  /** What a role needs to ask hosts, and no more. */
  readonly may: readonly Permission[];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { partition, region, account } = Stack.of(this);
    const document = new CfnDocument(this, 'Document', {
      content: stripesDocument(this.node.getContext('root') as string),
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
        because:
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
