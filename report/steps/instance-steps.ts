/**
 * The steps to another instance type or bandwidth weighting, before those of the volumes.
 * Source: EC2 API reference (ModifyInstanceAttribute, ModifyInstanceNetworkPerformanceOptions: of a stopped instance), EC2
 * user guide (ec2-instance-resize, configure-bandwidth-weighting), read 2026-11-21.
 */
import { regionOrPlaceholder } from '../../core/plan/step-commands.ts';
import type { WrittenForms } from '../../core/schemas/plan-answer.ts';
import type { PlanChoice } from '../../core/schemas/plan-choices.ts';
import { shortText } from '../wording/words.ts';

const notes = [
  'The instance stops for some minutes. Instance store is lost; a public address that is no Elastic IP changes.',
  'An instance of an Auto Scaling group is replaced when it stops: suspend its processes first.',
];

function instanceLines({ instanceChange, instanceType }: PlanChoice, region: string): string[] {
  const ec2 = (operation: string, ...parameters: string[]): string =>
    ['aws ec2', operation, '--region', regionOrPlaceholder(region), ...parameters].join(' ');
  const [one, several] = ['--instance-id <instance-id>', '--instance-ids <instance-id>'];
  return [
    ...notes.map((text) => `# ${text}`),
    ec2('stop-instances', several),
    ec2('wait instance-stopped', several),
    instanceChange === 'type'
      ? ec2('modify-instance-attribute', one, `--instance-type Value=${shortText(instanceType, 40)}`)
      : ec2('modify-instance-network-performance-options', one, '--bandwidth-weighting ebs-1'),
    ec2('start-instances', several),
    ec2('wait instance-running', several),
  ];
}

function definitionText({ instanceChange, instanceType }: PlanChoice, property: string): string {
  return instanceChange === 'type'
    ? `In the definition of the instance, set ${property} to ${shortText(instanceType, 40)}: it stops and starts.`
    : 'Set bandwidth weighting ebs-1 by the AWS CLI steps: the instance stops and starts.';
}

const nothing = 'The volumes stay as they are.';

/** @param volumes the steps of the volumes; null where they stay as they are. */
export function withInstanceSteps(
  volumes: WrittenForms | null,
  choice: PlanChoice,
  region: string,
): WrittenForms {
  const isChanged = choice.instanceChange !== 'unchanged';
  const [cdk, terraform] = isChanged
    ? [`// ${definitionText(choice, 'instanceType')}\n`, `# ${definitionText(choice, 'instance_type')}\n`]
    : ['', ''];
  return {
    awsCli: [
      ...(isChanged ? instanceLines(choice, region) : []),
      ...(volumes === null ? [`# ${nothing}`] : volumes.awsCli),
    ],
    cdk: `${cdk}${volumes === null ? `// ${nothing}\n` : volumes.cdk}`,
    terraform: `${terraform}${volumes === null ? `# ${nothing}\n` : volumes.terraform}`,
  };
}
