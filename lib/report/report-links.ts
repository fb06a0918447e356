/** Opens reports by signed links: a key, and a function with an address of its own that anybody can call. */
import { Duration, Validations } from 'aws-cdk-lib';
import { FunctionUrlAuthType, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Env } from '../../lambdas/open-report/env.ts';
import { NodeFunction } from '../shared/node-function.ts';
import { listObjects, type Permission, permission } from '../shared/permissions.ts';

export interface ReportLinksProps {
  bucket: IBucket;
  logsDays: number;
}

const keyCharacters = 64;

const pages = ['runs/*/report.html', 'campaigns/*/report.html'];

/** Who may not list cannot tell a page that is gone from one that is forbidden. */
const readPages = (bucket: IBucket): Permission[] => [
  {
    actions: ['s3:GetObject'],
    resources: pages.map((page) => bucket.arnForObjects(page)),
    reason: 'every run and campaign has a report of its own, not known before it.',
  },
  ...pages.map((page) => listObjects(bucket, page)),
];

export class ReportLinks extends Construct {
  /** Where links begin, with a slash at its end. */
  readonly url: string;
  readonly key: Secret;
  readonly openReport: LambdaFunction;

  constructor(scope: Construct, id: string, { bucket, logsDays }: ReportLinksProps) {
    super(scope, id);
    this.key = new Secret(this, 'Key', {
      description: 'stripewise: links to reports are signed with it; a new value ends all that are out',
      generateSecretString: { passwordLength: keyCharacters, excludePunctuation: true },
    });
    Validations.of(this.key).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A new key ends every link that is out: a person does that, where links got to the wrong people.',
    });
    this.openReport = new NodeFunction<Env>(this, 'OpenReport', {
      name: 'open-report',
      description: 'stripewise: sends who has a signed link on to the report',
      environment: { BUCKET: bucket.bucketName, LINK_KEY_SECRET_ARN: this.key.secretArn },
      memoryMiB: 256,
      timeout: Duration.seconds(10),
      logsDays,
      may: [permission(['secretsmanager:GetSecretValue'], this.key.secretArn), ...readPages(bucket)],
    }).function;
    // Who opens a link has it from Slack or a mail, and no credentials: the signature in it is what is asked for.
    this.url = this.openReport.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url;
  }
}
