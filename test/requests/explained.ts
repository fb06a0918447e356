/**
 * What roles allow and no recorded request uses, each with who uses it. For functions the test that takes it away is named: there the
 * call is made, and missed.
 */
interface Explained {
  /** `ROLE ACTION RESOURCE`, as in permissions.json. */
  permission: RegExp;
  reason: string;
}

export const explained: readonly Explained[] = [
  {
    permission: /Role logs:(CreateLogStream|PutLogEvents) log-group:/,
    reason: 'Lambda writes the log of a function with its role',
  },
  {
    permission: /^(?!.*WorkflowRole).*Role xray:/,
    reason: 'the daemon that Lambda runs beside a function sends its traces',
  },
  {
    permission: /WorkflowRole (logs|xray):/,
    reason: 'Step Functions logs and traces executions with the role; the local one does neither',
  },
  {
    permission: /^WorkflowRole s3:(GetObject|AbortMultipartUpload|ListMultipartUploadParts) /,
    reason:
      'a Distributed Map writes large results in parts. Step Functions Developer Guide, "IAM policies for Distributed Map"',
  },
  {
    permission: /^WorkflowRole states:(DescribeExecution|StopExecution|RedriveExecution) /,
    reason: 'Step Functions follows, stops and redrives the children of a Distributed Map: the same page',
  },
  {
    permission: /DeliverMessagesRole sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes) /,
    reason: 'Lambda reads the queue for the function. Lambda Developer Guide, "Using Lambda with Amazon SQS"',
  },
  {
    permission: /HostsRole (ssm|ssmmessages|ec2messages):/,
    reason:
      'the agent of Systems Manager. User Guide, "Reference: ec2messages, ssmmessages, and other API operations"',
  },
  {
    permission: /DeliverMessagesRole (sqs:SendMessage|dynamodb:DeleteItem) /,
    reason: 'what a channel refuses, and what waits: test/resilience/deliveries.test.ts',
  },
  {
    permission: /NotifyDigestRole /,
    reason: 'a week has to pass: test/resilience/deliveries-of-others.test.ts',
  },
  {
    permission: /WatchVolumesRole s3:GetObject /,
    reason: 'what an earlier poll or an audit has stored: test/resilience/deliveries-of-others.test.ts',
  },
  {
    permission: /DiscoverVolumesRole ec2:DescribeVolumesModifications /,
    reason:
      'an archive of 14 days: test/lambdas/discover-volumes/archived.test.ts, test/local/ec2-modifications.test.ts',
  },
  {
    permission: /DiscoverVolumesRole cost-optimization-hub:(List|Get)/,
    reason:
      'sent by fetch, which the recorder does not see: test/workflows/second-opinion.test.ts has what was answered',
  },
  {
    permission: /EvaluateBatchRole ssm:CancelCommand /,
    reason: 'of a host that never ends: test/adapters/aws/host-evidence',
  },
  {
    permission: /CollectFindingsRole s3:GetObject <Runs>\/catalog\//,
    reason: 'prices, where a batch has no result: test/resilience/permissions.test.ts',
  },
  {
    permission:
      /NotifyFindingsRole (dynamodb:GetItem|s3:GetObject <Runs>\/validations|s3:PutObject <Runs>\/messages)/,
    reason: 'after a crash, with validations, of large messages: test/resilience/permissions.test.ts',
  },
  {
    permission: /OpenReportRole s3:(ListBucket|GetObject <Runs>\/campaigns)/,
    reason: 'a page that is not there, and one of a campaign: test/resilience/permissions.test.ts',
  },
  {
    permission: /LaunchHostRole .*(arm64|Arm64)/,
    reason: 'hosts with Graviton: the same calls as for x86-64, test/local/benchmark-permissions.test.ts',
  },
  {
    permission:
      /RunCommandRole ssm:SendCommand document\/<BenchmarkDocuments(DrainCredits|InitializeVolumes)>/,
    reason: 'campaigns that drain credits or begin with a snapshot: the same call as for the other documents',
  },
  {
    permission: /LaunchHostRole kms:/,
    reason: 'EC2 uses the key of volumes for whoever launches: test/resilience/campaign-permissions.test.ts',
  },
];
