/** Every snippet of the examples: as new volumes, as volumes that stay, and as a volume from a snapshot. */
import type { Deployment } from '../../../core/limits/volume-limits.ts';
import type { Current } from '../../../core/plan/step-commands.ts';
import { type WrittenSteps, writtenSteps } from '../../../report/steps/written-steps.ts';
import { type Example, examples, gp3 } from '../../core/plan/steps/layouts.ts';

export interface Snippet extends Example {
  stays: boolean;
  steps: WrittenSteps;
}

const magnetic = gp3({ volumeType: 'standard', iops: 100, throughputMiBps: 40 });

function snippet(example: Example, current: Current | null, how: string): Snippet {
  const deployment: Deployment = example.deployment;
  const steps = writtenSteps(example.layout, current, { region: 'us-east-1', deployment });
  return { ...example, what: `${example.what}, ${how}`, stays: steps.inPlace, steps };
}

export const snippets: Snippet[] = [
  ...examples.map((example) => snippet(example, null, 'new')),
  ...examples.map((example) => snippet(example, { layout: example.layout, volumeIds: [] }, 'staying')),
  snippet(
    {
      what: 'a gp3',
      layout: gp3(),
      deployment: 'region',
      each: { volumeType: 'gp3', sizeGiB: 500, iops: 3_000, throughputMiBps: 125 },
    },
    { layout: magnetic, volumeIds: [] },
    'from the snapshot of a magnetic',
  ),
];
