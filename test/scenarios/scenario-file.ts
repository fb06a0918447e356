/** Reads the scenarios of a folder: one YAML file each, named as the scenario; every failure names file and field. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { BadInput, IllegalConfiguration } from '../../core/errors.ts';
import { volumeLimits } from '../../core/limits/volume-limits.ts';
import { startsOf } from '../simulator/scenario-loads.ts';
import {
  type Repeats,
  type Scenario,
  type ScenarioInstance,
  type ScenarioVolume,
  scenarioSchema,
} from '../simulator/scenario-schema.ts';

const ending = '.yaml';

/** Where in the file, as a person would write it: instances[0].volumes[1].load.spans[0].minutes. */
const place = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '') || 'the file';

class ScenarioCheck {
  private readonly file: string;
  private readonly scenario: Scenario;

  constructor(file: string, scenario: Scenario) {
    this.file = file;
    this.scenario = scenario;
  }

  private fail(path: readonly PropertyKey[], why: string): never {
    throw new BadInput(`${this.file}: ${place(path)}: ${why}`);
  }

  run(): void {
    const { name, instances, hours } = this.scenario;
    const demand = basename(this.file, ending);
    if (name !== demand)
      this.fail(['name'], `is "${name}", its file says "${demand}"; give both the same name`);
    if (!Number.isInteger(hours * 12)) this.fail(['hours'], `${hours} is no whole number of five minutes`);
    for (const [i, instance] of instances.entries()) {
      for (const [v, volume] of instance.volumes.entries()) {
        this.volume(instance, volume, ['instances', i, 'volumes', v]);
      }
    }
  }

  private volume(instance: ScenarioInstance, volume: ScenarioVolume, at: readonly PropertyKey[]): void {
    const { type: volumeType, sizeGiB, iops, throughputMiBps, stripe, movedFrom, load } = volume;
    const deployment = instance.outpost ? 'outposts' : 'region';
    try {
      const { bucket } = volumeLimits({ volumeType, sizeGiB, iops, throughputMiBps, deployment });
      if (movedFrom && bucket)
        this.fail([...at, 'movedFrom'], 'credits do not move along; take a type without');
    } catch (error) {
      if (error instanceof IllegalConfiguration) this.fail(at, error.message);
      throw error;
    }
    if (stripe && load.kind === 'closedLoop') this.fail([...at, 'stripe'], 'a stripe takes an open load');
    for (const [p, other] of [movedFrom?.instance, ...(volume.alsoOn ?? [])].entries()) {
      const known = other === undefined || this.scenario.instances.some(({ name }) => name === other);
      if (!known) this.fail([...at, p === 0 ? 'movedFrom' : 'alsoOn'], `there is no instance "${other}"`);
    }
    this.times(load, [...at, 'load']);
  }

  private times(load: ScenarioVolume['load'], at: readonly PropertyKey[]): void {
    const minutes = this.scenario.hours * 60;
    const lists: Record<string, readonly (Repeats & { minutes?: number })[]> = {
      spans: load.spans ?? [],
      stalled: load.stalled ?? [],
      bursts: (load.kind === 'closedLoop' ? undefined : load.bursts) ?? [],
    };
    for (const [key, list] of Object.entries(lists)) {
      for (const [i, one] of list.entries()) {
        const end = (startsOf(one).at(-1) ?? 0) + (one.minutes ?? 1);
        if (end > minutes)
          this.fail([...at, key, i], `ends in minute ${end}, the scenario in minute ${minutes}`);
        const again = one.everyMinutes !== undefined || one.times !== undefined;
        if (again && (one.everyMinutes === undefined || one.times === undefined)) {
          this.fail([...at, key, i], 'give everyMinutes and times together');
        }
      }
    }
  }
}

/** @throws BadInput that names the file, the field, and what would be right. */
export function parseScenario(file: string, text: string): Scenario {
  let document: unknown;
  try {
    document = parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    throw new BadInput(`${file}: not YAML: ${error.message.split('\n')[0]}`, { cause: error });
  }
  const parsed = scenarioSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BadInput(`${file}: ${place(issue?.path ?? [])}: ${issue?.message ?? 'unreadable'}`);
  }
  new ScenarioCheck(file, parsed.data).run();
  return parsed.data;
}

/** All scenarios of a folder, by name. */
export const readScenarios = (folder: string): Scenario[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => parseScenario(join(folder, file), readFileSync(join(folder, file), 'utf8')));
