/** What is still to be given, with the command that makes it. */
import { useRef } from 'preact/hooks';
import { CopyButton } from '../../report/browser/shared/copy-button.tsx';
import { type Missing, maxTogetherMiB } from './given-files.ts';

const volumesCommand = 'aws ec2 describe-volumes --output json > volumes.json';
const instancesCommand = 'aws ec2 describe-instances --output json > instances.json';
const queriesCommand =
  'stripewise audit queries --volumes volumes.json --instances instances.json --lookback-days 1 --period-seconds 60 --out metrics';

interface Line {
  text: string;
  command: string | null;
}

const lines: Record<Missing, Line> = {
  volumes: { text: 'describe-volumes is missing. For each Region run:', command: volumesCommand },
  metrics: {
    text: 'get-metric-data is missing. Make its queries below, or on the command line:',
    command: queriesCommand,
  },
  instances: {
    text: 'describe-instances is not given: limits of instances, and who owns the volumes, are unknown. For each Region run:',
    command: instancesCommand,
  },
  'one-of-both': {
    text: 'An archive is used instead of files of get-metric-data: remove one of them.',
    command: null,
  },
  'one-archive': { text: 'There is more than one archive: remove all but one.', command: null },
  'too-much': {
    text: `Together the files have more than ${maxTogetherMiB} MiB, which this page does not take: remove some.`,
    command: null,
  },
};

export function CommandLine({ command, what }: { command: string; what: string }) {
  const text = useRef<HTMLElement>(null);
  return (
    <span class="audit-command">
      <code ref={text}>{command}</code>
      <CopyButton text={command} what={what} target={() => text.current} />
    </span>
  );
}

export function MissingLines({ missing, hasAny }: { missing: readonly Missing[]; hasAny: boolean }) {
  if (missing.length === 0) return null;
  return (
    <section class="audit-missing" aria-label="What is missing">
      <h3>{hasAny ? 'Still missing' : 'What is needed'}</h3>
      <ul>
        {missing.map((one) => {
          const { text, command } = lines[one];
          return (
            <li key={one}>
              {text}
              {command === null ? null : <CommandLine command={command} what={`the command for ${one}`} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
