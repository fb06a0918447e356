/**
 * A layout as people give it, in every command alike: `gp2:500`, `4xio2:200:8000`, `raid10:4xgp3:250`, or a JSON file with
 * the layout of an option of a plan.
 */
import { existsSync } from 'node:fs';
import { readJson } from '../adapters/files/read-file.ts';
import {
  type BenchKind,
  type BenchLayout,
  benchKinds,
  maxMembers as maxBenchMembers,
} from '../core/benchmark/campaign/request.ts';
import { BadInput, IllegalConfiguration } from '../core/errors.ts';
import { isVolumeId } from '../core/ids.ts';
import type { Deployment } from '../core/limits/volume-limits.ts';
import { type PlanNames, standing } from '../core/plan/asked.ts';
import { type Layout, provisioned } from '../core/plan/layout.ts';
import { layoutFileExpected, layoutFileSchema, layoutOf } from '../core/plan/layout-file.ts';
import {
  isLayoutText,
  type LayoutText,
  layoutInText,
  layoutOfText,
  layoutTextForm,
} from '../core/plan/layout-text.ts';
import type { Current } from '../core/plan/step-commands.ts';
import type { IgnoredFigure } from '../core/schemas/replay-answer.ts';
import { commandLine } from '../report/wording/plan-names.ts';

export const layoutForm = `${layoutTextForm} or a JSON file`;

/** What no layout is called; a file may have any other name. */
const isFile = (text: string): boolean =>
  /[/\\]|\.json$/i.test(text) || (!isLayoutText(text) && existsSync(text));

/** What is wrong with what stands in a file names the file. */
export function naming<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    const Kind = error instanceof IllegalConfiguration ? IllegalConfiguration : BadInput;
    throw new Kind(`${path}: ${error.message}`, { cause: error });
  }
}

interface Found {
  layout: Layout;
  /** Figures in a file that such a volume does not have. */
  ignored: IgnoredFigure[];
}

/**
 * @param option that it was given to, like --layout
 * @throws BadInput where it is none, IllegalConfiguration where EBS would refuse its volumes.
 */
export function layoutFrom(option: string, text: string, deployment: Deployment): Found {
  if (isFile(text)) {
    const file = readJson(text, layoutFileSchema, layoutFileExpected);
    return naming(text, () => layoutOf(file, deployment));
  }
  return { layout: layoutOfText(option, text, deployment, layoutForm), ignored: [] };
}

// What stands today: with ids, and with what joins its volumes.

export interface CurrentGiven extends Omit<Current, 'layout'> {
  text: string;
  deployment: Deployment;
}

/** How they are called where they are asked for. */
interface CurrentNames {
  plan: PlanNames;
  volumeIds: string;
}

const optionNames: CurrentNames = { plan: commandLine.names, volumeIds: '--volume-ids' };

function requireIds({ text, volumeIds }: CurrentGiven, members: number, names: CurrentNames): void {
  const { volumeIds: ids, plan } = names;
  const strange = volumeIds.find((id) => !isVolumeId(id));
  if (strange !== undefined)
    throw new BadInput(`${ids} "${strange}" is not a volume id: give ids like vol-0123456789abcdef0`);
  const twice = volumeIds.find((id, i) => volumeIds.indexOf(id) !== i);
  if (twice !== undefined) throw new BadInput(`${ids} names ${twice} twice: give each volume once`);
  if (volumeIds.length > 0 && volumeIds.length !== members)
    throw new BadInput(
      `${ids} names ${volumeIds.length} volumes, ${plan.current} "${text}" has ${members}: give as many, or none`,
    );
}

/** @throws as `layoutFrom`; also where ids and layout do not fit, or a file has figures that such a volume does not have. */
export function currentFrom(given: CurrentGiven, names = optionNames): Current {
  const { text, deployment, volumeIds, builtWith } = given;
  const { layout, ignored } = layoutFrom(names.plan.current, text, deployment);
  const [odd] = ignored;
  if (odd !== undefined)
    throw new BadInput(
      `${text}: a ${odd.volumeType} of ${odd.sizeGiB} GiB has ${odd.has} ${odd.figure}, not ${odd.given}; leave it out`,
    );
  requireIds(given, layout.members, names);
  return standing({ layout, volumeIds, builtWith }, names.plan);
}

/**
 * What stands, where anything does.
 * @throws as `currentFrom`; also where ids are given of nothing.
 */
export function currentOrNone(
  { text, ...given }: Omit<CurrentGiven, 'text'> & { text: string | undefined },
  names = optionNames,
): Current | null {
  if (text !== undefined) return currentFrom({ ...given, text }, names);
  if (given.volumeIds.length === 0) return null;
  throw new BadInput(`${names.volumeIds} are those of the ${names.plan.current} layout: give both`);
}

// What a benchmark builds: also kinds that nothing else does, and a name.

const benchForm = `[NAME=][KIND:][Nx]TYPE:GIB[:IOPS[:MIBPS]] or [NAME=]FILE.json (kinds: ${benchKinds.join(', ')})`;

const nameOf = ({ kind, members, volumeType }: LayoutText<BenchKind>): string =>
  kind === 'single' ? `single-${volumeType}` : `${kind}-${members}x${volumeType}`;

/** @throws BadInput where it is none. */
export function benchLayout(text: string): BenchLayout {
  const [, name, rest = text] = /^([a-z][a-z0-9-]{0,23})=(.+)$/.exec(text) ?? [];
  const given: LayoutText<BenchKind> = isFile(rest)
    ? layoutInFile(rest)
    : layoutInText<BenchKind>(rest, {
        ...{ option: '--layouts', kinds: benchKinds, maxMembers: maxBenchMembers, form: benchForm },
      });
  return { name: name ?? nameOf(given), ...given, chunkKiB: 128, fileSystem: 'xfs' };
}

/** Only what can be set of its volumes: a benchmark makes them. */
function layoutInFile(path: string): LayoutText<BenchKind> {
  const file = readJson(path, layoutFileSchema, layoutFileExpected);
  const { layout } = naming(path, () => layoutOf(file, 'region'));
  const { volumeType, sizeGiB, iops, throughputMiBps } = provisioned(layout, 'region');
  return {
    ...{ kind: layout.kind, members: layout.members, volumeType, sizeGiB },
    ...(iops === undefined ? {} : { iops }),
    ...(throughputMiBps === undefined ? {} : { throughputMiBps }),
  };
}
