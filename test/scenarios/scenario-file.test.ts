import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { causeOf } from '../simulator/causes.ts';
import { runScenario } from '../simulator/scenario-plan.ts';
import { parseScenario, readScenarios } from './scenario-file.ts';

const text = `
name: two-spans
what: A gp3 is asked for too much twice, ten minutes each.
hours: 3
trouble: [volume-iops]
instances:
  - name: db
    type: m5.8xlarge
    volumes:
      - name: data
        type: gp3
        sizeGiB: 100
        load:
          kind: workers
          ioKiB: 8
          ioPerSecond: 500
          spans:
            - { fromMinute: 60, minutes: 10, ioPerSecond: 4000, everyMinutes: 60, times: 2 }
          bursts:
            - { fromMinute: 30, fromSecond: 10, seconds: 5, ioPerSecond: 6000 }
          stalled:
            - { fromMinute: 90, minutes: 1 }
`;

/** The text with one value changed: set('instances.0.type', 'm5.tiny'). */
function set(path: string, value: unknown): string {
  const document = parse(text);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((node, key) => node[key], document);
  parent[last] = value;
  return stringify(document);
}

const volume = 'instances.0.volumes.0';
const load = `${volume}.load`;

describe('a scenario', () => {
  test('becomes minutes whose truth follows from what is written', () => {
    const { instances, window } = runScenario(parseScenario('two-spans.yaml', text));
    expect(window.minutes).toBe(180);
    const ledger = instances[0]?.volumes[0]?.ledger;
    if (!ledger) throw new Error('nothing ran');
    const { cause, heldSeconds } = ledger;
    const held = Array.from(cause, causeOf).flatMap((one, minute) => (one === 'none' ? [] : [[minute, one]]));
    const minutesFrom = (first: number): [number, string][] =>
      Array.from({ length: 10 }, (_, i) => [first + i, 'volume-iops']);
    expect(held).toEqual([[30, 'volume-iops'], ...minutesFrom(60), [90, 'stalled'], ...minutesFrom(120)]);
    expect([heldSeconds[30], heldSeconds[60], heldSeconds[90]]).toEqual([5, 60, 60]);
  });

  test('gives its resources ids that no other scenario has', () => {
    const other = parseScenario('other.yaml', set('name', 'other'));
    const idOf = (scenario: typeof other): string | undefined =>
      runScenario(scenario).instances[0]?.volumes[0]?.volumeId;
    expect(idOf(other)).not.toBe(idOf(parseScenario('two-spans.yaml', text)));
  });
});

describe('a mistake in a scenario is reported with its file and field', () => {
  test.each([
    ['hours', 2, 'hours: Too small: expected number to be >=3'],
    ['hours', 3.01, 'hours: 3.01 is no whole number of five minutes'],
    ['name', 'three-spans', 'name: is "three-spans", its file says "two-spans"; give both the same name'],
    ['trouble', 'some', 'trouble: give none, or a list of volume-iops, volume-throughput, '],
    ['instances.0.type', 'm5.tiny', 'instances[0].type: Invalid option'],
    ['instances.0.colour', 'red', 'instances[0]: Unrecognized key: "colour"'],
    [`${volume}.iops`, 90_000, 'instances[0].volumes[0]: IOPS 90,000 is not allowed'],
    [`${volume}.alsoOn`, ['nobody'], 'instances[0].volumes[0].alsoOn: there is no instance "nobody"'],
    [
      `${volume}.movedFrom`,
      { instance: 'old', atMinute: 5 },
      'instances[0].volumes[0].movedFrom: there is no instance "old"',
    ],
    [
      `${volume}.missing`,
      ['VolumeQueue'],
      'instances[0].volumes[0].missing[0]: give the name of a metric, or { metric, fromMinute, minutes }',
    ],
    [
      `${load}.kind`,
      'chaos',
      'instances[0].volumes[0].load.kind: give database, workers, stream or closedLoop',
    ],
    [`${load}.workers`, 4, 'instances[0].volumes[0].load: Unrecognized key: "workers"'],
    [
      `${load}.spans.0.times`,
      5,
      'instances[0].volumes[0].load.spans[0]: ends in minute 310, the scenario in minute 180',
    ],
    [
      `${load}.spans.0.everyMinutes`,
      undefined,
      'instances[0].volumes[0].load.spans[0]: give everyMinutes and times together',
    ],
    [`${load}.bursts.0.seconds`, 61, 'instances[0].volumes[0].load.bursts[0].seconds: Too big'],
  ])('%s %p', (path, value, message) => {
    const mistaken = (): unknown => parseScenario('two-spans.yaml', set(path, value));
    expect(mistaken).toThrow(`two-spans.yaml: ${message}`);
    expect(mistaken).toThrow(/^[^\n]*$/);
  });

  test('a volume with credits does not move', () => {
    const gp2 = set(`${volume}.type`, 'gp2').replace(
      'sizeGiB: 100',
      'sizeGiB: 100\n        movedFrom: { instance: db, atMinute: 9 }',
    );
    expect(() => parseScenario('two-spans.yaml', gp2)).toThrow(
      'volumes[0].movedFrom: credits do not move along',
    );
  });

  test('what is no YAML', () => {
    expect(() => parseScenario('two-spans.yaml', 'name: a: b')).toThrow(/^two-spans.yaml: not YAML: [^\n]+$/);
  });
});

test('a folder is read by name, and nothing but YAML of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
  try {
    writeFileSync(join(folder, 'two-spans.yaml'), text);
    writeFileSync(join(folder, 'b.yaml'), set('name', 'b'));
    writeFileSync(join(folder, 'README.md'), 'not a scenario');
    expect(readScenarios(folder).map(({ name }) => name)).toEqual(['b', 'two-spans']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
