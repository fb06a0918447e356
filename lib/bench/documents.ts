/** The documents that hosts of campaigns run. */
import { Stack } from 'aws-cdk-lib';
import { CfnDocument } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { pascalCase } from 'es-toolkit/string';
import { type DocumentName, documents } from '../../core/benchmark/campaign/commands.ts';
import { commandDocument } from '../shared/command-document.ts';

export class BenchDocuments extends Construct {
  /** As they are called in the account. */
  readonly names: Readonly<Record<DocumentName, string>>;
  readonly arns: readonly string[];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { partition, region, account } = Stack.of(this);
    const root = this.node.getContext('root') as string;
    const made = documents.map((name) => {
      const document = new CfnDocument(this, pascalCase(name), {
        content: commandDocument(root, name),
        documentType: 'Command',
        documentFormat: 'JSON',
        targetType: '/AWS::EC2::Instance',
        // A script that has changed is a new version of the same document.
        updateMethod: 'NewVersion',
      });
      return [name, document.ref] as const;
    });
    this.names = Object.fromEntries(made) as Record<DocumentName, string>;
    this.arns = made.map(([, ref]) => `arn:${partition}:ssm:${region}:${account}:document/${ref}`);
  }
}
