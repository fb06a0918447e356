/** Files as the AWS CLI prints them, 4 spaces deep. The metrics are printed piecewise: one string would be too long. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatedFleet } from './fleet.ts';
import type { MetricDataResult } from './series.ts';

const indentSpaces = 4;
const itemIndent = ' '.repeat(4 * indentSpaces);
const listEnd = ' '.repeat(3 * indentSpaces);

const printList = (items: string, empty: boolean): string => (empty ? '[]' : `[\n${items}\n${listEnd}]`);

/** Complete series share their timestamps: they are printed once and written many times. */
function stampPrinter(): (stamps: readonly string[]) => string {
  const printed = new WeakMap<readonly string[], string>();
  return (stamps) => {
    const before = printed.get(stamps);
    if (before !== undefined) return before;
    const text = printList(stamps.map((stamp) => `${itemIndent}"${stamp}"`).join(',\n'), stamps.length === 0);
    printed.set(stamps, text);
    return text;
  };
}

function printResult(result: MetricDataResult, printStamps: (stamps: readonly string[]) => string): string {
  const values =
    result.Values.length === 0
      ? '[]'
      : `[\n${itemIndent}${result.Values.join(`,\n${itemIndent}`)}\n${listEnd}]`;
  return [
    '        {',
    `            "Id": ${JSON.stringify(result.Id)},`,
    `            "Label": ${JSON.stringify(result.Label)},`,
    `            "Timestamps": ${printStamps(result.Timestamps)},`,
    `            "Values": ${values},`,
    `            "StatusCode": "${result.StatusCode}"`,
    '        }',
  ].join('\n');
}

export function writeMetrics(getMetricData: object, path: string): void {
  const { MetricDataResults } = getMetricData as { MetricDataResults: readonly MetricDataResult[] };
  const printStamps = stampPrinter();
  const file = openSync(path, 'w');
  try {
    writeSync(file, '{\n    "Messages": [],\n    "MetricDataResults": [\n');
    for (const [i, result] of MetricDataResults.entries()) {
      const end = i === MetricDataResults.length - 1 ? '\n' : ',\n';
      writeSync(file, printResult(result, printStamps) + end);
    }
    writeSync(file, '    ]\n}\n');
  } finally {
    closeSync(file);
  }
}

const writeJson = (path: string, value: object, indent: number): void =>
  writeFileSync(path, `${JSON.stringify(value, null, indent)}\n`);

/** Writes DIR/<region>/describe-volumes.json, describe-instances.json, get-metric-data.json and DIR/truth.json. */
export function writeFleet(fleet: SimulatedFleet, directory: string): void {
  for (const { region, describeVolumes, describeInstances, getMetricData } of fleet.regions) {
    const folder = join(directory, region);
    mkdirSync(folder, { recursive: true });
    writeJson(join(folder, 'describe-volumes.json'), describeVolumes, indentSpaces);
    writeJson(join(folder, 'describe-instances.json'), describeInstances, indentSpaces);
    writeMetrics(getMetricData, join(folder, 'get-metric-data.json'));
  }
  const { regions: _, causesByVolume, causesByInstance, ...truth } = fleet;
  const minutes = {
    causesByVolume: Object.fromEntries(causesByVolume),
    causesByInstance: Object.fromEntries(causesByInstance),
  };
  writeJson(join(directory, 'truth.json'), { ...truth, ...minutes }, 0);
}
