/** npm run demo: a simulated fleet with known troubles, audited as a person would audit a real one. */
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { compareWithTruth } from '../test/compare-with-truth.ts';
import { simulateFleet } from '../test/simulator/fleet.ts';
import { writeFleet } from '../test/simulator/write-fleet.ts';

const root = join(import.meta.dirname, '..');
const directory = join(root, '.demo/fleet');
const say = (line: string): void => console.log(line);

/** Runs the command line as a process; 0, 1 and 3 are endings that an audit can have. */
function stripewise(args: readonly string[], capture: boolean): string {
  const run = spawnSync(process.execPath, [join(root, 'bin/stripewise.ts'), ...args], {
    cwd: root,
    env: { ...process.env, npm_package_name: 'stripewise' },
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
    stdio: ['ignore', capture ? 'pipe' : 'inherit', 'inherit'],
  });
  if (run.status !== 0 && run.status !== 1 && run.status !== 3) {
    say(`demo: stripewise ${args[0]} ended with ${run.status ?? run.signal}`);
    process.exit(4);
  }
  return run.stdout ?? '';
}

say('1. Simulating 26 hours of a fleet, second by second (simulated: no AWS account is touched) ...');
const fleet = simulateFleet();
// Written beside and then moved into place, so that a demo that runs at the same time never reads half a file.
const fresh = `${directory}-${process.pid}`;
writeFleet(fleet, fresh);
rmSync(directory, { recursive: true, force: true });
renameSync(fresh, directory);
const file = (name: string): string[] =>
  fleet.regions.map(({ region }) => relative(root, join(directory, region, `${name}.json`)));
const args = [
  'audit',
  ...['--volumes', ...file('describe-volumes')],
  ...['--instances', ...file('describe-instances')],
  ...['--metrics', ...file('get-metric-data')],
];
say(
  `2. Auditing what the AWS CLI would have printed, with:\n   npm run -s stripewise -- ${args.join(' ')}\n`,
);
stripewise(args, false);

const { found, missed, falseWarnings, wrongKind } = compareWithTruth(
  fleet,
  JSON.parse(stripewise([...args, '--json'], true)) as AuditResult,
);
say('');
say(
  `3. Against the truth, which the simulator knows: ${found.length} of ${found.length + missed.length} troubles found,`,
);
say(
  `   ${falseWarnings.length} false findings on ${fleet.healthyVolumeIds.length} healthy volumes, ${wrongKind.length} of a wrong kind elsewhere.`,
);
for (const { resourceId, kind, because } of missed)
  say(`   missed: ${kind} on ${resourceId}${because === null ? '' : ` (not judged: ${because})`}`);
say('');
say(`Try next (the fleet stays in .demo/fleet, the true cause of each of its minutes in truth.json):`);
say(
  '  npm run -s stripewise -- audit queries --volumes .demo/fleet/us-east-1/describe-volumes.json --out .demo/queries',
);
say('  npm run -s stripewise -- burst --type gp2 --size-gib 100 --balance-percent 25');
say('  npm run -s stripewise -- limits --type gp3 --size-gib 500 --iops 16000 --io-size-kib 8');
say('  npm run -s stripewise -- --help');
