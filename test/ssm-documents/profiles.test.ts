/** Hosts are given what core says: the text is generated, committed, and means the same to a shell. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesOf, profileNames, profiles, stepSections } from '../../core/benchmark/profiles.ts';
import { commonScript, drainScript, profilesScript } from '../../tools/profiles-script.ts';

const directory = join(__dirname, '../../ssm-documents');
const runs = profileNames.flatMap((name) =>
  (['full', 'short'] as const).map((variant) => ({ name, variant })),
);

test.each([
  ['shared/fio-common.sh', commonScript],
  ['run-fio/profiles.sh', profilesScript],
  ['drain-credits/loads.sh', drainScript],
])('%s is what npm run generate:profiles makes', (path, made) => {
  expect(readFileSync(join(directory, path), 'utf8')).toBe(made());
});

function inShell(name: string, variant: string, command: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-euc', `. ./run-fio/profiles.sh\n${command}`], {
    cwd: directory,
    env: { PATH: process.env['PATH'], SSM_profile: name, SSM_variant: variant },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

describe.each(runs)('$name, $variant', ({ name, variant }) => {
  const run = profiles[name][variant];

  test('a shell reads its size, places and steps', () => {
    const steps = run.steps.map(
      ({ name: step, seconds, rampSeconds, users }) => `${step} ${seconds + rampSeconds} ${users}`,
    );
    expect(
      inShell(name, variant, 'profile_file_mib; profile_places; profile_steps').trim().split('\n'),
    ).toEqual([`${run.fileSizeMiB}`, placesOf(run).toSorted().join(' '), ...steps]);
  });

  test('a shell writes what is their own of its job files', () => {
    const each = 'profile_steps | while read -r name _; do profile_job "$name"; done';
    expect(inShell(name, variant, each)).toBe(run.steps.map(stepSections).join(''));
  });
});
