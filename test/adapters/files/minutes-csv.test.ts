/** The minutes as a CSV file, volume by volume. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { minutesFile } from '../../../adapters/files/minutes-csv.ts';
import { attribute } from '../../../core/diagnosis/attribute.ts';
import type { DiagnosedVolume } from '../../../core/diagnosis/diagnosed-volume.ts';
import { minuteColumns } from '../../../core/diagnosis/minutes.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { BadInput } from '../../../core/errors.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();

/** Three minutes at 100 IOPS, of which its own check says that so many of the last were throttled. */
function diagnosed(volumeId: string, throttled: number): DiagnosedVolume {
  const check = [...repeat(3 - throttled, 0), ...repeat(throttled, 1)];
  const metrics = metricSet(readsOf16KiB(repeat(3, 6_000), { VolumeIOPSExceededCheck: check }));
  const limits = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
  const load = loadOf(metrics);
  const { iops, mibps } = load;
  return {
    ...{ volume: aVolume({ volumeId }), limits, load },
    attribution: attribute(limits, load, metrics, [], defaultThresholds),
    demand: { lowIops: iops, highIops: iops, lowMiBps: mibps, highMiBps: mibps, assumptions: [] },
  };
}

/** The cells of what was written of these. */
function written(...all: DiagnosedVolume[]): string[][] {
  const path = join(directory.path, 'minutes.csv');
  const file = minutesFile(path);
  for (const one of all) file.add(one);
  file.keep();
  return parse(readFileSync(path, 'utf8'));
}

test('the header stands there alone where nothing was throttled', () => {
  const path = join(directory.path, 'header.csv');
  const file = minutesFile(path);
  file.add(diagnosed('vol-1', 0));
  file.keep();
  expect(readFileSync(path, 'utf8')).toBe(`${minuteColumns.join(',')}\n`);
});

test('a row each minute throttled, volume after volume as they come', () => {
  const [header, ...rows] = written(diagnosed('vol-2', 2), diagnosed('vol-3', 0), diagnosed('vol-1', 1));
  expect(header).toEqual(minuteColumns);
  expect(rows.map((cells) => cells.slice(0, 3))).toEqual([
    ['1970-01-01T00:01:00Z', 'vol-2', 'volume-iops'],
    ['1970-01-01T00:02:00Z', 'vol-2', 'volume-iops'],
    ['1970-01-01T00:02:00Z', 'vol-1', 'volume-iops'],
  ]);
});

test('a file that is there is written anew', () => {
  expect(written(diagnosed('vol-1', 3))).toHaveLength(1 + 3);
  expect(written(diagnosed('vol-1', 1))).toHaveLength(1 + 1);
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['vol-1', 'vol-1'],
  ['a=b', 'a=b'],
  ['"quoted", and a comma', '"quoted", and a comma'],
  ['two\nlines', 'two\nlines'],
  ['a\u001b[2Jb\u202ec\u2028d\u200be\0', 'a\\u{1b}[2Jb\\u{202e}c\\u{2028}d\\u{200b}e\\u{0}'],
])('the id %j is the cell %j: no spreadsheet calculates it', (volumeId, cell) => {
  const [, row] = written(diagnosed(volumeId, 1));
  expect(row?.[1]).toBe(cell);
  expect(row).toHaveLength(minuteColumns.length);
});

describe('what cannot be written', () => {
  const below = directory.write('a-file', 'text');

  test.each([
    ['in a directory that is not there', join(directory.path, 'none', 'minutes.csv'), /no such directory/],
    ['a directory', directory.path, /directory/],
    ['below a file', join(below, 'minutes.csv'), /a file is there/],
  ])('%s is one line that names it and says why', (_what, path, why) => {
    let error: unknown;
    try {
      minutesFile(path);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(BadInput);
    const { message } = error as BadInput;
    expect(message.startsWith(`${path}: cannot be written: `)).toBe(true);
    expect(message).toMatch(why);
    expect(message.split('\n')).toHaveLength(1);
    expect(existsSync(join(directory.path, 'none'))).toBe(false);
  });
});
