/** The steps from what stands to a layout, to be copied: for the AWS CLI and the host, for AWS CDK and for Terraform. */
import type { Layout } from '../../core/plan/layout.ts';
import type { PlanRequest } from '../../core/plan/plan.ts';
import type { Current } from '../../core/plan/step-commands.ts';
import { type StepOptions, wayTo } from '../../core/plan/steps.ts';
import type { ChoicesRequest } from '../../core/plan/volume-or-instance.ts';
import type { PlanAnswer, Planned, PlanOption, WrittenForms } from '../../core/schemas/plan-answer.ts';
import type { Chosen, PlanChoices } from '../../core/schemas/plan-choices.ts';
import { shortText } from '../wording/words.ts';
import { cdk } from './cdk.ts';
import { withInstanceSteps } from './instance-steps.ts';
import { loweredText, writtenLine } from './note-lines.ts';
import { terraform } from './terraform.ts';

/** Ways to write the steps down. */
export const stepForms = ['cli', 'cdk', 'terraform'] as const;
export type StepForm = (typeof stepForms)[number];

/** Lines to copy. */
export const stepsInForm = ({ steps }: { steps: WrittenForms }, form: StepForm): string[] => {
  if (form === 'cli') return steps.awsCli;
  return (form === 'cdk' ? steps.cdk : steps.terraform).trimEnd().split('\n');
};

export interface WrittenSteps extends WrittenForms {
  inPlace: boolean;
}

/**
 * How `next` is reached from what is present; from null: how it is made.
 * @throws IllegalConfiguration where EBS, LVM or mdadm would refuse `next`.
 */
export function writtenSteps(next: Layout, current: Current | null, options: StepOptions): WrittenSteps {
  const { inPlace, route, lines } = wayTo(next, current, options);
  const { deployment } = options;
  const lowered = lines.flatMap((line) =>
    typeof line !== 'string' && line.code === 'lowered' ? [loweredText(line)] : [],
  );
  const snippet = { next, deployment, route, lowered };
  return { inPlace, awsCli: lines.flatMap(writtenLine), cdk: cdk(snippet), terraform: terraform(snippet) };
}

/** The volumes are of no use on an instance that does not carry them. */
function withInstance(steps: WrittenSteps, { instanceType, architectures }: PlanOption): WrittenSteps {
  if (instanceType === null) return steps;
  const type = `${shortText(instanceType, 40)} (${shortText(architectures.join(', '), 60)})`;
  const text = `The volumes are planned for an instance of type ${type}.`;
  return {
    ...steps,
    awsCli: [
      `# ${text} Take the type first: it changes while the instance is stopped.`,
      '# Another architecture is a new instance with an image of its own.',
      ...steps.awsCli,
    ],
    cdk: `// ${text}\n${steps.cdk}`,
    terraform: `# ${text}\n${steps.terraform}`,
  };
}

/** A plan with the steps to each of its options. */
export const withWrittenSteps = (
  planned: Planned,
  { current, constraints: { deployment, chunkKiB } }: Pick<PlanRequest, 'current' | 'constraints'>,
): PlanAnswer => ({
  ...planned,
  options: planned.options.map((option) => {
    const steps = writtenSteps(option.layout, current, { region: planned.region, deployment, chunkKiB });
    return { ...option, steps: { ...option.steps, ...withInstance(steps, option) } };
  }),
});

/** The same of volumes and instance. */
export const withChoiceSteps = (
  chosen: Chosen,
  { current, constraints: { deployment, chunkKiB } }: Pick<ChoicesRequest, 'current' | 'constraints'>,
): PlanChoices => ({
  ...chosen,
  choices: chosen.choices.map((choice) => {
    const { region } = chosen;
    const volumes =
      choice.volumeChange === 'unchanged'
        ? null
        : writtenSteps(choice.layout, current, { region, deployment, chunkKiB });
    const { awsCli, cdk, terraform } = withInstanceSteps(volumes, choice, region);
    return { ...choice, steps: { awsCli, cdk, terraform } };
  }),
});
