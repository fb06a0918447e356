/** The request of a campaign, from options or from a file. */
import { readText } from '../adapters/files/read-file.ts';
import { type BenchRequest, benchRequestSchema, type Work } from '../core/benchmark/campaign/request.ts';
import type { ProfileName } from '../core/benchmark/profiles.ts';
import { goalOf } from '../core/benchmark/search.ts';
import { BadInput } from '../core/errors.ts';
import type { Access } from '../core/report-card/job-options.ts';
import { benchLayout } from './layouts.ts';

export interface RequestOptions {
  layouts?: string[];
  instanceTypes?: string[];
  work?: ProfileName;
  short?: true;
  goal?: string;
  access: Access;
  blockKib: number;
  readPercent: number;
  users?: number;
  ioDepth: number;
  iops?: number;
  seconds?: number;
  fileSizeMib?: number;
  repeats: number;
  prepare: BenchRequest['prepare'];
  ceilingUsd: number;
  hoursAtMost: number;
  hostsAtOnce: number;
}

/** @param where it came from: a file, or the options. @throws BadInput in one line where it is no request. */
export function checkedRequest(where: string, value: unknown): BenchRequest {
  const { data, error } = benchRequestSchema.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  throw new BadInput(`${where}: ${issue?.path.join('.') || 'as a whole'}: ${issue?.message}`);
}

export function requestInFile(path: string): BenchRequest {
  const text = readText(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BadInput(
      `${path}: is no JSON (${(error as Error).message}): give what \`bench plan --out\` wrote`,
    );
  }
  return checkedRequest(path, value);
}

function workOf(options: RequestOptions): unknown {
  const { work, goal, users, access, blockKib, readPercent, ioDepth, iops, seconds, fileSizeMib } = options;
  const given = [work, goal, users].filter((one) => one !== undefined).length;
  if (given !== 1)
    throw new BadInput(
      'what is measured? give one of --work (a profile), --goal (a search) and --users (one load)',
    );
  const file = fileSizeMib === undefined ? {} : { fileSizeMiB: fileSizeMib };
  if (work !== undefined)
    return { kind: 'profile', profile: work, variant: options.short ? 'short' : 'full', ...file };
  const time = seconds === undefined ? {} : { seconds };
  const load = { access, blockKiB: blockKib, readPercent };
  return goal === undefined
    ? {
        ...{ kind: 'load', ...time, ...file },
        load: { ...load, users, ioDepth, ...(iops === undefined ? {} : { iops }) },
      }
    : ({ kind: 'search', goal: goalOf(goal), load, ...time, ...file } satisfies Partial<Work>);
}

export function requestOf(options: RequestOptions): BenchRequest {
  const { layouts = [], instanceTypes = [] } = options;
  if (layouts.length === 0 || instanceTypes.length === 0)
    throw new BadInput(
      'what is compared, and where? give --layouts (like gp3:100 6xio2:20:600) and --instance-types (like m5.xlarge), or --request FILE',
    );
  const { repeats, prepare, ceilingUsd, hoursAtMost, hostsAtOnce } = options;
  return checkedRequest('the request', {
    layouts: layouts.map(benchLayout),
    work: workOf(options),
    ...{ instanceTypes, repeats, prepare, ceilingUsd, hoursAtMost, hostsAtOnce },
  });
}
