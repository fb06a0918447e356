/** The steps of a recommendation: commands as they are, and what a person does between them as comments of the shell. */
import { figure } from '../../core/figures.ts';
import type { Step } from '../../core/schemas/recommendation.ts';
import { writtenLine } from '../steps/note-lines.ts';
import { rateText, shortText, type WordsByCode, wordsOf } from './words.ts';

type Note = Exclude<Step, { code: 'run' | 'run-later' | 'plan-note' }>;

const notes: WordsByCode<Note> = {
  'await-snapshot': () =>
    'Wait until the snapshot is completed, and check that it can be restored. It costs by what is stored.',
  unmount: () =>
    'Unmount it on the instance. A root volume can only be detached while the instance is stopped.',
  'name-figures': () =>
    'Give IOPS and throughput as above: what EC2 takes without them is documented in two ways.',
  'modification-limit': ({ most, hours }) =>
    `No downtime. A volume is modified at most ${figure(most, 0)} times in ${figure(hours, 0)} h, each time after the one before is completed.`,
  'stop-and-unmount': () =>
    'Stop what uses the volumes and unmount them; of a stripe stop the whole array. Leave a root volume.',
  'start-and-mount': () => 'Start the array and mount again; nothing on the volumes changes.',
  'check-instance-type': ({ instanceType }) =>
    `Check that ${shortText(instanceType, 30)} is offered in its Availability Zone, and that image and drivers support it.`,
  'initialization-rate': ({ minMiBps, maxMiBps }) =>
    `A new volume is initialized at a VolumeInitializationRate (${figure(minMiBps, 0)} to ${rateText(maxMiBps, 'MiB/s')}), or by reading all of it once.`,
  'on-the-host': () => 'On the host:',
  'create-like-siblings': () => 'Create an empty volume of the same type, size and figures, and attach it.',
  'stays-in-use': () => 'It goes on while the volumes are in use, and takes its share of their I/O.',
  'await-recovery': () => 'Go on when no recovery is shown any more:',
  'detach-old-volume': () => 'Detach the old volume; delete it when nobody misses anything.',
  'copy-like-siblings': () =>
    'With the type and figures of the others. A copy is slow too until it is initialized.',
  'replace-by-copy': () => 'Detach the old volume and attach the copy.',
  'keep-old-volume': () => 'Keep the old volume until all is there.',
  'array-unknown': () =>
    'What joins the volumes is not known. LVM: pvmove while in use. md: mdadm --replace while in use; a stripe has to be stopped.',
};

/** A command, or comments. */
function linesOf(step: Step): string[] {
  switch (step.code) {
    case 'run':
      return [step.command];
    case 'run-later':
      return [`# ${step.command}`];
    case 'plan-note':
      return writtenLine(step.note);
    default:
      return [`# ${wordsOf<Note>(notes, step)}`];
  }
}

/** Top to bottom, to be read and to be copied. */
export const stepLines = (steps: readonly Step[]): string[] => steps.flatMap(linesOf);
