/** The parts of .ci/run that are not run again while nothing has changed that they depend on: what that is, and how it is now. */
import { globSync } from 'node:fs';
import { type Known, known, unknown } from '../core/known.ts';
import { hashOfInputs } from '../lib/shared/build-cache.ts';
import { guestVersions, qemuVersion } from '../local/lab/image.ts';
import { pythonVersion } from '../local/python.ts';

export const partNames = ['emulator', 'lab', 'bench', 'demo-bench'] as const;
export type PartName = (typeof partNames)[number];

/** What a part depends on besides Node, which is the same for all. */
type Needed = 'python' | 'guest';

export interface Part {
  /** Files, folders and patterns, from the root of the checkout. `test/tools/checked-parts.test.ts` holds them to what is imported. */
  inputs: readonly string[];
  needs: readonly Needed[];
}

const everywhere = [
  ...['.ci/run', '.npmrc', 'package.json', 'package-lock.json', 'tools/run.mjs', 'local/venv.cjs'],
];
/** How Jest runs suites of every configuration. */
const suites = ['jest.config.mjs', 'test/tiers/environment.cjs', 'test/tiers/order.cjs'];
/** Servers of the local AWS: how they are started, and what they have in common. */
const servers = [
  ...[
    'local/account-of-key.ts',
    'local/http.ts',
    'local/ordered-faults.ts',
    'local/service-error.ts',
    'local/token-buckets.ts',
  ],
  ...['local/owned-process.ts', 'local/processes.ts', 'local/running.ts', 'local/watchdog.mjs'],
];
const python = ['local/python.ts', 'local/make_venv.py', 'local/requirements.txt'];
/** Documents, how they are put together and run on guests, and what runs tests of them. */
const guests = [
  ...['ssm-documents', 'local/lab', 'local/ssm', 'tools/test-lab.ts'],
  ...[...suites, 'jest.lab.config.mjs', 'test/lab/order.cjs', 'test/in-order.cjs'],
  ...['lib/shared/command-document.ts', 'lib/shared/safe-pattern.ts'],
];

export const parts: Record<PartName, Part> = {
  emulator: {
    inputs: [
      ...[...everywhere, ...servers, ...python, ...suites],
      ...['test/local/ministack*.ts', 'test/local/two-ministacks.ts', 'test/local/stacks.ts'],
      ...['test/local/ec2.ts', 'test/fixtures/temporary-directory.ts', 'local/post-signed.ts'],
      ...['local/ministack', 'local/ec2', 'local/cloudwatch', 'local/ssm', 'core/*.ts', 'core/load'],
    ],
    needs: ['python'],
  },
  lab: {
    inputs: [
      ...[...everywhere, ...servers, ...guests],
      ...['test/lab', 'test/ssm-documents/attempts.ts'],
      ...['adapters/aws/describe-stripes.ts', 'adapters/aws/failure.ts'],
      ...['adapters/aws/garbled.ts', 'adapters/aws/pages.ts'],
      ...['core/*.ts', 'core/benchmark', 'core/host', 'core/limits', 'core/report-card', 'core/stripes'],
    ],
    needs: ['guest'],
  },
  bench: {
    inputs: [
      ...[...everywhere, ...servers, ...python, ...guests, 'jest.bench.config.mjs'],
      ...[
        'test/bench-lab',
        'test/lab/stripes.ts',
        'test/lab/measuring.ts',
        'test/lab/hooks.ts',
        'test/lab/known-state.ts',
      ],
      ...['test/local/ministack.ts', 'test/local/stacks.ts', 'test/fixtures/temporary-directory.ts'],
      ...['local/lab-hosts', 'local/ministack', 'local/ec2', 'adapters/*.ts'],
      ...['report/wording/reasons.ts', 'report/wording/words.ts'],
      ...['core/*.ts', 'core/benchmark', 'core/catalog', 'core/limits', 'core/report-card'],
      ...['core/config/threshold-settings.ts', 'core/diagnosis/thresholds.ts'],
      'core/prices/metric-prices.ts',
    ],
    needs: ['python', 'guest'],
  },
  // The whole service is deployed.
  'demo-bench': {
    inputs: [
      ...[...everywhere, 'tools/build-generated.mjs'],
      ...[
        'tools/demo-bench.ts',
        'tools/bench-lab.ts',
        'tools/demo-process.ts',
        'cdk.json',
        'stripewise.yaml',
      ],
      ...['bin', 'cli', 'core', 'adapters', 'lambdas', 'lib', 'report', 'local', 'ssm-documents'],
    ],
    needs: ['python', 'guest'],
  },
};

/** A name and the version or the hash of what it names. */
export type Named = Record<string, string>;

/** What a part depends on. */
export interface PartState {
  /** Of all of it. */
  hash: string;
  /** Each input by itself. */
  inputs: Named;
  versions: Named;
}

const ofGuest = (): Named => ({
  qemu: qemuVersion(),
  ...Object.fromEntries(guestVersions().map(({ name, version }) => [name, version])),
});

/** @returns versions on this machine, and of what a guest made now would have; unknown where one of them cannot be read. */
export function readVersions(root: string, { needs }: Part): Known<Named> {
  try {
    return known({
      platform: `${process.platform}-${process.arch}`,
      node: process.versions.node,
      ...(needs.includes('python') ? { python: pythonVersion(root) } : {}),
      ...(needs.includes('guest') ? ofGuest() : {}),
    });
  } catch (error) {
    return unknown((error as Error).message);
  }
}

const isPattern = (input: string): boolean => input.includes('*');
const pathsOf = (root: string, input: string): string[] =>
  isPattern(input) ? globSync(input, { cwd: root }).toSorted() : [input];

/** Enough to tell two apart; the hash of the part is whole. */
const shownHash = 16;

export const hashesOfInputs = (root: string, { inputs }: Part): Named =>
  Object.fromEntries(
    inputs.map((input) => [input, hashOfInputs(root, pathsOf(root, input)).slice(0, shownHash)]),
  );

export function stateOf(root: string, part: Part, versions: Named): PartState {
  const paths = part.inputs.flatMap((input) => pathsOf(root, input));
  return {
    hash: hashOfInputs(root, paths, JSON.stringify(versions)),
    inputs: hashesOfInputs(root, part),
    versions,
  };
}
