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
  'launch-instance': ({ instanceType, availabilityZone }) =>
    `Launch a ${shortText(instanceType, 30)}${availabilityZone === null ? '' : ` in ${shortText(availabilityZone, 30)}`}: a volume is attached within its Availability Zone.`,
  'stop-application': () => 'Stop what uses the volume, unmount it, and remove it from fstab.',
  'start-application': () => 'Mount it there, and start what uses it there.',
  'initialization-rate': ({ minMiBps, maxMiBps }) =>
    `A new volume is initialized at a VolumeInitializationRate (${figure(minMiBps, 0)} to ${rateText(maxMiBps, 'MiB/s')}), or by reading all of it once.`,
  'schedule-by-hand': () =>
    'The commands below make a schedule of EventBridge Scheduler; stripewise executes none. At these times it runs:',
  scheduled: ({ what, days, atUtc }) =>
    `${what === 'raise' ? 'Raise' : 'Lower'} at ${shortText(atUtc, 10)} UTC, ${days === '*' ? 'all days' : shortText(days, 10)}:`,
  'scheduler-role': () =>
    'The role must trust scheduler.amazonaws.com and allow ec2:ModifyVolume on this volume. A run that fails must raise an alarm.',
  'on-the-host': () => 'On the host:',
  'create-like-siblings': () => 'Create an empty volume of the same type, size and figures, and attach it.',
  'stays-in-use': () => 'It goes on while the volumes are in use, and takes its share of their I/O.',
  'await-recovery': () => 'Go on when no recovery is shown any more:',
  'detach-old-volume': () => 'Detach the old volume; delete it when nobody misses anything.',
  'copy-like-siblings': () =>
    'With the type and figures of the others. A copy is slow too until it is initialized.',
  'replace-by-copy': () => 'Detach the old volume and attach the copy.',
  'keep-old-volume': () => 'Keep the old volume until all is there.',
  'initialization-status': () => 'InitializationStatusDetails shows how far it is, up to 5 minutes late:',
  'read-once': () =>
    'Or read all of it once, on the host; it only reads, and takes its share of what the volume does:',
  'claim-to-check': () => 'Go on only where this prints the namespace and the claim below: tags can lie.',
  'attributes-class-version': () =>
    'For Kubernetes 1.34 and later. On 1.31 to 1.33 write storage.k8s.io/v1beta1: there it is a feature gate.',
  'claim-grows': () =>
    'Its StorageClass must have allowVolumeExpansion: true. The driver grows the file system too.',
  'class-in-force': () => 'It is done when this prints the name of the class:',
  'claim-has-volume': () =>
    'A claim of Kubernetes has this volume. Change the claim too: its driver does not know of what EC2 is asked for.',
  'array-unknown': () =>
    'What joins the volumes is not known. LVM: pvmove while in use. md: mdadm --replace while in use; a stripe has to be stopped.',
};

/** A command, which may have several lines, or comments. */
function linesOf(step: Step): string[] {
  switch (step.code) {
    case 'run':
      return step.command.split('\n');
    case 'run-later':
      return step.command.split('\n').map((line) => `# ${line}`);
    case 'scheduled':
      return [`# ${wordsOf<Note>(notes, step)}`, `# ${step.command}`];
    case 'plan-note':
      return writtenLine(step.note);
    default:
      return [`# ${wordsOf<Note>(notes, step)}`];
  }
}

/** Top to bottom, to be read and to be copied. */
export const stepLines = (steps: readonly Step[]): string[] => steps.flatMap(linesOf);
