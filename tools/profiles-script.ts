/** The profiles as a part of a shell script: a host has no Node, and what it runs is what core says. */
import { drainAtRandom, drainInSequence } from '../core/benchmark/drain-loads.ts';
import {
  commonSection,
  partOfFile,
  placesOf,
  profileNames,
  profiles,
  type Run,
  stepSections,
} from '../core/benchmark/profiles.ts';

const runs: [string, Run][] = profileNames.flatMap((name) => [
  [`${name}/full`, profiles[name].full],
  [`${name}/short`, profiles[name].short],
]);

const hereDocument = (text: string): string => `cat << 'END'\n${text}END`;
const choice = (word: string, cases: readonly string[]): string =>
  [`  case ${word} in`, ...cases, '  esac'].join('\n');
/** Those that say the same are one. */
const oneLines = (said: readonly (readonly [string, string])[]): string[] =>
  [...Map.groupBy(said, ([, what]) => what)].map(
    ([what, all]) => `    ${all.map(([pattern]) => pattern).join(' | ')}) echo ${what} ;;`,
  );
const several = (pattern: string, commands: string): string => `    ${pattern})\n${commands}\n      ;;`;
const shellFunction = (name: string, body: string): string => `${name}() {\n${body}\n}\n`;

/** Text of ssm-documents/run-fio/profiles.sh. */
export function profilesScript(): string {
  const run = '$SSM_profile/$SSM_variant';
  const stepLines = ({ steps }: Run): string =>
    steps
      .map(({ name, seconds, rampSeconds, users }) => `${name} ${seconds + rampSeconds} ${users}\n`)
      .join('');
  return [
    '# Made of core/benchmark by npm run generate:profiles: change it there.\n# shellcheck shell=sh\n',
    `# How many of the other files make a data file.\npart_of_file=${partOfFile}\n`,
    '# MiB of the data file.',
    shellFunction(
      'profile_file_mib',
      choice(run, oneLines(runs.map(([name, { fileSizeMiB }]) => [name, `${fileSizeMiB}`]))),
    ),
    '# Whose files it has.',
    shellFunction(
      'profile_places',
      choice(run, oneLines(runs.map(([name, each]) => [name, placesOf(each).toSorted().join(' ')]))),
    ),
    '# A line each: name, seconds with the time to get going, users.',
    shellFunction(
      'profile_steps',
      choice(
        run,
        runs.map(([name, each]) => several(name, hereDocument(stepLines(each)))),
      ),
    ),
    "# What is the job file's own of a step.\n#   profile_job STEP",
    shellFunction(
      'profile_job',
      choice(
        `${run}/$1`,
        runs.flatMap(([name, { steps }]) =>
          steps.map((step) => several(`${name}/${step.name}`, hereDocument(stepSections(step)))),
        ),
      ),
    ),
  ].join('\n');
}

/** Text of ssm-documents/shared/fio-common.sh. */
export const commonScript = (): string =>
  [
    '# Made of core/benchmark by npm run generate:profiles: change it there.\n# shellcheck shell=sh\n',
    '# The beginning of every job file.',
    shellFunction('fio_common', `  ${hereDocument(commonSection)}`),
  ].join('\n');

const asArguments = (options: Readonly<Record<string, string | number>>): string =>
  Object.entries(options)
    .map(([option, value]) => `--${option}=${value}`)
    .join(' ');

/** Text of ssm-documents/drain-credits/loads.sh. */
export function drainScript(): string {
  return [
    '# Made of core/benchmark by npm run generate:profiles: change it there.\n# shellcheck shell=sh\n',
    '# Arguments of fio.',
    shellFunction(
      'load_of',
      choice(
        '$SSM_access',
        oneLines([
          ['random', asArguments(drainAtRandom)],
          ['sequential', asArguments(drainInSequence)],
        ]),
      ),
    ),
  ].join('\n');
}
